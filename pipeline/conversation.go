package pipeline

import (
	"cmp"
	"container/list"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v4"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/schemas"
)

// conversation is what the worker remembers of one subject: its folded events and what is known of the chains that its
// answers and calls have in the sink.
type conversation struct {
	subject string
	state   *turn.State
	partial bool               // reading it back broke off: the state is worth nothing
	broken  map[uint64]*defect // events that break the fold, by sequence: see InPlaceOf
	read    span               // what the last reading of the subject held
	chains  map[target]*chain
	settled list.List // of *chain: those that nothing is done about, the one settled last at the end
	packed  []uint64  // the events that are MessagePack and not past the limit, by sequence
	results results   // of the turn that is under way
	joining Joining
	asked   []asked // what envelopes reported or answered and was not past the limit, by sequence
	again   told    // the message that was last read back for, when it is an envelope

	// owned by the cache
	busy  int           // publishes on their way and answers that wait
	place *list.Element // nil once it was dropped
	bytes int           // as counted last
}

// span is from one sequence of a subject to another: everything that the stream keeps between is in the state. The zero
// value holds nothing.
type span struct{ first, last uint64 }

func (s span) holds(seq uint64) bool { return s.first <= seq && seq <= s.last }

func (s *span) add(seq uint64) {
	if s.first == 0 {
		s.first = seq
	}
	s.last = seq
}

// maxSettled is how many settled chains of one conversation are remembered. What is known of an older one is read back
// from its subject when its answer is judged again: the guard refuses what is there already.
const maxSettled = 1000

// told is the event that a message says beside those before it.
type told struct {
	seq   uint64
	event event.Event
}

// fold takes in a message. One whose sequence was passed already only says what it concerns.
func (c *conversation) fold(m Message, said Said) (event.Event, turn.Effects) {
	if m.Seq <= c.state.Last() {
		e := c.saidAt(m.Seq, said)
		c.results.repeats = false
		return e, c.state.Fold(m.Seq, e)
	}
	e, ok := c.joining.Event(c.state.Conversation(), said)
	if !ok {
		c.state.Pass(m.Seq)
		return e, turn.Effects{}
	}
	if m.Seq == c.again.seq {
		c.again.event = e
	}
	effects := c.state.Fold(m.Seq, e)
	c.results.note(e)
	if c.state.Full() {
		return e, effects
	}
	if schemas.EncodingOf(m.Header) == schemas.Msgpack {
		c.packed = append(c.packed, m.Seq)
	}
	if said.envelope != nil && (e.ToolEnd != nil || e.Answer != nil) {
		c.asked = append(c.asked, askedOf(m.Seq, e))
	}
	return e, effects
}

// saidAt gives what a message that was folded already said, as far as it must be known to ask what it concerns.
func (c *conversation) saidAt(seq uint64, said Said) event.Event {
	if said.envelope == nil {
		return said.Event
	}
	if seq == c.again.seq {
		return c.again.event
	}
	at, ok := slices.BinarySearchFunc(c.asked, seq, func(a asked, seq uint64) int { return cmp.Compare(a.seq, seq) })
	if !ok {
		return event.Event{}
	}
	return c.asked[at].event()
}

// knows tells whether what the message at the sequence said, which was folded, can be asked about without reading it back.
// Of what came past the conversation's limit nothing is kept, and what an envelope says stands in it only in part.
func (c *conversation) knows(seq uint64, said Said) bool {
	return said.envelope == nil || !said.envelope.Reports() || !c.state.Full() || len(c.asked) > 0 && seq <= c.asked[len(c.asked)-1].seq
}

// encodingOf is the encoding of what is published about the event of a sequence: the event's own.
func (c *conversation) encodingOf(seq uint64) string {
	if _, packed := slices.BinarySearch(c.packed, seq); packed {
		return schemas.Msgpack
	}
	return schemas.JSON
}

// chain gives the target's chain, a fresh one when nothing is remembered of it.
func (c *conversation) chain(t target, fresh func() *chain) *chain {
	ch := c.chains[t]
	if ch == nil {
		ch = fresh()
		c.chains[t] = ch
	}
	if ch.place != nil {
		c.settled.Remove(ch.place)
		ch.place = nil
	}
	return ch
}

// settle notes that nothing is done about the chain any more, and forgets the one that was settled longest ago when
// there are many.
func (c *conversation) settle(ch *chain) {
	ch.place = c.settled.PushBack(ch)
	if c.settled.Len() > maxSettled {
		oldest := c.settled.Remove(c.settled.Front()).(*chain)
		delete(c.chains, oldest.target)
	}
}

// memory is about how many bytes the conversation takes. What is on its way to the sink is counted by the worker.
func (c *conversation) memory() int {
	const perChain, perConversation = 600, 1000
	if c.state == nil {
		return 0
	}
	const perAsked = 64
	return c.state.Bytes() + c.joining.bytes() + perChain*len(c.chains) + 8*cap(c.packed) + perAsked*cap(c.asked) + perConversation + c.results.bytes()
}

// conversation finds the folded conversation that the delivery belongs to. What is in memory serves while the message
// is the next of its subject; one that comes again or late, or a conversation that this epoch did not see from its
// first event, is read back from the subject. A reading that held the message serves it however often it comes.
func (w *Worker) conversation(ctx context.Context, t *ticket, said Said) (*conversation, error) {
	d := t.delivery
	m := d.Message()
	c := w.open.get(m.Subject)
	if c == nil {
		key, err := w.cfg.Subjects.ParseConversation(m.Subject)
		if err != nil {
			return nil, err // Read has looked at the subject
		}
		c = w.newConversation(m.Subject, key)
		fresh := w.source.FromStart() && w.open.isNew(m.Subject) && !d.Redelivered()
		w.open.add(c)
		if fresh {
			return c, nil
		}
		return c, w.readBack(ctx, c, t)
	}
	passed := m.Seq <= c.state.Last()
	if !c.read.holds(m.Seq) && (passed || d.Redelivered()) || passed && !c.knows(m.Seq, said) {
		return c, w.readBack(ctx, c, t)
	}
	c.again = told{}
	return c, nil
}

func (w *Worker) newConversation(subject string, key event.Conversation) *conversation {
	return &conversation{
		subject: subject,
		state:   turn.New(w.cfg.Rules.RulesFor(key), key),
		chains:  map[target]*chain{},
	}
}

// everything asks the stream's leader for all that it has of a subject.
const everything = 0

// readBack folds the conversation anew from its subject, up to the message at least. A message that the stream keeps
// no more is folded from its delivery, in its place.
//
// What comes again or late is no measure: later events of the conversation may have been folded, and acknowledged, here
// or elsewhere. A server that is behind would show the conversation without them, and the next event would be folded on
// top of that.
func (w *Worker) readBack(ctx context.Context, c *conversation, t *ticket) error {
	d := t.delivery
	m := d.Message()
	atLeast := m.Seq
	if d.Redelivered() || m.Seq < w.highest {
		atLeast = everything
	}
	c.again = told{seq: m.Seq}
	return w.refold(ctx, c, atLeast, &m, t)
}

// refold folds the conversation anew from its subject, up to the sequence at least or everything, one message after
// another. missing is put in its place when the stream does not keep it; nil is nothing. After an error the conversation
// is dropped.
//
// An event that breaks the fold leaves a state that is worth nothing. So it becomes a dead letter and is passed over, and the
// subject is read anew: one event takes no other with it. It may have been a letter before; the sink keeps one. The cause is
// not acknowledged before it is stored: it may be the only one to meet it, since an event that changed nothing when it came
// was folded by nobody.
func (w *Worker) refold(ctx context.Context, c *conversation, atLeast uint64, missing *Message, cause *ticket) error {
	for {
		broke, err := w.refoldOnce(ctx, c, atLeast, missing)
		broken, ok := errors.AsType[*defect](err)
		if !ok || broke == nil || len(c.broken) == MaxBroken {
			if c.partial {
				w.open.drop(c.subject)
			}
			return err
		}
		if c.broken == nil {
			c.broken = map[uint64]*defect{}
		}
		c.broken[broke.Seq] = broken
		if broke.Seq != cause.delivery.Message().Seq { // its own is buried by its own handling
			w.bury(ctx, cause, Letter{Message: *broke, Reason: ReasonReaderFailed, Detail: broken.detail})
		}
	}
}

// refoldOnce is one reading for refold. broke is the message that the fold broke on, nil when it did on none.
func (w *Worker) refoldOnce(ctx context.Context, c *conversation, atLeast uint64, missing *Message) (broke *Message, err error) {
	c.state = turn.New(c.state.Rules(), c.state.Conversation())
	c.packed, c.asked, c.joining, c.partial, c.read, c.results = nil, nil, Joining{}, true, span{}, results{}
	count := 0
	fold := func(past Message) error {
		count++
		err := w.foldAgain(c, past)
		if err != nil {
			broke = &past
			return backoff.Permanent(err) // reading it once more gives the same
		}
		return nil
	}
	err = w.history(ctx, c.subject, atLeast, func(past Message) error {
		if missing != nil && past.Seq > missing.Seq {
			if err := fold(*missing); err != nil {
				return err
			}
		}
		if missing != nil && past.Seq >= missing.Seq {
			missing = nil
		}
		c.read.add(past.Seq)
		return fold(past)
	})
	if err == nil && missing != nil {
		err = fold(*missing)
	}
	if err != nil {
		return broke, err
	}
	c.partial = false
	w.cfg.Observer.Rebuilt(count)
	return nil, nil
}

// foldAgain takes in a message that is read back. The error is a defect: the fold broke on it.
func (w *Worker) foldAgain(c *conversation, m Message) error {
	if _, before := c.broken[m.Seq]; before {
		c.passOver(m, w.cfg.Subjects)
		return nil
	}
	return Surviving(func() error {
		if said, _ := Read(w.cfg.Subjects, m); !said.Nothing() { // what cannot be read is a dead letter by its own delivery
			w.fold(c, m, said)
		}
		return nil
	})
}

// fold takes in a message.
func (w *Worker) fold(c *conversation, m Message, said Said) (event.Event, turn.Effects) {
	if w.cfg.breaks != nil {
		w.cfg.breaks(m)
	}
	return c.fold(m, said)
}

// passOver folds what stands for a message that breaks the fold. The envelopes after it are joined with it all the same, unless it
// is joining them that it breaks.
func (c *conversation) passOver(m Message, subjects event.Subjects) {
	name := c.state.Conversation()
	_ = Surviving(func() error { // it is a dead letter already
		said, _ := Read(subjects, m) // what cannot be read says nothing
		c.joining.Event(name, said)
		return nil
	})
	c.state.Fold(m.Seq, InPlaceOf(name))
}

// errQuiet says that a subject that is read back shows nothing more.
var errQuiet = errors.New("the stream shows nothing more of the conversation")

// history visits the subject's messages, trying again while the fault may pass, each message once. When the stream does
// not show the sequence in time, what it keeps is taken as it is.
func (w *Worker) history(ctx context.Context, subject string, atLeast uint64, visit func(Message) error) error {
	after := uint64(0)
	read := func() error {
		bounded, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		quiet := time.AfterFunc(w.cfg.ReadBack, func() { cancel(errQuiet) })
		defer quiet.Stop()
		err := w.source.History(bounded, subject, after, atLeast, func(m Message) error {
			quiet.Stop()
			defer quiet.Reset(w.cfg.ReadBack)
			after = m.Seq
			return visit(m)
		})
		if errors.Is(context.Cause(bounded), errQuiet) {
			atLeast = 0
		}
		return err
	}
	notify := func(err error, after time.Duration) { w.cfg.Observer.Retried("read a conversation back", err, after) }
	if err := backoff.RetryNotify(read, backoff.WithContext(w.cfg.Backoff(), ctx), notify); err != nil {
		return fmt.Errorf("read a conversation back: %w", err)
	}
	return nil
}
