// Package openai reads transcripts of OpenAI's two interfaces: Chat Completions (messages, tool_calls) and Responses
// (items, function_call and function_call_output), also as Codex writes them to its session files. It answers "which
// turns does this transcript hold?".
//
// Its sources are the API reference of both interfaces (late 2026) and the rollout files of Codex. A row is one of:
//
//   - a message or an item; the rows are one conversation;
//   - an object with messages, as a request, or a line of training data: each is a conversation;
//   - a response, or a request and its response together; responses that name the one before are one conversation;
//   - a row of a Codex session: response_item, session_meta, turn_context, event_msg, compacted.
package openai

import (
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// Format is the form of OpenAI's transcripts.
var Format = adapter.Format{
	Name:      "openai",
	Says:      "OpenAI Chat Completions messages, Responses items, Codex sessions",
	Recognise: recognise,
	New:       newReader,
}

// reader reads one transcript.
type reader struct {
	dialogues *adapter.Dialogues
	responses map[string]string    // the conversation of a response, by the response's id
	runs      map[string]*modelRun // of the conversations
}

func newReader(names event.Conversation) adapter.Reader {
	return &reader{
		dialogues: adapter.NewDialogues(names), responses: map[string]string{}, runs: map[string]*modelRun{},
	}
}

// Read takes in one row.
func (r *reader) Read(row adapter.Row, out *adapter.Out) {
	v := row.Value
	if v.Kind() != servedjson.Object {
		out.Fault(row.Line, "", "want an object: a message, an item, a response or a conversation")
		return
	}
	at := place{row: row, out: out}
	switch {
	case isCodex(v):
		r.codexRow(at, v)
	case has(v, "messages"):
		r.conversation(at, v)
	case has(v, "output") && !has(v, "type") || adapter.Text(v, "object") == "response":
		r.response(at, v)
	case has(v, "choices"):
		r.completion(at, v)
	default:
		r.entry(at, r.dialogues.NameOf(row), v, "")
	}
	r.dialogues.Drain(out)
}

// entry reads a message or an item.
func (r *reader) entry(at place, name string, v servedjson.Value, field string) {
	c := r.talk(at, name)
	if kind := adapter.Text(v, "type"); kind != "" {
		c.item(v, kind, field)
		return
	}
	c.message(v, field)
}

// Gap says that a row could not be read.
func (r *reader) Gap(line int, out *adapter.Out) { r.dialogues.Gap(line, out) }

// End ends every conversation.
func (r *reader) End(out *adapter.Out) { r.dialogues.End(out) }

// Notes says what could not be seen.
func (r *reader) Notes() []string { return r.dialogues.Notes() }

// place is where in the record something stands, and where faults go.
type place struct {
	row adapter.Row
	out *adapter.Out
}

// talk is a conversation with what is known of its last message.
type talk struct {
	adapter.Talk
	run *modelRun
}

// modelRun tells which items are of one answer of the model: those that follow each other with no result and no message
// of a person between them.
type modelRun struct {
	running bool
	legacy  int    // calls without an id so far, as the first tools of Chat Completions were
	last    string // the id that the last of them was given
}

func (r *reader) talk(at place, name string) talk {
	if r.runs[name] == nil {
		r.runs[name] = &modelRun{}
	}
	d := r.dialogues.Of(name)
	d.At(at.row.Line, "")
	return talk{Talk: adapter.Talk{Dialogue: d, Line: at.row.Line, Out: at.out}, run: r.runs[name]}
}

// result tells the result of a call.
func (c talk) result(id, tool string, v servedjson.Value, field string, failed event.JSON) {
	content, fault := adapter.ReadResult(v, field)
	c.Result(id, event.ToolEnd{Call: event.Call{Tool: tool}, Result: content.Value(), Error: failed})
	c.Note(content, fault)
	c.run.running = false
}

// notCaptured tells that a call came back with something that is not in the record.
func (c talk) notCaptured(id, tool string) {
	c.Result(id, event.ToolEnd{Call: event.Call{Tool: tool}, Result: event.JSON("null"), Status: event.StatusNotCaptured})
	c.run.running = false
}

// person tells a message of the person.
func (c talk) person(text string) {
	c.run.running = false
	c.Person(text)
}

// has tells whether an object has a member of the name.
func has(v servedjson.Value, name string) bool {
	_, ok := v.Get(name)
	return ok
}
