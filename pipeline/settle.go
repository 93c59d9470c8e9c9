package pipeline

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v4"

	"github.com/plumbline-dev/plumbline/schemas"
)

// Want is a payload that a subject of the audit stream should end in.
type Want struct {
	Subject     string
	ContentType string
	Payload     []byte
}

// Settled says what became of a Want.
type Settled int

// What becomes of a Want.
const (
	// Published: it was missing, and was stored now.
	Published Settled = iota
	// AlreadyThere: the same bytes were stored before, or something that rests on later events was.
	AlreadyThere
	// Differs: something else is stored about the same events, made by other rules or by another engine. It was left.
	Differs
	// Conflicts: something else is stored about the same events under the name of the same rules and engine. It was left.
	Conflicts
)

// Settler stores what is missing, as a Worker does, for those who have no worker. It is safe for concurrent use; what it
// keeps is in the sink only, so a crash at any point costs doing it again.
type Settler struct {
	Sink Sink
	// Retried is told of a fault that may pass; nil is nobody. It may be called by several goroutines.
	Retried func(doing string, err error, after time.Duration)
	// Backoff paces the retries; nil is exponential with jitter, from 50 ms to 10 s, without an end.
	Backoff func() backoff.BackOff
}

// Settle stores the payload under the guard of its subject, unless the subject holds it or something that is not to be
// followed by it, and returns when that is known. It tries again what may pass until ctx ends.
func (s Settler) Settle(ctx context.Context, w Want) (Settled, error) {
	id, err := schemas.Identify(w.ContentType, w.Payload)
	if err != nil {
		return 0, fmt.Errorf("settle %s: %w", w.Subject, err)
	}
	record := Record{Subject: w.Subject, ContentType: w.ContentType, Payload: w.Payload}
	var settled Settled
	err = s.Insist(ctx, "store a verdict", func() (err error) {
		settled, err = s.attempt(ctx, w, id, &record)
		return err
	})
	return settled, err
}

// attempt publishes the record, in the place of the chain that is found there as often as another one is found. A
// refusal without a reason to be seen means that another writer is in flight: it may pass.
func (s Settler) attempt(ctx context.Context, w Want, id schemas.Identity, record *Record) (Settled, error) {
	for {
		err := s.publish(ctx, *record)
		if errors.Is(err, ErrTooLarge) {
			return 0, backoff.Permanent(err)
		}
		if !errors.Is(err, ErrGuard) {
			return Published, err
		}
		stored, err := s.Sink.Chain(ctx, w.Subject)
		if err != nil {
			return 0, err
		}
		before := record.Supersedes
		settled, done, err := compare(w, id, stored, record)
		if done || err != nil {
			return settled, err
		}
		if record.Supersedes == before {
			return 0, ErrGuard
		}
	}
}

// publish stores the record and waits for the outcome.
func (s Settler) publish(ctx context.Context, r Record) error {
	outcome := make(chan error, 1)
	if err := s.Sink.Publish(ctx, r, func(_ uint64, err error) { outcome <- err }); err != nil {
		return err
	}
	select {
	case err := <-outcome:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Insist tries until it succeeds or ctx ends.
func (s Settler) Insist(ctx context.Context, doing string, try func() error) error {
	pace := exponential
	if s.Backoff != nil {
		pace = s.Backoff
	}
	return backoff.RetryNotify(try, backoff.WithContext(pace(), ctx), func(err error, after time.Duration) {
		if s.Retried != nil {
			s.Retried(doing, err, after)
		}
	})
}

// compare says what the chain that the guard protected means for the payload. When it is to follow the chain, done is
// false and the record says what it supersedes.
func compare(w Want, id schemas.Identity, stored []Stored, record *Record) (settled Settled, done bool, err error) {
	ch := &chain{lanes: map[string]lane{}}
	sum := sha256.Sum256(w.Payload)
	for _, one := range stored {
		if sha256.Sum256(one.Payload) == sum {
			return AlreadyThere, true, nil
		}
		ch.note(one)
		if ch.foreign > 0 {
			return 0, false, backoff.Permanent(errors.New(ch.strange()))
		}
	}
	record.Supersedes, record.Revision = ch.last, 0
	last, ok := ch.lanes[id.Lane]
	switch {
	case !ok:
		return 0, false, nil
	case last.basis != id.Basis:
		return Differs, true, nil
	case last.through > id.Through:
		return AlreadyThere, true, nil
	case id.Through > 0 && last.through == id.Through:
		return Conflicts, true, nil
	}
	record.Revision = last.revision + 1
	return 0, false, nil
}
