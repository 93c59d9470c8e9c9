package turn

import (
	"slices"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/evidence"
)

// view is what one answer rests on, by the contract's rule: every row of its own turn that it could have read,
// whenever it was stored; every row of earlier turns stored before it; the texts up to it.
type view struct {
	answer *answer
	first  int   // the turn in which the answer's exchange began: its own, unless a correction opened it
	own    []int // places of the rows of this turn, in stream order
	prior  []int // places of the rows of earlier turns, in stream order
}

func (s *State) viewOf(a *answer) view {
	v := view{answer: a, first: s.firstTurnOf(a.name.Turn, a.seq), prior: make([]int, 0, len(s.rows))}
	for place := range s.rows {
		r := &s.rows[place]
		switch {
		case r.turn > a.name.Turn:
		case r.turn == a.name.Turn:
			if r.replaced == 0 && a.couldRead(r.turn, r.call) {
				v.own = append(v.own, place)
			}
		case r.seq > a.seq || r.replaced != 0 && r.replaced < a.seq:
		case r.turn >= v.first:
			v.own = append(v.own, place)
		default:
			v.prior = append(v.prior, place)
		}
	}
	return v
}

// inScope lists the rows that may ground a value of the answer, in stream order.
func (v view) inScope(scope string) []int {
	return mergeAscending(v.priorInScope(scope), v.own)
}

func (v view) priorInScope(scope string) []int {
	if scope == ScopeTurn {
		return nil
	}
	return v.prior
}

func mergeAscending(a, b []int) []int {
	merged := make([]int, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0] < b[0] {
			merged, a = append(merged, a[0]), a[1:]
		} else {
			merged, b = append(merged, b[0]), b[1:]
		}
	}
	return append(append(merged, a...), b...)
}

// through is the highest sequence that the verdict rests on: the answer's, or that of a later row of its turn, which may
// be one that was not read.
func (s *State) through(v view) uint64 {
	through := max(v.answer.seq, v.answer.cut)
	for _, place := range v.own {
		through = max(through, s.rows[place].seq)
	}
	return through
}

// servedView gives the index of what was served and which of its rows the answer rests on: of everything while that is
// not truncated, else of the answer's rows alone.
func (s *State) servedView(v view) (*evidence.Index, evidence.View) {
	if s.served.Truncated() {
		f := s.freshServed.of(s.rules.gate, v.inScope(s.rules.policy.Scope), s.addRow)
		return f.index, f.view(int32(v.first), func(place int) int32 { return s.stamp(v, place) }, s.callAt)
	}
	turns := make([]int32, len(s.owners))
	prior, own := v.priorInScope(s.rules.policy.Scope), v.own
	for i, place := range s.owners {
		turns[i] = -1
		prior, own = from(prior, int(place)), from(own, int(place))
		if begins(prior, int(place)) || begins(own, int(place)) {
			turns[i] = s.stamp(v, int(place))
		}
	}
	return s.served, evidence.View{Turns: turns, Calls: s.carrier, Current: int32(v.first)}
}

// from leaves out the places before the one given; they ascend.
func from(places []int, place int) []int {
	for len(places) > 0 && places[0] < place {
		places = places[1:]
	}
	return places
}

func begins(places []int, place int) bool { return len(places) > 0 && places[0] == place }

// stamp is the turn that a row counts as: rows of the exchange that the answer ends are of one turn.
func (s *State) stamp(v view, place int) int32 {
	return int32(min(s.rows[place].turn, v.first))
}

func (s *State) callAt(place int) string { return s.rows[place].call.ID }

// addRow adds what a row holds, each content as a row of the index.
func (s *State) addRow(index *evidence.Index, place int) {
	for _, content := range s.rows[place].contents() {
		index.AddResult(content, s.rules.policy.Placeholders)
	}
}

// exemptView says which texts exempt values of the answer: those said up to it, of no later turn.
func (s *State) exemptView(a *answer) (*evidence.Index, evidence.View) {
	turns := make([]int32, len(s.texts))
	for i := range s.texts {
		turns[i] = -1
		if s.texts[i].readableBy(a) {
			turns[i] = int32(s.texts[i].turn)
		}
	}
	if !s.exempt.Truncated() {
		return s.exempt, evidence.View{Turns: turns}
	}
	var readable []int
	for i := range turns {
		if turns[i] >= 0 {
			readable = append(readable, i)
		}
	}
	f := s.freshExempt.of(s.rules.gate, readable, func(index *evidence.Index, i int) { index.AddText([]byte(s.texts[i].body)) })
	return f.index, f.view(0, func(i int) int32 { return turns[i] }, func(int) string { return "" })
}

func (t *text) readableBy(a *answer) bool { return t.seq <= a.seq && t.turn <= a.name.Turn }

// Missing lists the calls that the answer says its turn made and of which nothing was reported, in the answer's order.
// Past the conversation's limit no report is read, and nothing is waited for.
func (s *State) Missing(name Name) []string {
	a := s.answers[name]
	if a == nil || a.replaced != 0 {
		return nil
	}
	return s.missing(a)
}

func (s *State) missing(a *answer) []string {
	if a.cut != 0 {
		return nil
	}
	var missing []string
	s.eachUnreported(a.name.Turn, a.calls, func(late lateName) { missing = append(missing, late.call.id) })
	return missing
}

// reasons lists what of the record the answer rests on was not seen, in the order of event.Reasons. truncated tells that
// an index it was held against took not everything in.
func (s *State) reasons(v view, truncated bool) []event.Reason {
	var capped, redacted, notCaptured bool
	if s.lacking {
		for _, place := range v.inScope(s.rules.policy.Scope) {
			r := &s.rows[place]
			capped, redacted, notCaptured = capped || r.capped, redacted || r.redacted, notCaptured || r.read == nil
		}
	}
	found := map[event.Reason]bool{
		event.RowsMissing:        s.rowsMissing(v),
		event.PromptNotCaptured:  s.contextSeen == 0 || s.contextSeen > v.answer.seq,
		event.HistoryIncomplete:  s.beginningMissing(v.answer),
		event.IndexTruncated:     truncated,
		event.TurnOversize:       v.answer.cut != 0,
		event.ResultCapped:       capped,
		event.ResultRedacted:     redacted,
		event.ContentNotCaptured: notCaptured,
	}
	for _, u := range s.unseen {
		found[u.reason] = found[u.reason] || u.readableBy(v.answer)
	}
	reasons := []event.Reason{}
	for _, reason := range event.Reasons {
		if found[reason] {
			reasons = append(reasons, reason)
		}
	}
	return reasons
}

// blocks tells whether a reason stands between the answer and an accusation. Of a conversation whose person was heard
// but whose app put nothing in front of the model, the reason is listed and the accusation stands: most such apps have
// no prompt.
func (s *State) blocks(reason event.Reason, a *answer) bool {
	if reason == event.PromptNotCaptured {
		return s.userSeen == 0 || s.userSeen > a.seq
	}
	return true
}

// rowsMissing tells whether a call that this answer, or an earlier one in scope, says was made has no row that the
// answer rests on. Past the conversation's limit it is not known which calls were reported: turn_oversize says so.
func (s *State) rowsMissing(v view) bool {
	a := v.answer
	switch {
	case s.isPast(a.seq):
		return false
	case len(s.missing(a)) > 0:
		return true
	case s.rules.policy.Scope == ScopeTurn:
		return false
	}
	return slices.ContainsFunc(s.awaiting, func(earlier *answer) bool {
		return earlier.name.Turn < a.name.Turn && s.awaitsAt(earlier, a.seq)
	})
}

// beginningMissing tells whether the conversation's first turn was not kept: nothing of turn 1 stands before the answer.
func (s *State) beginningMissing(a *answer) bool {
	first := s.turns[1]
	return a.name.Turn > 1 && (first == nil || first.first > a.seq)
}
