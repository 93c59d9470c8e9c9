package emptiness

import (
	"github.com/plumbline-dev/plumbline/core/coverage"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// Declared is what a value's own envelope declares.
type Declared struct {
	Absent  bool // an absence, alone or directly inside the boundary
	Bounded bool // a boundary
	Gap     bool // one of them names ground that was not searched or never can be
}

// DeclaredByValue reads a value's own envelope, for a reader that has no record of the call by its runtime. JSON text is
// parsed once, at the top. When the value is neither envelope, ok is false.
func DeclaredByValue(v servedjson.Value) (d Declared, ok bool) {
	return declaredBy(ParseMaybeJSON(v))
}

func declaredBy(data servedjson.Value) (d Declared, ok bool) {
	if !coverage.MayDeclare(data.Raw()) {
		return d, false
	}
	ledger, bounded := coverage.ReadLedger(data)
	absence, absent := coverage.ReadAbsence(data)
	if bounded && !absent {
		absence, absent = coverage.ReadAbsence(ledger.Result)
	}
	return Declared{
		Absent: absent, Bounded: bounded,
		Gap: absent && absence.HasGap() || bounded && ledger.HasGap(),
	}, absent || bounded
}

// ParseMaybeJSON reads a string whose text is one JSON object or array, with ECMAScript white space around it, as that;
// anything else is given back as it is.
func ParseMaybeJSON(v servedjson.Value) servedjson.Value {
	if data, ok := wholeJSON(v.TextBytes(nil)); ok {
		return data
	}
	return v
}

// wholeJSON reads text that is one JSON object or array; ok is false when it is not, or only begins like one.
func wholeJSON(text []byte) (data servedjson.Value, ok bool) {
	text = servedjson.TrimJS(text)
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return data, false
	}
	data, err := servedjson.Parse(text)
	return data, err == nil
}
