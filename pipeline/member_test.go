package pipeline_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cenkalti/backoff/v4"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/pipetest"
)

// placement hands out what the test places.
type placement chan []int

func (p placement) Next(ctx context.Context) ([]int, error) {
	select {
	case placed := <-p:
		return placed, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// memoryPartition is a partition in memory that tells how it was given up.
type memoryPartition struct {
	*pipetest.Source
	drained, closed atomic.Bool
}

func (p *memoryPartition) Drain() {
	p.drained.Store(true)
	p.Source.Close()
}

func (p *memoryPartition) Close(context.Context) error {
	p.Kill()
	p.closed.Store(true)
	return nil
}

// crew is a member over the partitions of some worlds, as one test has it.
type crew struct {
	t      *testing.T
	worlds []*world
	place  placement
	fail   atomic.Int32 // how many openings fail
	member *pipeline.Member

	mu     sync.Mutex
	opened []*memoryPartition // in the order in which they were opened

	stop  context.CancelFunc
	ended chan error
}

func newCrew(t *testing.T, change func(*pipeline.MemberConfig), worlds ...*world) *crew {
	t.Helper()
	c := &crew{t: t, worlds: worlds, place: make(placement), ended: make(chan error, 1)}
	cfg := pipeline.MemberConfig{
		Worker: pipeline.Config{
			Rules: worlds[0].rules, Backoff: func() backoff.BackOff { return backoff.NewConstantBackOff(time.Second) },
		},
		Placement: c.place, Open: c.open, Sink: worlds[0].stream.Sink(),
	}
	if change != nil {
		change(&cfg)
	}
	member, err := pipeline.NewMember(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var ctx context.Context
	ctx, c.stop = context.WithCancel(t.Context())
	c.member = member
	go func() { c.ended <- member.Run(ctx) }()
	return c
}

func (c *crew) open(_ context.Context, partition int) (pipeline.Partition, error) {
	if c.fail.Add(-1) >= 0 {
		return nil, errors.New("no such durable")
	}
	p := &memoryPartition{Source: c.worlds[partition].stream.Open()}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.opened = append(c.opened, p)
	return p, nil
}

// openings is how often a partition was opened.
func (c *crew) openings() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.opened)
}

// end stops the member and gives what Run returned.
func (c *crew) end() error {
	c.stop()
	return <-c.ended
}

var talk = event.Conversation{Tenant: "acme", Agent: "desk", ID: "a"}

func TestMemberWorksOnWhatIsPlacedWithIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		c := newCrew(t, nil, w)
		w.publish(rowOf(talk, 1, "a", `{"gate":"B12"}`))
		w.publish(answerOf(talk, 1, "gate B12", "a"))
		synctest.Wait()
		if got := w.stream.Acked(); len(got) != 0 || c.openings() != 0 {
			t.Errorf("before anything is placed %v is acknowledged and %d partitions are open", got, c.openings())
		}
		c.place <- []int{0}
		synctest.Wait()
		w.check()
		if err := c.end(); err != nil {
			t.Errorf("Run: %v", err)
		}
		if p := c.opened[0]; !p.drained.Load() || !p.closed.Load() {
			t.Errorf("at the end: drained %v, closed %v", p.drained.Load(), p.closed.Load())
		}
	})
}

// A partition that falls to another is given up once what is in hand is stored, and the other goes on.
func TestMemberHandsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		one, other := newCrew(t, nil, w), newCrew(t, nil, w)
		one.place <- []int{0}
		w.publish(rowOf(talk, 1, "a", `{"gate":"B12"}`))
		w.stream.Sink().Hold()
		w.publish(answerOf(talk, 1, "gate B12", "a"))
		synctest.Wait()
		one.place <- nil
		synctest.Wait()
		if p := one.opened[0]; !p.drained.Load() || p.closed.Load() {
			t.Fatalf("with a verdict on its way: drained %v, closed %v", p.drained.Load(), p.closed.Load())
		}
		w.stream.Sink().Release()
		synctest.Wait()
		if !one.opened[0].closed.Load() {
			t.Fatal("not given up once everything was stored")
		}
		other.place <- []int{0}
		w.publish(answerOf(talk, 2, "gate B13", "a"))
		synctest.Wait()
		w.check()
		for _, c := range []*crew{one, other} {
			if err := c.end(); err != nil {
				t.Errorf("Run: %v", err)
			}
		}
	})
}

// An answer that waits for a call is not kept from the next owner: it is handed back at once and waits there.
func TestMemberHandsOverWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		wait := func(c *pipeline.MemberConfig) { c.Worker.Grace = time.Hour }
		one, other := newCrew(t, wait, w), newCrew(t, wait, w)
		one.place <- []int{0}
		w.publish(answerOf(talk, 1, "gate B12", "a"))
		synctest.Wait()
		one.place <- nil
		synctest.Wait()
		other.place <- []int{0}
		synctest.Wait()
		w.publish(rowOf(talk, 1, "a", `{"gate":"B12"}`))
		synctest.Wait()
		w.check()
		for _, c := range []*crew{one, other} {
			if err := c.end(); err != nil {
				t.Errorf("Run: %v", err)
			}
		}
	})
}

// A partition that comes back while it is given up is worked on again once that is done.
func TestMemberTakesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		c := newCrew(t, nil, w)
		c.place <- []int{0}
		w.stream.Sink().Hold()
		w.publish(answerOf(talk, 1, "gate B12"))
		synctest.Wait()
		c.place <- nil
		c.place <- []int{0}
		synctest.Wait()
		if c.openings() != 1 {
			t.Fatalf("opened %d times while the first still finishes", c.openings())
		}
		w.stream.Sink().Release()
		w.publish(answerOf(talk, 2, "gate B13"))
		synctest.Wait()
		w.check()
		if err := c.end(); err != nil || c.openings() != 2 {
			t.Errorf("Run: %v, opened %d times", err, c.openings())
		}
	})
}

// A stop that takes too long ends in the middle and says so; what was in hand is handed out again.
func TestMemberStopsInTheMiddle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		c := newCrew(t, func(c *pipeline.MemberConfig) { c.Drain = 3 * time.Second }, w)
		c.place <- []int{0}
		w.stream.Sink().Hold()
		w.publish(answerOf(talk, 1, "gate B12"))
		synctest.Wait()
		start := time.Now()
		if err := c.end(); !errors.Is(err, pipeline.ErrUnfinished) {
			t.Errorf("Run: %v, want ErrUnfinished", err)
		}
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("stopped after %s", took)
		}
		w.stream.Sink().Release()
		if left := w.stream.Unacked(); !slices.Equal(left, []uint64{1}) {
			t.Errorf("not acknowledged: %v", left)
		}
	})
}

// What cannot be opened is tried again; a member can be stopped meanwhile, or the partition be placed elsewhere.
func TestMemberTriesToOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		c := newCrew(t, nil, w)
		c.fail.Store(3)
		c.place <- []int{0}
		w.publish(answerOf(talk, 1, "gate B12"))
		time.Sleep(2500 * time.Millisecond)
		synctest.Wait()
		if c.openings() != 0 {
			t.Fatal("opened before the fault has passed")
		}
		time.Sleep(time.Second)
		synctest.Wait()
		w.check()
		c.fail.Store(1 << 30)
		c.place <- nil
		c.place <- []int{0}
		time.Sleep(2 * time.Second)
		c.place <- nil
		synctest.Wait()
		if err := c.end(); err != nil {
			t.Errorf("Run: %v", err)
		}
	})
}

// The cache is divided among the partitions in hand, also when one comes to those that work already.
func TestMemberSharesTheCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, second := newWorld(t), newWorld(t)
		seen := &watcher{}
		c := newCrew(t, func(c *pipeline.MemberConfig) { c.Worker.CacheBytes, c.Worker.Observer = 150_000, seen }, w, second)
		c.place <- []int{0}
		for _, id := range []string{"a", "b", "c", "d"} {
			w.publish(rowOf(event.Conversation{Tenant: "acme", Agent: "desk", ID: id}, 1, "x", `"`+strings.Repeat("x ", 5_000)+`"`))
		}
		synctest.Wait()
		if n := seen.evicted; n != 0 {
			t.Fatalf("%d bytes dropped though all fit: the test shows nothing", n)
		}
		c.place <- []int{0, 1}
		synctest.Wait()
		if seen.evicted == 0 {
			t.Error("nothing dropped with half of the room")
		}
		if err := c.end(); err != nil {
			t.Errorf("Run: %v", err)
		}
	})
}

func TestMemberConfig(t *testing.T) {
	open := func(context.Context, int) (pipeline.Partition, error) { return nil, nil }
	w := newWorld(t)
	for name, cfg := range map[string]pipeline.MemberConfig{
		"no rules":       {Placement: make(placement), Open: open, Sink: w.stream.Sink()},
		"no sink":        {Worker: pipeline.Config{Rules: w.rules}, Placement: make(placement), Open: open},
		"negative drain": {Worker: pipeline.Config{Rules: w.rules}, Placement: make(placement), Open: open, Sink: w.stream.Sink(), Drain: -1},
	} {
		if _, err := pipeline.NewMember(cfg); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
