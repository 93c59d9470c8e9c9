package genai

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// callKey names a call in a turn: the nth of an id, or, where calls have no ids, the nth of a tool.
type callKey struct {
	id, tool string
	nth      int // from 1
}

// call is what is known of one call of a turn.
type call struct {
	key       callKey
	tool      string
	args      event.JSON
	iteration int
	asked     bool // a model was seen to ask for it
	run       *toolRun
	answered  bool // a message answers it
	response  event.JSON
	failed    bool // as the message says
	remote    bool // the model's provider ran it, within the model call
}

// book holds the calls of one turn.
type book struct {
	calls []*call
	byKey map[callKey]*call
}

func newBook() *book { return &book{byKey: map[callKey]*call{}} }

// counter numbers the calls of one list of messages.
type counter map[callKey]int

func (c counter) next(id, tool string) callKey {
	key := callKey{id: id}
	if id == "" {
		key.tool = tool
	}
	c[key]++
	key.nth = c[key]
	return key
}

// get gives the call of a key, a new one when it was not seen.
func (b *book) get(key callKey, tool string, iteration int) *call {
	c := b.byKey[key]
	if c == nil {
		c = &call{key: key, tool: tool, iteration: iteration}
		b.byKey[key] = c
		b.calls = append(b.calls, c)
	}
	if c.tool == "" {
		c.tool = tool
	}
	return c
}

// ask notes that a model asked for a call.
func (b *book) ask(key callKey, p *part, iteration int) *call {
	c := b.get(key, p.tool, iteration)
	c.asked = true
	if c.args == nil {
		c.args = p.args
	}
	return c
}

// answer notes what a message says that a call gave; the first that says it counts: it is what the model read first.
func (b *book) answer(c *call, p *part) {
	if !c.answered || c.response == nil {
		c.answered, c.response, c.failed = true, p.result, p.failed
	}
}

// read takes in the calls and responses of a turn's messages, in their order; every input of a turn repeats those before.
func (b *book) read(exchanges []exchange) {
	r := reading{book: b, asked: counter{}, answered: counter{}, tools: map[string]string{}}
	for i := range exchanges {
		for j := range exchanges[i].messages {
			r.message(&exchanges[i].messages[j])
		}
	}
}

// reading is on its way through the messages of one input.
type reading struct {
	book            *book
	asked, answered counter
	tools           map[string]string // by the id of the call
	assistants      int               // messages of the assistant so far
}

func (r *reading) message(m *message) {
	if m.of == assistant {
		r.assistants++
	}
	iteration := max(r.assistants, 1)
	for i := range m.parts {
		switch p := &m.parts[i]; p.kind {
		case partCall:
			r.tools[p.id] = p.tool
			r.book.ask(r.asked.next(p.id, p.tool), p, iteration)
		case partResponse:
			r.book.answer(r.book.answeredCall(r.answered, p, r.tools[p.id], iteration), p)
		}
	}
}

// counted counts the calls that were asked for so far.
func (b *book) counted() counter {
	counted := counter{}
	for _, c := range b.calls {
		key := callKey{id: c.key.id, tool: c.key.tool}
		if c.asked {
			counted[key] = max(counted[key], c.key.nth)
		}
	}
	return counted
}

// answeredCall finds the call that a response is of. One that names neither call nor tool is of the first without one.
func (b *book) answeredCall(answered counter, p *part, tool string, iteration int) *call {
	if p.id == "" && p.tool == "" {
		place := answered.next("", "").nth
		for _, c := range b.calls {
			if place--; place == 0 {
				return c
			}
		}
	}
	if p.tool != "" {
		tool = p.tool
	}
	return b.get(answered.next(p.id, p.tool), tool, iteration)
}

// ran joins a tool span to its call: by the id, else by the tool and what it was given, else by the tool and the order.
// iteration is for a call that no model was seen to ask for.
func (b *book) ran(run *toolRun, iteration int) {
	for _, same := range []func(*call) bool{
		func(c *call) bool { return run.id != "" && c.key.id == run.id },
		func(c *call) bool { return run.id == "" && c.tool == run.tool && sameJSON(c.args, run.args) },
		func(c *call) bool { return run.id == "" && c.tool == run.tool && c.asked },
	} {
		for _, c := range b.calls {
			if c.run == nil && same(c) {
				c.run = run
				return
			}
		}
	}
	if again := b.retried(run); again != nil {
		again.run = run
		return
	}
	id := run.id
	if id == "" {
		id = run.span.ID
	}
	key := callKey{id: id, nth: 1}
	for b.byKey[key] != nil {
		key.nth++
	}
	c := b.get(key, run.tool, iteration)
	c.args, c.run = run.args, run
}

// retried finds the call that a model asked for once and that ran more than once: the last run is what the model read.
func (b *book) retried(run *toolRun) *call {
	for _, c := range b.calls {
		if run.id != "" && c.key.id == run.id && c.asked {
			return c
		}
	}
	return nil
}

// unseen tells whether something of a result that no message tells of is no text.
func (b *book) unseen() bool {
	return slices.ContainsFunc(b.calls, func(c *call) bool { return c.run != nil && c.run.unseen && c.response == nil })
}

// name is how events name the call.
func (c *call) name() string {
	name := c.key.id
	if name == "" {
		name = c.key.tool
	}
	if c.key.nth > 1 || c.key.id == "" {
		name += "#" + strconv.Itoa(c.key.nth)
	}
	return name
}

// end is the event of the call; ok is false when nothing tells what it gave.
func (c *call) end() (end *event.ToolEnd, ok bool) {
	if c.run == nil && !c.answered {
		return nil, false
	}
	tool := c.tool
	if tool == "" {
		tool = "unknown"
	}
	end = &event.ToolEnd{
		Call: event.Call{ID: c.name(), Tool: tool, Iteration: c.iteration, Args: c.args}, Result: event.JSON("null"),
	}
	c.fillRun(end)
	switch result := c.result(); {
	case result == nil && c.response == nil:
		end.Status = event.StatusNotCaptured
	case result == nil:
		end.Result = c.response
	case c.response == nil || sameText(result, c.response):
		end.Result = result
	default:
		end.Result, end.ModelResult = result, c.response
	}
	if c.failed && end.Error == nil {
		end.Error = event.JSON("true")
	}
	return end, true
}

func (c *call) result() event.JSON {
	if c.run == nil {
		return nil
	}
	return c.run.result
}

func (c *call) fillRun(end *event.ToolEnd) {
	if c.run == nil {
		return
	}
	end.Error, end.DurationMs = c.run.err, c.run.span.durationMs()
	if end.Call.Args == nil {
		end.Call.Args = c.run.args
	}
}

// sameText tells whether two results are the same to a model: the same text, the same JSON whatever the space in it, or
// one the beginning of the other. A recording cuts off ends, so the longer is what was read.
func sameText(result, response event.JSON) bool {
	a, b := servedText(result), servedText(response)
	return bytes.Equal(a, b) || len(b) > 0 && bytes.HasPrefix(a, b)
}

// servedText is a result as a model is served it, JSON without space.
func servedText(j event.JSON) []byte {
	v, err := servedjson.Parse(j)
	if err != nil || v.Kind() != servedjson.String {
		return j
	}
	text := v.TextBytes(nil)
	if inner, err := servedjson.Parse(text); err == nil {
		return servedjson.AppendCompact(nil, inner)
	}
	return text
}

// sameJSON tells whether two values are the same, one of them perhaps written as a text.
func sameJSON(a, b event.JSON) bool {
	return len(a) > 0 && len(b) > 0 && bytes.Equal(servedText(a), servedText(b))
}
