package pipeline

import (
	"errors"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas"
	"github.com/plumbline-dev/plumbline/schemas/adapter/agentfootprint"
)

// Said is what one message says by itself: an event, or an envelope of agentfootprint, which says one only together with
// those before it on its subject: see Joining. The zero value says nothing.
type Said struct {
	Event    event.Event
	envelope *agentfootprint.Envelope // nil: the event
	quiet    bool
	area     string // of a quiet one
}

// Nothing tells that the message changes nothing that is known of its conversation.
func (s Said) Nothing() bool { return s.envelope == nil && s.Event.Kind() == "" }

// Quiet tells that the message is an envelope that no answer could rest on: it is passed over. area is the part of the
// library that it is of, one of a few names.
func (s Said) Quiet() (area string, quiet bool) {
	if !s.quiet {
		return "", false
	}
	return s.area, true
}

// readEnvelope reads a message that is none of Plumbline's own events; ok is false when it is no envelope either.
func readEnvelope(named event.Conversation, m Message) (s Said, ok bool, err error) {
	value, err := schemas.Value(m.Header, m.Data)
	if err != nil {
		return Said{}, false, nil //nolint:nilerr // it has an error already: why it is no event
	}
	e, ok, err := agentfootprint.ReadEnvelope(value)
	if !ok {
		return Said{}, false, nil
	}
	if wrong := e.Of(named); wrong != nil && (e.Says() || err != nil) {
		return Said{}, true, &unreadable{ReasonSubjectMismatch, wrong.Error()}
	}
	if !e.Says() {
		return Said{quiet: true, area: e.Area()}, true, nil
	}
	return Said{envelope: &e}, true, err
}

// mayBeEnvelope tells by why a message is no event of Plumbline's own whether it may be an envelope.
func mayBeEnvelope(err error) bool {
	wrong, ok := errors.AsType[*schemas.Error](err)
	return ok && (wrong.Reason == schemas.Invalid || wrong.Reason == schemas.UnknownType || wrong.Reason == schemas.UnknownVersion)
}

// Joining turns what the messages of one conversation say, in stream order, into its events. It is a function of them
// alone. The zero value has seen none; one goroutine uses it.
type Joining struct {
	envelopes *agentfootprint.Joiner // nil before the first envelope
}

// Event gives the event that the next message of the conversation says; ok is false when it says none by itself.
func (j *Joining) Event(named event.Conversation, s Said) (e event.Event, ok bool) {
	if s.envelope == nil {
		return s.Event, s.Event.Kind() != ""
	}
	if j.envelopes == nil {
		j.envelopes = agentfootprint.NewJoiner(named)
	}
	return j.envelopes.Join(*s.envelope)
}

// bytes is about how much memory it holds.
func (j *Joining) bytes() int {
	if j.envelopes == nil {
		return 0
	}
	return j.envelopes.Bytes()
}

// asked is what an envelope said of which nothing but its place is known any more: enough to ask its conversation what it
// concerns, see turn.State.Fold.
type asked struct {
	seq       uint64
	turn      int
	call      string // of a report
	iteration int
	answer    bool
}

func askedOf(seq uint64, e event.Event) asked {
	if e.Answer != nil {
		return asked{seq: seq, turn: e.Turn, iteration: e.Answer.Iteration, answer: true}
	}
	return asked{seq: seq, turn: e.Turn, call: e.ToolEnd.Call.ID, iteration: e.ToolEnd.Call.Iteration}
}

func (a asked) event() event.Event {
	if a.answer {
		return event.Event{Turn: a.turn, Answer: &event.Answer{Iteration: a.iteration}}
	}
	return event.Event{Turn: a.turn, ToolEnd: &event.ToolEnd{Call: event.Call{ID: a.call, Iteration: a.iteration}}}
}
