package claudecode

import (
	"strings"

	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// What a tool of Claude Code confirms by succeeding. The arguments of a call are typed by the model, and so no evidence. But a
// file that was read or written was there, and an edit is only made where the text that it replaces stands: these tools
// answer with an error otherwise. What they succeeded with is told as the app's, which exempts it; it is never evidence.
//
// What Write and NotebookEdit put into a file is what the model typed, whatever it is, and stays untold. So does a pattern that
// was searched for, and the command of Bash.

// fileOf is where a tool's arguments name the file that it cannot succeed without.
var fileOf = map[string]string{
	"Read": "file_path", "Edit": "file_path", "Write": "file_path", "MultiEdit": "file_path",
	"NotebookRead": "notebook_path", "NotebookEdit": "notebook_path",
}

// confirm tells what the call of a result succeeded with: the file, once in a conversation, and the texts of an edit.
func (r *reader) confirm(d *adapter.Dialogue, conversation string, block servedjson.Value, failed bool) {
	tool, args := d.Called(adapter.Text(block, "tool_use_id"))
	name, known := fileOf[tool]
	if !known || failed || isRefusal(block) {
		return
	}
	input, err := servedjson.Parse(args)
	if err != nil {
		return // a call without arguments confirms nothing
	}
	var texts []string
	if file := adapter.Text(input, name); file != "" && !r.confirmed[conversation+"\x00"+file] {
		r.confirmed[conversation+"\x00"+file] = true
		texts = append(texts, file)
	}
	switch tool {
	case "Edit":
		texts = append(texts, edited(input)...)
	case "MultiEdit":
		edits, _ := input.Get("edits")
		for edit := range edits.Elements() {
			texts = append(texts, edited(edit)...)
		}
	}
	if len(texts) > 0 {
		d.App(texts...)
	}
}

// edited is what an edit replaces, and what it puts there.
func edited(edit servedjson.Value) (texts []string) {
	for _, name := range []string{"old_string", "new_string"} {
		if text := adapter.Text(edit, name); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// refusals begin results that say that nothing was done, also where the result is not marked as an error.
var refusals = []string{rejected, forbidden, "<tool_use_error>"}

// isRefusal tells whether a result says that nothing was done.
func isRefusal(block servedjson.Value) bool {
	content, _ := block.Get("content")
	read, _ := adapter.ReadResult(content, "") // its faults are told where the result is
	for _, start := range refusals {
		if strings.HasPrefix(read.Text, start) {
			return true
		}
	}
	return false
}
