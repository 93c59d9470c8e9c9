package pipetest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas"
)

// Publication is one message as a producer publishes it.
type Publication struct {
	Conversation event.Conversation // whose subject it is published on
	Misfit       string             // instead: a subject that names no conversation, below the prefix of events
	Header       map[string][]string
	Data         []byte
}

// Workload makes what the runtimes of a few conversations publish: turns, calls with every kind of result, answers that
// come before their rows, events that come again with the same or another content, in both encodings, with clocks that
// mean nothing; and among them what cannot be read. It is a function of its randomness. One goroutine uses it.
type Workload struct {
	r             *rand.Rand
	conversations []event.Conversation
	broken        float64 // share of publications that are broken on purpose
	sent          []event.Event
	count         int
	envelopes     bool          // most messages are of another runtime
	told          []Publication // of those
}

// NewWorkload takes all of its choices from r.
func NewWorkload(r *rand.Rand, broken float64) *Workload {
	return &Workload{r: r, broken: broken, conversations: []event.Conversation{
		{Tenant: "acme", Agent: "desk", ID: "c1"}, {Tenant: "acme", Agent: "desk", ID: "c2"},
		{Tenant: "a.b c", Agent: "*", ID: ">"}, {Tenant: "acme", Agent: "desk", ID: ""},
	}}
}

// Next gives the next message.
func (w *Workload) Next() Publication {
	p := w.next()
	if w.r.Float64() < w.broken {
		w.spoil(&p)
	}
	return p
}

func (w *Workload) next() Publication {
	if w.envelopes && w.r.IntN(12) > 0 {
		return w.envelope()
	}
	e := w.event()
	return w.publication(e.Conversation, func(encoding string) ([]byte, error) { return schemas.EncodeEvent(encoding, e) })
}

// clone is the same message in bytes of its own, which may be spoiled.
func (p Publication) clone() Publication {
	p.Header, p.Data = maps.Clone(p.Header), slices.Clone(p.Data)
	return p
}

// spoil makes of a message one that cannot be read. A byte that is changed can leave it readable: the fold tells.
func (w *Workload) spoil(p *Publication) {
	switch w.r.IntN(8) {
	case 0:
		p.Data = p.Data[:w.r.IntN(len(p.Data))]
	case 1:
		p.Data[w.r.IntN(len(p.Data))] ^= byte(1 << w.r.IntN(8))
	case 2:
		p.Misfit = []string{"t", "t.a", "t.a.c.more", "t.%zz.c"}[w.r.IntN(4)]
	case 3:
		p.Conversation.ID += "x" // the payload says another
	case 4:
		p.Header["Content-Type"] = []string{"text/csv"}
	case 5:
		p.Header, p.Data = map[string][]string{"Status": {"409"}, "Description": {"Consumer Deleted"}}, nil
	case 6:
		p.Data = []byte(`{"v":1,"type":"surprise","id":"x"}`)
	case 7:
		p.Data = nil
	}
}

// event is a new one, or one that was sent before.
func (w *Workload) event() event.Event {
	if len(w.sent) > 3 && w.r.IntN(7) == 0 {
		return w.sent[w.r.IntN(len(w.sent))]
	}
	w.count++
	e := event.Event{
		ID: fmt.Sprintf("e%d", w.count), Time: w.time(), Turn: 1 + w.r.IntN(3),
		Conversation: w.conversations[w.r.IntN(len(w.conversations))],
	}
	switch w.r.IntN(9) {
	case 0:
		e.TurnStart = w.turnStart()
	case 1, 2, 3, 4, 5:
		e.ToolEnd = w.toolEnd()
	default:
		e.Answer = w.answer()
	}
	w.sent = append(w.sent, e)
	return e
}

// time is a producer's clock, which may say anything.
func (w *Workload) time() string {
	if w.r.IntN(4) == 0 {
		return ""
	}
	return time.Unix(w.r.Int64N(4_000_000_000), 0).UTC().Format(time.RFC3339)
}

// value is one of few, so that answers are grounded, and are not.
func (w *Workload) value() int { return 44170 + w.r.IntN(4) }

func (w *Workload) turnStart() *event.TurnStart {
	user := fmt.Sprintf("where is %d?", w.value())
	switch w.r.IntN(3) {
	case 0:
		user = "[evidence check] 99999 stands nowhere"
	case 1:
		return &event.TurnStart{Context: []string{fmt.Sprintf("stock of %d", w.value())}}
	}
	return &event.TurnStart{User: &user}
}

func (w *Workload) toolEnd() *event.ToolEnd {
	end := &event.ToolEnd{
		Call: event.Call{ID: w.call(), Tool: "lookup", Iteration: w.r.IntN(3) / 2}, Result: event.JSON(w.result()),
	}
	switch w.r.IntN(16) {
	case 0, 1:
		end.Door = &event.Door{Absent: w.r.IntN(2) == 0, Bounded: w.r.IntN(2) == 0}
	case 2:
		end.Error = event.JSON(fmt.Sprintf(`"no order %d"`, w.value()))
	case 3:
		end.Status = event.StatusNotCaptured
	case 4:
		end.ModelResult = event.JSON(fmt.Sprintf(`{"truncated":true,"reason":"size","head":"%d"}`, w.value()))
	case 5, 6:
		code := w.r.IntN(2)
		end.Script = &event.Script{Program: w.program(), Label: "unknown"}
		if w.r.IntN(2) == 0 {
			end.Script.Label, end.Script.ExitCode = []string{"succeeded", "failed"}[code], &code
		}
	}
	return end
}

// call is one of few ids, so that they are used again, in a turn and across turns.
func (w *Workload) call() string { return string(rune('a' + w.r.IntN(3))) }

func (w *Workload) program() string { return fmt.Sprintf("select %d", w.value()) }

// result is data, an absence, a boundary, or a boundary around an absence.
func (w *Workload) result() string {
	value := w.value()
	absence := fmt.Sprintf(`{"af_absent":true,"looked_for":"%d","checked":[{"what":"stock %d"}]}`, value, value)
	boundary := fmt.Sprintf(`{"af_coverage":{"checked":["store %d"]},"result":%%s}`, value%2)
	switch w.r.IntN(8) {
	case 0:
		return absence
	case 1:
		return fmt.Sprintf(boundary, absence)
	case 2:
		return fmt.Sprintf(boundary, fmt.Sprintf(`{"order":%d}`, value))
	case 3:
		return fmt.Sprintf(`[{"order":%d,"card":"[REDACTED]"}]`, value)
	case 4:
		return `[]`
	}
	return fmt.Sprintf(`{"order":%d}`, value)
}

func (w *Workload) answer() *event.Answer {
	a := &event.Answer{Iteration: w.r.IntN(2), Text: fmt.Sprintf("order %d and %d", w.value(), w.value()), AfterRevision: w.r.IntN(9) == 0}
	if w.r.IntN(4) == 0 {
		a.Text += fmt.Sprintf("\n\n```sql\n%s\n```\n", w.program())
	}
	for range w.r.IntN(3) {
		a.Calls = append(a.Calls, string(rune('a'+w.r.IntN(4)))) // d is never reported
	}
	if w.r.IntN(3) > 0 {
		user := "what is it?"
		a.User, a.Context = &user, []string{"be brief"}
	}
	return a
}

// Stored gives a message of the workload as the event stream would hold it, in the one partition.
func (p Publication) Stored(subjects event.Subjects) (subject string, header map[string][]string, data []byte) {
	subject = subjects.Log(0, p.Conversation)
	if p.Misfit != "" {
		subject = p.Subject(subjects)
	}
	return subject, maps.Clone(p.Header), p.Data
}

// Subject is where the producer publishes it.
func (p Publication) Subject(subjects event.Subjects) string {
	if p.Misfit != "" {
		return subjects.AllEvents()[:len(subjects.AllEvents())-1] + p.Misfit
	}
	return subjects.Event(p.Conversation)
}
