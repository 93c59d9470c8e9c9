package emptiness

import (
	"slices"

	"github.com/plumbline-dev/plumbline/core/coverage"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// maxBoundaries is how many boundaries around one another are read through. One more cannot be told.
const maxBoundaries = 8

// ReadResult reads what a call returned, as the model read it. A JSON string is text, and text that is one JSON object or
// array is read as that; what follows it makes it text. A nil result was not captured and is unknown.
func ReadResult(result event.JSON, ctx Context) Reading {
	v, err := servedjson.Parse(result)
	if err != nil {
		v = servedjson.Value{} // nothing to read: no result, or one that nests too deep to be JSON
	}
	return Read(v, ctx)
}

// ReadServed is ReadResult for one who has the text of the result at hand: a string's text, else the result itself.
func ReadServed(result event.JSON, text []byte, ctx Context) Reading {
	if data, ok := wholeJSON(text); ok {
		return ctx.readData(data)
	}
	return ReadResult(result, ctx)
}

// Read reads one finished result: the door first, then the boundary around it, then its rows (seed 001, the routes).
// Text is parsed once, here; strings inside a value never are.
func Read(v servedjson.Value, ctx Context) Reading {
	return ctx.readData(ParseMaybeJSON(v))
}

func (ctx Context) readData(data servedjson.Value) Reading {
	r := ctx.read(data)
	if !ctx.Shapes || !mayBeCut(data) {
		return r
	}
	if r.Cut = cutMark(data, cutDepth); r.Cut != "" && r.Source == "" {
		r.Source = SourceShape
	}
	return r
}

func (ctx Context) read(data servedjson.Value) Reading {
	door := ctx.doorOf(data)
	if door.Absent {
		return Reading{Emptiness: DeclaredAbsent, Bounded: door.Bounded}
	}
	if r, ok := describedReading(door.Described); ok {
		return r
	}
	if door.Bounded {
		return ctx.boundedReading(data)
	}
	return ctx.rowset(data)
}

// doorOf is the runtime's record of the call or, without one, what the value's own envelope declares.
func (ctx Context) doorOf(data servedjson.Value) Door {
	if ctx.Door != nil {
		return *ctx.Door
	}
	own, _ := declaredBy(data)
	return Door{Absent: own.Absent, Bounded: own.Bounded}
}

// boundedReading reads through declared boundaries. An empty rowset inside one is a declared absence.
func (ctx Context) boundedReading(data servedjson.Value) Reading {
	depth := 0
	for ; depth <= maxBoundaries; depth++ {
		ledger, ok := coverage.ReadLedger(data)
		if !ok {
			break
		}
		data = ledger.Result
	}
	if depth > maxBoundaries {
		return Reading{Emptiness: Unknown, Bounded: true}
	}
	r := ctx.rowset(data)
	if depth == 0 {
		return r // the door says bounded, and the value shows no boundary
	}
	r.Bounded = true
	if r.CountedAt != nil {
		r.CountedAt = slices.Concat(slices.Repeat([]string{"result"}, depth), r.CountedAt)
	}
	if r.Emptiness == UndeclaredEmpty {
		r.Emptiness = DeclaredAbsent
	}
	return r
}

// rowset reads the rows themselves: a list, the list at the app's key, or the ticket that was left where it was.
func (ctx Context) rowset(data servedjson.Value) Reading {
	switch {
	case data.Kind() == servedjson.Array:
		return counted(data.Len(), SourceLibrary, []string{})
	case ctx.keptOut(data):
		return Reading{Emptiness: Unknown, RowsUnread: Redacted}
	case ctx.Shapes && blankText(data):
		return Reading{Emptiness: UndeclaredEmpty, Source: SourceShape}
	case data.Kind() != servedjson.Object:
		return Reading{Emptiness: Unknown}
	case IsPlacedToolResult(data):
		return Reading{Emptiness: Unknown, RowsUnread: UncountedTicket}
	}
	if ctx.Shapes && !ctx.inContent {
		if r, ok := ctx.contentReading(data); ok {
			return r
		}
	}
	return ctx.objectRows(data)
}

// objectRows reads the rows of an object by what the app declared of it.
func (ctx Context) objectRows(data servedjson.Value) Reading {
	if !ctx.HasRowsAt {
		return Reading{Emptiness: Unknown, UndeclaredShape: true}
	}
	r := ctx.declaredRows(data)
	r.RowsAt, r.HasRowsAt = ctx.RowsAt, true
	return r
}

// declaredRows reads the list at the app's key. A key that is still there is read as the value holds it; only when it is
// gone can the rows have been kept out or moved to a store.
func (ctx Context) declaredRows(data servedjson.Value) Reading {
	rows, there := data.Get(ctx.RowsAt)
	switch {
	case rows.Kind() == servedjson.Array:
		return counted(rows.Len(), SourceApp, []string{ctx.RowsAt})
	case there && ctx.keptOut(rows), !there && ctx.holdsKeptOutKeys(data):
		return Reading{Emptiness: Unknown, RowsUnread: Redacted}
	case there:
		return Reading{Emptiness: Unknown, RowsUnread: NoList}
	}
	if ticket, at := ticketFor(data, ctx.RowsAt); at != nil {
		return ticketReading(ticket, at)
	}
	return Reading{Emptiness: Unknown, RowsUnread: NoList}
}

func counted(rows int, source string, at []string) Reading {
	r := Reading{Emptiness: NonEmpty, Rows: &rows, Source: source, CountedAt: at}
	if rows == 0 {
		r.Emptiness = UndeclaredEmpty
	}
	return r
}

// keptOut tells whether a value is a redactor's placeholder.
func (ctx Context) keptOut(v servedjson.Value) bool {
	return slices.ContainsFunc(ctx.KeptOut, v.TextIs)
}

// holdsKeptOutKeys tells whether a redactor folded keys it could not vouch for into one entry of placeholders.
func (ctx Context) holdsKeptOutKeys(data servedjson.Value) bool {
	if len(ctx.KeptOut) == 0 {
		return false
	}
	for key := range data.Members() {
		if !ctx.keptOut(key) {
			continue
		}
		if value, _ := data.Get(key.Text()); ctx.keptOut(value) {
			return true
		}
	}
	return false
}

// describedReading counts the data of a described result. One with neither data nor a question is read by the other
// routes.
func describedReading(envelope event.JSON) (Reading, bool) {
	if len(envelope) == 0 {
		return Reading{}, false
	}
	v, err := servedjson.Parse(envelope)
	if err != nil {
		return Reading{}, false // it nests too deep to be read, so it counts nothing
	}
	list := func(name string) int {
		found, _ := v.Get(name)
		if found.Kind() != servedjson.Array {
			return 0
		}
		return found.Len()
	}
	counts := event.Described{Facts: list("facts"), Series: list("series"), Edges: list("edges")}
	if counts != (event.Described{}) {
		return Reading{Emptiness: NonEmpty, Source: SourceLibrary, Described: &counts}, true
	}
	clarify, _ := v.Get("clarify")
	return Reading{Emptiness: Clarify}, clarify.Kind() == servedjson.Object
}
