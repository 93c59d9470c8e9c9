package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline/fleet"
	"github.com/plumbline-dev/plumbline/schemas"
)

// publishers is how many events are on their way to the server at once.
const publishers = 64

// producer publishes the events of a fleet as an agent runtime would: again and again under the same id until the server
// says that it has them. Its counts may be read while it runs.
type producer struct {
	js jetstream.JetStream
	// ahead is how many answers may be published and not judged, 0: any number.
	ahead int64

	events, answers, retries atomic.Int64 // published; answers without the repeated ones
	judged                   atomic.Int64 // told from outside

	mu       sync.Mutex
	accepted map[event.Conversation]int // guarded by mu: events that the server says it has; nil: not counted
}

// run publishes until the traffic ends. Events of one conversation may overtake each other.
func (p *producer) run(ctx context.Context, traffic iter.Seq[fleet.Item]) error {
	group, ctx := errgroup.WithContext(ctx)
	items := make(chan fleet.Item)
	group.Go(func() error {
		defer close(items)
		for item := range traffic {
			if err := p.makeRoom(ctx); err != nil {
				return err
			}
			select {
			case items <- item:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range publishers {
		group.Go(func() error {
			for item := range items {
				if err := p.publish(ctx, item); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// makeRoom waits while too many answers are not judged yet.
func (p *producer) makeRoom(ctx context.Context) error {
	for p.ahead > 0 && p.answers.Load()-p.judged.Load() > p.ahead {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	return nil
}

func (p *producer) publish(ctx context.Context, item fleet.Item) error {
	m, err := message(item)
	if err != nil {
		return err
	}
	try := func() error {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		_, err := p.js.PublishMsg(ctx, m)
		return err
	}
	again := func(error, time.Duration) { p.retries.Add(1) }
	pace := backoff.NewExponentialBackOff(backoff.WithInitialInterval(20*time.Millisecond),
		backoff.WithMaxInterval(time.Second), backoff.WithMaxElapsedTime(0))
	if err := backoff.RetryNotify(try, backoff.WithContext(pace, ctx), again); err != nil {
		return fmt.Errorf("publish %s: %w", item.Event.ID, errors.Join(err, ctx.Err()))
	}
	p.count(item)
	return nil
}

func (p *producer) count(item fleet.Item) {
	p.events.Add(1)
	if item.Event.Answer != nil && !item.Again {
		p.answers.Add(1)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.accepted != nil {
		p.accepted[item.Event.Conversation]++
	}
}

// message is the event as it is published. An event that comes again has no id for the server, which would drop it.
func message(item fleet.Item) (*nats.Msg, error) {
	m := nats.NewMsg(event.Subjects{}.Event(item.Event.Conversation))
	encoding := schemas.JSON
	if item.Msgpack {
		encoding = schemas.Msgpack
		m.Header.Set("Content-Type", encoding)
	}
	var err error
	if m.Data, err = schemas.EncodeEvent(encoding, item.Event); err != nil {
		return nil, fmt.Errorf("event %s: %w", item.Event.ID, err)
	}
	if !item.Again {
		m.Header.Set(nats.MsgIdHdr, item.Event.ID)
	}
	return m, nil
}

// answers ends the traffic after so many answers, the repeated ones not counted.
func answers(traffic iter.Seq[fleet.Item], count int) iter.Seq[fleet.Item] {
	return func(yield func(fleet.Item) bool) {
		for item := range traffic {
			if !yield(item) {
				return
			}
			if item.Event.Answer != nil && !item.Again {
				count--
			}
			if count <= 0 {
				return
			}
		}
	}
}

// until ends the traffic at a time.
func until(end time.Time, traffic iter.Seq[fleet.Item]) iter.Seq[fleet.Item] {
	return func(yield func(fleet.Item) bool) {
		for item := range traffic {
			if !time.Now().Before(end) || !yield(item) {
				return
			}
		}
	}
}
