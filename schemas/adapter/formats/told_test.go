package formats_test

import (
	"fmt"
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
)

// lines writes down what a record says, an event a line, without what the app put in front of the model by itself.
func (t told) lines() []string {
	var lines []string
	for _, e := range t.events {
		where := fmt.Sprintf("%s %d", e.Conversation.ID, e.Turn)
		switch {
		case e.TurnStart != nil:
			if e.TurnStart.User != nil {
				lines = append(lines, fmt.Sprintf("%s user %q", where, *e.TurnStart.User))
			}
			for _, text := range e.TurnStart.Context {
				if !strings.HasPrefix(text, "Working directory: ") && !strings.HasPrefix(text, "Model: ") {
					lines = append(lines, fmt.Sprintf("%s app %q", where, text))
				}
			}
			for _, reason := range e.TurnStart.Unseen {
				if t.format != "claude-code" || reason != event.PromptNotCaptured {
					lines = append(lines, fmt.Sprintf("%s unseen %s", where, reason))
				}
			}
		case e.ToolEnd != nil:
			lines = append(lines, where+" "+resultLine(e.ToolEnd))
		case e.Answer != nil:
			line := fmt.Sprintf("%s answer @%d %v %q", where, e.Answer.Iteration, e.Answer.Calls, e.Answer.Text)
			if e.Answer.AfterRevision {
				line += " after a revision"
			}
			lines = append(lines, line)
		}
	}
	for _, fault := range t.faults {
		lines = append(lines, "fault: "+fault)
	}
	return lines
}

func resultLine(end *event.ToolEnd) string {
	line := fmt.Sprintf("%s %s@%d %s", end.Call.ID, end.Call.Tool, end.Call.Iteration, end.Result)
	if end.ModelResult != nil {
		line += " read as " + string(end.ModelResult)
	}
	if end.Error != nil {
		line += " error " + string(end.Error)
	}
	if end.Status != "" {
		line += " status " + end.Status
	}
	if end.Door != nil {
		line += fmt.Sprintf(" door absent=%v bounded=%v described=%s", end.Door.Absent, end.Door.Bounded, end.Door.Described)
	}
	if s := end.Script; s != nil {
		line += fmt.Sprintf(" ran %q in %s:%s", s.Program, s.Language, s.Label)
		if s.ExitCode != nil {
			line += fmt.Sprintf(" %d", *s.ExitCode)
		}
	}
	return line
}
