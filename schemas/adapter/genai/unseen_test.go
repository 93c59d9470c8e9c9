package genai_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/schemas/adapter/genai"
)

// verdict judges the last answer of the spans.
func verdict(t *testing.T, spans []genai.Span) event.EvidenceChecked {
	t.Helper()
	rules, err := turn.Policy{Ruleset: turn.Calibrated1}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	events, _, _ := convert(spans)
	var state *turn.State
	var last turn.Name
	for i, e := range events {
		if state == nil {
			state = turn.New(rules, e.Conversation)
		}
		state.Fold(uint64(i+1), e)
		if e.Answer != nil {
			last = turn.Name{Turn: e.Turn, Iteration: e.Answer.Iteration}
		}
	}
	if state == nil {
		t.Fatal("no events")
	}
	v, ok := state.Judge(last)
	if !ok {
		t.Fatal("no answer")
	}
	return v
}

// TestUnseen holds that what was not recorded is a reason, and accuses nobody: 55012 stands nowhere in any of these, and
// could stand in what is missing.
func TestUnseen(t *testing.T) {
	u, said := user("Where?"), list(says("It is 55012."))
	for _, tt := range []struct {
		name   string
		spans  []genai.Span
		reason event.Reason // empty: all was seen, and the value is unsupported
		note   string
	}{
		{"all was recorded", []genai.Span{chat("c", "", 10, list(u), said)}, "", ""},
		{
			"a result that was not recorded",
			[]genai.Span{agent("a", "", 0, 99), chat("c1", "a", 10, list(u), list(asks("k1"))), tool("x", "a", 20, "k1", nil), chat("c2", "a", 30, list(u), said)},
			event.ContentNotCaptured, "1 tool results were not recorded",
		},
		{
			"a tool span that was sampled out",
			[]genai.Span{agent("a", "", 0, 99), chat("c1", "a", 10, list(u), list(asks("k1"))), chat("c2", "a", 30, list(u), said)},
			event.RowsMissing, "",
		},
		{"input that was not recorded", []genai.Span{chat("c", "", 10, "", said)}, event.ContentNotCaptured, "no recorded input"},
		{"input that a limit cut", []genai.Span{chat("c", "", 10, list(u)[:20], said)}, event.ContentNotCaptured, "was cut"},
		{"attributes that were dropped", []genai.Span{chat("c", "", 10, list(u), said, dropped)}, event.ContentNotCaptured, "dropped"},
		{
			"an image in front of the model",
			[]genai.Span{chat("c", "", 10, list(message("user", `{"type":"text","content":"Read it."},{"type":"blob","modality":"image","content":"aGk="}`)), said)},
			event.ContentNotCaptured, "images",
		},
		{
			"an image in a result",
			[]genai.Span{chat("c", "", 10, list(u, asks("k1"), gives("k1", `[{"type":"text","text":"chart"},{"type":"image","data":"aGk=","mimeType":"image/png"}]`)), said)},
			event.ContentNotCaptured, "images",
		},
		{
			"a part whose content was left out",
			[]genai.Span{chat("c", "", 10, list(message("user", `{"type":"text"}`)), said)}, event.ContentNotCaptured, "images",
		},
		{
			"a response whose content was left out",
			[]genai.Span{chat("c", "", 10, list(u, asks("k1"), message("tool", `{"type":"tool_call_response","id":"k1"}`)), said)},
			event.ContentNotCaptured, "were not recorded",
		},
		{
			"OpenInference was told to hide inputs",
			[]genai.Span{span("c", "", "llm", 10, 20, attrs{
				"openinference.span.kind": "LLM", "llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": "__REDACTED__",
				"llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "It is 55012.",
			})},
			event.ContentNotCaptured, "images",
		},
		{
			"a result as long as a limit",
			[]genai.Span{agent("a", "", 0, 99), tool("x", "a", 5, "k1", strings.Repeat("é", 256)), chat("c", "a", 10, list(u), said)},
			event.ResultCapped, "",
		},
		{
			"a result of JSON that a limit cut",
			[]genai.Span{agent("a", "", 0, 99), tool("x", "a", 5, "k1", `{"rows":[{"id":48213},{"id":4`), chat("c", "a", 10, list(u), said)},
			event.ResultCapped, "",
		},
		{
			"an answer as long as a limit",
			[]genai.Span{chat("c", "", 10, list(u), list(says("It is 55012."+strings.Repeat(" ", 500))))}, event.ContentNotCaptured, "may be cut",
		},
		{
			"a span of the turn that cannot be read",
			[]genai.Span{agent("a", "", 0, 99), tool("x", "a", 5, "", "ok", func(s *genai.Span) {
				s.Attributes = values(attrs{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.id": 7})
			}), chat("c", "a", 10, list(u), said)},
			event.ContentNotCaptured, "",
		},
		{
			"a span whose parent is missing",
			[]genai.Span{agent("a", "", 0, 99), tool("x", "gone", 5, "k1", "ok"), chat("c", "a", 10, list(u), said)},
			event.RowsMissing, "parents of 1 spans",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := verdict(t, tt.spans)
			want := event.CannotTell
			if tt.reason == "" {
				want = event.Unsupported
			}
			if v.Outcome != want || len(v.Unsupported) != 1 || v.Unsupported[0].Value != "55012" {
				t.Errorf("%s, reasons %v, unsupported %v, want %s", v.Outcome, v.Reasons, v.Unsupported, want)
			}
			if tt.reason != "" && !strings.Contains(joined(v.Reasons), string(tt.reason)) {
				t.Errorf("reasons %v, want %s", v.Reasons, tt.reason)
			}
			_, c, _ := told(t, tt.spans)
			if notes := strings.Join(c.Notes(), "\n"); !strings.Contains(notes, tt.note) || tt.note == "" && notes != "" {
				t.Errorf("notes %q, want %q", notes, tt.note)
			}
		})
	}
}

func joined(reasons []event.Reason) string {
	var words []string
	for _, r := range reasons {
		words = append(words, string(r))
	}
	return strings.Join(words, " ")
}

// Once spans were lost, no answer is accused.
func TestGap(t *testing.T) {
	c := genai.New(event.Conversation{Tenant: "acme"})
	c.Gap()
	c.Read([]genai.Span{chat("c", "", 10, list(user("Where?")), list(says("It is 55012.")))})
	events, err := c.Flush(nil)
	if err != nil {
		t.Fatal(err)
	}
	a := events[len(events)-1].Answer
	if a == nil || len(a.Unseen) != 1 || a.Unseen[0] != event.RowsMissing {
		t.Errorf("answer %+v, want rows_missing in what was not seen", a)
	}
}

// TestFaults holds that a shape that is not known is said with its span and its path, and is never an empty result.
func TestFaults(t *testing.T) {
	model := func(name string, value any) genai.Span {
		return span("c", "", "chat gpt", 10, 19, attrs{"gen_ai.operation.name": "chat", name: value})
	}
	for _, tt := range []struct {
		name string
		span genai.Span
		want genai.Fault
	}{
		{"messages that are a number", model("gen_ai.input.messages", 7), genai.Fault{Field: "gen_ai.input.messages", Detail: "want a list of messages, found a number"}},
		{"messages that are no JSON", model("gen_ai.input.messages", "hello"), genai.Fault{Field: "gen_ai.input.messages", Detail: "the text in it is not JSON"}},
		{"a message that is a number", model("gen_ai.input.messages", "[7]"), genai.Fault{Field: "gen_ai.input.messages.0", Detail: "want a message, found a number"}},
		{"a message without a role", model("gen_ai.input.messages", `[{"parts":[]}]`), genai.Fault{Field: "gen_ai.input.messages.0.role", Detail: "is missing"}},
		{"a role that is not known", model("gen_ai.input.messages", `[{"role":"oracle","parts":[]}]`), genai.Fault{Field: "gen_ai.input.messages.0.role", Detail: "names no role that is known here"}},
		{"parts that are an object", model("gen_ai.input.messages", `[{"role":"user","parts":{}}]`), genai.Fault{Field: "gen_ai.input.messages.0.parts", Detail: "want a string or a list of parts, found an object"}},
		{"a part that is not known", model("gen_ai.output.messages", `[{"role":"assistant","parts":[{"type":"text","content":"a"},{"type":"dream"}]}]`), genai.Fault{Field: "gen_ai.output.messages.0.parts.1.type", Detail: "names no part of a message that is known here"}},
		{"a text that is a number", model("gen_ai.input.messages", `[{"role":"user","parts":[{"type":"text","content":7}]}]`), genai.Fault{Field: "gen_ai.input.messages.0.parts.0.content", Detail: "want a string, found a number"}},
		{"calls that are an object", model("gen_ai.input.messages", `[{"role":"assistant","content":null,"tool_calls":{}}]`), genai.Fault{Field: "gen_ai.input.messages.0.tool_calls", Detail: "want a list, found an object"}},
		{"the text of the AI SDK that is a list", model("ai.response.text", []int{1}), genai.Fault{Field: "ai.response.text", Detail: "want a string, found an array"}},
		{"a flattened role that is not known", model("llm.input_messages.0.message.role", "oracle"), genai.Fault{Field: "llm.input_messages.0.role", Detail: "names no role that is known here"}},
		{"an event's calls that are no list", func() genai.Span {
			s := model("x", 1)
			s.Events = []genai.SpanEvent{{Name: "gen_ai.assistant.message", Attributes: values(attrs{"tool_calls": 7})}}
			return s
		}(), genai.Fault{Field: "gen_ai.assistant.message.tool_calls", Detail: "want a list, found a number"}},
		{"an id of a call that is a number", span("c", "", "chat gpt", 10, 19, attrs{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.id": 7}), genai.Fault{Field: "gen_ai.tool.call.id", Detail: "want a string, found a number"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, faults := convert([]genai.Span{tt.span})
			tt.want.Line, tt.want.Span = 1, "chat gpt"
			if diff := cmp.Diff([]genai.Fault{tt.want}, faults); diff != "" {
				t.Errorf("faults (- wanted, + given):\n%s", diff)
			}
		})
	}
}
