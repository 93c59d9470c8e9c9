package coverage

import (
	"bytes"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// The keys that mark the two envelopes, as they travel.
const (
	AbsenceMarker  = "af_absent"
	CoverageMarker = "af_coverage"
)

// Absence is a result that says: looked here, found nothing. It keeps the bytes it was read from.
type Absence struct {
	Value servedjson.Value // the whole absence
}

// Ledger is a result with its own boundary around it. It keeps the bytes it was read from.
type Ledger struct {
	Value    servedjson.Value // the whole envelope
	Coverage servedjson.Value // the boundary, an object
	Result   servedjson.Value // what the boundary is around
}

// ReadAbsence recognises an absence: an object with af_absent exactly true and a list at checked that is not empty. The
// list's items are not looked at, and text is never parsed. Anything else is data (literal-1.md, coverage).
func ReadAbsence(v servedjson.Value) (Absence, bool) {
	if marker, _ := v.Get(AbsenceMarker); marker.Kind() != servedjson.True {
		return Absence{}, false
	}
	if checked, _ := v.Get("checked"); !listed(checked) {
		return Absence{}, false
	}
	return Absence{v}, true
}

// ReadLedger recognises a boundary: an object with an object at af_coverage and a result, which may be null. Anything
// else is data (literal-1.md, coverage).
func ReadLedger(v servedjson.Value) (Ledger, bool) {
	marker, _ := v.Get(CoverageMarker)
	if marker.Kind() != servedjson.Object {
		return Ledger{}, false
	}
	result, ok := v.Get("result")
	if !ok {
		return Ledger{}, false
	}
	return Ledger{v, marker, result}, true
}

// MayDeclare is a cheap look at JSON text before it is parsed. When it is false the text holds no envelope; when it is
// true the text may hold one, since a marker may be written with escapes.
func MayDeclare(text []byte) bool {
	return bytes.Contains(text, []byte("af_")) || bytes.Contains(text, []byte(`\u`))
}

// HasGap tells whether the absence names ground that was not searched, or that no search of the tool can reach.
func (a Absence) HasGap() bool { return hasGap(a.Value) }

// HasGap tells whether the boundary names ground that was not searched, or that no search of the tool can reach.
func (l Ledger) HasGap() bool { return hasGap(l.Coverage) }

func hasGap(lists servedjson.Value) bool {
	notChecked, _ := lists.Get("not_checked")
	cannotCover, _ := lists.Get("cannot_cover")
	return listed(notChecked) || listed(cannotCover)
}

// listed tells whether the value is a list with something in it.
func listed(v servedjson.Value) bool {
	for range v.Elements() {
		return true
	}
	return false
}

// Absence is the absence directly inside the boundary.
func (l Ledger) Absence() (Absence, bool) { return ReadAbsence(l.Result) }
