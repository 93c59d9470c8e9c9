// Package replay folds a whole history and gives what stands at its end: the last revision of every verdict, and what
// every call declared. It answers "what do these rules say of these events?".
//
// It is the same fold and the same judgement as the live pipeline's: the pipeline's last revisions are byte for byte
// what this package gives for the same events at the same sequences. History folds what it is given; Each reads a part
// of a stream and hands out its conversations, several at once, with the findings in stream order.
//
// It knows no message broker and decides nothing about what becomes of its findings.
package replay

import (
	"cmp"
	"iter"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/schemas"
)

// History folds events of many conversations. It is not safe for concurrent use.
type History struct {
	rules  pipeline.Rules
	states map[event.Conversation]*state
}

// New is a history of which nothing was folded.
func New(rules pipeline.Rules) *History {
	return &History{rules: rules, states: map[event.Conversation]*state{}}
}

// Add folds the event stored at the sequence. The events of one conversation come in stream order.
func (h *History) Add(seq uint64, e event.Event) {
	s := h.states[e.Conversation]
	if s == nil {
		s = newState(h.rules.RulesFor(e.Conversation), e.Conversation)
		h.states[e.Conversation] = s
	}
	s.add(seq, e)
}

// Output is one event that Plumbline publishes: a verdict or a declaration. Exactly one of the two is set.
type Output struct {
	// Seq is the sequence of the answer, or of the call's last report.
	Seq      uint64
	Evidence *event.EvidenceChecked
	Coverage *event.CoverageDeclared
	// Encoding is the Content-Type of the event at Seq, in which the output is published; empty is schemas.JSON.
	Encoding string
}

// Want is the output as what its subject should end in.
func (o Output) Want(subjects event.Subjects) (pipeline.Want, error) {
	w := pipeline.Want{ContentType: cmp.Or(o.Encoding, schemas.JSON)}
	var err error
	if v := o.Evidence; v != nil {
		w.Subject = subjects.Verdict(v.Ruleset, conversationOf(v.Common), v.Turn, v.Iteration)
		w.Payload, err = schemas.EncodeEvidence(w.ContentType, *v)
		return w, err
	}
	c := o.Coverage
	w.Subject = subjects.Coverage(c.Ruleset, conversationOf(c.Common), c.Turn, c.Call)
	w.Payload, err = schemas.EncodeCoverage(w.ContentType, *c)
	return w, err
}

// Lane names the chain that the output belongs to on its subject.
func (o Output) Lane() string {
	if o.Evidence != nil {
		return string(event.KindEvidenceChecked)
	}
	return schemas.LaneOf(*o.Coverage)
}

// About gives what every output says of its conversation, and the rules that it was made by.
func (o Output) About() (event.Common, event.Basis) {
	if o.Evidence != nil {
		return o.Evidence.Common, o.Evidence.Basis
	}
	return o.Coverage.Common, o.Coverage.Basis
}

func conversationOf(c event.Common) event.Conversation {
	return event.Conversation{Tenant: c.Tenant, Agent: c.Agent, ID: c.Conversation}
}

// Outputs gives what stands after everything folded so far, in the order of Seq.
func (h *History) Outputs() iter.Seq[Output] {
	var places []place
	for _, s := range h.states {
		places = append(places, s.places()...)
	}
	inOrder(places)
	return func(yield func(Output) bool) {
		for _, p := range places {
			for _, out := range p.outputs() {
				if !yield(out) {
					return
				}
			}
		}
	}
}
