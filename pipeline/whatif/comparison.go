// Package whatif judges the same events under two policies. It answers "which answers would another policy judge
// differently, and which setting makes the difference?". It counts in answers.
//
// What is compared is what a person acts on: the outcome, the values that are listed, the reasons, how results were
// read, and the code blocks. Notes that change beside those, such as the closest value on record, are not compared.
package whatif

import (
	"cmp"
	"slices"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
)

// Comparison holds the events of many conversations and the two policies to judge them by. It keeps every event. It is
// not safe for concurrent use.
type Comparison struct {
	was, is replay.Rules
	events  map[event.Conversation][]stored
	order   []event.Conversation // by their first event
	causes  map[digests]causes
}

// stored is an event at its sequence.
type stored struct {
	seq uint64
	event.Event
}

// digests name the pair of policies that a conversation is compared under.
type digests struct{ was, is string }

// New is a comparison of no events: what changes when the second rules take the place of the first.
func New(was, is replay.Rules) *Comparison {
	return &Comparison{was: was, is: is, events: map[event.Conversation][]stored{}, causes: map[digests]causes{}}
}

// Add takes the event stored at the sequence. The events of one conversation come in stream order.
func (c *Comparison) Add(seq uint64, e event.Event) {
	if c.events[e.Conversation] == nil {
		c.order = append(c.order, e.Conversation)
	}
	c.events[e.Conversation] = append(c.events[e.Conversation], stored{seq, e})
}

// Changes gives the answers whose verdict changes, in the order of their sequences, and how many answers there are. A
// conversation that has the same policy both times is judged once. The error is of a policy that does not compile.
func (c *Comparison) Changes() (changes []Change, answers int, err error) {
	for _, conversation := range c.order {
		events := c.events[conversation]
		was, is := c.was.RulesFor(conversation), c.is.RulesFor(conversation)
		before := judge(events, was)
		answers += len(before)
		if was.Digest() == is.Digest() {
			continue
		}
		after := judge(events, is)
		changed := changesOf(before, after)
		if len(changed) == 0 {
			continue
		}
		why, err := c.causesOf(was, is)
		if err != nil {
			return nil, 0, err
		}
		why.explain(changed, events)
		changes = append(changes, changed...)
	}
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Compare(a.Seq, b.Seq) })
	return changes, answers, nil
}

// judge gives the verdicts of one conversation, by the sequence of their answers.
func judge(events []stored, rules *turn.Rules) []*event.EvidenceChecked {
	history := replay.New(rules)
	for _, s := range events {
		history.Add(s.seq, s.Event)
	}
	var verdicts []*event.EvidenceChecked
	for out := range history.Outputs() {
		if out.Evidence != nil {
			verdicts = append(verdicts, out.Evidence)
		}
	}
	return verdicts
}
