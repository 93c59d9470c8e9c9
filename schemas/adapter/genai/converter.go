package genai

import (
	"cmp"
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
)

// Converter turns the spans of whole traces into events. Read takes in one trace after the other, Flush gives the events of
// the turns that were read. It keeps of every conversation how far it got and what it gave. It is not safe for concurrent
// use.
type Converter struct {
	names         event.Conversation
	conversations map[string]*conversation // by tenant and id
	drafts        []*draft
	gaps          bool
	notes         notes
	// Spans and OfAgents count the spans that were read, and those among them that tell of an agent.
	Spans, OfAgents int
}

// conversation is what was given of one conversation.
type conversation struct {
	name      event.Conversation
	turns     int             // the number of its last turn
	rows      map[rowKey]bool // what was given of its calls
	texts     map[digest]bool // what was given of what the person said
	responses map[string]int  // the turn of a model response
}

// rowKey is a call of a turn, or, with turn 0, what a call of an id gave.
type rowKey struct {
	turn   int
	id     string
	result digest
}

type digest [16]byte

func digestOf(text []byte) digest {
	sum := sha256.Sum256(text)
	return digest(sum[:16])
}

// New makes a converter. names is what to call what spans do not name; its ID is not used.
func New(names event.Conversation) *Converter {
	return &Converter{names: names, conversations: map[string]*conversation{}}
}

// Read takes in every span there is of one trace, in any order, and gives what could not be read. It keeps the spans until
// Flush. A span that could not be read leaves the others of its turn as they are, but no answer of it is accused.
func (c *Converter) Read(spans []Span) []Fault {
	c.Spans += len(spans)
	ofAgents := 0
	for i := range spans {
		if roleOf(&spans[i]) != roleNone {
			ofAgents++
		}
	}
	c.OfAgents += ofAgents
	if ofAgents == 0 {
		c.notes.add(noteOtherTraces, "")
		return nil
	}
	var faults []Fault
	for _, g := range groupsOf(spans) {
		for _, d := range g.draftsOf() {
			d.conversation = g.nameOf(c.names)
			d.faulty = len(g.faults) > 0
			c.drafts = append(c.drafts, d)
		}
		c.noteGroup(g)
		faults = append(faults, g.faults...)
	}
	return faults
}

// Gap says that spans were lost, of whatever trace: no answer that Flush gives from now on is accused.
func (c *Converter) Gap() { c.gaps = true }

// Flush gives the events of every turn that was read since, in the order in which the turns began. They have no ids yet.
func (c *Converter) Flush() []event.Event {
	slices.SortStableFunc(c.drafts, func(a, b *draft) int {
		return cmp.Or(cmp.Compare(a.start(), b.start()), strings.Compare(a.span.Trace, b.span.Trace))
	})
	var events []event.Event
	for _, d := range c.drafts {
		events = append(events, c.turn(d)...)
	}
	c.drafts = nil
	return events
}

// start is when the turn began: its first model call where a loop holds several turns, else its root.
func (d *draft) start() uint64 {
	if len(d.steps) > 0 {
		return d.steps[0].span.Start
	}
	return d.span.Start
}

// of gives what is kept of a conversation. The name it was first given stays: another agent may go on with it.
func (c *Converter) of(name event.Conversation) *conversation {
	key := name.Tenant + "\x00" + name.ID
	conv := c.conversations[key]
	if conv == nil {
		conv = &conversation{
			name: name, rows: map[rowKey]bool{}, texts: map[digest]bool{}, responses: map[string]int{},
		}
		c.conversations[key] = conv
	}
	return conv
}

// Begin says that a conversation has turns already, for one that another converter read up to the turn. It changes nothing
// when more is known here.
func (c *Converter) Begin(name event.Conversation, turns int) {
	conv := c.of(name)
	conv.turns = max(conv.turns, turns)
}

// Forget drops what is kept of a conversation.
func (c *Converter) Forget(name event.Conversation) {
	delete(c.conversations, name.Tenant+"\x00"+name.ID)
}
