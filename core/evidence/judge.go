package evidence

import (
	"unicode/utf16"

	"github.com/plumbline-dev/plumbline/core/event"
)

// Judgement is what the record says of an answer's candidates.
type Judgement struct {
	// Unsupported stand in no text that the judgement may read, in the order of the answer.
	Unsupported []Candidate
	// Grounded were found in what tools served.
	Grounded []GroundedValue
	// Computed were found nowhere and derive from numbers that results carry; only with figures.
	Computed []event.ComputedValue
	// Candidates counts every value the answer asserts, LookedUp those that were not exempt.
	Candidates, LookedUp int
	// FromThisTurn and FromPriorTurns count the grounded values by the newest turn that served them.
	FromThisTurn, FromPriorTurns, LatestPriorTurn int

	rules [ruleCount]bool // that grounded something
}

// GroundedValue is a value that a tool served.
type GroundedValue struct {
	Value string
	Token string // as in the Candidate
	Turn  int    // the newest that served it
	// Calls of the current turn carried it, the first 8; More tells that there were others.
	Calls []string
	More  bool
}

// Forms are the forms that literal-1 looked the value up by.
func (g *GroundedValue) Forms() []string {
	return (&Candidate{Value: g.Value, Token: g.Token}).Forms()
}

// Record is what an answer is held against.
type Record struct {
	Served     *Index
	ServedView View
	Exempt     *Index
	ExemptView View
	// Figures is what unfound numbers may derive from; nil when figures are off.
	Figures *FigureBasis
}

// Check holds each candidate against the record: exempt first, then served, then derived from figures, else unsupported
// (literal-1, "checkAnswer").
func Check(candidates []Candidate, r Record) Judgement {
	j := Judgement{Candidates: len(candidates), Unsupported: []Candidate{}}
	var room [maxForms]string
	for i := range candidates {
		c := &candidates[i]
		if c.more != nil {
			j.checkSpelled(c, &r)
			continue
		}
		forms := c.appendForms(room[:0])
		switch {
		case isExempt(forms, &r):
			continue
		case j.ground(c, forms, &r), j.compute(c, &r):
		default:
			j.Unsupported = append(j.Unsupported, *c)
		}
		j.LookedUp++
	}
	return j
}

// maxForms is how many forms a candidate has at most: two of its value, two of its token.
const maxForms = 4

func isExempt(forms []string, r *Record) bool {
	for _, form := range forms {
		if _, ok := r.Exempt.Turn(form, r.ExemptView); ok {
			return true
		}
	}
	return false
}

// ground counts a candidate as grounded in the newest turn that served any of its forms.
func (j *Judgement) ground(c *Candidate, forms []string, r *Record) bool {
	newest := -1
	for _, form := range forms {
		if turn, ok := r.Served.Turn(form, r.ServedView); ok {
			newest = max(newest, turn)
		}
	}
	if newest < 0 {
		return false
	}
	g := GroundedValue{Value: c.Value, Token: c.Token, Turn: newest}
	if newest >= int(r.ServedView.Current) {
		j.FromThisTurn++
		for _, form := range forms {
			g.carry(r.Served.Carriers(form, r.ServedView))
		}
	} else {
		j.FromPriorTurns++
		j.LatestPriorTurn = max(j.LatestPriorTurn, newest)
	}
	j.addGrounded(g)
	return true
}

// addGrounded makes room for all candidates at once: mostly all are grounded.
func (j *Judgement) addGrounded(g GroundedValue) {
	if j.Grounded == nil {
		j.Grounded = make([]GroundedValue, 0, j.Candidates)
	}
	j.Grounded = append(j.Grounded, g)
}

func (g *GroundedValue) carry(calls []string, more bool) {
	if g.Calls == nil {
		g.Calls, g.More = calls, more
		return
	}
	g.More = g.More || more
	for _, call := range calls {
		g.Calls, g.More = addCarrier(g.Calls, call, g.More)
	}
}

// compute counts a number as computed when it derives from numbers that results carry.
func (j *Judgement) compute(c *Candidate, r *Record) bool {
	if r.Figures == nil || c.Shape != ShapeNumber && c.Shape != ShapeFigure {
		return false
	}
	how, ok := r.Figures.Explain(c.Value)
	if !ok {
		return false
	}
	j.Computed = append(j.Computed, event.ComputedValue{Value: Clip(c.Value), Shape: c.Shape, Derivation: how.Derivation, From: how.From})
	return true
}

// maxValueUnits is how many UTF-16 units of a value are shown.
const maxValueUnits = 64

// Clip shortens a value to 64 UTF-16 units, the last of which is an ellipsis.
func Clip(value string) string {
	units, kept := 0, 0 // kept is where the text ends that leaves room for the ellipsis
	for i, r := range value {
		if units < maxValueUnits {
			kept = i
		}
		units += max(1, utf16.RuneLen(r))
	}
	if units <= maxValueUnits {
		return value
	}
	return value[:kept] + "…"
}
