package genai

import (
	"cmp"
	"crypto/sha256"
	"maps"
	"slices"
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// Converter turns the spans of whole traces into events. Read takes in one trace after the other, Flush gives the events of
// the turns that were read. It keeps of every conversation how far it got and what it gave. It is not safe for concurrent
// use.
type Converter struct {
	names         event.Conversation
	conversations map[string]*conversation // by tenant and id
	drafts        []*draft
	gaps          bool
	uses          int // of conversations
	notes         notes
	// Spans and OfAgents count the spans that were read, and those among them that tell of an agent.
	Spans, OfAgents int
}

// conversation is what was given of one conversation.
type conversation struct {
	name      event.Conversation
	turns     int             // the number of its last turn
	numbers   map[string]int  // of its turns, by their keys
	given     map[int]bool    // the turns that were given here
	stored    int             // how many turns others know, as far as they were asked
	rows      map[rowKey]bool // what was given of its calls
	texts     map[digest]bool // what was given of what the person said
	used      int             // when it was used last, in uses of conversations
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
// Flush. A span that could not be read leaves the others of its turn as they are, but no answer of it is accused. A trace
// that is read again, with more spans, gives its turns anew under their numbers: the events that are the same then have the
// same content.
func (c *Converter) Read(spans []Span) []Fault { return c.read(spans, false) }

// ReadPart is Read of a trace of which spans may be missing: no answer of it is accused.
func (c *Converter) ReadPart(spans []Span) []Fault { return c.read(spans, true) }

func (c *Converter) read(spans []Span, part bool) []Fault {
	ofAgents := 0
	for i := range spans {
		if roleOf(&spans[i]) != roleNone {
			ofAgents++
		}
	}
	c.Spans += len(spans)
	c.OfAgents += ofAgents
	if ofAgents == 0 {
		c.notes.add(noteOtherTraces, "")
		return nil
	}
	var faults []Fault
	for _, g := range groupsOf(spans) {
		for _, d := range g.draftsOf() {
			d.conversation = g.nameOf(c.names)
			d.faulty, d.part = len(g.faults) > 0, part || c.gaps
			c.drafts = append(c.drafts, d)
		}
		c.noteGroup(g)
		faults = append(faults, g.faults...)
	}
	return faults
}

// Gap says that spans were lost, of whatever trace: no answer that is read, or was read since the last Flush, is accused.
func (c *Converter) Gap() {
	c.gaps = true
	for _, d := range c.drafts {
		d.part = true
	}
}

// Turns tells how many turns a conversation has that were given by others, or before this program began.
type Turns func(event.Conversation) (int, error)

// Flush gives the events of every turn that was read since, in the order in which the turns began. They have no ids yet.
// turns is asked for the number of each turn; nil: there are no others. When it fails the events so far are given beside
// its error, and the turns that are left stay for the next Flush.
func (c *Converter) Flush(turns Turns) (events []event.Event, err error) {
	slices.SortStableFunc(c.drafts, func(a, b *draft) int {
		return cmp.Or(cmp.Compare(a.start(), b.start()), strings.Compare(a.span.Trace, b.span.Trace))
	})
	for len(c.drafts) > 0 {
		d := c.drafts[0]
		conv := c.of(d.conversation)
		if _, known := conv.numbers[d.key()]; turns != nil && !known {
			count, err := turns(conv.name)
			if err != nil {
				return events, err
			}
			conv.turns, conv.stored = max(conv.turns, count), max(conv.stored, count)
		}
		events = append(events, c.turn(d, conv)...)
		c.drafts = c.drafts[1:]
	}
	return events, nil
}

// FlushTo gives what Flush does to the reader of a file, with ids: no other has turns of its conversations.
func (c *Converter) FlushTo(out *adapter.Out) {
	events, err := c.Flush(nil)
	if err != nil {
		out.Fault(0, "", err.Error())
	}
	for _, e := range events {
		named, err := adapter.Identify(e)
		if err != nil { // what is left out is a row that never arrived
			out.Fault(0, "", err.Error())
			continue
		}
		out.Events = append(out.Events, named)
	}
}

// key names a turn by what began it.
func (d *draft) key() string {
	first := d.span
	if len(d.steps) > 0 {
		first = d.steps[0].span
	}
	return d.span.Trace + "/" + d.span.ID + "/" + first.ID
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
			name: name, numbers: map[string]int{}, given: map[int]bool{}, rows: map[rowKey]bool{}, texts: map[digest]bool{}, responses: map[string]int{},
		}
		c.conversations[key] = conv
	}
	c.uses++
	conv.used = c.uses
	return conv
}

// Trim forgets what is kept of conversations until no more than so many are left, those that were used least recently first.
// A turn of one that is forgotten gets its number from Turns.
func (c *Converter) Trim(most int) {
	if len(c.conversations) <= most {
		return
	}
	keys := slices.Collect(maps.Keys(c.conversations))
	slices.SortFunc(keys, func(a, b string) int { return cmp.Compare(c.conversations[a].used, c.conversations[b].used) })
	for _, key := range keys[:len(keys)-most/2] {
		delete(c.conversations, key)
	}
}
