package replay_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// mixed is a stream of so many keys, their messages mixed.
func mixed(seed uint64, keys, messages int) []pipeline.Message {
	random := rand.New(rand.NewPCG(seed, 1))
	stream := make([]pipeline.Message, messages)
	for i := range stream {
		stream[i] = pipeline.Message{Seq: uint64(2*i + 1), Subject: fmt.Sprint("k", random.IntN(keys)), Data: make([]byte, random.IntN(500))}
	}
	return stream
}

// gathering reads the messages between two sequences of a stream.
func gathering(stream []pipeline.Message, from, through uint64) replay.Gathering {
	g := replay.Gathering{Totals: replay.NewTotals(), Key: func(m pipeline.Message) string { return m.Subject }}
	for _, m := range stream {
		g.Totals.Add(m.Subject, 1)
	}
	g.Read = func(ctx context.Context, visit func(pipeline.Message) error) error {
		for _, m := range stream {
			if m.Seq < from || m.Seq > through {
				continue
			}
			if err := visit(m); err != nil {
				return err
			}
		}
		return ctx.Err()
	}
	return g
}

// all looks at every message: each is a finding that names its sequence.
func all(_ context.Context, s replay.Stretch) ([]replay.Finding[uint64], error) {
	var found []replay.Finding[uint64]
	for _, m := range s.Messages {
		found = append(found, replay.Finding[uint64]{Seq: m.Seq, Of: m.Seq})
	}
	return found, nil
}

// TestEachFindsEverythingInOrder holds for any number of workers, any room and any part that every message of the part is
// in one stretch, that a stretch that is whole holds all of its key, and that findings come in stream order.
func TestEachFindsEverythingInOrder(t *testing.T) {
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 2))
		stream := mixed(seed, 1+random.IntN(40), 400)
		from, through := uint64(1+random.IntN(300)), uint64(400+random.IntN(500))
		of := map[string]int{}
		var want []uint64
		for _, m := range stream {
			of[m.Subject]++
			if from <= m.Seq && m.Seq <= through {
				want = append(want, m.Seq)
			}
		}
		for _, workers := range []int{1, 2, 7} {
			for _, room := range []int{1, 5_000, 20_000, 0} {
				g := gathering(stream, from, through)
				g.Workers, g.Bytes = workers, room
				var got []uint64
				var reached uint64
				g.Reached = func(seq uint64) error {
					if seq < reached || len(got) > 0 && got[len(got)-1] > seq {
						t.Errorf("reached %d after %d and the finding %v", seq, reached, got[len(got)-1])
					}
					reached = seq
					return nil
				}
				err := replay.Each(t.Context(), g, func(ctx context.Context, s replay.Stretch) ([]replay.Finding[uint64], error) {
					if s.Whole != (len(s.Messages) == of[s.Key]) {
						t.Errorf("a stretch of %d of %d messages, whole %v", len(s.Messages), of[s.Key], s.Whole)
					}
					return all(ctx, s)
				}, func(f replay.Finding[uint64]) error {
					got = append(got, f.Of)
					return nil
				})
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("seed %d, %d workers, room %d: %v, %d findings, want %d", seed, workers, room, err, len(got), len(want))
				}
				if len(want) > 0 && reached != want[len(want)-1] {
					t.Errorf("reached %d, want %d", reached, want[len(want)-1])
				}
			}
		}
	}
}

// TestEachHoldsNoMoreThanItsBytes reads a stream of keys that all go on to the end: nothing would ever be whole.
func TestEachHoldsNoMoreThanItsBytes(t *testing.T) {
	stream := mixed(1, 50, 5000)
	g := gathering(stream, 1, stream[len(stream)-1].Seq)
	g.Bytes, g.Workers = 100_000, 3
	var held, most atomic.Int64
	read := g.Read
	g.Read = func(ctx context.Context, visit func(pipeline.Message) error) error {
		return read(ctx, func(m pipeline.Message) error {
			most.Store(max(most.Load(), held.Add(int64(len(m.Data)))))
			return visit(m)
		})
	}
	sizes := map[uint64]int{}
	for _, m := range stream {
		sizes[m.Seq] = len(m.Data)
	}
	err := replay.Each(t.Context(), g, all, func(f replay.Finding[uint64]) error {
		held.Add(int64(-sizes[f.Of]))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if most.Load() > 110_000 {
		t.Errorf("%d bytes were held, of 100000", most.Load())
	}
	if most.Load() < 20_000 {
		t.Errorf("only %d bytes were held: the test holds nothing", most.Load())
	}
}

// TestEachEndsWithTheFirstError holds that nothing hangs, whoever meets the error.
func TestEachEndsWithTheFirstError(t *testing.T) {
	stream := mixed(3, 20, 300)
	broken := errors.New("broken")
	tests := map[string]struct {
		look func(context.Context, replay.Stretch) ([]replay.Finding[uint64], error)
		emit func(replay.Finding[uint64]) error
		read bool
	}{
		"look": {look: func(context.Context, replay.Stretch) ([]replay.Finding[uint64], error) { return nil, broken }},
		"emit": {emit: func(replay.Finding[uint64]) error { return broken }},
		"read": {read: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			g := gathering(stream, 1, 1000)
			g.Bytes, g.Workers = 2_000, 2
			if tt.read {
				g.Read = func(context.Context, func(pipeline.Message) error) error { return broken }
			}
			look, emit := tt.look, tt.emit
			if look == nil {
				look = all
			}
			if emit == nil {
				emit = func(replay.Finding[uint64]) error { return nil }
			}
			if err := replay.Each(t.Context(), g, look, emit); !errors.Is(err, broken) {
				t.Errorf("Each returned %v", err)
			}
		})
	}
}

// TestEachStopsWithItsContext ends the context in the middle. What was emitted is complete up to what was reached.
func TestEachStopsWithItsContext(t *testing.T) {
	stream := mixed(5, 30, 2000)
	for _, after := range []int{1, 100, 900} {
		ctx, stop := context.WithCancel(t.Context())
		g := gathering(stream, 1, 10_000)
		g.Bytes, g.Workers = 20_000, 4
		var reached uint64
		g.Reached = func(seq uint64) error { reached = seq; return nil }
		emitted := 0
		err := replay.Each(ctx, g, all, func(replay.Finding[uint64]) error {
			if emitted++; emitted == after {
				stop()
			}
			return nil
		})
		stop()
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("Each returned %v", err)
		}
		want := 0
		for _, m := range stream {
			if m.Seq <= reached {
				want++
			}
		}
		if emitted != want {
			t.Errorf("%d were emitted, %d are at or before what was reached", emitted, want)
		}
	}
}

// TestEachEmitsNothingAfterAnError holds that a finding that could not be emitted is never passed over, also when other
// workers come to an end after it: what is reached is what was emitted.
func TestEachEmitsNothingAfterAnError(t *testing.T) {
	stream := mixed(7, 300, 600)
	broken := errors.New("broken")
	for after := 1; after <= 20; after++ {
		g := gathering(stream, 1, 10_000)
		g.Workers = 8
		emitted, failed := 0, false
		g.Reached = func(seq uint64) error {
			if failed {
				t.Errorf("%d was reached after an error", seq)
			}
			return nil
		}
		err := replay.Each(t.Context(), g, all, func(replay.Finding[uint64]) error {
			if failed {
				t.Error("a finding was emitted after an error")
			}
			if emitted++; emitted > after {
				failed = true
				return broken
			}
			return nil
		})
		if !errors.Is(err, broken) {
			t.Fatalf("Each returned %v", err)
		}
	}
}
