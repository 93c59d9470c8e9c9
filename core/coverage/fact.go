package coverage

import (
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// Kind is what a result declared.
type Kind string

// The kinds.
const (
	KindAbsence Kind = "absence"
	KindLedger  Kind = "ledger"
)

// Fact is what a result declared, as a record keeps it. It keeps nothing of the bytes it was read from.
type Fact struct {
	Kind Kind
	Lists
	// LookedFor is what an absence did not find, as it was found, nil when it does not say.
	LookedFor event.JSON
	// TryInstead is one sentence, without white space around it; empty when there is none.
	TryInstead string
	// TryInsteadTool names another tool; nil when none is named well.
	TryInsteadTool *ToolHint
	// Provenance, Period and InProgress are nil when they are missing or hold something wrong: a record says nothing
	// rather than half of it.
	Provenance, Period, InProgress event.JSON
}

// Facts reads what a result declares: the boundary, then the absence directly inside it, or an absence alone. An object
// that is both is read as the absence. A described result (af_semantics) that carries its own lists or period is read as
// a boundary. A result that declares nothing gives no facts, and text is never parsed (literal-1.md, readCoverageResult).
func Facts(v servedjson.Value) []Fact {
	if absence, ok := ReadAbsence(v); ok {
		return []Fact{absence.Fact()}
	}
	if described, ok := readDescribed(v); ok {
		return described.facts()
	}
	ledger, ok := ReadLedger(v)
	if !ok {
		return nil
	}
	facts := []Fact{ledger.Fact()}
	if inside, ok := ReadAbsence(ledger.Result); ok {
		facts = append(facts, inside.Fact())
	}
	return facts
}

// Fact is the absence as a record keeps it.
func (a Absence) Fact() Fact {
	f := Fact{Kind: KindAbsence, Lists: a.Lists(), Period: periodOf(a.Value)}
	if lookedFor, ok := a.Value.Get("looked_for"); ok {
		f.LookedFor = compact(lookedFor)
	}
	sentence, _ := a.Value.Get("try_instead")
	f.TryInstead = trimmed(sentence)
	tool, _ := a.Value.Get("try_instead_tool")
	if hint, err := readToolHint("try_instead_tool", tool); err == nil {
		f.TryInsteadTool = &hint
	}
	provenance, _ := a.Value.Get("provenance")
	if p, err := readProvenance(provenance, Wire); err == nil {
		f.Provenance = p
	}
	return f
}

// Fact is the boundary as a record keeps it. What the boundary is around is no part of it.
func (l Ledger) Fact() Fact {
	f := Fact{Kind: KindLedger, Lists: l.Lists(), Period: periodOf(l.Coverage)}
	if items, ok := inProgressList.served(l.Coverage); ok {
		f.InProgress = appendItems(nil, items)
	}
	return f
}

func periodOf(envelope servedjson.Value) event.JSON {
	v, _ := envelope.Get("period")
	if p, ok := servedPeriod(v); ok {
		return p.JSON()
	}
	return nil
}
