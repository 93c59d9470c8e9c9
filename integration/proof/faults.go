package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// faultKind is what is done to a process.
type faultKind string

// What can be done to a process. Each is undone after a while.
const (
	killed  faultKind = "killed"
	paused  faultKind = "paused"
	stopped faultKind = "stopped"
)

// fault is something that was done to a process.
type fault struct {
	kind   faultKind
	target *process
	at     time.Time
	length time.Duration
	server bool
}

// trouble does things to processes until it is told to stop. Each consumer has a schedule of its own, and the servers one
// together, so that more than one copy of a stream is never away: all made from the seed.
type trouble struct {
	seed      uint64
	pause     time.Duration // between the end of a fault and the next one of the same schedule, on average
	cluster   *cluster
	consumers []*process
	servers   bool

	mu     sync.Mutex
	faults []fault // guarded by mu
}

// run makes trouble until ctx ends; then it undoes what it did and returns.
func (t *trouble) run(ctx context.Context) error {
	var group errgroup.Group
	for i, consumer := range t.consumers {
		group.Go(func() error { return t.plague(ctx, t.random(i), consumer) })
	}
	if t.servers {
		group.Go(func() error { return t.plagueServers(ctx, t.random(len(t.consumers))) })
	}
	return group.Wait()
}

func (t *trouble) random(schedule int) *rand.Rand {
	return rand.New(rand.NewPCG(t.seed, uint64(schedule)+1))
}

// plague does one thing after another to a consumer.
func (t *trouble) plague(ctx context.Context, r *rand.Rand, consumer *process) error {
	for wait(ctx, around(r, t.pause)) {
		f := fault{kind: draw(r, killed, killed, killed, paused, paused, stopped), target: consumer}
		f.length = time.Duration(r.Int64N(int64(3 * time.Second)))
		if f.kind == paused {
			f.length = time.Duration(r.Int64N(int64(10 * time.Second))) // often longer than an owner's absence is borne
		}
		if err := t.make(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// plagueServers takes the leader of a stream away, and waits until every copy is up to date before the next one.
func (t *trouble) plagueServers(ctx context.Context, r *rand.Rand) error {
	for wait(ctx, around(r, 2*t.pause)) {
		stream := draw(r, jet.EventsStream, jet.EventsStream, jet.AuditStream)
		leader, err := t.cluster.leader(ctx, stream)
		if err != nil || leader == nil {
			continue // between two leaders: the next time
		}
		f := fault{kind: draw(r, killed, stopped), target: leader, server: true}
		f.length = time.Second + time.Duration(r.Int64N(int64(4*time.Second)))
		if err := t.make(ctx, f); err != nil {
			return err
		}
		if !eventually(ctx, 2*time.Minute, func() bool { return t.cluster.whole(ctx) }) && ctx.Err() == nil {
			return fmt.Errorf("%s was started again, and after two minutes a copy of a stream is not up to date", leader.name)
		}
	}
	return nil
}

// make does it, waits, and undoes it. The end of ctx shortens the wait.
func (t *trouble) make(ctx context.Context, f fault) error {
	do, undo := f.target.kill, f.target.start
	switch f.kind {
	case stopped:
		do = f.target.stop
	case paused:
		do = func() error { return f.target.signal(pause) }
		undo = func() error { return f.target.signal(goOn) }
	}
	f.at = time.Now()
	if err := do(); err != nil {
		return err
	}
	t.mu.Lock()
	t.faults = append(t.faults, f)
	t.mu.Unlock()
	wait(ctx, f.length)
	return undo()
}

// made lists the faults so far, in order.
func (t *trouble) made() []fault {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := slices.Clone(t.faults)
	slices.SortFunc(all, func(a, b fault) int { return a.at.Compare(b.at) })
	return all
}

// draw takes one of them.
func draw[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// around is between a half and three halves of it.
func around(r *rand.Rand, d time.Duration) time.Duration {
	return d/2 + time.Duration(r.Int64N(int64(d)+1))
}

// wait tells whether the time passed before ctx ended.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
