package emptiness

import (
	"math"
	"strings"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// A ticket stands for rows that were moved to the artifact store, which leaves its ref where they were.

const (
	refPrefix = "art_"
	refDigits = 22 // base-62 characters after the prefix
)

// IsArtifactRef tells whether a text names something in the artifact store.
func IsArtifactRef(text string) bool {
	name, ok := strings.CutPrefix(text, refPrefix)
	if !ok || len(name) != refDigits {
		return false
	}
	for i := range len(name) {
		if c := name[i]; !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z') {
			return false
		}
	}
	return true
}

// IsPlacedToolResult recognises the ticket for a whole result that was placed in the store: placed is exactly true, ref
// and reason are strings. It counts bytes, never rows, and its ref is not looked at.
func IsPlacedToolResult(v servedjson.Value) bool {
	placed, _ := v.Get("placed")
	if placed.Kind() != servedjson.True {
		return false
	}
	ref, _ := v.Get("ref")
	reason, _ := v.Get("reason")
	return ref.Kind() == servedjson.String && reason.Kind() == servedjson.String
}

// ticketFor finds the ticket for the rows of a key, and the way to it: the one that datasets keeps under the key, unless
// it says that it came from another field, else the principal one, when it says that it came from the key.
func ticketFor(data servedjson.Value, rowsAt string) (ticket servedjson.Value, at []string) {
	datasets, _ := data.Get("datasets")
	if ticket, _ := datasets.Get(rowsAt); isTicket(ticket) {
		if source, named := ticket.Get("sourceField"); !named || source.TextIs(rowsAt) {
			return ticket, []string{"datasets", rowsAt}
		}
	}
	principal, _ := data.Get("dataset")
	if source, _ := principal.Get("sourceField"); isTicket(principal) && source.TextIs(rowsAt) {
		return principal, []string{"dataset"}
	}
	return servedjson.Value{}, nil
}

func isTicket(v servedjson.Value) bool {
	ref, _ := v.Get("ref")
	return IsArtifactRef(ref.Text())
}

// ticketReading counts by the ticket's rows, a whole number from 0 that a double holds exactly. Without one it cannot be
// told whether there were any.
func ticketReading(ticket servedjson.Value, at []string) Reading {
	const maxWhole = 1<<53 - 1
	rows, _ := ticket.Get("rows")
	n := rows.Float()
	if rows.Kind() != servedjson.Number || n < 0 || n > maxWhole || n != math.Trunc(n) {
		return Reading{Emptiness: Unknown, RowsUnread: UncountedTicket}
	}
	r := counted(int(n), SourceApp, append(at, "rows"))
	r.MinusZero = n == 0 && math.Signbit(n)
	return r
}
