package pipeline

import (
	"fmt"
	"time"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas"
)

func (w *Worker) subjectOf(c *conversation, t target) string {
	ruleset, key := c.state.Rules().Ruleset(), c.state.Conversation()
	if t.coverage {
		return w.cfg.Subjects.Coverage(ruleset, key, t.turn, t.call)
	}
	return w.cfg.Subjects.Verdict(ruleset, key, t.answer.Turn, t.answer.Iteration)
}

// wantsOf gives the payloads that the chain's subject should end in, one for each lane, in the order they are stored.
func (w *Worker) wantsOf(c *conversation, ch *chain) ([]want, error) {
	switch t := ch.target; {
	case c.partial:
		return nil, &defect{"the conversation could not be read back"}
	case t.coverage:
		return w.declared(c, t)
	case ch.past != nil:
		return w.judged(c.state.Past(ch.past.seq, ch.past.event), ch.past.encoding)
	default:
		verdict, ok := c.state.Judge(t.answer)
		if !ok {
			return nil, nil // the answer is no longer kept by the stream, and what is stored about it stands
		}
		return w.judged(verdict, c.encodingOf(verdict.AnswerSeq))
	}
}

func (w *Worker) judged(verdict event.EvidenceChecked, encoding string) ([]want, error) {
	payload, err := schemas.EncodeEvidence(encoding, verdict)
	if err != nil {
		return nil, fmt.Errorf("verdict of turn %d, iteration %d: %w", verdict.Turn, verdict.Iteration, err)
	}
	return []want{{
		lane: string(event.KindEvidenceChecked), payload: payload, encoding: encoding,
		through: verdict.Through, basis: verdict.Basis, verdict: &verdict,
		report: func(revision int, took time.Duration) { w.cfg.Observer.Verdict(verdict, revision, took) },
	}}, nil
}

func (w *Worker) declared(c *conversation, t target) ([]want, error) {
	declared := c.state.Coverage(t.turn, t.call)
	wants := make([]want, 0, len(declared))
	for _, d := range declared {
		encoding := c.encodingOf(d.Seq)
		payload, err := schemas.EncodeCoverage(encoding, d.CoverageDeclared)
		if err != nil {
			return nil, fmt.Errorf("coverage of a call of turn %d: %w", t.turn, err)
		}
		wants = append(wants, want{
			lane: schemas.LaneOf(d.CoverageDeclared), payload: payload, encoding: encoding, basis: d.Basis,
			report: func(int, time.Duration) { w.cfg.Observer.Declared(d.CoverageDeclared) },
		})
	}
	return wants, nil
}
