// Package aisdk reads the messages of the Vercel AI SDK. It answers "which turns do these messages hold?".
//
// Its sources are the SDK's reference and types (versions 4 to 7, late 2026). There are two kinds of message:
//
//   - model messages {role, content}: what the model was given. Calls are parts of type tool-call, results parts of type
//     tool-result whose output says how it is to be read (results.go);
//   - messages of a user interface {id, role, parts}: what an app keeps. A part of type tool-<name> or dynamic-tool is a call
//     with what came of it, step-start begins the agent's next step (interface.go).
//
// A row is a message, a list of them, or an object that holds messages: what useChat sends and stores, or what generateText
// was asked and gave back.
package aisdk

import (
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// Format is the form of the AI SDK's messages.
var Format = adapter.Format{
	Name:      "ai-sdk",
	Says:      "Vercel AI SDK messages: of the model, or of a user interface",
	Recognise: recognise,
	New: func(names event.Conversation) adapter.Reader {
		return &reader{adapter.NewDialogues(names)}
	},
}

// reader reads one record.
type reader struct {
	dialogues *adapter.Dialogues
}

// Read takes in one row.
func (r *reader) Read(row adapter.Row, out *adapter.Out) {
	v := row.Value
	switch list, _ := v.Get("messages"); {
	case v.Kind() != servedjson.Object:
		out.Fault(row.Line, "", "want an object: a message, or a conversation with messages")
		return
	case list.Kind() == servedjson.Array:
		r.conversation(row, list, out)
	default:
		r.talk(row, r.dialogues.NameOf(row), out).message(v, "")
	}
	r.dialogues.Drain(out)
}

// conversation reads an object that holds messages, maybe with the instructions and with what the model gave back.
func (r *reader) conversation(row adapter.Row, list servedjson.Value, out *adapter.Out) {
	name := adapter.Text(row.Value, "chatId", "id", "conversation_id", "session_id")
	if name == "" {
		name = r.dialogues.NextName()
	}
	c := r.talk(row, name, out)
	for _, field := range []string{"instructions", "system"} {
		if said, _ := row.Value.Get(field); said.Kind() != servedjson.None && said.Kind() != servedjson.Null {
			c.app(said, field)
		}
	}
	c.messages(list, "messages")
	response, _ := row.Value.Get("response")
	given, has := response.Get("messages")
	switch {
	case given.Kind() == servedjson.Array:
		c.messages(given, "response.messages")
	case has:
		c.Fault("response.messages", "want a list of messages, found "+adapter.KindWord(given.Kind()))
	}
	r.dialogues.Close(name, out)
}

// talk is a conversation, and where faults of the row go.
type talk struct {
	adapter.Talk
}

func (r *reader) talk(row adapter.Row, name string, out *adapter.Out) talk {
	d := r.dialogues.Of(name)
	d.At(row.Line, "")
	return talk{adapter.Talk{Dialogue: d, Line: row.Line, Out: out}}
}

func (c talk) messages(list servedjson.Value, field string) {
	for at, m := range adapter.Items(list, field) {
		c.message(m, at)
	}
}

// message reads a message of either kind.
func (c talk) message(m servedjson.Value, field string) {
	role := adapter.Text(m, "role")
	if !roles[role] {
		c.Fault(adapter.Path(field, "role"), "role "+adapter.Quote(role)+" is not known")
		return
	}
	if parts, shown := m.Get("parts"); shown && parts.Kind() == servedjson.Array {
		c.shown(m, parts, role, adapter.Path(field, "parts"))
		return
	}
	content, _ := m.Get("content")
	switch at := adapter.Path(field, "content"); role {
	case "system", "developer":
		c.app(content, at)
	case "user":
		c.person(content, at)
	case "assistant":
		c.assistant(content, at)
	default:
		c.results(content, at)
	}
}

// roles are those that messages have.
var roles = map[string]bool{"system": true, "developer": true, "user": true, "assistant": true, "tool": true}

// app tells a text of the app: a string, a list of texts, or a message.
func (c talk) app(said servedjson.Value, field string) {
	if inner, ok := said.Get("content"); ok {
		said = inner
	}
	text, unseen := c.texts(said, field)
	c.App(text)
	if unseen {
		c.Unseen(event.ContentNotCaptured)
	}
}

// person tells a message of the person. Pictures and files are no text.
func (c talk) person(content servedjson.Value, field string) {
	text, unseen := c.texts(content, field)
	c.Person(text)
	if unseen {
		c.Unseen(event.ContentNotCaptured)
	}
}

// texts reads a string, or the texts of a list of parts, a line each.
func (c talk) texts(content servedjson.Value, field string) (text string, unseen bool) {
	read, fault := adapter.ReadContent(content, field)
	if fault != nil {
		c.Out.Fault(c.Line, fault.Field, fault.Detail)
	}
	return read.Text, read.Unseen || fault != nil
}

// quiet are the parts of the agent's message that hold nothing an answer could rest on: its thoughts, the files it made, and
// whether a call was allowed.
var quiet = map[string]bool{
	"reasoning": true, "reasoning-file": true, "redacted-reasoning": true, "file": true, "custom": true,
	"tool-approval-request": true, "tool-approval-response": true,
}

// assistant reads what the model wrote: one step, and one more after each result of a tool that the provider ran.
func (c talk) assistant(content servedjson.Value, field string) {
	c.Step("")
	switch content.Kind() {
	case servedjson.String:
		c.Say(content.Text())
		return
	case servedjson.Array:
	default:
		c.Fault(field, "want a text or a list of parts, found "+adapter.KindWord(content.Kind()))
		return
	}
	answered := false
	for at, part := range adapter.Items(content, field) {
		kind := adapter.Text(part, "type")
		if answered && kind != "tool-result" {
			c.Step("")
		}
		answered = kind == "tool-result"
		c.part(part, kind, at)
	}
}

func (c talk) part(part servedjson.Value, kind, field string) {
	switch text, _ := part.Get("text"); {
	case kind == "text" && text.Kind() == servedjson.String:
		c.Say(text.Text())
	case kind == "text":
		c.Fault(field+".text", "want a string")
	case kind == "tool-call":
		c.call(part, adapter.Text(part, "toolName"), field)
	case kind == "tool-result":
		c.result(part, field)
	case !quiet[kind]:
		c.Fault(field+".type", "part of type "+adapter.Quote(kind)+" is not known")
	}
}

// call tells a call, false when it has no id. Version 4 named its input args.
func (c talk) call(part servedjson.Value, tool, field string) bool {
	id := adapter.Text(part, "toolCallId")
	if id == "" {
		c.Fault(field+".toolCallId", "is missing: the result of this call cannot be told")
		return false
	}
	input, has := part.Get("input")
	if !has {
		input, _ = part.Get("args")
	}
	c.Call(id, tool, adapter.Compact(input), nil)
	return true
}

// Gap says that a row could not be read.
func (r *reader) Gap(line int, out *adapter.Out) { r.dialogues.Gap(line, out) }

// End ends every conversation.
func (r *reader) End(out *adapter.Out) { r.dialogues.End(out) }

// Notes says what could not be seen.
func (r *reader) Notes() []string { return r.dialogues.Notes() }
