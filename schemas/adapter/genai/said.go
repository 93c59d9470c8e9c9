package genai

import (
	"strings"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// said is what a model call wrote: an answer, calls, or neither.
type said struct {
	text    string
	calls   []part
	answers []part // of calls that the model's provider ran
	unnamed bool   // it asked for a call, and which was not recorded
}

// remote tells whether every call was run by the model's provider, within the same output.
func (s *said) remote() bool {
	for i := range s.calls {
		if !s.calls[i].remote {
			return false
		}
	}
	return len(s.calls) > 0
}

// said reads the output of a model call. Several messages are the pieces of one output, unless several candidates were
// asked for: then the first is taken.
func (s *step) said() said {
	var out said
	messages := s.record.output
	if len(messages) > 1 && s.candidates() {
		messages = messages[:1]
	}
	var texts []string
	for i := range messages {
		if text := messages[i].texts(); text != "" {
			texts = append(texts, text)
		}
		for _, p := range messages[i].parts {
			switch p.kind {
			case partCall:
				out.calls = append(out.calls, p)
			case partResponse:
				out.answers = append(out.answers, p)
			}
		}
	}
	out.text = strings.Join(texts, "\n")
	out.unnamed = len(out.calls) == 0 && s.finishedForTools()
	return out
}

// candidates tells whether several answers were asked for.
func (s *step) candidates() bool {
	v := s.span.Attributes["gen_ai.request.choice.count"]
	return v.Kind() == servedjson.Number && v.Float() > 1
}

// finishedForTools tells whether the model stopped to have a tool called.
func (s *step) finishedForTools() bool {
	for _, name := range []string{
		"gen_ai.response.finish_reasons", "ai.response.finishReason", "gen_ai.completion.0.finish_reason",
	} {
		v := s.span.Attributes[name]
		text := string(v.Raw())
		if strings.Contains(text, "tool") || strings.Contains(text, "function_call") {
			return true
		}
	}
	return false
}
