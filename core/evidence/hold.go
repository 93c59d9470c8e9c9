package evidence

import "slices"

// hold is where a candidate was found under calibrated-1.
type hold struct {
	exempt bool
	turn   int    // the newest that served it, when it is not exempt
	rules  []rule // that made it equal to what was read
	found  []lookup
}

// lookup is a form or a key that was found in what was served.
type lookup struct {
	index *Index
	form  string
}

// join adds what held another part of the same value.
func (h *hold) join(part hold) {
	h.exempt = false
	h.turn = max(h.turn, part.turn)
	h.rules = append(h.rules, part.rules...)
	h.found = append(h.found, part.found...)
}

// holdOf looks a candidate up: exempt by its own forms, exempt by a rule, served by its own forms, served by a rule, and
// by its parts at last. ok is false when it stands nowhere; missing are then the parts that do not.
func (r *Record) holdOf(c *Candidate) (h hold, missing []Candidate, ok bool) {
	if !c.more.strict {
		if isExempt(c.Forms(), r) {
			return hold{exempt: true}, nil, true
		}
	}
	if slices.ContainsFunc(c.more.queries, r.exempts) {
		return hold{exempt: true}, nil, true
	}
	if !c.more.strict {
		if h, ok := r.served(c.Forms()); ok {
			if _, asItStands := r.Served.Turn(c.Token, r.ServedView); c.more.dressed && !asItStands {
				h.rules = append(h.rules, ruleNumber)
			}
			return h, nil, true
		}
	}
	if h, ok := r.servesAny(c.more.queries); ok {
		return h, nil, true
	}
	if h, ok := r.holdTogether(c.more.together); ok {
		return h, nil, true
	}
	if h, ok := r.holdLiterally(c.more.literally); ok {
		return h, nil, true
	}
	if h, missing, ok = r.holdParts(c); ok {
		return h, nil, true
	}
	if h, ok := r.holdInContext(c); ok {
		return h, nil, true
	}
	return h, missing, false
}

// holdInContext holds a candidate that what stands around it holds, at every place where it stands.
func (r *Record) holdInContext(c *Candidate) (hold, bool) {
	h := hold{exempt: true, turn: -1}
	for _, p := range c.more.places {
		queries := r.Served.rules.context(c, p)
		if slices.ContainsFunc(queries, r.exempts) {
			continue
		}
		one, ok := r.servesAny(queries)
		if !ok {
			return hold{}, false
		}
		h.join(one)
	}
	return h, len(c.more.places) > 0
}

func (r *Record) servesAny(queries []query) (hold, bool) {
	for _, q := range queries {
		if h, ok := r.serves(q); ok {
			return h, true
		}
	}
	return hold{}, false
}

// holdLiterally holds a value in which literal-1 holds everything that it looks at.
func (r *Record) holdLiterally(candidates []Candidate) (hold, bool) {
	h := hold{exempt: true, turn: -1}
	for i := range candidates {
		forms := candidates[i].Forms()
		if isExempt(forms, r) {
			continue
		}
		one, ok := r.served(forms)
		if !ok {
			return hold{}, false
		}
		h.join(one)
	}
	return h, len(candidates) > 0
}

func (r *Record) exempts(q query) bool {
	index, form := q.at(r.Exempt)
	if index == nil {
		return false
	}
	for _, f := range index.reachable(q, form) {
		if _, ok := index.Turn(f, r.ExemptView); ok {
			return true
		}
	}
	return false
}

// serves looks one query up in what was served.
func (r *Record) serves(q query) (hold, bool) {
	index, form := q.at(r.Served)
	if index == nil {
		return hold{}, false
	}
	for _, f := range index.reachable(q, form) {
		if turn, ok := index.Turn(f, r.ServedView); ok {
			return hold{turn: turn, rules: []rule{q.rule}, found: []lookup{{index, f}}}, true
		}
	}
	return hold{}, false
}

// at gives the index that a query is asked of, and what it is asked.
func (q query) at(ix *Index) (*Index, string) {
	if q.key == "" {
		return ix, q.form
	}
	return ix.keys, q.key
}

// served looks the forms up as literal-1 does.
func (r *Record) served(forms []string) (hold, bool) {
	h := hold{turn: -1}
	for _, form := range forms {
		if turn, ok := r.Served.Turn(form, r.ServedView); ok {
			h.turn = max(h.turn, turn)
			h.found = append(h.found, lookup{r.Served, form})
		}
	}
	return h, h.turn >= 0
}

// holdTogether holds what two keys hold together, each exempt or served.
func (r *Record) holdTogether(both [2]query) (hold, bool) {
	if both[0].key == "" {
		return hold{}, false
	}
	h := hold{exempt: true, turn: -1, rules: []rule{both[0].rule}}
	for _, q := range both {
		one, served := r.serves(q)
		if !served && !r.exempts(q) {
			return hold{}, false
		}
		if served {
			h.join(one)
		}
	}
	return h, true
}

// holdParts holds a candidate whose every part is held.
func (r *Record) holdParts(c *Candidate) (h hold, missing []Candidate, ok bool) {
	if len(c.more.parts) == 0 {
		return hold{}, nil, false
	}
	h = hold{exempt: true, turn: -1, rules: []rule{c.more.partRule}}
	for i := range c.more.parts {
		part := &c.more.parts[i]
		one, lacking, ok := r.holdOf(part)
		switch {
		case !ok && c.more.whole:
			return hold{}, nil, false
		case !ok && lacking == nil:
			missing = append(missing, *part)
		case !ok:
			missing = append(missing, lacking...)
		case !one.exempt:
			h.join(one)
		}
	}
	return h, missing, len(missing) == 0
}

// checkSpelled judges a candidate under calibrated-1. What is unsupported of a list or a range is the part.
func (j *Judgement) checkSpelled(c *Candidate, r *Record) {
	h, missing, ok := r.holdOf(c)
	switch {
	case ok && h.exempt:
		return
	case ok:
		j.groundHeld(c, h, r)
	case j.compute(c, r):
	case missing != nil:
		j.Unsupported = append(j.Unsupported, missing...)
	default:
		j.Unsupported = append(j.Unsupported, *c)
	}
	j.LookedUp++
}

func (j *Judgement) groundHeld(c *Candidate, h hold, r *Record) {
	g := GroundedValue{Value: c.Value, Turn: h.turn}
	if h.turn >= int(r.ServedView.Current) {
		j.FromThisTurn++
		for _, l := range h.found {
			g.carry(l.index.Carriers(l.form, r.ServedView))
		}
	} else {
		j.FromPriorTurns++
		j.LatestPriorTurn = max(j.LatestPriorTurn, h.turn)
	}
	j.addGrounded(g)
	for _, rule := range h.rules {
		j.rules[rule] = true
	}
}

// Equivalences lists the ids of the rules that grounded something, in the order of their table.
func (j *Judgement) Equivalences() []string {
	var ids []string
	for r := ruleClock; r < ruleCount; r++ {
		if j.rules[r] {
			ids = append(ids, r.id())
		}
	}
	return ids
}
