package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// shelf keeps checkpoints in memory, and fails with wrong while that is not nil.
type shelf struct {
	kept  map[string][]byte
	tries int
	wrong error
}

func (s *shelf) Load(_ context.Context, id string) ([]byte, error) { return s.kept[id], nil }

func (s *shelf) Save(_ context.Context, id string, value []byte) error {
	s.tries++
	if s.wrong == nil {
		s.kept[id] = value
	}
	return s.wrong
}

func newBook(t *testing.T) (*book, *shelf, *strings.Builder) {
	t.Helper()
	var said strings.Builder
	s := &shelf{kept: map[string][]byte{}}
	p := &past{console: newConsole(&said)}
	return &book{id: "j1", past: p, task: &publishing{past: p}, replays: s, pause: saveEvery}, s, &said
}

// TestCheckpointIsTriedAgain holds that a checkpoint that could not be saved is saved later, with pauses that grow, and that
// a person reads each change once.
func TestCheckpointIsTriedAgain(t *testing.T) {
	b, s, said := newBook(t)
	later := func(after time.Duration, reached uint64) {
		t.Helper()
		b.saved = b.saved.Add(-after)
		if err := b.reached(t.Context(), reached); err != nil {
			t.Fatal(err)
		}
	}
	s.wrong = errors.New("no quorum")
	later(saveEvery, 5)
	later(saveEvery+time.Second, 6)
	if s.tries != 1 {
		t.Errorf("%d tries before the pause is over", s.tries)
	}
	for range 9 {
		later(maxSavePause, 7)
	}
	if s.tries != 10 {
		t.Errorf("%d tries", s.tries)
	}
	if err := b.interrupted(t.Context(), errors.New("broken")); err.Error() != "broken" {
		t.Errorf("it promises what nothing holds: %v", err)
	}
	s.wrong = nil
	later(maxSavePause, 9)
	var kept checkpoint
	if err := json.Unmarshal(s.kept["j1"], &kept); err != nil || kept.Reached != 9 {
		t.Fatalf("kept: %+v, %v", kept, err)
	}
	s.wrong = errors.New("no quorum")
	later(saveEvery, 11)
	err := b.interrupted(t.Context(), errors.New("broken"))
	if want := "broken after sequence 11, and the last checkpoint that was saved is of sequence 9: the same flags and --resume j1 go on from there"; err.Error() != want {
		t.Errorf("it says %v", err)
	}
	for text, times := range map[string]int{"could not be saved: no quorum": 2, "checkpoints are saved again": 1} {
		if n := strings.Count(said.String(), text); n != times {
			t.Errorf("%q is said %d times:\n%s", text, n, said)
		}
	}
	s.wrong = jet.ErrReplayTaken
	b.saved = time.Time{}
	if err := b.reached(t.Context(), 12); !errors.Is(err, jet.ErrReplayTaken) {
		t.Errorf("another process works on it: %v", err)
	}
}
