package genai

import (
	"slices"

	"github.com/plumbline-dev/plumbline/core/event"
)

// draft is one turn, read, before it has its number in its conversation.
type draft struct {
	conversation event.Conversation
	span         *Span  // by which it is known: its root, or its first span
	response     string // the provider's id of the turn's first model response, empty when not recorded

	history   []exchange // what was said before, as the first model call was given it
	documents []string   // that were looked up
	steps     []step
	book      *book
	missing   []string // names of calls of which nothing but that they were made was recorded
	faulty    bool     // a span of it could not be read
	part      bool     // spans of it may be missing
}

// draftsOf reads the turns of a group of spans: one, or several where a loop around them goes on with the person.
func (g *group) draftsOf() []*draft {
	runs := g.runsOf()
	var drafts []*draft
	for _, steps := range g.split(g.stepsOf()) {
		drafts = append(drafts, g.draftOf(steps))
	}
	if len(drafts) == 0 && (len(runs) > 0 || g.root != nil && g.root.role == roleAgent) {
		drafts = append(drafts, g.draftOf(nil))
	}
	deal(runs, drafts)
	return drafts
}

// split begins a new turn at a model call that was given the last answer and what the person said to it, unless an agent
// holds them all: what a person says within one invocation is of that turn.
func (g *group) split(steps []step) [][]step {
	if len(steps) == 0 {
		return nil
	}
	parts := [][]step{{steps[0]}}
	for _, s := range steps[1:] {
		last := &parts[len(parts)-1]
		if (g.root == nil || g.root.role == roleChain) && s.goesOn((*last)[len(*last)-1]) {
			parts = append(parts, []step{s})
			continue
		}
		*last = append(*last, s)
	}
	return parts
}

// goesOn tells whether the input holds the answer of the model call before, with a message of the person after it.
func (s *step) goesOn(before step) bool {
	answer := before.said()
	exchanges := exchangesOf(s.record.input)
	if answer.text == "" || len(answer.calls) > 0 || len(exchanges) < 2 {
		return false
	}
	text, ok := exchanges[len(exchanges)-2].answered()
	return ok && trimmed(text) == trimmed(answer.text)
}

// draftOf reads the model calls of one turn.
func (g *group) draftOf(steps []step) *draft {
	d := &draft{steps: steps, book: newBook(), faulty: len(g.faults) > 0, span: g.firstSpan(steps)}
	for _, n := range g.retrievals {
		d.documents = append(d.documents, documentsOf(n.span)...)
	}
	for _, n := range g.lost {
		d.missing = append(d.missing, "span "+n.span.Parent)
	}
	before, known := 0, false // exchanges before this turn, told by the first input that was recorded
	iteration := 0
	for i := range steps {
		s := &steps[i]
		s.exchanges = exchangesOf(s.record.input)
		if len(s.exchanges) > 0 && !known {
			before, known = len(s.exchanges)-1, true
			d.history = s.exchanges[:before]
		}
		s.exchanges = s.exchanges[min(before, max(len(s.exchanges)-1, 0)):]
		iteration = max(iteration, assistantMessages(s.exchanges)) + 1
		s.iteration = iteration
		d.read(s)
		if d.response == "" {
			d.response = s.span.word("gen_ai.response.id")
		}
	}
	return d
}

// firstSpan is the span by which a turn is known.
func (g *group) firstSpan(steps []step) *Span {
	switch {
	case g.root != nil && g.root.span.Name != "":
		return g.root.span
	case len(steps) > 0:
		return steps[0].span
	case len(g.tools) > 0:
		return g.tools[0].span
	}
	return g.root.span
}

// read takes in one model call: the calls and responses that it was given, and what it wrote.
func (d *draft) read(s *step) {
	d.book.read(s.exchanges)
	s.wrote = s.said()
	asked, answered := d.book.counted(), counter{}
	for i := range s.wrote.calls {
		p := &s.wrote.calls[i]
		c := d.book.ask(asked.next(p.id, p.tool), p, s.iteration)
		c.remote = p.remote
	}
	for i := range s.wrote.answers {
		p := &s.wrote.answers[i]
		c := d.book.get(answered.next(p.id, p.tool), p.tool, s.iteration)
		c.remote = true
		d.book.answer(c, p)
	}
	if s.wrote.remote() {
		s.wrote.calls = nil // the provider ran them: what was written beside them is the answer
	}
	if s.wrote.unnamed {
		d.missing = append(d.missing, "call of span "+s.span.ID)
	}
}

func assistantMessages(exchanges []exchange) int {
	count := 0
	for i := range exchanges {
		for j := range exchanges[i].messages {
			if exchanges[i].messages[j].of == assistant {
				count++
			}
		}
	}
	return count
}

// deal joins tool spans to the calls of the turns: to the turn where a model asked for the call, else to the one that ran
// when the tool began.
func deal(runs []*toolRun, drafts []*draft) {
	for _, run := range runs {
		at := 0
		for i, d := range drafts {
			if len(d.steps) > 0 && d.steps[0].span.Start <= run.span.Start {
				at = i
			}
		}
		asked := slices.IndexFunc(drafts, func(d *draft) bool { return d.book.retried(run) != nil })
		if asked >= 0 {
			at = asked
		}
		drafts[at].book.ran(run, drafts[at].iterationAt(run.span))
	}
	for _, d := range drafts {
		d.end()
	}
}

// iterationAt is the iteration of the model call that ran last when the span began, 1 when none had.
func (d *draft) iterationAt(s *Span) int {
	iteration := 1
	for i := range d.steps {
		if step := &d.steps[i]; !step.whole && step.span.Start <= s.Start {
			iteration = step.iteration
		}
	}
	return iteration
}

// end puts what an agent span says of its whole turn behind everything that ran in it, and counts as made what the model
// asked for without a name only where no tool span tells of it.
func (d *draft) end() {
	for i := range d.steps {
		s := &d.steps[i]
		if !s.whole {
			continue
		}
		for _, c := range d.book.calls {
			s.iteration = max(s.iteration, c.iteration+1)
		}
	}
	d.missing = slices.DeleteFunc(d.missing, func(name string) bool {
		return slices.ContainsFunc(d.steps, func(s step) bool {
			return s.wrote.unnamed && name == "call of span "+s.span.ID && d.ranAfter(&s)
		})
	})
}

// ranAfter tells whether a call is of the iteration of a model call.
func (d *draft) ranAfter(s *step) bool {
	return slices.ContainsFunc(d.book.calls, func(c *call) bool { return c.iteration == s.iteration })
}
