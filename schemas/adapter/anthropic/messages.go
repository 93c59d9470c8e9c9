package anthropic

import (
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// Messages reads messages of the Messages API into a dialogue, one after another.
type Messages struct {
	Dialogue *adapter.Dialogue
	// Fault takes what could not be read. The dialogue is told that something was not seen.
	Fault func(field, detail string)
	// Program gives the program that a call submits, nil for none; nil when no tool runs programs.
	Program func(tool string, input servedjson.Value) *event.Script
	// Result changes what a tool_result block says, before it is told; nil when nothing is to be changed.
	Result func(block servedjson.Value, end *event.ToolEnd)
}

// Read reads a message of any role. A message of the agent with an id that was read before goes on with it.
func (m Messages) Read(message servedjson.Value, field string) {
	content, _ := message.Get("content")
	at := adapter.Path(field, "content")
	switch role := adapter.Text(message, "role"); role {
	case "assistant":
		m.Assistant(message, field)
	case "user":
		text := m.User(content, at)
		m.tell(text, content)
	case "system":
		m.App(content, at)
	default:
		m.fault(adapter.Path(field, "role"), "role "+adapter.Quote(role)+" is not known")
	}
}

// tell tells the text of a person's message. What stands beside results begins no turn.
func (m Messages) tell(text adapter.Content, content servedjson.Value) {
	switch {
	case !HoldsResult(content):
		m.Dialogue.Person(text.Text)
	case text.Text != "":
		m.Dialogue.Aside(text.Text)
	}
	if text.Unseen {
		m.Dialogue.Unseen(event.ContentNotCaptured)
	}
}

// App tells what the app puts in front of the model: a text, or blocks.
func (m Messages) App(content servedjson.Value, field string) {
	read, fault := adapter.ReadContent(content, field)
	m.Dialogue.App(read.Text)
	m.note(read, fault)
}

// User reads the results that stand in a user's message, and gives the rest of it, untold.
func (m Messages) User(content servedjson.Value, field string) adapter.Content {
	if content.Kind() != servedjson.Array {
		return m.said(content, field)
	}
	var texts []string
	unseen := false
	for at, block := range adapter.Items(content, field) {
		if adapter.Text(block, "type") == "tool_result" {
			m.result(block, at)
			continue
		}
		read := m.said(block, at)
		unseen = unseen || read.Unseen
		if read.Text != "" {
			texts = append(texts, read.Text)
		}
	}
	return adapter.Content{Text: strings.Join(texts, "\n"), Unseen: unseen}
}

// said reads a text or a block of the user's side. Nothing is none: what stood there is not known.
func (m Messages) said(v servedjson.Value, field string) adapter.Content {
	read, fault := adapter.ReadContent(v, field)
	if kind := v.Kind(); kind == servedjson.None || kind == servedjson.Null {
		fault = &adapter.RowError{Field: field, Detail: "want a text or a list of content blocks, found " + adapter.KindWord(kind)}
	}
	m.report(fault)
	read.Unseen = read.Unseen || fault != nil
	return read
}

// HoldsResult tells whether the content of a user's message holds a result.
func HoldsResult(content servedjson.Value) bool {
	for block := range content.Elements() {
		if adapter.Text(block, "type") == "tool_result" {
			return true
		}
	}
	return false
}

// Assistant reads a message of the agent.
func (m Messages) Assistant(message servedjson.Value, field string) {
	content, _ := message.Get("content")
	if !m.Dialogue.Step(adapter.Text(message, "id")) {
		if !m.makesNewCall(content) {
			return
		}
		m.Dialogue.Step("")
	}
	switch content.Kind() {
	case servedjson.String:
		m.Dialogue.Say(content.Text())
	case servedjson.Array:
		m.blocks(content, adapter.Path(field, "content"))
	default:
		m.fault(adapter.Path(field, "content"), "want a text or a list of content blocks")
	}
}

// blocks reads the content of the agent's message. What it writes after the result of a tool that the platform ran is a
// step of its own: it was written after the result was read.
func (m Messages) blocks(content servedjson.Value, field string) {
	var texts []string
	for at, block := range adapter.Items(content, field) {
		if text, _ := block.Get("text"); adapter.Text(block, "type") == "text" && text.Kind() == servedjson.String {
			texts = append(texts, text.Text())
			continue
		}
		if isResult(adapter.Text(block, "type")) {
			m.Dialogue.Say(texts...)
			texts = nil
			m.result(block, at)
			m.Dialogue.Step("")
			continue
		}
		m.block(block, at)
	}
	m.Dialogue.Say(texts...)
}

// makesNewCall tells whether a message makes a call that was not told yet: then it is no repeat.
func (m Messages) makesNewCall(content servedjson.Value) bool {
	for block := range content.Elements() {
		if calls[adapter.Text(block, "type")] && !m.Dialogue.Made(adapter.Text(block, "id")) {
			return true
		}
	}
	return false
}

// calls are the blocks that make a call.
var calls = map[string]bool{"tool_use": true, "server_tool_use": true, "mcp_tool_use": true}

// quiet are the blocks of the agent that nobody reads as its answer.
var quiet = map[string]bool{
	"thinking": true, "redacted_thinking": true, "container_upload": true, "fallback": true, "tool_reference": true,
}

// block reads a block of the agent's message that is neither text nor a result.
func (m Messages) block(block servedjson.Value, field string) {
	switch kind := adapter.Text(block, "type"); {
	case kind == "text":
		m.fault(field+".text", "want a string")
	case calls[kind]:
		m.call(block, field)
	case kind == "compaction":
		m.Dialogue.Unseen(event.HistoryIncomplete)
	case !quiet[kind]:
		m.fault(field+".type", "content block "+adapter.Quote(kind)+" is not known")
	}
}

func (m Messages) call(block servedjson.Value, field string) {
	id, name := adapter.Text(block, "id"), adapter.Text(block, "name")
	if id == "" {
		m.fault(field+".id", "is missing: the result of this call cannot be told")
		return
	}
	input, _ := block.Get("input")
	var program *event.Script
	if m.Program != nil {
		program = m.Program(name, input)
	}
	m.Dialogue.Call(id, name, adapter.Compact(input), program)
}

// fault tells of what could not be read. It may hold what an answer rests on.
func (m Messages) fault(field, detail string) {
	m.Fault(field, detail)
	m.Dialogue.Unseen(event.ContentNotCaptured)
}

// note says what of a content was not seen.
func (m Messages) note(content adapter.Content, fault *adapter.RowError) {
	m.report(fault)
	if content.Unseen || fault != nil {
		m.Dialogue.Unseen(event.ContentNotCaptured)
	}
}

func (m Messages) report(fault *adapter.RowError) {
	if fault != nil {
		m.Fault(fault.Field, fault.Detail)
	}
}
