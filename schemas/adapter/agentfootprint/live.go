package agentfootprint

import (
	"errors"
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// Envelope is one event of the library, read by itself: a message of a stream. What it says depends on those before it,
// see Joiner.
type Envelope struct {
	row
	known *kind // nil: it says nothing, or what it says cannot be read
	fault bool
}

// ReadEnvelope reads one message; ok is false when it is none of the library's. The message is one JSON value in its one
// form; the envelope refers to it. The error, a *schemas.Error, is of an envelope that cannot be read: the envelope that
// comes with it still says, to a Joiner, that something of its conversation was not seen.
func ReadEnvelope(message event.JSON) (e Envelope, ok bool, err error) {
	v, err := servedjson.Parse(message)
	if err != nil {
		return Envelope{}, false, nil //nolint:nilerr // what is no JSON is no envelope: whoever asks has an error for it
	}
	if !strings.HasPrefix(adapter.Text(v, "type"), prefix) {
		return Envelope{}, false, nil
	}
	e.row = rowOf(v)
	known, fault := e.row.known()
	if fault == nil {
		e.known = known
		return e, true, nil
	}
	e.fault = true
	wrong := &schemas.Error{Reason: schemas.Invalid, Field: fault.Field, Offset: -1, Detail: fault.Detail}
	if fault.Field == "type" {
		wrong.Reason, wrong.Detail = schemas.UnknownType, "names no event of agentfootprint that is known here"
	}
	return e, true, wrong
}

// The names of an envelope that may not be those of its subject.
var (
	errTenant       = errors.New("the envelope's meta.tenant is not the tenant of its subject")
	errConversation = errors.New("the envelope's meta.sessionId, or meta.runId when it has none, is not the conversation of its subject")
)

// Of tells whether the envelope belongs to the conversation that its subject names. What it does not name itself can be any.
func (e Envelope) Of(named event.Conversation) error {
	if tenant := adapter.Text(e.meta, "tenant"); tenant != "" && tenant != named.Tenant {
		return errTenant
	}
	if id := adapter.Text(e.meta, "sessionId", "runId"); id != "" && id != named.ID {
		return errConversation
	}
	return nil
}

// Says tells whether a Joiner has to see the envelope. One that holds nothing an answer could rest on is passed over.
func (e Envelope) Says() bool { return e.known != nil || e.fault }

// Reports tells whether the envelope may report a call or give an answer. The others open a turn or a call, or add to what
// the person and the app said: no answer that was given before rests on them.
func (e Envelope) Reports() bool { return e.known != nil && e.known.reports }

// Area is the part of the library that the event is of: one of a few names, empty when it is not known.
func (e Envelope) Area() string {
	area, _, _ := strings.Cut(strings.TrimPrefix(e.kind, prefix), ".")
	if e.fault {
		return ""
	}
	return area
}

// joinBytes bounds what a Joiner keeps, about and in bytes: the calls and the turns that later envelopes may name. It is
// fixed, so that what the messages say depends on nothing but the messages.
const joinBytes = 16 << 20

// Joiner turns the envelopes of one conversation, in stream order, into its events. It is a function of them alone, and
// keeps nothing of what they refer to. One goroutine uses it.
type Joiner struct {
	c     *conversation
	event *event.Event // of the envelope that is being joined
}

// NewJoiner begins a conversation.
func NewJoiner(named event.Conversation) *Joiner {
	j := &Joiner{}
	j.c = newConversation(named, j.take)
	j.c.held.limit = joinBytes
	return j
}

// Join takes in the next envelope; ok is false when it says no event by itself.
func (j *Joiner) Join(e Envelope) (made event.Event, ok bool) {
	j.event = nil
	switch {
	case e.fault:
		j.c.unseen(e.row, event.ContentNotCaptured)
	case e.known != nil:
		e.known.read(j.c, e.row)
	}
	if j.event == nil {
		return event.Event{}, false
	}
	made, j.event = *j.event, nil
	return made, true
}

// take puts what the envelope says into one event: what it says first stands before the rest.
func (j *Joiner) take(_ row, made event.Event) {
	made.Before = j.event
	j.event = &made
}

// Bytes is about how much memory the joiner holds.
func (j *Joiner) Bytes() int { return j.c.held.bytes }
