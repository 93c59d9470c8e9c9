package inspect

import (
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// submit is the tool that agents give their answer by, under the argument answer.
const submit = "submit"

// calls reads the calls that a message makes.
func (c talk) calls(m servedjson.Value, field string) {
	list, _ := m.Get("tool_calls")
	c.List(list, field+".tool_calls")
	for at, call := range adapter.Items(list, field+".tool_calls") {
		id := adapter.Text(call, "id")
		args, _ := call.Get("arguments")
		answer := adapter.Text(args, "answer")
		switch tool := adapter.Text(call, "function"); {
		case id == "":
			c.Fault(at+".id", "is missing: the result of this call cannot be told")
		case tool == submit && answer != "":
			c.answer(id, answer, m)
		default:
			c.Call(id, tool, adapter.Compact(args), nil)
		}
	}
}

// answer tells an answer that was given by a call. What comes back of it is the answer again: the agent's own words, and no
// evidence.
func (c talk) answer(id, answer string, m servedjson.Value) {
	c.submitted[id] = true
	content, _ := m.Get("content")
	if read, _ := c.read(content, ""); !strings.Contains(read.Text, answer) { // its faults were told when it was said
		c.Say(answer)
	}
}

// result tells what came back of a call. The model reads the message of an error in the place of content.
func (c talk) result(m, content servedjson.Value, field string) {
	id := adapter.Text(m, "tool_call_id")
	switch {
	case id == "":
		c.Fault(field+".tool_call_id", "is missing: the call of this result cannot be told")
		return
	case c.submitted[id]:
		return
	}
	end := event.ToolEnd{Call: event.Call{Tool: adapter.Text(m, "function")}}
	read, fault := c.read(content, field+".content")
	if wrong, _ := m.Get("error"); wrong.Kind() == servedjson.Object {
		said := adapter.Text(wrong, "message")
		end.Error = adapter.Quoted(said)
		if read.Text == "" {
			read.Text = said
		}
	}
	end.Result = read.Value()
	c.Result(id, end)
	c.Note(read, fault)
	if c.cut[id] {
		c.Unseen(event.ResultCapped)
	}
}

// cutCalls are the calls of a sample whose results were cut before the model read them: their tool events say so.
func cutCalls(sample servedjson.Value) map[string]bool {
	cut := map[string]bool{}
	events, _ := sample.Get("events")
	for e := range events.Elements() {
		bytes, _ := e.Get("truncated")
		if adapter.Text(e, "event") == "tool" && bytes.Kind() == servedjson.Array {
			cut[adapter.Text(e, "id")] = true
		}
	}
	return cut
}

// othersIn counts the calls that stand in events and in no message.
func (c talk) othersIn(sample servedjson.Value) (others int) {
	events, _ := sample.Get("events")
	for e := range events.Elements() {
		id := adapter.Text(e, "id")
		if adapter.Text(e, "event") == "tool" && !c.Made(id) && !c.submitted[id] {
			others++
		}
	}
	return others
}
