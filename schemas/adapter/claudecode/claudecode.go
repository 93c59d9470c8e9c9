// Package claudecode reads the session files of Claude Code (one JSON object a line) and what its command line prints as
// stream-json. It answers "which turns does this session hold?".
//
// The form has no official description; its sources are what others found out about versions 1.0 to 2.1, and Anthropic's
// reference for the messages inside. What is known to hold nothing an answer could rest on is listed by name (rows.go); any
// other row is a fault.
//
// One message of the agent is split over several rows, and rows are repeated: rows of one message.id are one step. A
// session that was gone on with repeats the rows of the older one, under its sessionId: a row belongs to the
// conversation of the row that its parentUuid names. Rows of a side chain are a sub-agent's, and a conversation of their own.
package claudecode

import (
	"fmt"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
	"github.com/plumbline-dev/plumbline/schemas/adapter/anthropic"
)

// Format is the form of Claude Code's sessions.
var Format = adapter.Format{
	Name:      "claude-code",
	Says:      "Claude Code session files (~/.claude/projects/*/*.jsonl)",
	Recognise: recognise,
	New:       newReader,
}

// reader reads one session.
type reader struct {
	dialogues *adapter.Dialogues
	threads   *threads
	shown     map[string]shown // by conversation
	chains    map[string]bool  // side chains that are in this file
	cut       map[string]bool  // conversations that began before this file
	tasks     int              // calls that started a sub-agent
	confirmed map[string]bool  // files that a conversation was told of
}

func newReader(names event.Conversation) adapter.Reader {
	return &reader{
		dialogues: adapter.NewDialogues(names), threads: newThreads(names.ID),
		shown: map[string]shown{}, chains: map[string]bool{}, cut: map[string]bool{}, confirmed: map[string]bool{},
	}
}

// Read takes in one row.
func (r *reader) Read(row adapter.Row, out *adapter.Out) {
	v := row.Value
	kind := adapter.Text(v, "type")
	if v.Kind() != servedjson.Object || kind == "" {
		out.Fault(row.Line, "type", "is missing: want a row of a session")
		return
	}
	if r.repeated(v, kind) {
		return
	}
	at := r.threads.threadOf(v)
	if read, known := rows[kind]; !known {
		out.Fault(row.Line, "type", "row of type "+adapter.Quote(kind)+" is not known")
		r.talk(row, at.name, out).Dialogue.Unseen(event.ContentNotCaptured)
	} else if read != nil {
		if at.chain != "" {
			r.chains[at.name] = true
		}
		read(r, r.talk(row, at.name, out))
	}
	r.dialogues.Drain(out)
}

// repeated tells whether a row was read already. One of a message of the agent is read again: it may hold more of it, and
// what it holds again is told once.
func (r *reader) repeated(row servedjson.Value, kind string) bool {
	message, _ := row.Get("message")
	return r.threads.knows(adapter.Text(row, "uuid")) && (kind != "assistant" || adapter.Text(message, "id") == "")
}

// talk is a row and the conversation that it belongs to.
type talk struct {
	anthropic.Messages
	name string
	row  servedjson.Value
}

func (r *reader) talk(row adapter.Row, name string, out *adapter.Out) talk {
	d := r.dialogues.Of(name)
	d.At(row.Line, adapter.Text(row.Value, "timestamp"))
	r.prompt(d, name, row.Value)
	c := talk{name: name, row: row.Value, Messages: anthropic.Messages{
		Dialogue: d,
		Fault:    func(field, detail string) { out.Fault(row.Line, field, detail) },
	}}
	c.Program = r.program
	c.Result = func(block servedjson.Value, end *event.ToolEnd) {
		wentHow(block, row.Value, end)
		r.confirm(d, name, block, end.Failed())
	}
	return c
}

// prompt tells what the prompt is known to say: the folder, the branch, the version, the day and the model. The rest of it
// is never recorded.
func (r *reader) prompt(d *adapter.Dialogue, name string, row servedjson.Value) {
	before, begun := r.shown[name]
	if !begun {
		d.Unseen(event.PromptNotCaptured)
	}
	now := before
	if folder := adapter.Text(row, "cwd"); folder != "" {
		day := adapter.Text(row, "timestamp")
		now.place = fmt.Sprintf("Working directory: %s\nBranch: %s\nVersion: %s\nToday's date: %s",
			folder, adapter.Text(row, "gitBranch"), adapter.Text(row, "version"), day[:min(len(day), len("2006-01-02"))])
	}
	message, _ := row.Get("message")
	if model := adapter.Text(message, "model"); model != "" {
		now.model = "Model: " + model
	}
	r.shown[name] = now
	if now.place != before.place {
		d.App(now.place)
	}
	if now.model != before.model {
		d.App(now.model)
	}
}

// shown is what a conversation's prompt is known to say.
type shown struct{ place, model string }

// Gap says that a row could not be read.
func (r *reader) Gap(line int, out *adapter.Out) { r.dialogues.Gap(line, out) }

// End ends every conversation.
func (r *reader) End(out *adapter.Out) { r.dialogues.End(out) }

// Notes says what could not be seen.
func (r *reader) Notes() []string {
	notes := []string{"a session never holds the system prompt: an answer with a value that no result holds may have it from there"}
	notes = append(notes, r.dialogues.Notes()...)
	if len(r.cut) > 0 {
		notes = append(notes, "the session goes on with one that is not in this file: what may stand in it cannot be told")
	}
	switch chains := len(r.chains); {
	case chains > 0:
		notes = append(notes, fmt.Sprintf("sub-agents that worked in this file: %d; each is a conversation of its own", chains))
	case r.tasks > 0:
		notes = append(notes, fmt.Sprintf("tasks that were given to sub-agents: %d; their own calls are in other files, only what they reported is read", r.tasks))
	}
	return notes
}

// recognise is sure of a row that has a message inside, or one of the types that only a session has.
func recognise(row servedjson.Value) adapter.Match {
	kind := adapter.Text(row, "type")
	message, _ := row.Get("message")
	switch _, known := rows[kind]; {
	case !known:
		return adapter.No
	case kind == "user" || kind == "assistant":
		if message.Kind() == servedjson.Object {
			return adapter.Yes
		}
		return adapter.No
	}
	for _, own := range []string{"sessionId", "session_id", "uuid", "leafUuid", "messageId", "parentUuid"} {
		if _, has := row.Get(own); has {
			return adapter.Yes
		}
	}
	return adapter.Maybe
}
