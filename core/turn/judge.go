package turn

import (
	"cmp"
	"slices"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/evidence"
	"github.com/plumbline-dev/plumbline/core/script"
)

// maxReported is how many unsupported values a verdict lists; the rest is counted (contract.md, "Events out").
const maxReported = 12

// Judge gives the verdict on an answer over everything folded so far; ok is false when no such answer was seen. The
// verdict is a function of the events on the conversation's subject up to its Through, the rules and the engine. It
// changes nothing of the state.
func (s *State) Judge(name Name) (verdict event.EvidenceChecked, ok bool) {
	a := s.answers[name]
	if a == nil || a.replaced != 0 {
		return event.EvidenceChecked{}, false
	}
	return s.judge(a), true
}

func (s *State) judge(a *answer) event.EvidenceChecked {
	v := s.viewOf(a)
	shown := s.readScripts(v)
	index, served := s.servedView(v)
	exempt, exemptView := s.exemptView(a)
	candidates := s.rules.gate.Extract(a.text, shown.Cuts)
	figures := s.figures(v)
	judged := evidence.Check(candidates, evidence.Record{
		Served: index, ServedView: served, Exempt: exempt, ExemptView: exemptView, Figures: figures,
	})

	verdict := s.frame(v)
	verdict.Reasons = s.reasons(v, index.Truncated() || exempt.Truncated() || figures.Capped())
	verdict.Outcome = s.outcome(a, judged, verdict.Reasons)
	verdict.Action = actionOf(verdict.Outcome)
	verdict.Candidates, verdict.LookedUp = judged.Candidates, judged.LookedUp
	verdict.Computed = s.computed(judged.Computed)
	verdict.Equivalences = judged.Equivalences()
	verdict.EvidenceTruncated = index.Truncated()
	verdict.Grounding.FromThisTurn = judged.FromThisTurn
	verdict.Grounding.FromPriorTurns = judged.FromPriorTurns
	verdict.Grounding.LatestPriorTurn = judged.LatestPriorTurn
	verdict.CarriedBy = s.carriedBy(judged.Grounded)
	verdict.Results = s.results(v)
	if s.rules.scripts {
		verdict.Scripts = &shown.Verdict
	}
	reported := judged.Unsupported[:min(len(judged.Unsupported), maxReported)]
	verdict.Unsupported = s.unsupported(reported, shown.Code)
	s.nearest(verdict.Unsupported, reported, index, served)
	verdict.UnsupportedOmitted = len(judged.Unsupported) - len(reported)
	return verdict
}

// frame is the part of a verdict that no reader is asked for.
func (s *State) frame(v view) event.EvidenceChecked {
	return event.EvidenceChecked{
		Common:        s.common(event.KindEvidenceChecked, v.answer.name.Turn, v.answer.name.Iteration),
		Posture:       s.rules.gate.Posture(),
		AfterRevision: v.answer.after,
		Grounding:     event.Grounding{CurrentTurn: v.first, ToolResultsThisTurn: len(v.own)},
		Through:       s.through(v),
		AnswerSeq:     v.answer.seq,
		Basis:         s.basis(),
	}
}

func (s *State) common(kind event.Kind, turn, iteration int) event.Common {
	return event.Common{
		V: event.Version, Type: kind, Turn: turn, Iteration: iteration,
		Tenant: s.conversation.Tenant, Agent: s.conversation.Agent, Conversation: s.conversation.ID,
	}
}

func (s *State) basis() event.Basis {
	return event.Basis{Ruleset: s.rules.Ruleset(), Policy: s.rules.Digest(), Engine: Engine}
}

// outcome accuses only when nothing that could hold the value was left unread.
func (s *State) outcome(a *answer, judged evidence.Judgement, reasons []event.Reason) event.Outcome {
	switch {
	case judged.Candidates == 0:
		return event.NothingAsserted
	case len(judged.Unsupported) == 0:
		return event.Grounded
	}
	for _, reason := range reasons {
		if s.blocks(reason, a) {
			return event.CannotTell
		}
	}
	return event.Unsupported
}

func actionOf(outcome event.Outcome) event.Action {
	if outcome == event.Unsupported {
		return event.ActionFlagged
	}
	return event.ActionGrounded
}

// figures is what numbers may derive from: nil unless the policy asks for it.
func (s *State) figures(v view) *evidence.FigureBasis {
	if !s.rules.gate.Figures() {
		return nil
	}
	var contents [][]byte
	for _, place := range v.inScope(s.rules.policy.Scope) {
		contents = append(contents, s.rows[place].contents()...)
	}
	return evidence.NewFigureBasis(contents)
}

func (s *State) carriedBy(grounded []evidence.GroundedValue) []event.Carried {
	var carried []event.Carried
	for _, g := range grounded {
		if len(g.Calls) > 0 {
			carried = append(carried, event.Carried{Value: s.say(g.Value), Calls: g.Calls, More: g.More})
		}
	}
	return carried
}

func (s *State) unsupported(candidates []evidence.Candidate, code []event.Span) []event.UnsupportedValue {
	values := make([]event.UnsupportedValue, 0, len(candidates))
	for _, c := range candidates {
		value := event.UnsupportedValue{Value: s.say(c.Value), Shape: c.Shape, Spans: c.Spans}
		if s.rules.scripts {
			value.Region = regionOf(c.Spans, code)
		}
		values = append(values, value)
	}
	return values
}

// nearest names, beside each value, the closest one that a result does hold.
func (s *State) nearest(values []event.UnsupportedValue, reported []evidence.Candidate, index *evidence.Index, view evidence.View) {
	for i := range values {
		if near, ok := index.Nearest(reported[i].Value, view); ok {
			values[i].Near = &event.Near{Value: s.say(near.Value), Call: near.Call, Turn: near.Turn}
		}
	}
}

// regionOf is code when the value stands in fenced code only, prose when it stands outside as well.
func regionOf(spans, code []event.Span) string {
	for _, span := range spans {
		if !within(span, code) {
			return "prose"
		}
	}
	return "code"
}

func within(span event.Span, blocks []event.Span) bool {
	for _, block := range blocks {
		if block[0] <= span[0] && span[1] <= block[1] {
			return true
		}
	}
	return false
}

// results is the reading of every call of the answer's turn, in stream order.
func (s *State) results(v view) []event.CallResult {
	results := make([]event.CallResult, 0, len(v.own))
	for _, place := range v.own {
		r := &s.rows[place]
		read := r.reading
		results = append(results, event.CallResult{
			Call: r.call.ID, Tool: r.call.Tool,
			Emptiness: string(read.Emptiness), Rows: read.Rows, Source: read.Source, RowsAt: read.RowsAt,
			Bounded: read.Bounded, Described: read.Described, RowsUnread: read.RowsUnread, Incomplete: read.Cut, Error: r.failed,
		})
	}
	return results
}

// readScripts compares the answer's code blocks with the programs of its turn, when the policy asks for it.
func (s *State) readScripts(v view) script.Shown {
	if !s.rules.scripts {
		return script.Shown{}
	}
	var turn script.Turn
	for _, r := range s.submissions(v) {
		turn.Programs = append(turn.Programs, script.Submission{
			Call: r.call.ID, Program: r.script.Program, Label: r.script.Label, ExitCode: r.script.ExitCode,
		})
	}
	if s.scripts {
		for _, place := range v.prior {
			if s.rows[place].script != nil {
				turn.EarlierTurnRows++
			}
		}
	}
	return script.Match(v.answer.text, turn)
}

// submissions lists the rows of the turn whose calls submitted a program, in the order of submitting.
func (s *State) submissions(v view) []*row {
	var rows []*row
	for _, place := range v.own {
		if r := &s.rows[place]; r.script != nil {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b *row) int { return cmp.Compare(a.submitted, b.submitted) })
	return rows
}
