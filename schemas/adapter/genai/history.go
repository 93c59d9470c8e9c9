package genai

import "github.com/plumbline-dev/plumbline/core/event"

// history gives what the first model call of the turn was given of earlier turns and no span told of: the person's
// messages and the results. An exchange before the turn is the turn before, one before that the turn before that. Answers
// of it are not given: they are not this record's to judge. Turns that others gave are left alone.
func (w *writer) history() {
	turns := len(w.draft.history)
	told := false
	for i := range w.draft.history {
		turn := w.turn - turns + i
		if turn <= w.conv.stored && !w.conv.given[turn] {
			continue
		}
		told = w.exchange(turn, &w.draft.history[i]) || told
	}
	if told {
		w.notes.add(noteHistory, w.draft.span.Name)
	}
}

// exchange gives what is new in one exchange; told tells whether anything was.
func (w *writer) exchange(turn int, e *exchange) (told bool) {
	for _, text := range e.said {
		key := digestOf([]byte(text))
		if !w.conv.texts[key] {
			w.conv.texts[key] = true
			w.add(event.Event{TurnStart: &event.TurnStart{User: &text}}, turn, 0)
			told = true
		}
	}
	book := newBook()
	book.read([]exchange{*e})
	for _, c := range book.calls {
		end, ok := c.end()
		if !ok || w.known(turn, end) {
			continue
		}
		w.remember(turn, end)
		w.add(event.Event{ToolEnd: end}, turn, 0)
		told = true
	}
	return told
}

// known tells whether a call was given already: as a call of that turn, or with the same result as one of another, since
// a model may be given less than the whole history.
func (w *writer) known(turn int, end *event.ToolEnd) bool {
	if w.conv.rows[rowKey{turn: turn, id: end.Call.ID}] {
		return true
	}
	return end.Status != event.StatusNotCaptured &&
		w.conv.rows[rowKey{id: end.Call.ID, result: digestOf(servedText(end.Result))}]
}
