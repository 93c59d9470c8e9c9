package anthropic

import (
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// resultSuffix ends the types of the blocks that hold what a tool came back with, whoever ran it: tool_result,
// mcp_tool_result, web_search_tool_result, code_execution_tool_result and so on.
const resultSuffix = "tool_result"

func isResult(kind string) bool {
	return kind == resultSuffix || strings.HasSuffix(kind, "_"+resultSuffix)
}

// result tells the result that a block holds.
func (m Messages) result(block servedjson.Value, field string) {
	id := adapter.Text(block, "tool_use_id")
	if id == "" {
		m.fault(field+".tool_use_id", "is missing: the call of this result cannot be told")
		return
	}
	content, _ := block.Get("content")
	end := event.ToolEnd{}
	read, fault := readResult(block, content, field+".content")
	end.Result = read.Value()
	if failed, _ := block.Get("is_error"); failed.Kind() == servedjson.True || strings.HasSuffix(adapter.Text(content, "type"), "_error") {
		end.Error = event.JSON("true")
	}
	if m.Result != nil {
		m.Result(block, &end)
	}
	m.Dialogue.Result(id, end)
	m.note(read, fault)
}

// readResult reads content of text and blocks; what the platform's own tools give is JSON, of which the pages that a
// search found are encrypted in the record.
func readResult(block, content servedjson.Value, field string) (adapter.Content, *adapter.RowError) {
	switch adapter.Text(block, "type") {
	case "tool_result", "mcp_tool_result":
		return adapter.ReadResult(content, field)
	}
	read := adapter.Content{JSON: adapter.Compact(content)}
	if read.JSON == nil {
		return read, &adapter.RowError{Field: field, Detail: "is missing"}
	}
	servedjson.Walk(content, func(leaf servedjson.Value, isKey bool) {
		read.Unseen = read.Unseen || isKey && (leaf.TextIs("encrypted_content") || leaf.TextIs("encrypted_stdout"))
	})
	return read, nil
}
