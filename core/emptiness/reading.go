// Package emptiness answers, for one finished tool call: "what came back?". Rows; nothing, and the tool said what it
// searched; nothing, and it did not say; a question handed back; or it cannot be told. It never guesses: a shape that
// nobody declared is unknown.
//
// It counts rows. It holds no rule about what an answer may claim from them, and reads envelopes by the recognisers of
// package coverage only. Its rules are those of seed 001; what calibrated-1 adds is in shape.go.
package emptiness

import "github.com/plumbline-dev/plumbline/core/event"

// Emptiness is what came back.
type Emptiness string

// The readings.
const (
	NonEmpty        Emptiness = "non-empty"
	DeclaredAbsent  Emptiness = "declared-absent"  // nothing, and the tool said what it searched
	UndeclaredEmpty Emptiness = "undeclared-empty" // nothing, and the tool did not say what it searched
	Clarify         Emptiness = "clarify"          // a question handed back, and no data
	Unknown         Emptiness = "unknown"          // it cannot be told
)

// Who says how many rows there are, or that there are none.
const (
	SourceLibrary = "library" // the value is a list, or a described result
	SourceApp     = "app"     // the app declared which key holds the rows
	SourceShape   = "shape"   // the shape of the result, in calibrated-1
)

// Why rows could not be counted.
const (
	NoList          = "no-list"          // the declared key holds no list
	UncountedTicket = "uncounted-ticket" // the rows are in a store, and the ticket for them has no count
	Redacted        = "redacted"         // a redactor's placeholder stands where the rows would
)

// Reading is what one result reads as. It keeps nothing of the result.
type Reading struct {
	Emptiness Emptiness
	// Rows is how many there are, nil when they were not counted. MinusZero says that a ticket wrote its 0 as -0.
	Rows      *int
	MinusZero bool
	// Source is who says so, empty when nobody does.
	Source string
	// RowsAt is the key that the app declared, when HasRowsAt: it was asked for.
	RowsAt    string
	HasRowsAt bool
	// CountedAt is the way to the count, key by key; empty for the value itself, nil when nothing was counted.
	CountedAt []string
	// UndeclaredShape is true for an object of which nobody declared where its rows are.
	UndeclaredShape bool
	// Bounded is true when the result came inside a declared boundary.
	Bounded bool
	// Described counts the data of a described result, nil for any other.
	Described *event.Described
	// RowsUnread says why declared rows could not be counted, empty when they could or none were declared.
	RowsUnread string
	// Cut is the key by which the result says that it is not whole, empty when it does not say so. Only calibrated-1
	// looks for one.
	Cut string
}

// Door is what the runtime itself recorded a call as returning. Where there is one, it decides: a marker in the bytes
// that the runtime did not recognise is data.
type Door struct {
	Absent    bool       // an absence
	Bounded   bool       // a boundary
	Described event.JSON // the described result, nil when it was none
}

// Context is what is known of a call beside its result. The zero Context knows nothing and reads by literal-1.
type Context struct {
	// RowsAt is the top-level key of the result that holds the rows, when HasRowsAt. It is a key, never a path.
	RowsAt    string
	HasRowsAt bool
	// Door is the runtime's record of the call; nil when there is none, and then the value's own envelope decides.
	Door *Door
	// KeptOut are the placeholders that a redactor leaves.
	KeptOut []string
	// Shapes reads, as calibrated-1 does, some shapes that nobody declared: see shape.go.
	Shapes bool

	inContent bool // the structured content of a protocol result is being read
}

// RowsAtProblem says what is wrong with a declared rows key: "empty", or "nested" when it holds / or . and could be
// taken for a path; "" when nothing is.
func RowsAtProblem(rowsAt string) string {
	if rowsAt == "" {
		return "empty"
	}
	for i := range len(rowsAt) {
		if rowsAt[i] == '/' || rowsAt[i] == '.' {
			return "nested"
		}
	}
	return ""
}
