package fleet

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
)

// writer makes up one turn.
type writer struct {
	Config
	r            *rand.Rand
	conversation event.Conversation
	turn         int
	msgpack      bool

	items []Item
	late  []Item
	calls []string
	said  []order // what the results of the turn hold
}

// order is one record of a result.
type order struct {
	id, total, date, city string
}

// write gives the turn's events: its calls, its answer, and what comes after it.
func (w *writer) write() []Item {
	count := drawCalls(w.r)
	for i := range count {
		w.report(i)
	}
	w.answer(count)
	w.items = append(w.items, w.late...)
	return w.repeated()
}

// chance tells whether something that happens to such a share happens now.
func (w *writer) chance(share float64) bool { return share > 0 && w.r.Float64() < share }

func (w *writer) event() event.Event {
	return event.Event{Conversation: w.conversation, Turn: w.turn}
}

// add appends an event and names it by its place.
func (w *writer) add(to *[]Item, e event.Event) {
	e.ID = fmt.Sprintf("%s:%d:%d", w.conversation.ID, w.turn, len(w.items)+len(w.late))
	*to = append(*to, Item{Event: e, Msgpack: w.msgpack})
}

// report says what a call gave, after the answer when it is late.
func (w *writer) report(i int) {
	call := "call-" + strconv.Itoa(i)
	w.calls = append(w.calls, call)
	to := &w.items
	if w.chance(w.Disorder.Late) {
		to = &w.late
	}
	e := w.event()
	e.ToolEnd = &event.ToolEnd{Call: event.Call{ID: call, Tool: "find_orders", Iteration: i}}
	if w.chance(w.Disorder.Absent) {
		e.ToolEnd.Result = event.JSON(`{"af_absent":true,"looked_for":"open orders","checked":[{"what":"orders"}]}`)
		w.add(to, e)
		return
	}
	e.ToolEnd.Result = w.result(ResultBytes.draw(w.r))
	w.add(to, e)
	if w.chance(w.Disorder.Replaced) {
		again := *e.ToolEnd
		again.Result = w.result(ResultBytes.draw(w.r))
		e.ToolEnd = &again
		w.add(&w.late, e)
	}
}

// result makes up about so many bytes of JSON. The smallest are nothing, and a number.
func (w *writer) result(size int) event.JSON {
	switch {
	case size < 5:
		return event.JSON("[]")
	case size < 50:
		return strconv.AppendFloat(nil, float64(w.r.IntN(100_000))/10, 'f', 1, 64)
	}
	b := make([]byte, 0, size+100)
	for sep := byte('['); len(b) < size; sep = ',' {
		o := w.order()
		w.said = append(w.said, o)
		b = fmt.Appendf(b, `%c{"order":%q,"status":"shipped","total":%s,"placed":%q,"items":%d,"to":%q}`,
			sep, o.id, o.total, o.date, 1+w.r.IntN(9), o.city)
	}
	return append(b, ']')
}

var cities = []string{"Seattle", "Lisbon", "Nairobi", "Osaka", "Bergen", "Quito", "Austin", "Leeds"}

func (w *writer) order() order {
	return order{
		id:    "W" + strconv.Itoa(1_000_000+w.r.IntN(9_000_000)),
		total: strconv.FormatFloat(float64(1000+w.r.IntN(90_000))/100, 'f', 2, 64),
		date:  fmt.Sprintf("2026-%02d-%02d", 1+w.r.IntN(12), 1+w.r.IntN(28)),
		city:  cities[w.r.IntN(len(cities))],
	}
}

// answer says something about what was found, and a second time when it is changed.
func (w *writer) answer(iteration int) {
	user := w.filled("Where are my orders, and what did they cost?", UserBytes.draw(w.r))
	a := event.Answer{Iteration: iteration, Text: w.text(), User: &user, Calls: slices.Clone(w.calls)}
	if w.turn == 1 {
		a.Context = []string{w.filled("You help people with their orders. Say only what a tool gave.", w.PromptBytes)}
	}
	if w.chance(w.Disorder.Missing) {
		a.Calls = append(a.Calls, "call-lost")
	}
	if w.chance(w.Disorder.Unnamed) {
		a.Calls = nil
	}
	e := w.event()
	e.Answer = &a
	w.add(&w.items, e)
	if w.chance(w.Disorder.Changed) {
		changed := a
		changed.Text = w.text()
		e.Answer = &changed
		w.add(&w.late, e)
	}
}

// filled repeats a sentence up to about so many bytes.
func (w *writer) filled(sentence string, size int) string {
	return strings.Repeat(sentence+" ", size/(len(sentence)+1)+1)[:size]
}

// text quotes records up to about an answer's length.
func (w *writer) text() string {
	var b strings.Builder
	invented := w.chance(w.Disorder.Invented)
	for size := AnswerBytes.draw(w.r); b.Len() < size; {
		if len(w.said) == 0 && !invented {
			b.WriteString("Please tell me which order you mean, and I will look for it. ")
			continue
		}
		var o order
		if invented {
			o, invented = w.order(), false
		} else {
			o = w.said[w.r.IntN(len(w.said))]
		}
		fmt.Fprintf(&b, "Order %s to %s was placed on %s and cost $%s. ", o.id, o.city, o.date, o.total)
	}
	return b.String()
}

// repeated puts some events a second time somewhere after the first.
func (w *writer) repeated() []Item {
	for i := 0; i < len(w.items); i++ {
		if item := w.items[i]; !item.Again && w.chance(w.Disorder.Again) {
			item.Again = true
			w.items = slices.Insert(w.items, i+1+w.r.IntN(len(w.items)-i), item)
		}
	}
	return w.items
}
