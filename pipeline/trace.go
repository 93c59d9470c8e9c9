package pipeline

import (
	"container/list"

	"github.com/plumbline-dev/plumbline/core/emptiness"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
)

// trace is what is remembered of a conversation that was dropped to make room: enough to tell that an event changes
// nothing that was said. Such an event needs no reading back; the next answer's does.
type trace struct {
	subject  string
	rules    *turn.Rules
	last     uint64 // of the conversation's messages, the highest sequence that was handed out
	answered int    // the latest turn with an answer
	declared int    // the latest turn in which a call declared something
}

// traceShare is the part of the cache that traces may take: one of so many.
const traceShare = 8

// perTrace is about what a trace takes besides its subject.
const perTrace = 200

// trace gives what is to be remembered of the conversation. ok is false for one whose state says too little: it must be
// read back.
func (c *conversation) trace() (left trace, ok bool) {
	if c.partial || c.state == nil || c.state.Full() {
		return trace{}, false
	}
	answered, declared := c.state.Latest()
	return trace{c.subject, c.state.Rules(), c.state.Last(), answered, declared}, true
}

// passes tells whether the message, which comes next, changes nothing that was said of the conversation: it is no answer,
// it declares nothing, and it belongs to a turn after all that were answered or declared something. Which turn an envelope
// belongs to is not known here: it passes when it neither reports a call nor gives an answer. It gives what the event's call
// reads as, empty when it reports none.
func (t *trace) passes(seq uint64, said Said) (reading emptiness.Emptiness, ok bool) {
	if said.envelope != nil {
		if seq <= t.last || said.envelope.Reports() {
			return "", false
		}
		t.last = seq
		return "", true
	}
	return t.passesEvent(seq, said.Event)
}

func (t *trace) passesEvent(seq uint64, e event.Event) (reading emptiness.Emptiness, ok bool) {
	if e.Answer != nil || seq <= t.last || e.Turn <= t.answered || e.Turn <= t.declared {
		return "", false
	}
	if e.ToolEnd != nil {
		alone := turn.New(t.rules, e.Conversation)
		alone.Fold(seq, e)
		if len(alone.Coverage(e.Turn, e.ToolEnd.Call.ID)) > 0 || alone.Full() {
			return "", false
		}
		reading = alone.ReadingOf(e.Turn, e.ToolEnd.Call)
	}
	t.last = seq
	return reading, true
}

// traces holds the traces, the oldest first to go.
type traces struct {
	bySubject map[string]*list.Element // of *trace
	order     *list.List
	bytes     int
}

func newTraces() traces { return traces{bySubject: map[string]*list.Element{}, order: list.New()} }

// add keeps a trace and gives what it takes, in bytes.
func (k *traces) add(t trace) (bytes int) {
	k.bySubject[t.subject] = k.order.PushBack(&t)
	k.bytes += t.bytes()
	return t.bytes()
}

func (t *trace) bytes() int { return perTrace + len(t.subject) }

func (k *traces) get(subject string) *trace {
	if place := k.bySubject[subject]; place != nil {
		return place.Value.(*trace)
	}
	return nil
}

// remove forgets a trace and gives what it took: nothing when there is none.
func (k *traces) remove(subject string) (bytes int) {
	place := k.bySubject[subject]
	if place == nil {
		return 0
	}
	delete(k.bySubject, subject)
	bytes = k.order.Remove(place).(*trace).bytes()
	k.bytes -= bytes
	return bytes
}

// oldest is the one that is to go first, of at least one.
func (k *traces) oldest() *trace { return k.order.Front().Value.(*trace) }

func (k *traces) dropOldest() (bytes int) { return k.remove(k.oldest().subject) }
