package openai

import (
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// response reads a response, with what was asked when that stands beside it. The same response again, in progress and then
// completed, only adds to its output.
func (r *reader) response(at place, v servedjson.Value) {
	id := adapter.Text(v, "id")
	name, known := r.responses[id]
	if !known || id == "" {
		name = r.asked(at, v)
		r.responses[id] = name
	}
	output, _ := v.Get("output")
	if output.Kind() != servedjson.Array {
		r.talk(at, name).Fault("output", "want a list of items")
		return
	}
	r.items(at, name, output, "output")
}

// asked reads what a response answers: instructions and input. It names the conversation.
func (r *reader) asked(at place, v servedjson.Value) (name string) {
	name, begun := r.conversationOf(v)
	c := r.talk(at, name)
	if !begun {
		c.Unseen(event.HistoryIncomplete)
	}
	switch said, _ := v.Get("instructions"); said.Kind() {
	case servedjson.String:
		c.App(said.Text())
	case servedjson.Array:
		r.items(at, name, said, "instructions")
	}
	switch asked, _ := v.Get("input"); asked.Kind() {
	case servedjson.String:
		c.person(asked.Text())
	case servedjson.Array:
		r.items(at, name, asked, "input")
	}
	return name
}

// conversationOf names the conversation of a response. begun is false when it goes on with one that is not in the record.
func (r *reader) conversationOf(v servedjson.Value) (name string, begun bool) {
	conversation, _ := v.Get("conversation")
	named := adapter.Text(conversation, "id")
	if named == "" {
		named = conversation.Text()
	}
	before := adapter.Text(v, "previous_response_id")
	if known, ok := r.responses[before]; ok && before != "" {
		return known, true
	}
	if named == "" {
		named = r.dialogues.NextName()
	}
	return named, before == ""
}

func (r *reader) items(at place, name string, list servedjson.Value, field string) {
	for field, item := range adapter.Items(list, field) {
		r.entry(at, name, item, field)
	}
}

// item reads an item of Responses.
func (c talk) item(v servedjson.Value, kind, field string) {
	if kind == "message" {
		c.messageItem(v, field)
		return
	}
	if quiet[kind] {
		return
	}
	if called, ok := callItems[kind]; ok {
		c.callItem(v, kind, called, field)
		return
	}
	if output, ok := outputItems[kind]; ok {
		c.outputItem(v, output, field)
		return
	}
	switch kind {
	case "item_reference", "compaction", "compaction_summary", "context_compaction":
		c.Unseen(event.HistoryIncomplete)
	default:
		c.Fault(adapter.Path(field, "type"), "item of type "+adapter.Quote(kind)+" is not known")
	}
}

// quiet are the items that hold nothing an answer could rest on.
var quiet = map[string]bool{
	"reasoning": true, "mcp_list_tools": true, "mcp_approval_request": true, "mcp_approval_response": true,
	"image_generation_call": true, "ghost_snapshot": true,
}

func (c talk) messageItem(v servedjson.Value, field string) {
	switch role := adapter.Text(v, "role"); role {
	case "system", "developer", "user", "assistant":
		c.speech(v, role, field, c.userItem)
	default:
		c.Fault(adapter.Path(field, "role"), "role "+adapter.Quote(role)+" is not known")
	}
}

// callItem is how an item that makes a call names it, and what it holds of the result.
type callItem struct {
	tool   string // when the item does not name it
	args   string
	result string // where the result stands when the platform itself runs the tool, empty when an item of its own has it
}

// callItems are the items that make a call. The platform runs the hosted ones; of those the item holds the result, or
// nothing when it was not asked to include it.
var callItems = map[string]callItem{
	"function_call":         {args: "arguments"},
	"custom_tool_call":      {args: "input"},
	"mcp_call":              {args: "arguments", result: "output"},
	"file_search_call":      {tool: "file_search", args: "queries", result: "results"},
	"web_search_call":       {tool: "web_search", args: "action", result: "results"},
	"code_interpreter_call": {tool: "code_interpreter", args: "code", result: "outputs"},
	"computer_call":         {tool: "computer", args: "action"},
	"local_shell_call":      {tool: "local_shell", args: "action"},
	"shell_call":            {tool: "shell", args: "action"},
	"apply_patch_call":      {tool: "apply_patch", args: "operation"},
	"tool_search_call":      {tool: "tool_search", args: "arguments"},
}

func (c talk) callItem(v servedjson.Value, kind string, called callItem, field string) {
	id := adapter.Text(v, "call_id", "callId", "id")
	if called.result != "" {
		id = adapter.Text(v, "id", "call_id", "callId")
	}
	if id == "" {
		c.Fault(adapter.Path(field, "call_id"), "is missing: the result of this call cannot be told")
		return
	}
	if !c.run.running {
		c.Step("")
		c.run.running = true
	}
	tool := adapter.Text(v, "name")
	if tool == "" {
		tool = called.tool
	}
	c.Call(id, tool, arguments(v, called.args), programOf(v, kind))
	if called.result != "" {
		c.hosted(v, id, tool, called.result, adapter.Path(field, called.result))
	}
}

// hosted tells the result of a call that the platform ran. A call that still runs has none.
func (c talk) hosted(v servedjson.Value, id, tool, result, field string) {
	status := adapter.Text(v, "status")
	if status == "in_progress" || status == "searching" || status == "interpreting" || status == "calling" {
		return
	}
	came, _ := v.Get(result)
	failed, _ := v.Get("error")
	wrong := failed.Kind() != servedjson.None && failed.Kind() != servedjson.Null
	switch {
	case wrong && (came.Kind() == servedjson.None || came.Kind() == servedjson.Null):
		c.Result(id, event.ToolEnd{Result: event.JSON("null"), Error: adapter.Compact(failed)})
		c.run.running = false
	case came.Kind() == servedjson.None, came.Kind() == servedjson.Null:
		c.notCaptured(id, tool)
	default:
		c.result(id, tool, came, field, nil)
	}
}

// programOf is the program that an item submits.
func programOf(v servedjson.Value, kind string) *event.Script {
	if code := adapter.Text(v, "code"); kind == "code_interpreter_call" && code != "" {
		return &event.Script{Program: code, Language: "python"}
	}
	return nil
}

// outputItems are the items that hold the result of a call, and where.
var outputItems = map[string]string{
	"function_call_output": "output", "custom_tool_call_output": "output", "computer_call_output": "output",
	"local_shell_call_output": "output", "shell_call_output": "output", "apply_patch_call_output": "output",
	"tool_search_output": "tools",
}

func (c talk) outputItem(v servedjson.Value, output, field string) {
	id := adapter.Text(v, "call_id", "callId", "id")
	if id == "" {
		c.Fault(adapter.Path(field, "call_id"), "is missing: the call of this result cannot be told")
		return
	}
	came, ok := v.Get(output)
	if !ok {
		c.Fault(adapter.Path(field, output), "is missing")
		return
	}
	c.result(id, "", unwrapped(came), adapter.Path(field, output), nil)
}

// unwrapped is an output that is one content block, such as a screenshot, as a list of it.
func unwrapped(v servedjson.Value) servedjson.Value {
	if v.Kind() == servedjson.Object && adapter.Text(v, "type") != "" {
		if list, err := servedjson.Parse([]byte("[" + string(v.Raw()) + "]")); err == nil {
			return list
		}
	}
	return v
}
