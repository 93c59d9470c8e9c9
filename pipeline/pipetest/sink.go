package pipetest

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/plumbline-dev/plumbline/pipeline"
)

// Sink is an audit store in memory. It implements pipeline.Sink. Outcomes reach done before Publish returns, unless
// Hold or Delay was asked for.
type Sink struct {
	mu      sync.Mutex
	records []pipeline.Stored
	lastOf  map[string]uint64 // the last sequence of each subject
	letters []pipeline.Letter
	buried  map[letterKey]bool
	faults  sinkFaults
	holding bool
	waiting []func() // outcomes held back, in order
}

type letterKey struct {
	reason string
	seq    uint64
}

type sinkFaults struct {
	failPublishes, loseReplies, contend, refuseStarts int
	failChains, failBuries                            int
	limit                                             int // bytes of a payload; 0: none
	delay                                             time.Duration
	onStore                                           func(pipeline.Stored)
}

var _ pipeline.Sink = (*Sink)(nil)

// NewSink returns an empty store.
func NewSink() *Sink {
	return &Sink{lastOf: map[string]uint64{}, buried: map[letterKey]bool{}}
}

// Publish stores the record when the guard lets it, and gives the outcome to done.
func (s *Sink) Publish(ctx context.Context, r pipeline.Record, done func(seq uint64, err error)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	if spend(&s.faults.refuseStarts) {
		s.mu.Unlock()
		return ErrFault
	}
	seq, stored, err := s.store(r)
	hook, delay := s.faults.onStore, s.faults.delay
	s.mu.Unlock()
	if hook != nil && stored.Seq != 0 {
		hook(stored)
	}
	s.answer(delay, func() { done(seq, err) })
	return nil
}

// store applies the faults and the guard. stored has a sequence when the record was stored, whatever the outcome says.
func (s *Sink) store(r pipeline.Record) (seq uint64, stored pipeline.Stored, err error) {
	switch {
	case spend(&s.faults.failPublishes):
		return 0, stored, ErrFault
	case spend(&s.faults.contend):
		return 0, stored, pipeline.ErrGuard
	case s.faults.limit > 0 && len(r.Payload) > s.faults.limit:
		return 0, stored, pipeline.ErrTooLarge
	case s.lastOf[r.Subject] != r.Supersedes:
		return 0, stored, pipeline.ErrGuard
	}
	r.Payload = slices.Clone(r.Payload)
	stored = pipeline.Stored{Seq: uint64(len(s.records)) + 1, Record: r}
	s.records = append(s.records, stored)
	s.lastOf[r.Subject] = stored.Seq
	if spend(&s.faults.loseReplies) {
		return 0, stored, ErrFault
	}
	return stored.Seq, stored, nil
}

// answer gives an outcome now, after the delay, or when Release is called.
func (s *Sink) answer(delay time.Duration, outcome func()) {
	if delay > 0 {
		time.AfterFunc(delay, func() { s.answer(0, outcome) })
		return
	}
	s.mu.Lock()
	if s.holding {
		s.waiting = append(s.waiting, outcome)
		s.mu.Unlock()
		return
	}
	s.mu.Unlock()
	outcome()
}

// Chain returns what is stored on the subject, in order: an empty slice when there is nothing.
func (s *Sink) Chain(ctx context.Context, subject string) ([]pipeline.Stored, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if spend(&s.faults.failChains) {
		return nil, ErrFault
	}
	return s.chain(subject), nil
}

func (s *Sink) chain(subject string) []pipeline.Stored {
	out := []pipeline.Stored{}
	for _, r := range s.records {
		if r.Subject == subject {
			out = append(out, r)
		}
	}
	return out
}

// Bury keeps the letter unless one with its reason and sequence is kept already.
func (s *Sink) Bury(ctx context.Context, l pipeline.Letter) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if spend(&s.faults.failBuries) {
		return ErrFault
	}
	key := letterKey{l.Reason, l.Seq}
	if !s.buried[key] {
		s.buried[key] = true
		s.letters = append(s.letters, l)
	}
	return nil
}

// Records returns what is stored on the subject, in order.
func (s *Sink) Records(subject string) []pipeline.Stored {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.chain(subject)
}

// AllRecords returns everything that is stored, in order.
func (s *Sink) AllRecords() []pipeline.Stored {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.records)
}

// Letters returns the dead letters, in the order in which they were buried.
func (s *Sink) Letters() []pipeline.Letter {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.letters)
}

// FailPublishes gives the next n publishes ErrFault as their outcome; nothing is stored.
func (s *Sink) FailPublishes(n int) { s.setFaults(func(f *sinkFaults) { f.failPublishes = n }) }

// LoseReplies stores the next n records and gives ErrFault as their outcome.
func (s *Sink) LoseReplies(n int) { s.setFaults(func(f *sinkFaults) { f.loseReplies = n }) }

// Contend gives the next n publishes pipeline.ErrGuard as their outcome although nothing is stored, as a server does
// while another writer is in flight.
func (s *Sink) Contend(n int) { s.setFaults(func(f *sinkFaults) { f.contend = n }) }

// RefuseStarts makes the next n Publish calls return ErrFault; done is not called.
func (s *Sink) RefuseStarts(n int) { s.setFaults(func(f *sinkFaults) { f.refuseStarts = n }) }

// Limit refuses larger payloads from now on, as a server does.
func (s *Sink) Limit(bytes int) { s.setFaults(func(f *sinkFaults) { f.limit = bytes }) }

// FailChains makes the next n Chain calls return ErrFault.
func (s *Sink) FailChains(n int) { s.setFaults(func(f *sinkFaults) { f.failChains = n }) }

// FailBuries makes the next n Bury calls return ErrFault.
func (s *Sink) FailBuries(n int) { s.setFaults(func(f *sinkFaults) { f.failBuries = n }) }

// Delay makes every later outcome arrive that much later, on another goroutine. Records are stored at once.
func (s *Sink) Delay(d time.Duration) { s.setFaults(func(f *sinkFaults) { f.delay = d }) }

// OnStore calls the hook with each record once it is stored, before its outcome is given.
func (s *Sink) OnStore(hook func(pipeline.Stored)) {
	s.setFaults(func(f *sinkFaults) { f.onStore = hook })
}

func (s *Sink) setFaults(change func(*sinkFaults)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.faults)
}

// Hold keeps outcomes back. Records are stored at once. A test that never releases them plays a killed worker.
func (s *Sink) Hold() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holding = true
}

// Release gives the outcomes that were held back, in order, and holds no more. It returns how many there were.
func (s *Sink) Release() int {
	s.mu.Lock()
	waiting := s.waiting
	s.waiting, s.holding = nil, false
	s.mu.Unlock()
	for _, outcome := range waiting {
		outcome()
	}
	return len(waiting)
}
