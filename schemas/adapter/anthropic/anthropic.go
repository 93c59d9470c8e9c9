// Package anthropic reads transcripts of Anthropic's Messages API: messages whose content is a text or a list of blocks
// (text, tool_use, tool_result and the blocks of the tools that the platform runs). It answers "which turns does this
// transcript hold?", and reads messages for other forms that hold the same ones (Messages).
//
// Its source is the API reference (late 2026). A row is one of:
//
//   - a message; the rows are one conversation;
//   - a request with messages and system, maybe with its response beside it: each is a conversation;
//   - a result of a batch.
package anthropic

import (
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// Format is the form of Anthropic's transcripts.
var Format = adapter.Format{
	Name:      "anthropic",
	Says:      "Anthropic messages with tool_use and tool_result blocks",
	Recognise: recognise,
	New: func(names event.Conversation) adapter.Reader {
		return &reader{adapter.NewDialogues(names)}
	},
}

// reader reads one transcript.
type reader struct {
	dialogues *adapter.Dialogues
}

// Read takes in one row.
func (r *reader) Read(row adapter.Row, out *adapter.Out) {
	v := row.Value
	switch messages, _ := v.Get("messages"); {
	case v.Kind() != servedjson.Object:
		out.Fault(row.Line, "", "want an object: a message or a request")
		return
	case messages.Kind() == servedjson.Array:
		r.request(row, messages, out)
	case batched(v).Kind() == servedjson.Object:
		name := r.dialogues.NextName()
		r.messages(row, name, out).Read(batched(v), "result.message")
		r.dialogues.Close(name, out)
	default:
		r.messages(row, r.dialogues.NameOf(row), out).Read(v, "")
	}
	r.dialogues.Drain(out)
}

// request reads a request as a conversation of its own, and its response.
func (r *reader) request(row adapter.Row, messages servedjson.Value, out *adapter.Out) {
	name := adapter.Text(row.Value, "conversation_id", "session_id")
	if name == "" {
		name = r.dialogues.NextName()
	}
	m := r.messages(row, name, out)
	if system, ok := row.Value.Get("system"); ok {
		m.App(system, "system")
	}
	for at, message := range adapter.Items(messages, "messages") {
		m.Read(message, at)
	}
	if response, _ := row.Value.Get("response"); response.Kind() == servedjson.Object {
		m.Read(response, "response")
	}
	r.dialogues.Close(name, out)
}

// batched is the message that a result of a batch holds, the zero Value when the row is none.
func batched(v servedjson.Value) servedjson.Value {
	result, _ := v.Get("result")
	message, _ := result.Get("message")
	return message
}

func (r *reader) messages(row adapter.Row, name string, out *adapter.Out) Messages {
	d := r.dialogues.Of(name)
	d.At(row.Line, "")
	return Messages{Dialogue: d, Fault: func(field, detail string) { out.Fault(row.Line, field, detail) }}
}

// Gap says that a row could not be read.
func (r *reader) Gap(line int, out *adapter.Out) { r.dialogues.Gap(line, out) }

// End ends every conversation.
func (r *reader) End(out *adapter.Out) { r.dialogues.End(out) }

// Notes says what could not be seen.
func (r *reader) Notes() []string { return r.dialogues.Notes() }

// recognise is sure of the blocks that only this interface has. A message that is only text may as well be another
// runtime's.
func recognise(row servedjson.Value) adapter.Match {
	messages, _ := row.Get("messages")
	switch system, asked := row.Get("system"); {
	case messages.Kind() == servedjson.Array:
		match := recogniseAll(messages)
		if asked && system.Kind() != servedjson.Object && match != adapter.No {
			return adapter.Yes
		}
		return match
	case adapter.Text(batched(row), "role") != "":
		return adapter.Yes
	}
	return recogniseMessage(row)
}

// recogniseAll is sure when it is of one message, and sees none when one cannot be.
func recogniseAll(messages servedjson.Value) adapter.Match {
	match := adapter.Maybe
	for message := range messages.Elements() {
		switch recogniseMessage(message) {
		case adapter.Yes:
			return adapter.Yes
		case adapter.No:
			match = adapter.No
		}
	}
	return match
}

func recogniseMessage(message servedjson.Value) adapter.Match {
	switch adapter.Text(message, "role") {
	case "user", "assistant":
	default:
		return adapter.No
	}
	if _, stopped := message.Get("stop_reason"); stopped {
		return adapter.Yes
	}
	for _, other := range []string{"tool_calls", "function_call", "refusal", "parts"} {
		if _, has := message.Get(other); has {
			return adapter.No
		}
	}
	content, _ := message.Get("content")
	match := adapter.Maybe
	for block := range content.Elements() {
		switch kind := adapter.Text(block, "type"); {
		case calls[kind], isResult(kind), kind == "thinking", kind == "redacted_thinking":
			return adapter.Yes
		case kind != "text" && kind != "image" && kind != "document":
			match = adapter.No
		}
	}
	return match
}
