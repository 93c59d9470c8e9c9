package adapter

import "github.com/plumbline-dev/plumbline/core/event"

// Talk is a dialogue, and the place in the record that it is told from. Readers embed it.
type Talk struct {
	*Dialogue
	Line  int    // of the row
	Field string // of what is read, in the row; empty: all of it
	Out   *Out   // where faults go
}

// Fault tells of what could not be read. It may hold what an answer rests on, so the dialogue is told that something was not
// seen. field stands below the talk's own.
func (t Talk) Fault(field, detail string) {
	t.Out.Fault(t.Line, Path(t.Field, field), detail)
	t.Unseen(event.ContentNotCaptured)
}

// Note tells what of a content was not seen. It goes after who says the content: what is not seen belongs to that turn.
func (t Talk) Note(content Content, fault *RowError) {
	switch {
	case fault != nil:
		t.Fault(fault.Field, fault.Detail)
	case content.Unseen:
		t.Unseen(event.ContentNotCaptured)
	}
}
