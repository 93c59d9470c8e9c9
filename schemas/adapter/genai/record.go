package genai

import (
	"maps"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// record is what a model or agent span recorded of what was read and written.
type record struct {
	input  []message
	system []string
	output []message
	// inputSeen and outputSeen tell whether anything was recorded.
	inputSeen, outputSeen bool
	inputCut, outputCut   bool // by a limit, or by attributes left out
}

// detailsEvent holds the content of a model call where a producer was told to write events.
const detailsEvent = "gen_ai.client.inference.operation.details"

// recordOf reads what a span recorded, by the first of the conventions that recorded it.
func recordOf(s *Span) (record, *faultError) {
	s = withDetails(s)
	r := record{inputCut: s.Dropped > 0}
	for _, read := range []func(*Span) *faultError{r.readSystem, r.readInput, r.readOutput, r.readEvents} {
		if err := read(s); err != nil {
			return record{inputCut: true, outputCut: true}, err
		}
	}
	return r, nil
}

// withDetails puts the attributes of the details event beside the span's own.
func withDetails(s *Span) *Span {
	for _, e := range s.Events {
		if e.Name != detailsEvent {
			continue
		}
		joined := *s
		joined.Attributes = make(map[string]servedjson.Value, len(s.Attributes)+len(e.Attributes))
		maps.Copy(joined.Attributes, e.Attributes)
		maps.Copy(joined.Attributes, s.Attributes)
		return &joined
	}
	return s
}

// readSystem reads instructions that stand apart from the messages.
func (r *record) readSystem(s *Span) *faultError {
	v, field := s.value("gen_ai.system_instructions")
	if field == "" {
		return nil
	}
	v, cut, err := structured(field, v)
	if err != nil && s.Attributes[field].Kind() == servedjson.String {
		r.system = append(r.system, s.Attributes[field].Text()) // emitters write the bare text too
		return nil
	}
	if err != nil {
		return err
	}
	m := message{of: app}
	if err := m.addContent(field, v); err != nil {
		return err
	}
	r.inputCut = r.inputCut || cut
	r.addSystem(m)
	return nil
}

func (r *record) addSystem(m message) {
	if text := m.texts(); text != "" {
		r.system = append(r.system, text)
	}
}

// readInput reads the messages that the model was given.
func (r *record) readInput(s *Span) *faultError {
	v, field := s.value("gen_ai.input.messages", "ai.prompt.messages", "pydantic_ai.all_messages")
	if field == "" {
		for _, prefix := range []string{"llm.input_messages", "gen_ai.prompt"} {
			if list, ok := s.unflattened(prefix); ok {
				v, field = list, prefix
				break
			}
		}
	}
	if field == "" {
		return nil
	}
	list, cut, err := messageList(field, v)
	if err != nil && s.Dropped > 0 { // what is missing was dropped
		r.inputCut = true
		return nil
	}
	if err != nil {
		return err
	}
	r.inputSeen, r.inputCut = true, r.inputCut || cut
	r.addInput(list)
	return nil
}

// addInput puts messages of the app aside: they are context, wherever they stand.
func (r *record) addInput(list []message) {
	for _, m := range list {
		if m.of == app {
			r.addSystem(m)
			continue
		}
		r.input = append(r.input, m)
	}
}

// readOutput reads what the model wrote.
func (r *record) readOutput(s *Span) *faultError {
	v, field := s.value("gen_ai.output.messages")
	if field == "" {
		for _, prefix := range []string{"llm.output_messages", "gen_ai.completion"} {
			if list, ok := s.unflattened(prefix); ok {
				v, field = list, prefix
				break
			}
		}
	}
	if field == "" {
		return r.readVercelOutput(s)
	}
	v, cut, err := structured(field, v)
	if err != nil && s.Attributes[field].Kind() == servedjson.String {
		r.setAnswer(s.Attributes[field]) // emitters write the bare text too
		return nil
	}
	if err != nil {
		return err
	}
	list, _, err := messageList(field, spoken(v))
	if err != nil {
		return err
	}
	r.output, r.outputCut, r.outputSeen = list, cut, len(list) > 0
	return nil
}

// spoken gives messages without a role the one of the model: it is what wrote them.
func spoken(list servedjson.Value) servedjson.Value {
	if list.Kind() != servedjson.Array {
		return list
	}
	out := []byte{'['}
	for item := range list.Elements() {
		if len(out) > 1 {
			out = append(out, ',')
		}
		_, named := item.Get("role")
		_, typed := item.Get("type")
		_, inner := item.Get("message")
		if item.Kind() != servedjson.Object || item.Len() == 0 || named || typed || inner {
			out = append(out, item.Raw()...)
			continue
		}
		out = append(append(out, `{"role":"assistant",`...), item.Raw()[1:]...)
	}
	spoken, _ := servedjson.Parse(append(out, ']')) // put together from complete values
	return spoken
}

// setAnswer takes a text as what the model wrote.
func (r *record) setAnswer(text servedjson.Value) {
	r.output = append(r.output, message{of: assistant, parts: []part{textPart(text)}})
	r.outputSeen = true
}

// readVercelOutput reads the text, the object and the calls that the AI SDK writes each in an attribute.
func (r *record) readVercelOutput(s *Span) *faultError {
	m := message{of: assistant}
	v, field := s.value("ai.response.text", "ai.result.text", "ai.response.object", "ai.result.object")
	if field != "" {
		if v.Kind() != servedjson.String {
			return wrong(field, "a string", v)
		}
		m.parts = append(m.parts, textPart(v))
	}
	v, field = s.value("ai.response.toolCalls", "ai.result.toolCalls")
	if field != "" {
		calls, cut, err := structured(field, v)
		if err != nil {
			return err
		}
		r.outputCut = cut
		if err := m.addCallList(field, calls); err != nil {
			return err
		}
	}
	if len(m.parts) > 0 {
		r.output, r.outputSeen = []message{m}, true
	}
	return nil
}
