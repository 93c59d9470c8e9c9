package claudecode

import (
	"strconv"
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/script"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// program is the program that a call submits: the command of Bash and of PowerShell. A call of a sub-agent is counted.
func (r *reader) program(tool string, input servedjson.Value) *event.Script {
	switch tool {
	case "Task", "Agent":
		r.tasks++
	case "Bash", "PowerShell":
		command, _ := input.Get("command")
		if command.Kind() == servedjson.String {
			return &event.Script{Program: command.Text(), Language: strings.ToLower(tool)}
		}
	}
	return nil
}

// What Claude Code writes in the place of a result, or at its beginning.
const (
	cleared   = "[Old tool result content cleared]" // it was taken out to make room
	noOutput  = "(Bash completed with no output)"
	exitCode  = "Exit code "
	timedOut  = "Command timed out after "
	rejected  = "The user doesn't want to proceed with this tool use"
	forbidden = "Permission to use "
)

// wentHow says of a result how the program went, that it was empty, or that it is not in the record.
func wentHow(block, row servedjson.Value, end *event.ToolEnd) {
	content, _ := block.Get("content")
	text := content.Text()
	switch text {
	case cleared:
		end.Result, end.Status = event.JSON("null"), event.StatusNotCaptured
	case noOutput:
		end.Result = adapter.Quoted("") // the words are Claude Code's own
	}
	end.Script = wentOf(text, row, end.Failed())
}

// wentOf reads how a program went. That it did not fail says that its exit code was 0, unless it still runs.
func wentOf(text string, row servedjson.Value, failed bool) *event.Script {
	said, code := "", (*int)(nil)
	used, _ := row.Get("toolUseResult")
	switch {
	case strings.HasPrefix(text, rejected), strings.HasPrefix(text, forbidden):
		said = script.Refused
	case strings.HasPrefix(text, timedOut):
		said = script.TimedOut
	case failed:
		code = codeOf(text)
	case adapter.Text(used, "backgroundTaskId") == "" && !is(used, "interrupted"):
		code = new(0)
	}
	label, code := script.LabelOf(said, code)
	return &event.Script{Label: label, ExitCode: code}
}

// codeOf is the exit code that a result begins with, nil when it begins with none.
func codeOf(text string) *int {
	rest, ok := strings.CutPrefix(text, exitCode)
	if !ok {
		return nil
	}
	digits, _, _ := strings.Cut(rest, "\n")
	if n, err := strconv.Atoi(strings.TrimSpace(digits)); err == nil {
		return &n
	}
	return nil
}
