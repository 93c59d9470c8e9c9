package adapter

import (
	"strconv"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// Format is one runtime's form of a record.
type Format struct {
	// Name is what --format takes.
	Name string
	// Says is what the form is, in a few words, for those who ask for help.
	Says string
	// Recognise says how well a row fits; it is asked for the first rows of a record whose form was not named. It keeps
	// nothing of the row. A binary form has none.
	Recognise func(row servedjson.Value) Match
	// RecogniseBytes is asked, before Recognise, for the first bytes (at most HeadBytes) of a record that is no text. When it
	// says yes, or when the form is named and has no Recognise, the record is read as one row that holds the whole of it.
	RecogniseBytes func(head []byte) bool
	// New begins to read a record. names is what to call what the record itself does not name.
	New func(names event.Conversation) Reader
}

// Match is how well a row fits a form.
type Match int

// The matches.
const (
	No    Match = iota // the form has no such row
	Maybe              // the form may have such a row, and so may others
	Yes                // only this form has such a row
)

// Row is one row of a record. Its bytes may be used until Read returns.
type Row struct {
	// Line is where the row begins, from 1.
	Line int
	// Document counts the values that stand at the top of the record, from 1: rows that are elements of one array have one
	// number.
	Document int
	// Element tells that the row is an element of an array.
	Element bool
	// Data is one JSON value, or the whole record of a binary form.
	Data []byte
	// Value is Data, read; the zero Value of a binary form.
	Value servedjson.Value
}

// Reader turns the rows of one record, in their order, into events. It keeps what it needs to join rows, in copies, and
// is not safe for concurrent use.
//
// A row that cannot be read is a fault in out, and the reader goes on with the next one. A Reader never panics, and its
// time is linear in the size of the rows.
type Reader interface {
	// Read takes in the next row and adds to out the events that are complete with it.
	Read(row Row, out *Out)
	// End says that the record ends here, and adds what only its end completes. Nothing is read after it.
	End(out *Out)
	// Notes says, after End, what of the record could not be seen: plain sentences for a person, without their full stop.
	Notes() []string
}

// Gapped is a Reader that wants to know of rows that are no JSON: what stands in them was not seen.
type Gapped interface {
	// Gap says that the row that begins at the line could not be read.
	Gap(line int, out *Out)
}

// Out collects what a reader gives.
type Out struct {
	// Events are complete, their ID too: see Identify.
	Events []event.Event
	Faults []RowError
}

// RowError is why a row, or a part of it, could not be read.
type RowError struct {
	// Line is where it stands, from 1; 0 when it has no place.
	Line int
	// Field is the path of the field it is about, as in message.content.2; empty when it is about the whole row.
	Field string
	// Detail is a plain sentence without its full stop. It may quote a name of the record, never content.
	Detail string
}

func (f RowError) Error() string {
	text := f.Detail
	if f.Field != "" {
		text = f.Field + ": " + text
	}
	if f.Line > 0 {
		text = "line " + strconv.Itoa(f.Line) + ": " + text
	}
	return text
}

// Fault adds a fault of the row that begins at the line.
func (o *Out) Fault(line int, field, detail string) {
	o.Faults = append(o.Faults, RowError{Line: line, Field: field, Detail: detail})
}

// Quote puts a name that a record holds into an error: cut to a bearable length, and quoted so that it steers no
// terminal.
func Quote(name string) string {
	const most = 60
	if len(name) > most {
		name = name[:most] + "…"
	}
	return strconv.QuoteToASCII(name)
}

// Path joins the names of a field, of which the first may be empty.
func Path(parent, name string) string {
	if parent == "" {
		return name
	}
	return parent + "." + name
}
