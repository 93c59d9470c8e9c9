package adapter

import (
	"fmt"
	"slices"

	"github.com/plumbline-dev/plumbline/core/event"
)

// Dialogues are the conversations of one record, each under the name that the record gives it.
type Dialogues struct {
	names event.Conversation
	open  map[string]*Dialogue
	order []string // of those that were opened
	told  []string // of something since the last Drain
	count Count    // of the conversations that were closed

	many   int            // conversations that were named by their place in the record
	arrays map[int]string // the conversation of a document that is an array
}

// NewDialogues is a record of which nothing was told. A conversation without a name has that of names.
func NewDialogues(names event.Conversation) *Dialogues {
	return &Dialogues{names: names, open: map[string]*Dialogue{}, arrays: map[int]string{}}
}

// NameOf names the conversation of a row that is one message: an array is a conversation, and so are the rows that stand
// in none.
func (s *Dialogues) NameOf(row Row) string {
	if !row.Element {
		return ""
	}
	name, ok := s.arrays[row.Document]
	if !ok {
		name = s.NextName()
		s.arrays[row.Document] = name
	}
	return name
}

// NextName names a conversation by its place among those that the record gives no name: the first has the record's own.
func (s *Dialogues) NextName() string {
	s.many++
	if s.many == 1 {
		return ""
	}
	return fmt.Sprintf("%s-%d", s.names.ID, s.many)
}

// Of gives the conversation of a name, empty for the record's own.
func (s *Dialogues) Of(name string) *Dialogue {
	d := s.open[name]
	if d == nil {
		of := s.names
		if name != "" {
			of.ID = name
		}
		d = NewDialogue(of)
		s.open[name], s.order = d, append(s.order, name)
	}
	if last := len(s.told) - 1; last < 0 || s.told[last] != name {
		s.told = append(s.told, name)
	}
	return d
}

// Gap says that a row of the record could not be read at all: every conversation may rest on what it holds.
func (s *Dialogues) Gap(line int, out *Out) {
	s.order = slices.DeleteFunc(s.order, func(name string) bool { return s.open[name] == nil })
	if len(s.order) == 0 {
		s.Of("")
	}
	for _, name := range s.order {
		d := s.open[name]
		d.At(line, "")
		d.Unseen(event.ContentNotCaptured)
		d.Drain(out)
	}
}

// Close ends a conversation of which nothing more is told, and gives its events.
func (s *Dialogues) Close(name string, out *Out) {
	d := s.open[name]
	if d == nil {
		return
	}
	d.End()
	d.Drain(out)
	s.count.add(d.Count())
	delete(s.open, name)
}

// Drain gives the events that are complete, conversation after conversation.
func (s *Dialogues) Drain(out *Out) {
	for _, name := range s.told {
		if d := s.open[name]; d != nil {
			d.Drain(out)
		}
	}
	s.told = s.told[:0]
}

// End ends every conversation, and gives its events.
func (s *Dialogues) End(out *Out) {
	for _, name := range s.order {
		s.Close(name, out)
	}
	s.order = nil
}

// Notes says, after End, what was missing.
func (s *Dialogues) Notes() []string {
	var notes []string
	say := func(n int, one, many string) {
		if n == 1 {
			notes = append(notes, "1 "+one)
		} else if n > 1 {
			notes = append(notes, fmt.Sprintf("%d %s", n, many))
		}
	}
	c := s.count
	say(c.Unanswered, "tool call has no result in this file: what rests on it cannot be told",
		"tool calls have no result in this file: what rests on them cannot be told")
	say(c.Strays, "result is of a call that is not in this file: the beginning is missing, and what may stand in it cannot be told",
		"results are of calls that are not in this file: the beginning is missing, and what may stand in it cannot be told")
	say(c.Unseen, "thing that the agent was shown is no text, or could not be read: what rests on it cannot be told",
		"things that the agent was shown are no text, or could not be read: what rests on them cannot be told")
	say(c.Silent, "turn has no answer in this file", "turns have no answer in this file")
	return notes
}

func (c *Count) add(more Count) {
	c.Unanswered += more.Unanswered
	c.Strays += more.Strays
	c.Answers += more.Answers
	c.Silent += more.Silent
	c.Unseen += more.Unseen
}
