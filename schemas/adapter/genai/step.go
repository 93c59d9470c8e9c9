package genai

import (
	"slices"
	"strings"

	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// step is one call of a model in a turn.
type step struct {
	span      *Span
	record    record
	whole     bool // it is an agent's record of the whole turn
	iteration int
	exchanges []exchange // of its input, those of the turn
	wrote     said
}

// stepsOf reads the model calls of a turn in their order. Where they recorded nothing, what the agent around them
// recorded is read as one.
func (g *group) stepsOf() []step {
	var steps []step
	for _, n := range g.models {
		for _, s := range g.recordedBy(n) {
			r, err := recordOf(s)
			if err != nil {
				g.fault(s, err)
			}
			steps = append(steps, step{span: s, record: r})
		}
	}
	slices.SortStableFunc(steps, step.before)
	if !slices.ContainsFunc(steps, func(s step) bool { return s.record.inputSeen || s.record.outputSeen }) {
		if s, ok := g.agentStep(); ok {
			steps = append(steps, s)
		}
	}
	return steps
}

// recordedBy gives the spans that tell of a model call: the call's own, or, when it recorded nothing, those of another
// instrumentation below it.
func (g *group) recordedBy(n *node) []*Span {
	r, err := recordOf(n.span)
	if err != nil || r.inputSeen || r.outputSeen || len(n.inner) == 0 {
		return []*Span{n.span}
	}
	spans := make([]*Span, len(n.inner))
	for i, inner := range n.inner {
		spans[i] = inner.span
	}
	return spans
}

// before orders model calls by their start. Clocks may be too coarse to tell: then the one that was given less comes first.
func (s step) before(t step) int {
	if s.span.Start == t.span.Start && len(s.record.input) != len(t.record.input) {
		return len(s.record.input) - len(t.record.input)
	}
	return s.span.before(t.span)
}

// agentStep reads what the turn's agents recorded of the whole turn, the outermost that recorded anything first.
func (g *group) agentStep() (step, bool) {
	agents := g.agents
	if g.root != nil {
		agents = append([]*node{g.root}, agents...)
	}
	for _, n := range agents {
		r, err := agentRecordOf(n.span)
		if err != nil {
			g.fault(n.span, err)
			continue
		}
		if r.inputSeen || r.outputSeen {
			return step{span: n.span, record: r, whole: true}, true
		}
	}
	return step{}, false
}

// agentRecordOf reads what an agent span recorded. Its output may be the whole turn, calls and all: what stands before the
// answer is read as input, as the next model call would have been given it.
func agentRecordOf(s *Span) (record, *faultError) {
	r, err := recordOf(s)
	if err != nil {
		return r, err
	}
	if !r.inputSeen {
		if err := r.readWhole(s, "ai.prompt", "input.value", "traceloop.entity.input"); err != nil {
			return r, err
		}
	}
	if !r.outputSeen {
		if err := r.readWholeOutput(s, "final_result", "output.value", "traceloop.entity.output"); err != nil {
			return r, err
		}
	}
	transcript := append(r.input, r.output...)
	if !r.outputSeen && len(transcript) < 2 || len(transcript) == 0 {
		return r, nil
	}
	last := len(transcript) - 1
	if transcript[last].of == assistant {
		r.input, r.output, r.outputSeen = transcript[:last:last], transcript[last:], true
	}
	return r, nil
}

// wholeKeys are the members under which frameworks keep what went into an agent, and what came out.
var (
	inputKeys  = []string{"input", "question", "query", "prompt", "inputs"}
	outputKeys = []string{"output", "answer", "response", "result", "content", "text", "outputs"}
)

// readWhole reads what went into an agent: a text, messages, or an object that holds either.
func (r *record) readWhole(s *Span, names ...string) *faultError {
	v, field := s.value(names...)
	if field == "" {
		return nil
	}
	r.inputSeen = true
	whole, cut, ok := jsonIn(v)
	if !ok {
		r.addInput([]message{{of: person, parts: []part{textPart(v)}}})
		return nil
	}
	r.inputCut = r.inputCut || cut
	if system := adapter.Text(whole, "system"); system != "" {
		r.system = append(r.system, system)
	}
	if list, ok := messagesIn(whole, inputKeys); ok {
		messages, _, err := messageList(field, list)
		if err != nil {
			return err
		}
		r.addInput(messages)
		return nil
	}
	text, ok := textIn(whole, inputKeys)
	if !ok { // of no form that is known: all of it is what the agent was given
		text = string(whole.Raw())
	}
	r.addInput([]message{{of: person, parts: []part{{kind: partText, text: text}}}})
	return nil
}

// readWholeOutput reads what came out of an agent. An object of no form that is known is no answer.
func (r *record) readWholeOutput(s *Span, names ...string) *faultError {
	v, field := s.value(names...)
	if field == "" {
		return nil
	}
	whole, cut, ok := jsonIn(v)
	if !ok {
		r.setAnswer(v)
		return nil
	}
	r.outputCut = cut
	if list, ok := messagesIn(whole, outputKeys); ok {
		messages, _, err := messageList(field, list)
		if err != nil {
			return err
		}
		r.output, r.outputSeen = messages, len(messages) > 0
		return nil
	}
	if text, ok := textIn(whole, outputKeys); ok {
		r.output, r.outputSeen = []message{{of: assistant, parts: []part{{kind: partText, text: text}}}}, true
	}
	return nil
}

// jsonIn is structured of what may be a bare text: then ok is false.
func jsonIn(v servedjson.Value) (whole servedjson.Value, cut, ok bool) {
	whole, cut, err := structured("", v)
	return whole, cut, err == nil && (whole.Kind() == servedjson.Object || whole.Kind() == servedjson.Array)
}

// messagesIn finds a list of messages: the value itself, under messages, or under one of the keys.
func messagesIn(v servedjson.Value, keys []string) (list servedjson.Value, ok bool) {
	for _, key := range append([]string{"", "messages"}, keys...) {
		inner := v
		if key != "" {
			if inner, ok = v.Get(key); !ok {
				continue
			}
			if nested, ok := inner.Get("messages"); ok {
				inner = nested
			}
		}
		if inner.Kind() == servedjson.Array && inner.Len() > 0 && isMessage(inner) {
			return inner, true
		}
	}
	return servedjson.Value{}, false
}

// isMessage tells whether the first element of a list looks like a message.
func isMessage(list servedjson.Value) bool {
	for item := range list.Elements() {
		item = unwrapped(item)
		_, err := speakerOf("", item)
		return item.Kind() == servedjson.Object && err == nil
	}
	return false
}

func textIn(v servedjson.Value, keys []string) (text string, ok bool) {
	if v.Kind() == servedjson.String {
		return v.Text(), true
	}
	for _, key := range keys {
		if inner, found := v.Get(key); found && inner.Kind() == servedjson.String && strings.TrimSpace(inner.Text()) != "" {
			return inner.Text(), true
		}
	}
	return "", false
}

func (g *group) fault(s *Span, err *faultError) {
	g.faults = append(g.faults, Fault{Line: s.Line, Span: s.Name, Field: err.field, Detail: err.detail})
}
