package openai

import (
	"strings"

	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// recognise is sure of what only these interfaces have. A message of a person or of an agent that is only text may as well
// be another runtime's.
func recognise(row servedjson.Value) adapter.Match {
	kind := adapter.Text(row, "type")
	list, _ := row.Get("messages")
	switch object := adapter.Text(row, "object"); {
	case row.Kind() != servedjson.Object:
		return adapter.No
	case isCodex(row), object == "response", object == "chat.completion":
		return adapter.Yes
	case list.Kind() == servedjson.Array:
		return recogniseAll(list)
	case isItem(kind):
		return adapter.Yes
	case kind == "" || kind == "message":
		return recogniseMessage(row)
	}
	return adapter.No
}

func isItem(kind string) bool {
	_, call := callItems[kind]
	_, output := outputItems[kind]
	return call || output || kind == "reasoning"
}

// recogniseAll is sure when it is of one message, and sees none when one cannot be.
func recogniseAll(list servedjson.Value) adapter.Match {
	match := adapter.Maybe
	for m := range list.Elements() {
		kind := adapter.Text(m, "type")
		if kind != "" && kind != "message" {
			if isItem(kind) {
				return adapter.Yes
			}
			return adapter.No
		}
		switch recogniseMessage(m) {
		case adapter.Yes:
			return adapter.Yes
		case adapter.No:
			match = adapter.No
		}
	}
	return match
}

func recogniseMessage(m servedjson.Value) adapter.Match {
	content, _ := m.Get("content")
	if has(m, "parts") || isOthers(content) || namesFunction(m) {
		return adapter.No
	}
	switch adapter.Text(m, "role") {
	case "tool", "developer", "function":
		return adapter.Yes
	case "system", "user", "assistant":
	default:
		return adapter.No
	}
	for _, own := range []string{"tool_calls", "function_call", "refusal", "audio", "annotations"} {
		if has(m, own) {
			return adapter.Yes
		}
	}
	return recogniseContent(content)
}

// namesFunction tells whether a message is one of Inspect's: it names the function, as a text, where OpenAI has an object.
func namesFunction(m servedjson.Value) bool {
	if named, _ := m.Get("function"); named.Kind() == servedjson.String {
		return true
	}
	calls, _ := m.Get("tool_calls")
	for call := range calls.Elements() {
		named, _ := call.Get("function")
		return named.Kind() == servedjson.String
	}
	return false
}

// isOthers tells whether content has parts of the Vercel AI SDK: their types are written with a hyphen.
func isOthers(content servedjson.Value) bool {
	for part := range content.Elements() {
		if strings.HasPrefix(adapter.Text(part, "type"), "tool-") {
			return true
		}
	}
	return false
}

func recogniseContent(content servedjson.Value) adapter.Match {
	match := adapter.Maybe
	for block := range content.Elements() {
		switch adapter.Text(block, "type") {
		case "text", "image":
		case "input_text", "output_text", "input_image", "image_url", "input_audio", "input_file", "refusal":
			return adapter.Yes
		default:
			match = adapter.No
		}
	}
	return match
}
