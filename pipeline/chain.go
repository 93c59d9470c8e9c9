package pipeline

import (
	"container/list"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v4"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/schemas"
)

// target names what is published on one subject of the audit stream: the verdict on an answer, or what a call declared.
type target struct {
	answer   turn.Name
	coverage bool
	turn     int
	call     string
}

func verdictOf(name turn.Name) target { return target{answer: name} }

func coverageOf(turn int, call string) target { return target{coverage: true, turn: turn, call: call} }

// want is one payload that the subject should end in. A subject holds one lane of verdicts, or a lane for each kind of
// declaration of each call of the id; each lane is a chain of revisions.
type want struct {
	lane     string
	payload  []byte
	encoding string
	through  uint64 // of a verdict, else 0
	basis    event.Basis
	verdict  *event.EvidenceChecked // nil for a declaration
	report   func(revision int, took time.Duration)
}

// chain is what is known of a target's subject in the sink, and what is being done about it.
//
// It is driven by what should be there: settle computes the wanted payloads and publishes what is missing, one at a
// time. When the guard refuses, the subject and the conversation are read back and it starts over. A crash anywhere
// leaves the subject at some earlier point of the same course.
type chain struct {
	target  target
	subject string
	last    uint64 // sequence of the subject's last message as known, 0: it is empty
	foreign uint64 // sequence of the last message read back that is none of Plumbline's, 0: there is none
	lanes   map[string]lane

	past  *pastAnswer   // the answer to judge, when the conversation does not keep it
	place *list.Element // among its conversation's settled chains, nil while something is done about it

	queue   []want
	bytes   int // of the payloads that the subject should end in, while busy
	busy    bool
	dirty   bool      // asked for again while busy
	buried  bool      // the answer is a dead letter, and nothing was stored since
	tickets []*ticket // acknowledged once it is settled
	grace   *grace    // nil: not waited yet
	pace    backoff.BackOff
}

// lane is the last payload of a lane as it is stored.
type lane struct {
	sum      [sha256.Size]byte
	revision int
	through  uint64 // of a stored verdict, else 0
	basis    event.Basis
	readBack bool
}

// pastAnswer is an answer that its conversation does not keep, because it came past the limit.
type pastAnswer struct {
	seq      uint64
	event    event.Event
	encoding string
}

// settle makes the subject of the target end in what the conversation gives now, and holds the ticket until it does. What
// would stand on a subject that no server takes becomes a dead letter; the event is folded all the same. past is the
// answer when the conversation does not keep it, else nil.
func (w *Worker) settle(ctx context.Context, c *conversation, t target, past *pastAnswer, cause *ticket) {
	subject := w.subjectOf(c, t)
	if len(subject) > event.MaxSubject {
		w.bury(ctx, cause, Letter{
			Message: cause.delivery.Message(), Reason: ReasonSubjectTooLong,
			Detail: fmt.Sprintf("its names make a subject of %d bytes, the limit is %d", len(subject), event.MaxSubject),
		})
		return
	}
	ch := c.chain(t, func() *chain {
		return &chain{target: t, subject: subject, lanes: map[string]lane{}, pace: w.cfg.Backoff()}
	})
	if past != nil && (ch.past == nil || ch.past.seq < past.seq) {
		ch.past = past
	}
	if w.waits(ctx, c, t, ch, cause) {
		return
	}
	cause.hold()
	ch.tickets = append(ch.tickets, cause)
	if ch.busy {
		ch.dirty = true
		return
	}
	w.start(ctx, c, t, ch)
}

// declare settles what a call declared. Most calls declare nothing, and need no chain.
func (w *Worker) declare(ctx context.Context, c *conversation, t target, cause *ticket) {
	if len(c.state.Coverage(t.turn, t.call)) > 0 || c.chains[t] != nil {
		w.settle(ctx, c, t, nil, cause)
	}
}

// start computes what the subject should end in and begins to publish it.
func (w *Worker) start(ctx context.Context, c *conversation, t target, ch *chain) {
	w.begin(c, ch)
	ch.dirty = false
	var wants []want
	judged := ch.step(StepJudge)
	err := Surviving(func() (err error) {
		wants, err = w.wantsOf(c, ch)
		return err
	})
	judged(err)
	if broken, ok := errors.AsType[*defect](err); ok {
		w.abandon(ctx, c, ch, ReasonReaderFailed, broken.detail)
		return
	}
	if err != nil {
		w.retry(ctx, "encode a verdict", err, ch.pace, func() { w.start(ctx, c, t, ch) })
		return
	}
	ch.queue = wants
	w.weigh(ch)
	w.advance(ctx, c, t, ch)
}

// begin notes that something is being done about the chain, until finish.
func (w *Worker) begin(c *conversation, ch *chain) {
	if ch.busy {
		return
	}
	ch.busy = true
	w.open.hold(c)
	w.underway++
}

// weigh counts the payloads that the chain holds.
func (w *Worker) weigh(ch *chain) {
	w.inFlightBytes -= ch.bytes
	ch.bytes = 0
	for _, next := range ch.queue {
		ch.bytes += len(next.payload)
	}
	w.inFlightBytes += ch.bytes
}

// advance publishes the next payload that is not stored yet, or finishes.
func (w *Worker) advance(ctx context.Context, c *conversation, t target, ch *chain) {
	for len(ch.queue) > 0 {
		next := ch.queue[0]
		if ch.stands(next) {
			ch.queue = ch.queue[1:]
			continue
		}
		w.publish(ctx, c, t, ch, next)
		return
	}
	if ch.dirty {
		w.start(ctx, c, t, ch)
		return
	}
	w.finish(c, ch)
}

// finish lets go of what waited for the chain.
func (w *Worker) finish(c *conversation, ch *chain) {
	ch.busy = false
	ch.past, ch.queue = nil, nil
	w.weigh(ch)
	w.open.release(c)
	w.underway--
	ch.pace.Reset()
	if ch.grace == nil || ch.grace.over {
		c.settle(ch)
	}
	w.open.measure(c, c.memory())
	done := ch.tickets
	ch.tickets = nil
	for _, held := range done {
		held.release()
	}
}

// stands tells whether what is stored need not be followed by the payload: it is the same, or it rests on later events
// than this worker knows of, or it was made of the same events by other rules and is not to be touched.
func (ch *chain) stands(next want) bool {
	stored, ok := ch.lanes[next.lane]
	switch {
	case !ok:
		return false
	case stored.sum == sha256.Sum256(next.payload):
		return true
	}
	if next.through == 0 || stored.through < next.through {
		return false
	}
	return stored.readBack || stored.through > next.through
}

func (w *Worker) publish(ctx context.Context, c *conversation, t target, ch *chain, next want) {
	revision := 0
	if stored, ok := ch.lanes[next.lane]; ok {
		revision = stored.revision + 1
	}
	record := Record{
		Subject: ch.subject, ContentType: next.encoding, Payload: next.payload, Revision: revision, Supersedes: ch.last,
	}
	stored := ch.step(StepStore)
	done := func(seq uint64, err error) {
		w.stored.add(func() {
			stored(err)
			w.published(ctx, c, t, ch, next, revision, seq, err)
		})
	}
	if err := w.sink.Publish(ctx, record, done); err != nil {
		stored(err)
		w.unpublished(ctx, c, t, ch, next, err)
	}
}

// published goes on after the sink's word. A refusal by the guard is no proof that the payload is stored: it is read
// back. A fault that may pass is followed by the same publish; if the first one was stored after all, the guard says so.
func (w *Worker) published(ctx context.Context, c *conversation, t target, ch *chain, next want, revision int, seq uint64, err error) {
	switch {
	case err == nil:
		ch.last, ch.buried = seq, false
		ch.lanes[next.lane] = lane{sum: sha256.Sum256(next.payload), revision: revision, through: next.through}
		next.report(revision, time.Since(ch.tickets[0].taken))
		ch.tellVerdict(next.verdict, revision)
		w.advance(ctx, c, t, ch)
	case errors.Is(err, ErrGuard):
		w.reconcile(ctx, c, t, ch)
	default:
		w.unpublished(ctx, c, t, ch, next, err)
	}
}

// unpublished goes on after a publish that stored nothing: it is tried again, unless no try can store it.
func (w *Worker) unpublished(ctx context.Context, c *conversation, t target, ch *chain, next want, err error) {
	if errors.Is(err, ErrTooLarge) {
		w.abandon(ctx, c, ch, ReasonVerdictTooLarge, fmt.Sprintf("what is to be said of it takes %d bytes, more than the server takes", len(next.payload)))
		return
	}
	w.retry(ctx, "publish a verdict", err, ch.pace, func() { w.advance(ctx, c, t, ch) })
}

// reconcile reads back the subject that the guard protected and the conversation it is about, and starts over. An empty
// subject means that another writer was refused as well, or that the record before ours is gone: then it is published
// again after a pause.
func (w *Worker) reconcile(ctx context.Context, c *conversation, t target, ch *chain) {
	stored, err := w.sink.Chain(ctx, ch.subject)
	if err == nil {
		ch.noteAll(stored)
		err = Surviving(func() error { return w.compare(ctx, c, ch) })
	}
	if broken, ok := errors.AsType[*defect](err); ok {
		w.abandon(ctx, c, ch, ReasonReaderFailed, broken.detail)
		return
	}
	if err != nil {
		w.retry(ctx, "read a verdict back", err, ch.pace, func() { w.reconcile(ctx, c, t, ch) })
		return
	}
	if len(stored) == 0 {
		w.retry(ctx, "publish a verdict", ErrGuard, ch.pace, func() { w.start(ctx, c, t, ch) })
		return
	}
	w.start(ctx, c, t, ch)
}

func (ch *chain) noteAll(stored []Stored) {
	ch.last, ch.foreign, ch.lanes = 0, 0, map[string]lane{}
	for _, s := range stored {
		ch.note(s)
	}
}

// note takes in a record that is stored on the subject. One that cannot be read was published by someone else: it is in
// no lane, and what is published next follows it as any last message.
func (ch *chain) note(s Stored) {
	ch.last = s.Seq
	made, err := schemas.Identify(s.ContentType, s.Payload)
	if err != nil {
		ch.foreign = s.Seq
		return
	}
	ch.lanes[made.Lane] = lane{
		sum: sha256.Sum256(s.Payload), revision: s.Revision, through: made.Through, basis: made.Basis, readBack: true,
	}
}

// strange says where the foreign record stands.
func (ch *chain) strange() string {
	return fmt.Sprintf("audit sequence %d holds what Plumbline did not publish", ch.foreign)
}

// compare folds the conversation anew, so that it knows at least the events that the stored verdict rests on, and
// reports what it cannot agree with. A stored verdict is never overwritten by another that rests on the same events.
func (w *Worker) compare(ctx context.Context, c *conversation, ch *chain) error {
	atLeast := c.state.Last()
	for _, stored := range ch.lanes {
		atLeast = max(atLeast, stored.through)
	}
	if ch.target.coverage { // what is stored of a declaration does not say what it rests on
		atLeast = everything
	}
	if err := w.refold(ctx, c, atLeast, nil, ch.tickets[0]); err != nil {
		return err
	}
	wants, err := w.wantsOf(c, ch)
	if err != nil {
		return err
	}
	if ch.foreign > 0 {
		w.conflict(ctx, ch, ch.strange())
	}
	for _, next := range wants {
		stored := ch.lanes[next.lane]
		switch {
		case stored.conflicts(next):
			w.conflict(ctx, ch, fmt.Sprintf("audit sequence %d holds another verdict that rests on sequence %d", ch.last, next.through))
		case stored.through > c.state.Last():
			w.conflict(ctx, ch, fmt.Sprintf("audit sequence %d holds a verdict that rests on sequence %d, which is no event of its conversation",
				ch.last, stored.through))
		}
	}
	return nil
}

// conflict makes the message that asked for the chain a dead letter: what stands on its subject is not what it gives.
func (w *Worker) conflict(ctx context.Context, ch *chain, detail string) {
	cause := ch.tickets[0]
	w.bury(ctx, cause, Letter{Message: cause.delivery.Message(), Reason: ReasonVerdictConflict, Detail: detail})
}

func (l lane) conflicts(next want) bool {
	return l.readBack && next.through > 0 && l.through == next.through && l.basis == next.basis &&
		l.sum != sha256.Sum256(next.payload)
}
