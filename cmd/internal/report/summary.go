package report

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
)

// Limits says what a verdict does not say. It stands wherever a person reads verdicts.
const Limits = "Plumbline finds fabrication, not falsehood: a wrong claim made of values that were read passes."

// literalNote explains most flags of the ruleset to whoever sees them first.
const literalNote = "literal-1 compares values as they are spelt: 7:00 AM and 07:00:00 are two values to it."

// WriteJSON writes the summary as one line of JSON.
func (s Summary) WriteJSON(w io.Writer) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// Summary writes the summary as a table.
func (t *Text) Summary(s Summary) {
	t.print("\n", t.paint.quiet(strings.Repeat("─", Width)), "\n")
	t.print(fmt.Sprintf(" %s, %d of them with a value to check\n\n", count(s.Answers, "answer", "answers"), s.Asserting))
	t.outcome(s, event.Grounded, "every value is on record", t.paint.good)
	t.outcome(s, event.Unsupported, count(s.Unsupported, "value stands", "values stand")+" in no result", t.paint.bad)
	t.outcome(s, event.CannotTell, "part of the record was not seen", t.paint.note)
	t.outcome(s, event.NothingAsserted, "no value to check", t.paint.quiet)
	t.tools(s.Tools)
	t.rest(s)
	t.print("\n ", Limits, "\n")
	if slices.Contains(s.Rulesets, "literal-1") && s.Unsupported > 0 {
		t.print(" ", literalNote, "\n")
	}
}

var outcomeNames = map[event.Outcome]string{
	event.Grounded: "grounded", event.Unsupported: "unsupported",
	event.CannotTell: "cannot tell", event.NothingAsserted: "nothing asserted",
}

func (t *Text) outcome(s Summary, o event.Outcome, meaning string, colour func(string) string) {
	n := s.Outcomes[o]
	if n == 0 {
		colour = t.paint.quiet
	}
	t.print("   ", colour(fmt.Sprintf("%s %-18s %6d   %s", looks[o].sign, outcomeNames[o], n, meaning)), "\n")
}

// toolColumns are the columns of the table of tools, in order. What is worth a note is marked.
var toolColumns = []struct {
	title string
	of    func(ToolSummary) int
	note  bool
}{
	{"calls", func(s ToolSummary) int { return s.Calls }, false},
	{"data", func(s ToolSummary) int { return s.Reading[nonEmpty] }, false},
	{"empty, unsaid", func(s ToolSummary) int { return s.Reading[undeclaredEmpty] }, true},
	{"empty, said", func(s ToolSummary) int { return s.Reading[declaredAbsent] }, false},
	{"asked back", func(s ToolSummary) int { return s.Reading[clarify] }, false},
	{"unclear", func(s ToolSummary) int { return s.Reading["unknown"] }, false},
	{"failed", func(s ToolSummary) int { return s.Failed }, false},
}

// maxTool is how many columns the name of a tool may take in the table.
const maxTool = 27

func (t *Text) tools(tools []ToolSummary) {
	if len(tools) == 0 {
		return
	}
	widest := columns("what the tools gave")
	for _, tool := range tools {
		widest = max(widest, columns(Plain(tool.Tool)))
	}
	widest = min(widest, maxTool)
	t.print("\n   ", pad("what the tools gave", widest))
	for _, column := range toolColumns {
		t.print("  ", column.title)
	}
	t.print("\n")
	for _, tool := range tools {
		t.print("   ", pad(clip(Plain(tool.Tool), widest), widest))
		for _, column := range toolColumns {
			t.print("  ", t.cell(column.of(tool), columns(column.title), column.note))
		}
		t.print("\n")
	}
}

// cell is one number of the table; a zero is a quiet point.
func (t *Text) cell(n, room int, note bool) string {
	switch {
	case n == 0:
		return t.paint.quiet(fmt.Sprintf("%*s", room, "·"))
	case note:
		return t.paint.note(fmt.Sprintf("%*d", room, n))
	}
	return fmt.Sprintf("%*d", room, n)
}

func (t *Text) rest(s Summary) {
	t.print("\n")
	if s.Absences+s.Boundaries > 0 {
		t.print(fmt.Sprintf("   calls that declared: nothing there %d, what they cover %d\n", s.Absences, s.Boundaries))
	}
	dead := 0
	var by []string
	for _, reason := range slices.Sorted(maps.Keys(s.DeadLetters)) {
		dead += s.DeadLetters[reason]
		by = append(by, fmt.Sprintf("%s %d", Plain(reason), s.DeadLetters[reason]))
	}
	said := fmt.Sprintf("   messages that could not be read: %d", dead)
	if in := s.Input; in != nil {
		said = fmt.Sprintf("   rows read: %d, which gave %s; blank %d, unreadable %d",
			in.Lines, count(in.Events, "event", "events"), in.Blank, in.Bad)
	}
	if len(by) > 0 {
		said += " (" + strings.Join(by, ", ") + ")"
	}
	t.print(said, "\n")
}
