package replay

import (
	"context"
	"fmt"
	"math"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/schemas"
)

// Event is an event of a conversation as it is stored.
type Event struct {
	Seq      uint64
	Encoding string // its Content-Type: schemas.JSON or schemas.Msgpack
	event.Event
}

// Conversation is every event that the answers of a stretch may rest on: those before it and those after it too.
type Conversation struct {
	Name   event.Conversation
	Events []Event // in stream order
	// From and Through are the sequences of the stretch: what is said is about the answers and calls in it.
	From, Through uint64
	joining       pipeline.Joining
	// Unread are the messages of the stretch that could not be read, or judged. The consumer makes them dead letters.
	Unread []pipeline.Letter

	breaks func(event.Event) // of tests: what to do before each event is folded
}

// Store reads conversations of an event stream back. It may be used by many goroutines.
type Store struct {
	// History visits the messages kept on the subject: see pipeline.Source.
	History  func(ctx context.Context, subject string, after, atLeast uint64, visit func(pipeline.Message) error) error
	Subjects event.Subjects
	// Limit is the last sequence that a verdict may rest on, so that what is published meanwhile changes none; 0: none.
	Limit uint64
	// Pace is asked before each message that is read back; nil does not wait.
	Pace func(ctx context.Context) error
	// Insist tries again what may pass; nil tries once.
	Insist func(ctx context.Context, doing string, try func() error) error
}

// Conversation gives the conversation of a stretch. One that the stretch does not hold as a whole is read from its true
// beginning to its end.
func (s Store) Conversation(ctx context.Context, part Stretch) (Conversation, error) {
	c := &Conversation{From: part.First(), Through: part.Last()}
	if part.Whole {
		for _, m := range part.Messages {
			c.take(s.Subjects, m)
		}
		return *c, nil
	}
	err := s.read(ctx, c, part.Messages[0].Subject, max(s.Limit, c.Through))
	return *c, err
}

// Read gives the conversation of a subject as it is kept now, at least up to the sequence.
func (s Store) Read(ctx context.Context, subject string, atLeast uint64) (Conversation, error) {
	c := &Conversation{Through: math.MaxUint64}
	err := s.read(ctx, c, subject, atLeast)
	return *c, err
}

func (s Store) read(ctx context.Context, c *Conversation, subject string, atLeast uint64) error {
	after := uint64(0)
	return s.insist(ctx, func() error {
		return s.History(ctx, subject, after, atLeast, func(m pipeline.Message) error {
			after = m.Seq
			if s.Limit == 0 || m.Seq <= s.Limit {
				c.take(s.Subjects, m)
			}
			return s.wait(ctx)
		})
	})
}

func (s Store) insist(ctx context.Context, read func() error) error {
	if s.Insist == nil {
		return read()
	}
	return s.Insist(ctx, "read a conversation back", read)
}

func (s Store) wait(ctx context.Context) error {
	if s.Pace == nil {
		return nil
	}
	return s.Pace(ctx)
}

// take takes in a message. One that a reader breaks on is read as any other that breaks the fold.
func (c *Conversation) take(subjects event.Subjects, m pipeline.Message) {
	err := pipeline.Surviving(func() error {
		c.join(subjects, m)
		return nil
	})
	if err == nil {
		return
	}
	c.unread(m.Seq, err)
	if named, err := subjects.ParseConversation(m.Subject); err == nil {
		c.Name = named
		c.Events = append(c.Events, Event{Seq: m.Seq, Encoding: schemas.JSON, Event: pipeline.InPlaceOf(named)})
	}
}

func (c *Conversation) join(subjects event.Subjects, m pipeline.Message) {
	said, err := pipeline.Read(subjects, m)
	if err != nil && c.In(m.Seq) {
		reason, detail := pipeline.ReasonOf(err)
		c.Unread = append(c.Unread, pipeline.Letter{Message: m, Reason: reason, Detail: detail})
	}
	if said.Nothing() {
		return
	}
	named, err := subjects.ParseConversation(m.Subject)
	if err != nil {
		return // Read has looked at the subject
	}
	c.Name = named
	e, ok := c.joining.Event(named, said)
	if !ok {
		return
	}
	c.Events = append(c.Events, Event{Seq: m.Seq, Encoding: schemas.EncodingOf(m.Header), Event: e})
}

// In tells whether a sequence is one of the stretch.
func (c *Conversation) In(seq uint64) bool { return c.From <= seq && seq <= c.Through }

// Outputs gives what stands about the answers and calls of the stretch after all events, in the order of Seq. A reader
// that breaks on any of them is an error that does not pass; it holds no payload text.
func (c *Conversation) Outputs(rules *turn.Rules) (outputs []Output, err error) {
	before := len(c.Unread)
	if outputs, err = c.Judged(rules); err == nil && len(c.Unread) > before {
		err = pipeline.Broken(c.Unread[before].Detail)
		c.Unread = c.Unread[:before]
	}
	if err != nil {
		return nil, fmt.Errorf("conversation of sequence %d: %w", c.From, err)
	}
	return outputs, nil
}

// Judged is Outputs of what can be judged. An event that breaks the fold, and an answer or a call that a reader breaks on, is one
// more of Unread, as it is a dead letter of the consumer; the rest is given. The error, of a conversation that too many events
// break, does not pass and holds no payload text.
func (c *Conversation) Judged(rules *turn.Rules) (outputs []Output, err error) {
	s, err := c.fold(rules)
	if err != nil {
		return nil, err
	}
	encodings := map[uint64]string{}
	for _, e := range c.Events {
		if e.Encoding != schemas.JSON {
			encodings[e.Seq] = e.Encoding
		}
	}
	places := s.places()
	inOrder(places)
	for _, p := range places {
		if !c.In(p.seq) {
			continue
		}
		var said []Output
		err := pipeline.Surviving(func() error {
			said = p.outputs()
			return nil
		})
		if err != nil {
			c.unread(p.seq, err)
		}
		for _, out := range said {
			out.Encoding = encodings[out.Seq]
			outputs = append(outputs, out)
		}
	}
	return outputs, nil
}

// Mend puts what stands for it in the place of every event that breaks the fold, as Judged does.
func (c *Conversation) Mend(rules *turn.Rules) error {
	_, err := c.fold(rules)
	return err
}

// fold folds the events. One that breaks the fold leaves a state that is worth nothing: what stands for it takes its place among
// the events, and all are folded anew, as the worker does.
func (c *Conversation) fold(rules *turn.Rules) (*state, error) {
	for broken := 0; ; broken++ {
		s, at := newState(rules, c.Name), 0
		err := pipeline.Surviving(func() error {
			for at = range c.Events {
				if c.breaks != nil {
					c.breaks(c.Events[at].Event)
				}
				s.add(c.Events[at].Seq, c.Events[at].Event)
			}
			return nil
		})
		if err == nil {
			return s, nil
		}
		if broken == pipeline.MaxBroken {
			return nil, err
		}
		c.unread(c.Events[at].Seq, err)
		c.Events[at].Event = pipeline.InPlaceOf(c.Name)
	}
}

// unread notes that what stands at the sequence cannot be read or judged.
func (c *Conversation) unread(seq uint64, err error) {
	if !c.In(seq) {
		return
	}
	reason, detail := pipeline.ReasonOf(err)
	c.Unread = append(c.Unread, pipeline.Letter{Message: pipeline.Message{Seq: seq}, Reason: reason, Detail: detail})
}
