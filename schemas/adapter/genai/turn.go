package genai

import (
	"slices"
	"time"

	"github.com/plumbline-dev/plumbline/core/event"
)

// writer writes the events of one turn.
type writer struct {
	conv   *conversation
	draft  *draft
	turn   int
	events []event.Event
	said   map[string]bool // texts of the turn that were given
	given  int             // rows that were given: calls come in the order of their iterations
	notes  *notes
}

// turn gives the events of a turn: what came before it and no span told of, what the person and the app said, the rows
// and the answers, in the order in which the model met them.
func (c *Converter) turn(d *draft, conv *conversation) []event.Event {
	w := &writer{conv: conv, draft: d, turn: max(conv.turns, len(d.history)) + 1, said: map[string]bool{}, notes: &c.notes}
	if number, again := conv.again(d); again {
		w.turn = number
		c.notes.add(noteSentAgain, d.span.Name)
	} else {
		w.history()
	}
	slices.SortStableFunc(d.book.calls, func(a, b *call) int { return a.iteration - b.iteration })
	last := d.lastAnswer()
	for i := range d.steps {
		s := &d.steps[i]
		w.texts(i, s)
		w.rows(func(c *call) bool { return s.couldRead(c) })
		if text := d.answerAt(i); text != "" {
			w.answer(s, text, i == last)
		}
	}
	w.rows(func(*call) bool { return true })
	if last < 0 && len(d.steps)+len(d.book.calls) > 0 {
		c.notes.add(noteNoAnswer, d.span.Name)
	}
	conv.number(d, w.turn)
	return w.events
}

// again tells that a turn was given before, perhaps with less in it, and gives its number: by the spans that began it, or by
// the first response of a model, which a producer that sends a turn again under another trace repeats.
func (conv *conversation) again(d *draft) (number int, ok bool) {
	if number, ok = conv.numbers[d.key()]; !ok && d.response != "" {
		number, ok = conv.responses[d.response]
	}
	return number, ok
}

func (conv *conversation) number(d *draft, number int) {
	conv.turns = max(conv.turns, number)
	conv.numbers[d.key()], conv.given[number] = number, true
	if d.response != "" {
		conv.responses[d.response] = number
	}
}

// answerAt is the text of a model call that answers: one after which the turn asks for no tool. What is said between calls
// is not meant to be final.
func (d *draft) answerAt(place int) string {
	for i := place; i < len(d.steps); i++ {
		if wrote := &d.steps[i].wrote; len(wrote.calls) > 0 || wrote.unnamed {
			return ""
		}
	}
	return d.steps[place].wrote.text
}

// lastAnswer is the place of the last step that answers, -1 when none does.
func (d *draft) lastAnswer() int {
	for i := len(d.steps) - 1; i >= 0; i-- {
		if d.answerAt(i) != "" {
			return i
		}
	}
	return -1
}

// couldRead tells whether a model call was given what a call gave.
func (s *step) couldRead(c *call) bool {
	return s.whole || c.iteration < s.iteration || c.remote && c.iteration == s.iteration
}

// originOf names a span that an event is read from.
func originOf(s *Span) *event.Origin {
	return &event.Origin{Trace: s.Trace, Span: s.ID, Response: s.word("gen_ai.response.id")}
}

func (w *writer) add(e event.Event, turn int, nanos uint64) {
	e.Conversation, e.Turn = w.conv.name, turn
	if nanos > 0 && nanos < 1<<63 {
		e.Time = time.Unix(0, int64(nanos)).UTC().Format(time.RFC3339Nano)
	}
	w.events = append(w.events, e)
}

// texts gives what the person and the app said that a model call was the first to be given.
func (w *writer) texts(place int, s *step) {
	context := s.record.system
	if place == 0 {
		context = slices.Concat(context, w.draft.documents)
	}
	context = w.fresh("app", context)
	var users []string
	for i := range s.exchanges {
		users = append(users, s.exchanges[i].said...)
	}
	for _, user := range w.fresh("user", users) {
		w.conv.texts[digestOf([]byte(user))] = true
		w.add(event.Event{TurnStart: &event.TurnStart{User: &user, Context: context}}, w.turn, s.span.Start)
		context = nil
	}
	if len(context) > 0 {
		w.add(event.Event{TurnStart: &event.TurnStart{Context: context}}, w.turn, s.span.Start)
	}
}

// fresh gives the texts that were not given in this turn.
func (w *writer) fresh(of string, texts []string) []string {
	var fresh []string
	for _, text := range texts {
		if !w.said[of+text] {
			w.said[of+text] = true
			fresh = append(fresh, text)
		}
	}
	return fresh
}

// rows gives the calls up to the first that the model call could not read.
func (w *writer) rows(readable func(*call) bool) {
	for ; w.given < len(w.draft.book.calls); w.given++ {
		c := w.draft.book.calls[w.given]
		if !readable(c) {
			return
		}
		end, ok := c.end()
		if !ok {
			continue
		}
		if end.Status == event.StatusNotCaptured {
			w.notes.add(noteNoResult, end.Call.Tool)
		}
		at, from := w.draft.span.Start, w.draft.span
		if c.run != nil {
			at, from = c.run.span.End, c.run.span
		}
		w.remember(w.turn, end)
		w.add(event.Event{ToolEnd: end, Origin: originOf(from)}, w.turn, at)
	}
}

// remember notes what was given of a call, so that a later turn's messages do not tell of it again.
func (w *writer) remember(turn int, end *event.ToolEnd) {
	w.conv.rows[rowKey{turn: turn, id: end.Call.ID}] = true
	for _, result := range []event.JSON{end.Result, end.ModelResult} {
		if result != nil && end.Status != event.StatusNotCaptured {
			w.conv.rows[rowKey{id: end.Call.ID, result: digestOf(servedText(result))}] = true
		}
	}
}

// answer gives an answer, with the calls that it could have read and what of its input was not recorded.
func (w *writer) answer(s *step, text string, final bool) {
	a := &event.Answer{Iteration: s.iteration, Text: text, Interim: !final}
	for _, c := range w.draft.book.calls {
		if s.couldRead(c) {
			a.Calls = append(a.Calls, c.name())
		}
	}
	a.Calls = append(a.Calls, w.draft.missing...)
	if w.unseen(s, text) {
		a.Unseen = append(a.Unseen, event.ContentNotCaptured)
	}
	if w.draft.part {
		a.Unseen = append(a.Unseen, event.RowsMissing)
	}
	w.add(event.Event{Answer: a, Origin: originOf(s.span)}, w.turn, s.span.End)
}

// unseen tells whether something that the answer may rest on was not recorded.
func (w *writer) unseen(s *step, text string) bool {
	unseen := w.draft.faulty
	for _, reason := range []struct {
		note note
		is   bool
	}{
		{noteNoInput, !s.record.inputSeen},
		{noteCutInput, s.record.inputSeen && s.record.inputCut},
		{noteNoText, unseenIn(s.record.input) > 0 || w.draft.book.unseen()},
		{noteCutAnswer, atLimit(text)},
	} {
		if reason.is {
			w.notes.add(reason.note, s.span.Name)
			unseen = true
		}
	}
	return unseen
}
