// Package report shows verdicts to a person: each one as it lands, with the values that stand nowhere and a few words
// of the answer around them, and a summary at the end. It answers "how does a verdict look in a terminal?".
//
// Everything that comes out of a payload is made safe for a terminal first: no control character of an answer, a tool
// name or an id reaches the screen. Widths are in terminal columns, spans in bytes of the answer's UTF-8.
package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
)

// Width is how many columns the text is made for.
const Width = 100

// Text writes verdicts as text. The first error of the writer ends the writing; Err gives it. It is not safe for
// concurrent use.
type Text struct {
	w     io.Writer
	paint paint
	label int // columns of the widest agent/conversation so far
	err   error
}

// NewText writes to w, in colour when told to: see Colours.
func NewText(w io.Writer, colour bool) *Text {
	return &Text{w: w, paint: newPaint(colour), label: minLabel}
}

// Err is the first error that writing met.
func (t *Text) Err() error { return t.err }

// The bounds, in columns, of how much room the agent and the conversation take on a line.
const (
	minLabel = 20
	maxLabel = 36
)

// indent is where the lines that belong to a verdict begin.
const indent = 6

// Verdict writes one verdict. answer is the text that it is about, empty when it is not at hand: then no words around
// the values are shown. A revision above 0 is marked as such.
func (t *Text) Verdict(v event.EvidenceChecked, revision int, answer string) {
	quoted := t.headline(v, revision, answer)
	switch {
	case !quoted:
		t.values(v, answer)
	case v.Unsupported[0].Near != nil:
		t.near(v.Unsupported[0].Near, v.Results)
	}
	if v.Outcome == event.Unsupported && len(v.Reasons) > 0 {
		t.aside("not all was seen: " + reasons(v.Reasons))
	}
	for _, note := range callNotes(v.Results) {
		t.aside(note)
	}
}

// headline writes the verdict's first line. A single value is quoted on it when there is room; then it returns true.
func (t *Text) headline(v event.EvidenceChecked, revision int, answer string) (quoted bool) {
	look := looks[v.Outcome]
	start := t.start(look.sign, v.Common)
	said := headlineOf(v)
	if revision > 0 {
		said += " (judged again)"
	}
	left := Width - columns(start) - columns(said) - 2
	if len(v.Unsupported) == 1 && v.UnsupportedOmitted == 0 && v.Outcome == event.Unsupported && left >= minQuote {
		if q := quoteOf(answer, v.Unsupported[0], left); q.mark != "" {
			t.print(t.paint.by(look.tone)(start+said), "  ", t.quoted(q), "\n")
			return true
		}
	}
	lines := wrap(said, Width-columns(start))
	t.print(t.paint.by(look.tone)(start+lines[0]), "\n")
	for _, line := range lines[1:] {
		t.print(strings.Repeat(" ", columns(start)), t.paint.by(look.tone)(line), "\n")
	}
	return false
}

// start is what every first line begins with: the sign, the agent and the conversation, the turn.
func (t *Text) start(sign string, c event.Common) string {
	label := clip(Plain(c.Agent)+"/"+Plain(c.Conversation), maxLabel)
	t.label = max(t.label, columns(label))
	return fmt.Sprintf("%s %s  turn %-3d ", sign, pad(label, t.label), c.Turn)
}

// values writes a line for each value that stands nowhere.
func (t *Text) values(v event.EvidenceChecked, answer string) {
	widest := 0
	for _, u := range v.Unsupported {
		widest = max(widest, columns(valueOf(u)))
	}
	widest = min(widest, maxValue)
	for _, u := range v.Unsupported {
		value := clip(valueOf(u), widest)
		t.print(strings.Repeat(" ", indent), t.paint.mark(value))
		if q := quoteOf(answer, u, Width-indent-widest-3); q.mark != "" {
			t.print(pad("", widest-columns(value)+3), t.quoted(q))
		}
		t.print("\n")
		if u.Near != nil {
			t.near(u.Near, v.Results)
		}
	}
	if v.UnsupportedOmitted > 0 {
		t.aside(fmt.Sprintf("and %s more", count(v.UnsupportedOmitted, "value", "values")))
	}
}

// near writes which value on record comes closest to the one above.
func (t *Text) near(n *event.Near, results []event.CallResult) {
	t.print(strings.Repeat(" ", indent+2), t.paint.quiet(clip(nearWords(n, results), Width-indent-2)), "\n")
}

// maxValue is how many columns a value may take in front of its quote.
const maxValue = 30

func valueOf(u event.UnsupportedValue) string {
	if u.Region == "code" {
		return Plain(u.Value) + " (in code)"
	}
	return Plain(u.Value)
}

func (t *Text) quoted(q quote) string {
	return t.paint.quiet(`"`+q.before) + t.paint.mark(q.mark) + t.paint.quiet(q.after+`"`)
}

// Declared writes what one call said that it searched, did not search or can never cover.
func (t *Text) Declared(c event.CoverageDeclared) {
	start := t.start("+", c.Common)
	for i, line := range wrap(coverageWords(c), Width-columns(start)) {
		if i > 0 {
			start = strings.Repeat(" ", columns(start))
		}
		t.print(t.paint.note(start+line), "\n")
	}
}

// Letter writes that a message could not be read, with its place in the stream and the reason.
func (t *Text) Letter(seq uint64, reason, detail string) {
	said := fmt.Sprintf("x message %d could not be read: %s", seq, Plain(reason))
	if detail != "" {
		said += " (" + Plain(detail) + ")"
	}
	for _, line := range wrap(said, Width) {
		t.print(t.paint.bad(line), "\n")
	}
}

// Say writes a line of the program's own.
func (t *Text) Say(line string) { t.print(line, "\n") }

// aside writes something that belongs to the verdict above it.
func (t *Text) aside(said string) {
	for _, line := range wrap(said, Width-indent) {
		t.print(strings.Repeat(" ", indent), t.paint.note(line), "\n")
	}
}

func (t *Text) print(parts ...string) {
	if t.err != nil {
		return
	}
	for _, part := range parts {
		if _, err := io.WriteString(t.w, part); err != nil {
			t.err = err
			return
		}
	}
}
