package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
	"github.com/plumbline-dev/plumbline/schemas"
)

// oracle holds what is stored against the pure fold over the event stream. It reads the stream once, and drops a
// conversation as soon as its last event is read.
type oracle struct {
	rules  pipeline.Rules
	ledger *ledger

	left     map[string]uint64 // of each subject: messages that are still to come
	open     map[string]*folded
	events   int
	answers  int
	declared int
	stored   map[event.Conversation]int // events that the stream keeps

	delays []time.Duration // from an answer's being stored to its first verdict's
	landed map[int][]time.Time
}

// folded is a conversation on its way through the oracle.
type folded struct {
	history   *replay.History
	joining   pipeline.Joining
	partition int
	encoding  map[uint64]string // of the events
	answered  map[uint64]time.Time
}

func newOracle(rules pipeline.Rules, l *ledger, left map[string]uint64) *oracle {
	return &oracle{
		rules: rules, ledger: l, left: left, open: map[string]*folded{},
		stored: map[event.Conversation]int{}, landed: map[int][]time.Time{},
	}
}

// consult reads the event stream and compares.
func consult(ctx context.Context, c *cluster, rules pipeline.Rules, l *ledger) (*oracle, error) {
	stream, err := c.js.Stream(ctx, jet.EventsStream)
	if err != nil {
		return nil, err
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(event.Subjects{}.AllLogs()))
	if err != nil {
		return nil, fmt.Errorf("count the events of each conversation: %w", err)
	}
	o := newOracle(rules, l, info.State.Subjects)
	if err := readStream(ctx, c.js, jet.EventsStream, o.see); err != nil {
		return nil, err
	}
	return o, o.finish()
}

// see folds the next event, and compares its conversation when it was the last.
func (o *oracle) see(m kept) error {
	o.events++
	said, err := pipeline.Read(event.Subjects{}, m.Message)
	if err != nil {
		o.unreadable(m, err)
	}
	conversation, parsed := event.Subjects{}.ParseConversation(m.Subject)
	if parsed != nil {
		return nil //nolint:nilerr // it has no conversation: a dead letter and nothing else
	}
	o.stored[conversation]++
	f := o.open[m.Subject]
	if f == nil {
		f = &folded{history: replay.New(o.rules), encoding: map[uint64]string{}, answered: map[uint64]time.Time{}}
		if _, err := fmt.Sscanf(m.Subject, event.DefaultPrefix+".log.%d.", &f.partition); err != nil {
			return fmt.Errorf("the partition in subject %q: %w", m.Subject, err)
		}
		o.open[m.Subject] = f
	}
	if e, ok := f.joining.Event(conversation, said); ok {
		f.fold(m, e)
	}
	if o.left[m.Subject]--; o.left[m.Subject] == 0 {
		delete(o.open, m.Subject)
		return o.compare(f)
	}
	return nil
}

func (f *folded) fold(m kept, e event.Event) {
	f.encoding[m.Seq] = schemas.EncodingOf(m.Header)
	if e.Answer != nil {
		f.answered[m.Seq] = m.at
	}
	f.history.Add(m.Seq, e)
}

// unreadable looks for the dead letter of an event that cannot be read.
func (o *oracle) unreadable(m kept, err error) {
	want, _ := pipeline.ReasonOf(err)
	got, there := o.ledger.letters[m.Seq]
	switch {
	case !there:
		o.ledger.lost("event sequence %d cannot be read (%s) and has no dead letter", m.Seq, want)
	case got != want:
		o.ledger.wrong("the dead letter of event sequence %d says %s, not %s", m.Seq, got, want)
	}
	delete(o.ledger.letters, m.Seq)
}

// compare holds the chains of one conversation against what its events give.
func (o *oracle) compare(f *folded) error {
	for out := range f.history.Outputs() {
		at, payload, err := expect(out, f.encoding[out.Seq])
		if err != nil {
			return err
		}
		ch := o.ledger.chains[at]
		switch {
		case ch == nil:
			o.ledger.lost("%s: nothing is stored; its event is sequence %d", at, out.Seq)
			continue
		case ch.last != sha256.Sum256(payload):
			o.ledger.wrong("%s: the last of %d revisions is not what the events give: %s", at, ch.revisions, payload)
		}
		ch.expected = true
		o.count(f, out, ch)
	}
	return nil
}

// expect is where an output should be stored and as which bytes: in the encoding of the event that it is about.
func expect(out replay.Output, encoding string) (place, []byte, error) {
	out.Encoding = encoding
	want, err := out.Want(event.Subjects{})
	return place{want.Subject, out.Lane()}, want.Payload, err
}

func (o *oracle) count(f *folded, out replay.Output, ch *chain) {
	if out.Evidence == nil {
		o.declared++
		return
	}
	o.answers++
	o.landed[f.partition] = append(o.landed[f.partition], ch.first)
	if asked := f.answered[out.Evidence.AnswerSeq]; ch.first.After(asked) {
		o.delays = append(o.delays, ch.first.Sub(asked))
	}
}

// finish looks for what is stored and should not be: chains of nothing, and dead letters of well-formed events.
func (o *oracle) finish() error {
	if len(o.open) > 0 {
		return fmt.Errorf("%d conversations have fewer events than the stream counts", len(o.open))
	}
	for at, ch := range o.ledger.chains {
		if !ch.expected {
			o.ledger.wrong("%s: %d revisions are stored, and the events give none", at, ch.revisions)
		}
	}
	for _, seq := range slices.Sorted(maps.Keys(o.ledger.letters)) {
		o.ledger.note(isLetter, "event sequence %d: %s", seq, o.ledger.letters[seq])
	}
	slices.Sort(o.ledger.words)
	return nil
}
