package aisdk

import (
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// shown reads a message of a user interface.
func (c talk) shown(m, parts servedjson.Value, role, field string) {
	if role != "assistant" {
		c.heard(parts, role, field)
		return
	}
	c.Step(adapter.Text(m, "id"))
	s := steps{talk: c}
	for at, part := range adapter.Items(parts, field) {
		s.part(part, at)
	}
}

// heard reads the parts of the person's, or the app's, message. What the app attached as data counts as its own text.
func (c talk) heard(parts servedjson.Value, role, field string) {
	var texts []string
	for at, part := range adapter.Items(parts, field) {
		switch kind := adapter.Text(part, "type"); {
		case kind == "text":
			if text, _ := part.Get("text"); text.Kind() != servedjson.String {
				c.Fault(at+".text", "want a string, found "+adapter.KindWord(text.Kind()))
			}
			texts = append(texts, adapter.Text(part, "text"))
		case strings.HasPrefix(kind, "data-"):
			data, _ := part.Get("data")
			c.App(string(adapter.Compact(data)))
		case kind == "file":
			c.Unseen(event.ContentNotCaptured)
		default:
			c.Fault(at+".type", "part of type "+adapter.Quote(kind)+" is not known")
		}
	}
	if text := strings.Join(texts, "\n"); role == "user" {
		c.Person(text)
	} else {
		c.App(text)
	}
}

// steps are the steps of one message of the agent, told one after the other.
type steps struct {
	talk
	begun    bool // something of the step was told
	answered bool // a call of the step has its result: what is written next was written after it was read
}

// next begins the agent's next step.
func (s *steps) next() {
	if s.begun {
		s.Step("")
	}
	s.begun, s.answered = false, false
}

func (s *steps) part(part servedjson.Value, field string) {
	switch kind := adapter.Text(part, "type"); {
	case kind == "step-start":
		s.next()
	case kind == "text":
		if s.answered {
			s.next()
		}
		s.begun = true
		s.talk.part(part, kind, field)
	case kind == "dynamic-tool":
		s.tool(part, adapter.Text(part, "toolName"), field)
	case kind == "tool-invocation": // version 4
		inner, _ := part.Get("toolInvocation")
		s.tool(inner, adapter.Text(inner, "toolName"), field+".toolInvocation")
	case kind == "source", strings.HasPrefix(kind, "source-"): // the provider searched, and what it found is not recorded
		s.Unseen(event.ContentNotCaptured)
	case quiet[kind], strings.HasPrefix(kind, "data-"):
	case strings.HasPrefix(kind, "tool-"):
		s.tool(part, strings.TrimPrefix(kind, "tool-"), field)
	default:
		s.Fault(field+".type", "part of type "+adapter.Quote(kind)+" is not known")
	}
}

// unfinished are the states of a call that has no result yet; one that waits for the person among them.
var unfinished = map[string]bool{
	"input-streaming": true, "input-available": true, "approval-requested": true, "approval-responded": true, "partial-call": true, "call": true,
}

// tool tells a call and what came of it. A result that is preliminary is not the one that the model read.
func (s *steps) tool(part servedjson.Value, tool, field string) {
	s.begun = true
	if !s.call(part, tool, field) {
		return
	}
	id, state := adapter.Text(part, "toolCallId"), adapter.Text(part, "state")
	end := event.ToolEnd{Call: event.Call{Tool: tool}}
	preliminary, _ := part.Get("preliminary")
	switch {
	case unfinished[state], preliminary.Kind() == servedjson.True:
		return
	case state == "output-error":
		end.Error, end.Result = event.JSON("true"), adapter.Quoted(adapter.Text(part, "errorText"))
	case state == "output-denied":
		approval, _ := part.Get("approval")
		end.Error, end.Result = event.JSON("true"), adapter.Quoted(adapter.Text(approval, "reason"))
	case state == "output-available", state == "result":
		s.output(part, id, end, field)
		return
	default:
		s.Fault(field+".state", "state "+adapter.Quote(state)+" is not known")
		return
	}
	s.answered = true
	s.Result(id, end)
}

// output tells what a tool gave: any JSON.
func (s *steps) output(part servedjson.Value, id string, end event.ToolEnd, field string) {
	s.answered = true
	name := "output"
	came, has := part.Get(name)
	if !has {
		name = "result"
		if came, has = part.Get(name); !has {
			s.Fault(field+".output", "is missing")
			return
		}
	}
	read, fault := given(came, field+"."+name)
	end.Result = read.Value()
	s.Result(id, end)
	s.Note(read, fault)
}
