package aisdk

import (
	"strings"

	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// recognise is sure of the parts that only the SDK has. A message that is only text says as much read as another runtime's,
// so it is left to those.
func recognise(row servedjson.Value) adapter.Match {
	list, _ := row.Get("messages")
	if list.Kind() != servedjson.Array {
		return recogniseMessage(row)
	}
	for m := range list.Elements() {
		if recogniseMessage(m) == adapter.Yes {
			return adapter.Yes
		}
	}
	return adapter.No
}

func recogniseMessage(m servedjson.Value) adapter.Match {
	if !roles[adapter.Text(m, "role")] {
		return adapter.No
	}
	if parts, shown := m.Get("parts"); shown {
		return recogniseShown(parts)
	}
	content, _ := m.Get("content")
	for part := range content.Elements() {
		if isPart(adapter.Text(part, "type")) {
			return adapter.Yes
		}
	}
	return adapter.No
}

// isPart tells whether only the SDK's messages have parts of a type.
func isPart(kind string) bool {
	switch kind {
	case "tool-call", "tool-result", "tool-approval-request", "tool-approval-response", "step-start", "dynamic-tool", "tool-invocation":
		return true
	}
	return false
}

// recogniseShown is sure of parts that each say their type, as those of a user interface do.
func recogniseShown(parts servedjson.Value) adapter.Match {
	match := adapter.No
	for part := range parts.Elements() {
		kind := adapter.Text(part, "type")
		switch {
		case kind == "tool_call", kind == "tool_call_response", kind == "":
			return adapter.No
		case kind == "text", isPart(kind), strings.HasPrefix(kind, "tool-"), strings.HasPrefix(kind, "data-"), strings.HasPrefix(kind, "source-"):
			match = adapter.Yes
		}
	}
	return match
}
