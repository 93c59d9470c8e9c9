package adapter

import (
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

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

// List tells of what must be a list, when it is there, and is none.
func (t Talk) List(v servedjson.Value, field string) {
	if kind := v.Kind(); kind != servedjson.Array && kind != servedjson.Null && kind != servedjson.None {
		t.Fault(field, "want a list, found "+KindWord(kind))
	}
}
