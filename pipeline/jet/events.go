package jet

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas"
)

// Events publishes events of producers that have no NATS client of their own. An event that is published twice within the
// stream's window is stored once; after that it is stored again, which changes nothing of what is folded.
type Events struct {
	js       jetstream.JetStream
	subjects event.Subjects
}

// NewEvents publishes over a JetStream.
func NewEvents(js jetstream.JetStream, subjects event.Subjects) *Events {
	return &Events{js: js, subjects: subjects}
}

// eventsAtOnce is how many events are on their way at once.
const eventsAtOnce = 256

// Publish stores the events in their order and returns when all are stored. After an error some of them are.
func (p *Events) Publish(ctx context.Context, events []event.Event) error {
	for len(events) > 0 {
		n := min(len(events), eventsAtOnce)
		if err := p.publish(ctx, events[:n]); err != nil {
			return err
		}
		events = events[n:]
	}
	return nil
}

func (p *Events) publish(ctx context.Context, events []event.Event) error {
	futures := make([]jetstream.PubAckFuture, 0, len(events))
	for _, e := range events {
		payload, err := schemas.EncodeEvent(schemas.JSON, e)
		if err != nil {
			return fmt.Errorf("%s of turn %d: %w", e.Kind(), e.Turn, err)
		}
		m := &nats.Msg{Subject: p.subjects.Event(e.Conversation), Data: payload, Header: nats.Header{}}
		m.Header.Set(nats.MsgIdHdr, e.ID)
		m.Header.Set("Content-Type", schemas.JSON)
		future, err := p.js.PublishMsgAsync(m)
		if err != nil {
			return fmt.Errorf("publish %s of turn %d: %w", e.Kind(), e.Turn, err)
		}
		futures = append(futures, future)
	}
	for i, future := range futures {
		select {
		case <-future.Ok():
		case err := <-future.Err():
			return fmt.Errorf("store %s of turn %d: %w", events[i].Kind(), events[i].Turn, err)
		case <-ctx.Done():
			return fmt.Errorf("store %s of turn %d: %w", events[i].Kind(), events[i].Turn, ctx.Err())
		}
	}
	return nil
}

// LastTurn is the turn of the last event that is stored of a conversation, 0 when none is, or when it cannot be read.
func (p *Events) LastTurn(ctx context.Context, c event.Conversation) (int, error) {
	stream, err := p.js.Stream(ctx, EventsStream)
	if err != nil {
		return 0, fmt.Errorf("look for the last turn: %w", err)
	}
	subject := strings.Replace(p.subjects.Log(0, c), ".log.0.", ".log.*.", 1)
	m, err := stream.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("look for the last turn: %w", err)
	}
	e, err := schemas.DecodeMessage(m.Header, m.Data)
	if err != nil {
		return 0, nil //nolint:nilerr // a message that cannot be read is of no turn; it is a dead letter by now
	}
	return e.Turn, nil
}
