package jet

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// seat is a member that runs, with what it was told last.
type seat struct {
	*Members
	stop context.CancelFunc
	over sync.WaitGroup

	mu     sync.Mutex
	placed []int
	sick   error
}

func sit(t *testing.T, b *bench, partitions int) *seat {
	t.Helper()
	s := &seat{}
	var err error
	s.Members, err = Join(t.Context(), b.js, MembersConfig{Partitions: partitions, OnHealth: func(err error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.sick = err
	}})
	if err != nil {
		t.Fatal(err)
	}
	var ctx context.Context
	ctx, s.stop = context.WithCancel(t.Context())
	s.over.Go(func() {
		for {
			placed, err := s.Next(ctx)
			if err != nil {
				return
			}
			s.mu.Lock()
			s.placed = placed
			s.mu.Unlock()
		}
	})
	return s
}

// kill ends the member as a crash does: it shows itself no more.
func (s *seat) kill() {
	s.stop()
	s.over.Wait()
}

func (s *seat) now() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.placed)
}

// shared tells whether every partition falls to exactly one of the members, and each has some.
func sharedAmong(partitions int, seats ...*seat) bool {
	var all []int
	for _, s := range seats {
		mine := s.now()
		if len(mine) == 0 {
			return false
		}
		all = append(all, mine...)
	}
	slices.Sort(all)
	return len(all) == partitions && len(slices.Compact(all)) == partitions
}

// TestMembers lets members join, leave and crash: partitions are placed with those that are there, within seconds.
func TestMembers(t *testing.T) {
	virtually(t, func(t *testing.T, b *bench) {
		const partitions = 16
		one := sit(t, b, partitions)
		synctest.Wait()
		if got := one.now(); len(got) != partitions {
			t.Fatalf("alone it has %v", got)
		}
		two, three := sit(t, b, partitions), sit(t, b, partitions)
		time.Sleep(2 * defaultBeat)
		if !sharedAmong(partitions, one, two, three) {
			t.Fatalf("three share %v, %v, %v", one.now(), two.now(), three.now())
		}
		before := append(one.now(), two.now()...)
		three.kill()
		if err := three.Leave(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * defaultBeat)
		if !sharedAmong(partitions, one, two) {
			t.Errorf("after one left: %v, %v", one.now(), two.now())
		}
		for _, p := range before {
			if !slices.Contains(append(one.now(), two.now()...), p) {
				t.Errorf("partition %d is nobody's", p)
			}
		}
		two.kill()
		time.Sleep(defaultBeat)
		if len(one.now()) == partitions {
			t.Error("a member that was silent for a moment counts as gone")
		}
		time.Sleep(memberGone + 2*defaultBeat)
		if len(one.now()) != partitions {
			t.Errorf("after the other crashed: %v", one.now())
		}
		one.kill()
	})
}

// A beat that goes wrong is told, and changes nothing that was placed.
func TestMembersWithoutBucket(t *testing.T) {
	virtually(t, func(t *testing.T, b *bench) {
		s := sit(t, b, 4)
		synctest.Wait()
		if err := b.js.DeleteKeyValue(t.Context(), MembersBucket); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Second)
		s.mu.Lock()
		sick := s.sick
		s.mu.Unlock()
		if sick == nil || !strings.Contains(sick.Error(), MembersBucket) || len(s.now()) != 4 {
			t.Errorf("without the bucket: %v, placed %v", sick, s.now())
		}
		s.kill()
		if _, err := Join(t.Context(), b.js, MembersConfig{}); err == nil || !strings.Contains(err.Error(), "--provision") {
			t.Errorf("join without the bucket: %v", err)
		}
	})
}
