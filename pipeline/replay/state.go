package replay

import (
	"cmp"
	"slices"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
)

// state is one conversation, and the verdicts on the answers that it does not keep because they came past its limit.
type state struct {
	*turn.State
	past map[turn.Name]event.EvidenceChecked
}

func newState(rules *turn.Rules, name event.Conversation) *state {
	return &state{turn.New(rules, name), map[turn.Name]event.EvidenceChecked{}}
}

func (s *state) add(seq uint64, e event.Event) {
	if effects := s.Fold(seq, e); effects.Past {
		s.past[effects.Answers[0]] = s.Past(seq, e)
	}
}

// place is where something stands in the order of sequences: a thing of a state, or the verdict on an answer that the
// state does not keep.
type place struct {
	seq   uint64
	state *state
	thing turn.Thing
	past  *event.EvidenceChecked
}

// places lists everything there is to say, in no order.
func (s *state) places() []place {
	var places []place
	for _, thing := range s.Things() {
		places = append(places, place{seq: thing.Seq, state: s, thing: thing})
	}
	for _, verdict := range s.past {
		places = append(places, place{seq: verdict.AnswerSeq, past: &verdict})
	}
	return places
}

func inOrder(places []place) {
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.seq, b.seq) })
}

func (p place) outputs() []Output {
	switch {
	case p.past != nil:
		return []Output{{Seq: p.seq, Evidence: p.past}}
	case p.thing.Answer != nil:
		verdict, _ := p.state.Judge(*p.thing.Answer)
		return []Output{{Seq: p.seq, Evidence: &verdict}}
	}
	var outputs []Output
	for _, d := range p.state.Coverage(p.thing.Turn, p.thing.Call) {
		if d.Iteration == p.thing.Iteration {
			outputs = append(outputs, Output{Seq: p.seq, Coverage: &d.CoverageDeclared})
		}
	}
	return outputs
}
