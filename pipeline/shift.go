package pipeline

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v4"
)

// shift is one time that a member works on a partition: from opening it until it is given up.
type shift struct {
	cfg       *MemberConfig
	rules     Rules
	partition int
	left      chan struct{} // closed by leave
	leaving   bool          // owned by Member.Run

	err        error // why it ended by itself; written before it is over
	unfinished bool  // something in hand was left; written before it is over

	mu         sync.Mutex
	worker     *Worker // nil until the partition is open; guarded by mu
	cacheBytes int     // guarded by mu
}

func newShift(cfg *MemberConfig, rules Rules, partition int) *shift {
	return &shift{cfg: cfg, rules: rules, partition: partition, left: make(chan struct{}), cacheBytes: cfg.Worker.CacheBytes}
}

// leave asks the shift to finish what is in hand and end.
func (s *shift) leave() {
	if !s.leaving {
		s.leaving = true
		close(s.left)
	}
}

// resize changes the shift's share of the cache.
func (s *shift) resize(bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cacheBytes = bytes
	if s.worker != nil {
		s.worker.Resize(bytes)
	}
}

// run works until the shift is left and what is in hand is finished, or hard ends.
func (s *shift) run(hard context.Context) {
	source := s.open(hard)
	if source == nil {
		return
	}
	defer s.giveUp(hard, source)
	worker, err := s.hire(source)
	if err != nil {
		s.err = err
		return
	}
	running, kill := context.WithCancel(hard)
	defer kill()
	var over sync.WaitGroup
	over.Go(func() { s.drain(running, source, kill) })
	err = worker.Run(running)
	kill()
	over.Wait()
	if !errors.Is(err, context.Canceled) {
		s.err = err
	}
}

func (s *shift) hire(source Source) (*Worker, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	cfg := s.cfg.Worker
	cfg.CacheBytes, cfg.Rules = s.cacheBytes, s.rules
	var err error
	s.worker, err = NewWorker(cfg, source, s.cfg.Sink)
	return s.worker, err
}

// open opens the partition, again and again until it does, the shift is left, or hard ends: then it returns nil.
func (s *shift) open(hard context.Context) (source Partition) {
	ctx, cancel := context.WithCancel(hard)
	defer cancel()
	go func() {
		select {
		case <-s.left:
			cancel()
		case <-ctx.Done():
		}
	}()
	try := func() (err error) {
		source, err = s.cfg.Open(ctx, s.partition)
		return err
	}
	notify := func(err error, after time.Duration) { s.tell("open a partition", err, after) }
	if backoff.RetryNotify(try, backoff.WithContext(s.cfg.Worker.Backoff(), ctx), notify) != nil {
		return nil
	}
	return source
}

// drain waits until the shift is left, and then for what is in hand, but no longer than that may take.
func (s *shift) drain(running context.Context, source Partition, kill func()) {
	select {
	case <-s.left:
	case <-running.Done():
		return
	}
	source.Drain()
	limit := time.NewTimer(s.cfg.Drain)
	defer limit.Stop()
	select {
	case <-limit.C:
		s.unfinished = true
		s.tell("finish what is in hand of a partition", ErrUnfinished, 0)
		kill()
	case <-running.Done():
	}
}

// giveUp lets another member have the partition. It waits for the server only briefly: without its word another member
// has the partition a little later.
func (s *shift) giveUp(hard context.Context, source Partition) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(hard), 2*time.Second)
	defer cancel()
	if err := source.Close(ctx); err != nil {
		s.tell("give a partition up", err, 0)
	}
}

func (s *shift) tell(doing string, err error, after time.Duration) {
	s.cfg.Worker.Observer.Retried(doing, err, after)
}
