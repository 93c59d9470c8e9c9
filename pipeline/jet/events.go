package jet

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
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
		m, err := EventMessage(p.subjects, e)
		if err != nil {
			return fmt.Errorf("%s of turn %d: %w", e.Kind(), e.Turn, err)
		}
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

// EventMessage is the event as a producer publishes it, in JSON and under its id. The error is of an event that cannot be
// written, or whose names make a subject longer than event.MaxSubject.
func EventMessage(subjects event.Subjects, e event.Event) (*nats.Msg, error) {
	m := nats.NewMsg(subjects.Event(e.Conversation))
	if len(m.Subject) > event.MaxSubject {
		return nil, fmt.Errorf("its subject is longer than %d bytes: name a shorter tenant, agent or conversation", event.MaxSubject)
	}
	var err error
	if m.Data, err = schemas.EncodeEvent(schemas.JSON, e); err != nil {
		return nil, err
	}
	m.Header.Set(nats.MsgIdHdr, e.ID)
	m.Header.Set(HeaderContentType, schemas.JSON)
	if e.Origin != nil {
		nameOrigin(m.Header, *e.Origin)
	}
	return m, nil
}

// HeaderTraceParent names the span that an event was read from (W3C Trace Context, section 3.2).
const HeaderTraceParent = "traceparent"

// maxResponseID is the longest id of a response that goes into a header, in bytes.
const maxResponseID = 512

// nameOrigin says in headers what an event was read from. The trace was recorded, so it is sampled. What is no id is left
// out.
func nameOrigin(h nats.Header, o event.Origin) {
	if isHex(o.Trace, 32) && isHex(o.Span, 16) {
		h.Set(HeaderTraceParent, "00-"+o.Trace+"-"+o.Span+"-01")
	}
	if o.Response != "" && len(o.Response) <= maxResponseID && !strings.ContainsFunc(o.Response, unicode.IsControl) {
		h.Set(pipeline.HeaderResponseID, o.Response)
	}
}

// isHex tells whether an id has so many lower-case hexadecimal digits, not all of them 0.
func isHex(id string, digits int) bool {
	return len(id) == digits && strings.Trim(id, "0123456789abcdef") == "" && strings.Trim(id, "0") != ""
}

// LastTurn is the turn of the last event that is stored of a conversation, 0 when none is, or when it cannot be read.
func (p *Events) LastTurn(ctx context.Context, c event.Conversation) (int, error) {
	stream, err := p.js.Stream(ctx, EventsStream)
	if err != nil {
		return 0, fmt.Errorf("look for the last turn: %w", err)
	}
	m, err := stream.GetLastMsgForSubject(ctx, p.subjects.SomeLogs(event.Some{Tenant: &c.Tenant, Agent: &c.Agent, ID: &c.ID}))
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
