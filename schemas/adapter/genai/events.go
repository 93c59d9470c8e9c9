package genai

import "github.com/plumbline-dev/plumbline/core/servedjson"

// eventSpeakers are the events of a span that hold a message, as the conventions had them before version 1.37.
var eventSpeakers = map[string]speaker{
	"gen_ai.system.message": app, "gen_ai.user.message": person, "gen_ai.assistant.message": assistant,
	"gen_ai.tool.message": toolbox, choiceEvent: assistant,
}

// choiceEvent holds what the model wrote.
const choiceEvent = "gen_ai.choice"

// readEvents reads messages that are events, where no attribute recorded any.
func (r *record) readEvents(s *Span) *faultError {
	hadInput, hadOutput := r.inputSeen, r.outputSeen
	for _, e := range s.Events {
		of, ok := eventSpeakers[e.Name]
		if !ok {
			continue
		}
		m, err := eventMessage(e, of)
		if err != nil {
			return err
		}
		switch {
		case e.Name == choiceEvent && !hadOutput:
			r.output, r.outputSeen = append(r.output, m), true
		case e.Name != choiceEvent && !hadInput:
			r.addInput([]message{m})
			r.inputSeen = true
		}
	}
	return nil
}

// eventMessage reads the message of an event: its content and calls are attributes, or members of one called message.
func eventMessage(e SpanEvent, of speaker) (message, *faultError) {
	m := message{of: of}
	content, calls := e.Attributes["content"], e.Attributes["tool_calls"]
	if inner, ok := e.Attributes["message"]; ok {
		content = inner
		if whole, _, err := structured(e.Name, inner); err == nil && whole.Kind() == servedjson.Object {
			content, _ = whole.Get("content")
			calls, _ = whole.Get("tool_calls")
		}
	}
	if of == toolbox {
		return eventResponse(e, content)
	}
	if !content.IsZero() {
		if err := m.addContent(e.Name+".content", content); err != nil {
			return m, err
		}
	}
	if calls.IsZero() {
		return m, nil
	}
	calls, _, err := structured(e.Name+".tool_calls", calls)
	if err != nil {
		return m, err
	}
	return m, m.addCallList(e.Name+".tool_calls", calls)
}

func eventResponse(e SpanEvent, content servedjson.Value) (message, *faultError) {
	p := part{kind: partResponse}
	switch id := e.Attributes["id"]; id.Kind() {
	case servedjson.None, servedjson.Null:
	case servedjson.String:
		p.id = id.Text()
	default:
		return message{}, wrong(e.Name+".id", "a string", id)
	}
	if !content.IsZero() && !content.TextIs(redacted) {
		p.result, p.unseen = resultOf(content)
	}
	return message{of: toolbox, parts: []part{p}}, nil
}
