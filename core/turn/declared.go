package turn

import (
	"slices"

	"github.com/plumbline-dev/plumbline/core/coverage"
	"github.com/plumbline-dev/plumbline/core/emptiness"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// Declared is what one call declared.
type Declared struct {
	event.CoverageDeclared
	Seq uint64 // of the call's last report
}

// coverageKinds is the order in which what a call declared is given.
var coverageKinds = []coverage.Kind{coverage.KindLedger, coverage.KindAbsence}

// Coverage gives what the calls of an id declared, in stream order, of each call the boundary before the absence. What
// an earlier report of a call declared and its last one does not is given as withdrawn, so that a chain ends in the same
// whether or not the declaration was ever published. A call that declared nothing gives nothing.
func (s *State) Coverage(turn int, call string) []Declared {
	var declared []Declared
	for _, place := range s.calls[callName{turn, call}] {
		r := &s.rows[place]
		for _, kind := range coverageKinds {
			if d, ok := s.declaredAs(r, kind); ok {
				declared = append(declared, Declared{d, r.seq})
			}
		}
	}
	return declared
}

// declaredAs gives what the row files as the kind; ok is false when it files nothing.
func (s *State) declaredAs(r *row, kind coverage.Kind) (d event.CoverageDeclared, ok bool) {
	for _, fact := range r.declared {
		if fact.Kind == kind {
			return s.declaredOf(r, fact), true
		}
	}
	d = s.declaredOf(r, coverage.Fact{Kind: kind})
	d.Withdrawn = slices.Contains(r.withdrawn, kind)
	return d, d.Withdrawn
}

func (r *row) declares(kind coverage.Kind) bool {
	return slices.ContainsFunc(r.declared, func(f coverage.Fact) bool { return f.Kind == kind })
}

// filed tells whether something stands on the call's subject for the kind: a declaration, or that it was withdrawn.
func (r *row) filed(kind coverage.Kind) bool {
	return r.declares(kind) || slices.Contains(r.withdrawn, kind)
}

func (s *State) declaredOf(r *row, fact coverage.Fact) event.CoverageDeclared {
	fact = s.sayFact(fact)
	return event.CoverageDeclared{
		Common: s.common(event.KindCoverageDeclared, r.turn, r.call.Iteration),
		Call:   r.call.ID, Tool: r.call.Tool, Declared: string(fact.Kind),
		LookedFor: fact.LookedFor, Checked: fact.Checked, NotChecked: fact.NotChecked, CannotCover: fact.CannotCover,
		InProgress: fact.InProgress, Period: fact.Period,
		Emptiness: string(r.reading.Emptiness),
		Basis:     s.basis(),
	}
}

// factsOf reads what a row declares, whose text is given. The runtime's own record of the call decides when it is there: what it does not
// vouch for is data, and what it vouches for is filed even when the value does not show it.
func factsOf(r *row, text []byte) []coverage.Fact {
	found := valueFacts(text)
	if r.door == nil {
		return found
	}
	var facts []coverage.Fact
	for _, want := range []struct {
		kind    coverage.Kind
		vouched bool
	}{{coverage.KindLedger, r.door.Bounded}, {coverage.KindAbsence, r.door.Absent}} {
		if !want.vouched {
			continue
		}
		fact := coverage.Fact{Kind: want.kind}
		for _, f := range found {
			if f.Kind == want.kind {
				fact = f
			}
		}
		facts = append(facts, fact)
	}
	return facts
}

func valueFacts(text []byte) []coverage.Fact {
	if !coverage.MayDeclare(text) {
		return nil
	}
	v, err := servedjson.Parse(text)
	if err != nil {
		return nil // text that is no JSON value declares nothing
	}
	return coverage.Facts(v)
}

func (s *State) emptinessOf(r *row, text []byte) emptiness.Reading {
	rowsAt, hasRowsAt := s.rules.policy.RowsAt[r.call.Tool]
	return emptiness.ReadServed(r.read, text, emptiness.Context{
		RowsAt: rowsAt, HasRowsAt: hasRowsAt, Door: doorOf(r.door), KeptOut: s.rules.policy.Placeholders,
		Shapes: s.rules.policy.Ruleset == Calibrated1,
	})
}

func doorOf(door *event.Door) *emptiness.Door {
	if door == nil {
		return nil
	}
	return &emptiness.Door{Absent: door.Absent, Bounded: door.Bounded, Described: door.Described}
}
