package openai

import (
	"strconv"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// conversation reads an object that holds the messages of one conversation.
func (r *reader) conversation(at place, v servedjson.Value) {
	name := adapter.Text(v, "conversation_id", "session_id", "thread_id")
	if name == "" {
		name = r.dialogues.NextName()
	}
	list, _ := v.Get("messages")
	if list.Kind() != servedjson.Array {
		r.talk(at, name).Fault("messages", "want a list of messages")
		return
	}
	for field, m := range adapter.Items(list, "messages") {
		r.entry(at, name, m, field)
	}
	if choices, _ := v.Get("choices"); choices.Kind() == servedjson.Array {
		r.choices(at, name, choices)
	}
	r.dialogues.Close(name, at.out)
	delete(r.runs, name)
}

// completion reads what Chat Completions gave back: the agent's next message in the record's own conversation.
func (r *reader) completion(at place, v servedjson.Value) {
	choices, _ := v.Get("choices")
	r.choices(at, "", choices)
}

// choices reads the first choice: the others are answers that were not taken.
func (r *reader) choices(at place, name string, choices servedjson.Value) {
	for choice := range choices.Elements() {
		m, ok := choice.Get("message")
		if !ok {
			r.talk(at, name).Fault("choices.0.message", "is missing")
			return
		}
		r.talk(at, name).message(m, "choices.0.message")
		return
	}
}

// message reads a message of Chat Completions.
func (c talk) message(m servedjson.Value, field string) {
	content, _ := m.Get("content")
	at := adapter.Path(field, "content")
	switch role := adapter.Text(m, "role"); role {
	case "system", "developer", "user", "assistant":
		c.speech(m, role, field, c.person)
		if role == "assistant" {
			c.calls(m, field)
		}
	case "tool":
		id := adapter.Text(m, "tool_call_id", "toolCallId")
		if id == "" {
			c.Fault(adapter.Path(field, "tool_call_id"), "is missing: the call of this result cannot be told")
			return
		}
		c.result(id, adapter.Text(m, "name"), content, at, failure(m))
	case "function":
		c.result(c.run.last, adapter.Text(m, "name"), content, at, nil)
	default:
		c.Fault(adapter.Path(field, "role"), "role "+adapter.Quote(role)+" is not known")
	}
}

// speech reads what one of the three sides says. person is told what the person does.
func (c talk) speech(m servedjson.Value, role, field string, person func(string)) {
	content, _ := m.Get("content")
	read, fault := adapter.ReadContent(content, adapter.Path(field, "content"))
	switch role {
	case "user":
		person(read.Text)
	case "assistant":
		c.Step(adapter.Text(m, "id"))
		c.run.running = true
		if adapter.Text(m, "phase") != "commentary" { // said on the way to the answer
			c.Say(read.Text)
		}
		c.Say(adapter.Text(m, "refusal"))
		audio, _ := m.Get("audio")
		c.Say(adapter.Text(audio, "transcript"))
	default:
		c.App(read.Text)
	}
	read.Unseen = read.Unseen || cites(m)
	c.Note(read, fault)
}

// cites tells whether an answer of Chat Completions cites pages: the model searched, and what it found is not recorded.
func cites(m servedjson.Value) bool {
	list, _ := m.Get("annotations")
	for note := range list.Elements() {
		if adapter.Text(note, "type") == "url_citation" {
			return true
		}
	}
	return false
}

// failure is the mark of a failed call that some runtimes put on a tool's message.
func failure(m servedjson.Value) event.JSON {
	if wrong, _ := m.Get("is_error"); wrong.Kind() == servedjson.True {
		return event.JSON("true")
	}
	if adapter.Text(m, "status") == "error" {
		return event.JSON("true")
	}
	return nil
}

// calls reads the calls that a message makes.
func (c talk) calls(m servedjson.Value, field string) {
	calls, _ := m.Get("tool_calls")
	if calls.Kind() == servedjson.None {
		calls, _ = m.Get("toolCalls")
	}
	for at, call := range adapter.Items(calls, "tool_calls") {
		c.toolCall(call, adapter.Path(field, at))
	}
	if legacy, _ := m.Get("function_call"); legacy.Kind() == servedjson.Object {
		c.run.legacy++
		c.run.last = "function_call-" + strconv.Itoa(c.run.legacy)
		c.Call(c.run.last, adapter.Text(legacy, "name"), arguments(legacy, "arguments"), nil)
	}
}

// toolCall reads one call of a message. Its type is function when it is not said.
func (c talk) toolCall(call servedjson.Value, field string) {
	id, kind := adapter.Text(call, "id"), adapter.Text(call, "type")
	inner, args := "function", "arguments"
	if kind == "custom" {
		inner, args = "custom", "input"
	}
	what, _ := call.Get(inner)
	switch {
	case kind != "" && kind != "function" && kind != "custom":
		c.Fault(field+".type", "call of type "+adapter.Quote(kind)+" is not known")
	case id == "":
		c.Fault(field+".id", "is missing: the result of this call cannot be told")
	case what.Kind() != servedjson.Object:
		c.Fault(field+"."+inner, "is missing")
	default:
		c.Call(id, adapter.Text(what, "name"), arguments(what, args), nil)
	}
}

// arguments are those of a call: JSON, mostly written as text.
func arguments(v servedjson.Value, name string) event.JSON {
	args, _ := v.Get(name)
	if args.Kind() == servedjson.String {
		if inner, err := servedjson.Parse(args.TextBytes(nil)); err == nil {
			return adapter.Compact(inner)
		}
	}
	return adapter.Compact(args)
}
