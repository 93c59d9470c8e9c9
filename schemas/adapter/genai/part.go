package genai

import (
	"strings"

	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// partReaders read a part of a message by its type: those of the OpenTelemetry conventions first, then those of OpenAI,
// Anthropic and the AI SDK, whose messages instrumentations pass on as they are.
var partReaders map[string]func(field string, v servedjson.Value) (part, *faultError)

func init() {
	partReaders = map[string]func(string, servedjson.Value) (part, *faultError){
		"text": readText, "input_text": readText, "output_text": readText, "refusal": readText,
		"tool_call": readCall, "tool_use": readCall, "tool-call": readCall, "function_call": readCall,
		"server_tool_call": readServerCall, "server_tool_use": readServerCall,
		"tool_call_response": readResponse, "tool_result": readResponse, "tool-result": readResponse,
		"function_call_output": readResponse, "server_tool_call_response": readServerResponse,
		"reasoning": readThought, "thinking": readThought, "redacted_thinking": readThought,
		"compaction": readCompaction,
	}
	for _, name := range []string{
		"blob", "uri", "file", "image", "image_url", "audio", "video", "document", "media", "input_image", "input_file",
		"input_audio",
	} {
		partReaders[name] = readUnseen
	}
}

// readPart reads one part. A type that is not known is a fault: what it holds could be what an answer rests on.
func readPart(field string, v servedjson.Value) (part, *faultError) {
	if v.Kind() == servedjson.String {
		return textPart(v), nil
	}
	if v.Kind() != servedjson.Object {
		return part{}, wrong(field, "a part of a message", v)
	}
	v = member(v, "message_content") // OpenInference
	kind, ok := v.Get("type")
	if !ok || kind.Kind() != servedjson.String {
		return part{}, wrong(field+".type", "a string", kind)
	}
	read, ok := partReaders[kind.Text()]
	if !ok {
		return part{}, &faultError{field + ".type", "names no part of a message that is known here"}
	}
	return read(field, v)
}

// readText reads a text. One without its content was not recorded.
func readText(field string, v servedjson.Value) (part, *faultError) {
	for _, name := range []string{"content", "text", "refusal"} {
		content, ok := v.Get(name)
		switch {
		case !ok || content.Kind() == servedjson.Null:
		case content.Kind() != servedjson.String:
			return part{}, wrong(field+"."+name, "a string", content)
		default:
			return textPart(content), nil
		}
	}
	return part{kind: partUnseen}, nil
}

func readCall(_ string, v servedjson.Value) (part, *faultError) {
	return part{
		kind: partCall, id: adapter.Text(v, "call_id", "toolCallId", "id"), tool: adapter.Text(v, "name", "toolName"),
		args: argsOf(v, "arguments", "input", "args"),
	}, nil
}

func readServerCall(_ string, v servedjson.Value) (part, *faultError) {
	return part{
		kind: partCall, id: adapter.Text(v, "id"), tool: adapter.Text(v, "name"), args: argsOf(v, "server_tool_call", "input"), remote: true,
	}, nil
}

// readResponse reads what a tool gave. The conventions call it response; an older example, and emitters, say result.
func readResponse(_ string, v servedjson.Value) (part, *faultError) {
	p := part{
		kind: partResponse, id: adapter.Text(v, "tool_use_id", "call_id", "toolCallId", "id"), tool: adapter.Text(v, "name", "toolName"),
	}
	if failed, _ := v.Get("is_error"); failed.Kind() == servedjson.True {
		p.failed = true
	}
	for _, name := range []string{"response", "result", "output", "content"} {
		content, ok := v.Get(name)
		if !ok || content.TextIs(redacted) {
			continue
		}
		if name == "output" {
			content, p.failed = vercelOutput(content)
		}
		p.result, p.unseen = resultOf(content)
		break
	}
	return p, nil
}

// vercelOutput gives what the AI SDK sends a model of a tool's output, {type, value}. Another value is itself.
func vercelOutput(v servedjson.Value) (content servedjson.Value, failed bool) {
	kind := adapter.Text(v, "type")
	name := "value"
	if kind == "execution-denied" {
		name = "reason"
	}
	value, ok := v.Get(name)
	switch kind {
	case "text", "json", "content", "error-text", "error-json", "execution-denied":
		if ok {
			return value, strings.HasPrefix(kind, "e")
		}
	}
	return v, false
}

func readServerResponse(_ string, v servedjson.Value) (part, *faultError) {
	p := part{kind: partResponse, id: adapter.Text(v, "id"), remote: true}
	if content, ok := v.Get("server_tool_call_response"); ok {
		p.result = adapter.Compact(content)
	}
	return p, nil
}

func readThought(string, servedjson.Value) (part, *faultError) { return part{kind: partThought}, nil }

func readUnseen(string, servedjson.Value) (part, *faultError) { return part{kind: partUnseen}, nil }

// readCompaction reads a summary that stands for earlier messages.
func readCompaction(_ string, v servedjson.Value) (part, *faultError) {
	if summary := adapter.Text(v, "content"); summary != "" {
		return part{kind: partText, text: summary}, nil
	}
	return part{kind: partUnseen}, nil
}
