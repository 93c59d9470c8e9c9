// Package agentfootprint reads what the agentfootprint library (JavaScript) says while an agent runs: its events
// {type, payload, meta}, one a row, as a recording {events: […]}, or as the records of an audit export. It answers "which
// turns do these events tell of?". It reads one event at a time, so it serves a stream as well as a file.
//
// Its source is the library's own registry of events and their payloads (versions 2 to 9). A conversation is a session,
// or a run when the run belongs to none; a run is a turn. A call's end does not name its tool: it is joined to its start by
// toolCallId. The model read modelResult, or result when there is none. What the runtime recorded of a call (tools.absent,
// tools.coverage_declared, tools.semantics_declared) is its door.
package agentfootprint

import (
	"strconv"
	"strings"
	"time"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// Format is the form of agentfootprint's events.
var Format = adapter.Format{
	Name:      "agentfootprint",
	Says:      "agentfootprint events, recordings and audit exports",
	Recognise: recognise,
	New:       newReader,
}

// prefix begins the type of every event of the library.
const prefix = "agentfootprint."

// reader reads the events of one file or stream.
type reader struct {
	names         event.Conversation
	conversations map[event.Conversation]*conversation
	order         []*conversation
	withheld      int          // answers that the record does not hold
	out           *adapter.Out // of the row that is being read
}

func newReader(names event.Conversation) adapter.Reader {
	return &reader{names: names, conversations: map[event.Conversation]*conversation{}}
}

// row is one event of the library.
type row struct {
	line          int
	kind          string // its type
	payload, meta servedjson.Value
	bounded       bool // of an audit export, which cuts long texts and lists
}

// Read takes in one row: an event, a recording or an audit export.
func (r *reader) Read(in adapter.Row, out *adapter.Out) {
	for _, list := range []string{"events", "records"} {
		events, _ := in.Value.Get(list)
		if _, one := in.Value.Get("payload"); events.Kind() != servedjson.Array || one {
			continue
		}
		for at, e := range adapter.Items(events, list) {
			r.event(in.Line, at+".", e, out)
		}
		return
	}
	r.event(in.Line, "", in.Value, out)
}

// event reads one event; field is the path of it.
func (r *reader) event(line int, field string, v servedjson.Value, out *adapter.Out) {
	e := rowOf(v)
	e.line, e.bounded = line, adapter.Text(v, "type") == ""
	known, fault := e.known()
	if fault != nil {
		out.Fault(line, field+fault.Field, fault.Detail)
	}
	switch {
	case fault != nil && adapter.Text(e.meta, "runId") == "":
		r.Gap(line, out)
		return
	case fault == nil && known == nil:
		return
	}
	c := r.conversationOf(e, out)
	if fault != nil {
		c.unseen(e, event.ContentNotCaptured)
		return
	}
	known.read(c, e)
}

func rowOf(v servedjson.Value) row {
	e := row{kind: adapter.Text(v, "type", "eventType")}
	e.payload, _ = v.Get("payload")
	e.meta, _ = v.Get("meta")
	return e
}

// known gives what there is to know of the event, nil for one that holds nothing an answer could rest on.
func (e row) known() (*kind, *adapter.RowError) {
	name, ours := strings.CutPrefix(e.kind, prefix)
	known := events[name]
	switch area, _, _ := strings.Cut(name, "."); {
	case !ours && (e.kind == "" || !strings.HasPrefix(e.kind, "audit.")):
		return nil, &adapter.RowError{Field: "type", Detail: "event " + adapter.Quote(e.kind) + " is not one of agentfootprint's"}
	case known != nil:
		return known, e.lack(known)
	case ours && !quietAreas[area] && !quiet[name]:
		return nil, &adapter.RowError{Field: "type", Detail: "event " + adapter.Quote(e.kind) + " is not known"}
	}
	return nil, nil
}

// lack says what the event would have to hold, nil when it holds it.
func (e row) lack(known *kind) *adapter.RowError {
	if e.payload.Kind() != servedjson.Object {
		return &adapter.RowError{Field: "payload", Detail: "want an object"}
	}
	if adapter.Text(e.meta, "runId") == "" {
		return &adapter.RowError{Field: "meta.runId", Detail: "is missing: the event belongs to no run"}
	}
	if lack := known.wants(e.payload); lack != "" {
		return &adapter.RowError{Field: "payload." + lack, Detail: "is missing, or of another kind"}
	}
	return nil
}

// conversationOf finds the conversation of an event.
func (r *reader) conversationOf(e row, out *adapter.Out) *conversation {
	named := r.names
	if tenant := adapter.Text(e.meta, "tenant"); tenant != "" {
		named.Tenant = tenant
	}
	named.ID = adapter.Text(e.meta, "sessionId", "runId")
	c := r.conversations[named]
	if c == nil {
		c = newConversation(named, r.give)
		c.withheld = &r.withheld
		r.conversations[named], r.order = c, append(r.order, c)
	}
	r.out = out
	return c
}

// give adds an event to what the row gives.
func (r *reader) give(e row, made event.Event) {
	named, err := adapter.Identify(made)
	if err != nil {
		r.out.Fault(e.line, "", err.Error())
		return
	}
	r.out.Events = append(r.out.Events, named)
}

// Gap says that a row could not be read: any conversation may rest on what it holds.
func (r *reader) Gap(line int, out *adapter.Out) {
	r.out = out
	for _, c := range r.order {
		c.unseen(row{line: line}, event.ContentNotCaptured)
	}
}

// End says that no event follows. A turn that did not end has no answer.
func (r *reader) End(*adapter.Out) {}

// Notes says what could not be seen.
func (r *reader) Notes() []string {
	var notes []string
	say := func(n int, text string) {
		if n > 0 {
			notes = append(notes, strconv.Itoa(n)+" "+text)
		}
	}
	missing, open, bare, prompts := 0, 0, 0, 0
	for _, c := range r.order {
		missing += c.unanswered()
		bare += c.notCaptured
		if !c.prompted {
			prompts++
		}
		for _, t := range c.turns {
			if !t.ended {
				open++
			}
		}
	}
	say(missing, "tool calls have no end in this record: what rests on them cannot be told")
	say(bare, "results were not recorded, only their kind: what rests on them cannot be told")
	say(r.withheld, "answers were not recorded, only their length: they are not judged")
	say(open, "turns did not end in this record: they have no answer")
	say(prompts, "conversations hold nothing of their prompt (context.injected)")
	return notes
}

// timeOf is when an event happened, RFC 3339, empty when it does not say.
func timeOf(e row) string {
	clock, _ := e.meta.Get("wallClockMs")
	ms, err := strconv.ParseInt(string(clock.Raw()), 10, 64)
	if err != nil {
		return ""
	}
	return time.UnixMilli(ms).UTC().Format(time.RFC3339Nano)
}

// recognise is sure of the library's own names.
func recognise(v servedjson.Value) adapter.Match {
	if strings.HasPrefix(adapter.Text(v, "type", "eventType"), prefix) {
		return adapter.Yes
	}
	for _, list := range []string{"events", "records"} {
		events, _ := v.Get(list)
		for e := range events.Elements() {
			if strings.HasPrefix(adapter.Text(e, "type", "eventType"), prefix) {
				return adapter.Yes
			}
		}
	}
	return adapter.No
}
