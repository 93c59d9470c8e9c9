package atif

import (
	"strconv"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// talk is a conversation, and where what is told of it stands.
type talk struct {
	adapter.Talk
	reader *reader
}

// content reads a text, or parts of text and pictures, and says what of it was not seen.
func (c talk) content(v servedjson.Value, field string) string {
	read, fault := adapter.ReadContent(v, field)
	c.Note(read, fault)
	return read.Text
}

// step reads one step.
func (c talk) step(step servedjson.Value, field string) {
	c.At(c.Line, adapter.Text(step, "timestamp"))
	message, _ := step.Get("message")
	said := field + ".message"
	switch source := adapter.Text(step, "source"); source {
	case "user":
		c.Person(c.content(message, said))
	case "system":
		c.system(step, message, said)
	case "agent":
		c.Step("")
		if !byCode(step) {
			c.Say(c.content(message, said))
		}
		c.calls(step, field)
	default:
		c.Fault(field+".source", "source "+adapter.Quote(source)+" is not known")
		return
	}
	c.observation(step, field+".observation")
}

// system tells a text of the app. What stands at a change of the agent's window may be the agent's own summary, and is not told.
func (c talk) system(step, message servedjson.Value, field string) {
	extra, _ := step.Get("extra")
	if _, changed := extra.Get("context_management"); changed {
		return
	}
	if text := c.content(message, field); text != "" {
		c.App(text)
	}
}

// byCode tells whether no model took part in a step of the agent: then its text is no answer.
func byCode(step servedjson.Value) bool {
	count, _ := step.Get("llm_call_count")
	return count.Kind() == servedjson.Number && string(count.Raw()) == "0"
}

func (c talk) calls(step servedjson.Value, field string) {
	list, _ := step.Get("tool_calls")
	c.List(list, field+".tool_calls")
	for at, call := range adapter.Items(list, field+".tool_calls") {
		id := adapter.Text(call, "tool_call_id")
		if id == "" {
			c.Fault(at+".tool_call_id", "is missing: the result of this call cannot be told")
			continue
		}
		args, _ := call.Get("arguments")
		c.Call(id, adapter.Text(call, "function_name"), adapter.Compact(args), nil)
	}
}

// observation reads what came back. A result that names no call is of the step's only one, else of an action that is no call:
// it has a call of its own, of the tool environment.
func (c talk) observation(step servedjson.Value, field string) {
	observed, _ := step.Get("observation")
	list, _ := observed.Get("results")
	c.List(list, field+".results")
	only := onlyCall(step)
	i := 0
	for at, result := range adapter.Items(list, field+".results") {
		i++
		if result.Kind() != servedjson.Object {
			c.Fault(at, "want a result, found "+adapter.KindWord(result.Kind()))
			continue
		}
		id := adapter.Text(result, "source_call_id")
		if id == "" {
			id, only = only, ""
		}
		if id == "" {
			number, _ := step.Get("step_id")
			id = "step-" + string(number.Raw()) + "-" + strconv.Itoa(i)
			if adapter.Text(step, "source") != "agent" {
				c.Step("")
			}
			c.Call(id, "environment", nil, nil)
		}
		c.result(result, id, at)
	}
}

// onlyCall is the id of the step's call when it makes one, empty otherwise.
func onlyCall(step servedjson.Value) string {
	list, _ := step.Get("tool_calls")
	if list.Kind() != servedjson.Array || list.Len() != 1 {
		return ""
	}
	for call := range list.Elements() {
		return adapter.Text(call, "tool_call_id")
	}
	return ""
}

// result tells one result. One without content gave nothing back, or only names the trajectory of a sub-agent.
func (c talk) result(result servedjson.Value, id, field string) {
	content, _ := result.Get("content")
	if _, refers := result.Get("subagent_trajectory_ref"); refers && (content.Kind() == servedjson.None || content.Kind() == servedjson.Null) {
		c.reader.reports++
		c.Result(id, event.ToolEnd{Result: event.JSON("null"), Status: event.StatusNotCaptured})
		return
	}
	read, fault := adapter.ReadContent(content, field+".content")
	c.Result(id, event.ToolEnd{Result: read.Value()})
	c.Note(read, fault)
}
