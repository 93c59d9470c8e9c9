package pipeline

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v4"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/schemas"
)

// conversation is what the worker remembers of one subject: its folded events and what is known of the chains that its
// answers and calls have in the sink.
type conversation struct {
	subject  string
	state    *turn.State
	chains   map[target]*chain
	encoding map[uint64]string // of the events that are not JSON, by sequence
	busy     int               // publishes on their way and answers that wait
	place    *list.Element     // in the cache
	bytes    int               // as the cache counted it last
}

// fold takes in a message. One whose sequence was passed already only says what it concerns.
func (c *conversation) fold(m Message, e event.Event) turn.Effects {
	if contentType := schemas.ContentType(m.Header); schemas.IsMsgpack(contentType) {
		c.encoding[m.Seq] = schemas.Msgpack
	}
	return c.state.Fold(m.Seq, e)
}

// encodingOf is the encoding of what is published about the event of a sequence: the event's own.
func (c *conversation) encodingOf(seq uint64) string {
	if encoding, ok := c.encoding[seq]; ok {
		return encoding
	}
	return schemas.JSON
}

// conversation finds the folded conversation that the delivery belongs to. What is in memory serves while the message
// is the next of its subject; one that comes again or late, or a conversation that this epoch did not see from its
// first event, is read back from the subject.
func (w *Worker) conversation(ctx context.Context, d Delivery, key event.Conversation) (*conversation, error) {
	m := d.Message()
	c := w.open.get(m.Subject)
	if c == nil {
		c = w.newConversation(m.Subject, key)
		w.open.add(c)
		if w.source.FromStart() && !w.open.lossy && !d.Redelivered() {
			return c, nil
		}
		return c, w.readBack(ctx, c, m)
	}
	if m.Seq <= c.state.Last() || d.Redelivered() {
		return c, w.readBack(ctx, c, m)
	}
	return c, nil
}

func (w *Worker) newConversation(subject string, key event.Conversation) *conversation {
	return &conversation{
		subject:  subject,
		state:    turn.New(w.cfg.Rules.RulesFor(key), key),
		chains:   map[target]*chain{},
		encoding: map[uint64]string{},
	}
}

// readBack folds the conversation anew from its subject, up to the message at least. A message that the stream keeps
// no more is folded from its delivery, in its place.
func (w *Worker) readBack(ctx context.Context, c *conversation, m Message) error {
	if err := w.refold(ctx, c, m.Seq, &m); err != nil {
		w.open.drop(c.subject)
		return err
	}
	return nil
}

// refold folds the conversation anew from its subject, up to the sequence at least, one message after another. missing
// is put in its place when the stream does not keep it; nil is nothing. The state is not to be used after an error.
func (w *Worker) refold(ctx context.Context, c *conversation, atLeast uint64, missing *Message) error {
	c.state = turn.New(c.state.Rules(), c.state.Conversation())
	clear(c.encoding)
	count := 0
	fold := func(past Message) {
		count++
		if e, err := Read(w.cfg.Subjects, past); err == nil { // else its own delivery makes it a dead letter
			c.fold(past, e)
		}
	}
	err := w.history(ctx, c.subject, atLeast, func(past Message) error {
		if missing != nil && past.Seq > missing.Seq {
			fold(*missing)
		}
		if missing != nil && past.Seq >= missing.Seq {
			missing = nil
		}
		fold(past)
		return nil
	})
	if err != nil {
		return err
	}
	if missing != nil {
		fold(*missing)
	}
	w.cfg.Observer.Rebuilt(count)
	return nil
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

// cache holds the folded conversations, the least recently used first to go.
type cache struct {
	bySubject map[string]*conversation
	order     *list.List // of *conversation, the most recently used in front
	bytes     int
	lossy     bool // something was dropped in this epoch: an unknown conversation may have earlier messages
}

func newCache() cache {
	return cache{bySubject: map[string]*conversation{}, order: list.New()}
}

func (k *cache) get(subject string) *conversation {
	c := k.bySubject[subject]
	if c != nil {
		k.order.MoveToFront(c.place)
	}
	return c
}

func (k *cache) add(c *conversation) {
	k.bySubject[c.subject] = c
	c.place = k.order.PushFront(c)
}

func (k *cache) drop(subject string) {
	c := k.bySubject[subject]
	if c == nil {
		return
	}
	k.lossy = true
	k.bytes -= c.bytes
	k.order.Remove(c.place)
	delete(k.bySubject, subject)
}

// forget drops everything: another worker may have owned the conversations meanwhile. Publishes on their way finish on
// their own, and the guard decides.
func (k *cache) forget() {
	k.bySubject = map[string]*conversation{}
	k.order.Init()
	k.bytes, k.lossy = 0, false
}

// measure brings the count of a conversation's bytes up to date.
func (k *cache) measure(c *conversation) {
	if k.bySubject[c.subject] != c {
		return
	}
	const perChain, perConversation = 400, 1000
	bytes := c.state.Bytes() + perChain*len(c.chains) + perConversation
	k.bytes += bytes - c.bytes
	c.bytes = bytes
}

// evict drops the least recently used conversations that nothing is on its way for, until the rest fits.
func (w *Worker) evict() {
	for place := w.open.order.Back(); place != nil && w.open.bytes > w.cfg.CacheBytes; {
		c := place.Value.(*conversation)
		place = place.Prev()
		if c.busy > 0 {
			continue
		}
		w.open.drop(c.subject)
		w.cfg.Observer.Evicted(c.bytes)
	}
}
