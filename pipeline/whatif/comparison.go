// Package whatif judges the same events under two policies. It answers "which answers would another policy judge
// differently, and which setting makes the difference?". It counts in answers.
//
// What is compared is what a person acts on: the outcome, the values that are listed, the reasons, how results were
// read, and the code blocks. Notes that change beside those, such as the closest value on record, are not compared.
package whatif

import (
	"cmp"
	"slices"
	"sync"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
)

// Comparison judges conversations by two policies. Of may be called by many goroutines, the other methods not.
type Comparison struct {
	was, is pipeline.Rules

	conversations map[event.Conversation]*replay.Conversation // of what Add took
	order         []event.Conversation                        // of those, by their first event

	mu     sync.Mutex
	causes map[digests]causes // guarded by mu
}

// digests name the pair of policies that a conversation is compared under.
type digests struct{ was, is string }

// New is a comparison of no events: what changes when the second rules take the place of the first.
func New(was, is pipeline.Rules) *Comparison {
	return &Comparison{
		was: was, is: is, conversations: map[event.Conversation]*replay.Conversation{}, causes: map[digests]causes{},
	}
}

// Add takes the event stored at the sequence, and keeps it. The events of one conversation come in stream order.
func (c *Comparison) Add(seq uint64, e event.Event) {
	conversation := c.conversations[e.Conversation]
	if conversation == nil {
		conversation = &replay.Conversation{Name: e.Conversation, From: seq}
		c.conversations[e.Conversation] = conversation
		c.order = append(c.order, e.Conversation)
	}
	conversation.Events = append(conversation.Events, replay.Event{Seq: seq, Event: e})
	conversation.Through = seq
}

// Changes gives the answers that were added whose verdict changes, in the order of their sequences, and how many answers
// there are. The error is of a policy that does not compile.
func (c *Comparison) Changes() (changes []Change, answers int, err error) {
	for _, name := range c.order {
		changed, judged, err := c.Of(*c.conversations[name])
		if err != nil {
			return nil, 0, err
		}
		changes = append(changes, changed...)
		answers += judged
	}
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Compare(a.Seq, b.Seq) })
	return changes, answers, nil
}

// Of gives the answers of one conversation's stretch whose verdict changes, in the order of their sequences, and how many
// answers it has there. It keeps nothing of the conversation. One that has the same policy both times is judged once.
func (c *Comparison) Of(conversation replay.Conversation) (changes []Change, answers int, err error) {
	was, is := c.was.RulesFor(conversation.Name), c.is.RulesFor(conversation.Name)
	before, err := judge(conversation, was)
	if err != nil || was.Digest() == is.Digest() {
		return nil, len(before), err
	}
	after, err := judge(conversation, is)
	if err != nil {
		return nil, 0, err
	}
	changes = changesOf(before, after)
	return changes, len(before), c.Explain(changes, conversation, was, is)
}

// Explain says of changes from verdicts that the first rules gave to those that the second give what the rules choose
// differently, and of each value which choice makes the difference.
func (c *Comparison) Explain(changes []Change, conversation replay.Conversation, was, is *turn.Rules) error {
	if len(changes) == 0 {
		return nil
	}
	why, err := c.causesOf(was, is)
	if err != nil {
		return err
	}
	return why.explain(changes, conversation)
}

// judge gives the verdicts of one conversation, by the sequence of their answers.
func judge(conversation replay.Conversation, rules *turn.Rules) ([]*event.EvidenceChecked, error) {
	outputs, err := conversation.Outputs(rules)
	var verdicts []*event.EvidenceChecked
	for _, out := range outputs {
		if out.Evidence != nil {
			verdicts = append(verdicts, out.Evidence)
		}
	}
	return verdicts, err
}
