package genai_test

import (
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas/adapter/genai"
)

// TestReportOtelResultShape: ad-otel-result-shape. The convention says that a result is an object; emitters send lists,
// strings and JSON in strings, and the parts of messages call it response or, in older examples, result.
func TestReportOtelResultShape(t *testing.T) {
	for _, tt := range []struct {
		name   string
		result any
		want   string
	}{
		{"a list", rawJSON(`[{"temperature":57210}]`), `[{"temperature":57210}]`},
		{"JSON in a string", `[{"temperature":57210}]`, `"[{\"temperature\":57210}]"`},
		{"an object", rawJSON(`{"temperature":57210}`), `{"temperature":57210}`},
		{"a string", "57210 degrees", `"57210 degrees"`},
		{"a number", 57210, "57210"},
		{"many digits", rawJSON(`{"serial":98765432109876543210}`), `{"serial":98765432109876543210}`},
	} {
		t.Run("span/"+tt.name, func(t *testing.T) {
			spans := []genai.Span{agent("a", "", 0, 99), tool("x", "a", 5, "k1", tt.result)}
			if got, _, faults := told(t, spans); got != "1 row k1@1 look_up "+tt.want+"\n" || len(faults) > 0 {
				t.Errorf("events %q, faults %v", got, faults)
			}
		})
	}
	for _, key := range []string{"response", "result"} {
		t.Run("message/"+key, func(t *testing.T) {
			m := message("tool", `{"type":"tool_call_response","id":"k1","`+key+`":[{"temperature":57210}]}`)
			got, _, faults := told(t, []genai.Span{chat("c", "", 10, list(user("Warm?"), asks("k1"), m), list(says("57210")))})
			if !strings.Contains(got, `1 row k1@1 look_up [{"temperature":57210}]`) || len(faults) > 0 {
				t.Errorf("events %q, faults %v", got, faults)
			}
		})
	}
}

// TestReportOtelNoContent: ad-otel-no-content. Recording content is off by default; silence is not emptiness and no
// fabrication.
func TestReportOtelNoContent(t *testing.T) {
	v := verdict(t, []genai.Span{
		agent("a", "", 0, 99), tool("x", "a", 5, "k1", nil), chat("c", "a", 10, list(user("How much?")), list(says("It is 55012."))),
	})
	if v.Outcome != event.CannotTell || !strings.Contains(joined(v.Reasons), string(event.ContentNotCaptured)) {
		t.Errorf("%s for %v", v.Outcome, v.Reasons)
	}
	if len(v.Results) != 1 || v.Results[0].Emptiness != "unknown" {
		t.Errorf("results %+v, want one that cannot be told", v.Results)
	}
}

// TestReportInProgressThenComplete: ad-inprogress-then-complete. One turn is exported twice, under two trace ids: first as
// far as it got, then whole. It is one turn with one answer.
func TestReportInProgressThenComplete(t *testing.T) {
	id := func(response, trace string) func(*genai.Span) {
		return func(s *genai.Span) {
			s.Trace = trace
			s.Attributes["gen_ai.conversation.id"] = values(attrs{"v": "s1"})["v"]
			s.Attributes["gen_ai.response.id"] = values(attrs{"v": response})["v"]
		}
	}
	u := user("Where?")
	first := chat("c1", "", 10, list(u), list(asks("k1")), id("r1", "t1"))
	again := chat("c1", "", 10, list(u), list(asks("k1")), id("r1", "t2"))
	second := chat("c2", "", 30, list(u, asks("k1"), gives("k1", `"48213"`)), list(says("48213")), id("r2", "t2"))
	got, c, _ := told(t, []genai.Span{first, again, second})
	if want := "1 user Where?\n1 user Where?\n1 row k1@1 look_up \"48213\"\n1 answer@2 [k1] 48213\n"; got != want {
		t.Errorf("events\n%s\nwant\n%s", got, want)
	}
	if notes := strings.Join(c.Notes(), "\n"); !strings.Contains(notes, "sent more than once") {
		t.Errorf("notes %q", notes)
	}
}
