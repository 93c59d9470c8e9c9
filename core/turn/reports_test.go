package turn

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// report is a public bug report as an input: one turn, or one tool result. testdata/public-reports.jsonl holds them, with
// their sources; what a careful user expects of each is in the tables below.
type report struct {
	ID    string `json:"id"`
	Input struct {
		ToolResult json.RawMessage `json:"tool_result"`
		Turn       *struct {
			User  string `json:"user"`
			Tools []struct {
				ID, Name string
				Result   json.RawMessage
			} `json:"tools"`
			Answer string `json:"answer"`
		} `json:"turn"`
	} `json:"input"`
}

func readReports(t *testing.T) map[string]report {
	t.Helper()
	f, err := os.Open("testdata/public-reports.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	reports := map[string]report{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var r report
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		reports[r.ID] = r
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return reports
}

// fold makes the report's turn a conversation under calibrated-1, with a prompt unless it was not recorded.
func (r report) fold(t *testing.T, prompt bool, change func(*Policy)) *State {
	t.Helper()
	policy := Policy{Ruleset: Calibrated1}
	if change != nil {
		change(&policy)
	}
	rules, err := policy.Compile()
	if err != nil {
		t.Fatal(err)
	}
	state := New(rules, event.Conversation{ID: r.ID})
	start := &event.TurnStart{}
	if prompt {
		start.Context = []string{"be brief"}
	}
	seq := uint64(1)
	if r.Input.Turn == nil {
		state.Fold(seq, event.Event{Turn: 1, ToolEnd: &event.ToolEnd{Call: event.Call{ID: "c1", Tool: "lookup"}, Result: compact(t, r.Input.ToolResult)}})
		state.Fold(seq+1, event.Event{Turn: 1, Answer: &event.Answer{Text: "done"}})
		return state
	}
	start.User = &r.Input.Turn.User
	state.Fold(seq, event.Event{Turn: 1, TurnStart: start})
	for _, tool := range r.Input.Turn.Tools {
		seq++
		state.Fold(seq, event.Event{Turn: 1, ToolEnd: &event.ToolEnd{Call: event.Call{ID: tool.ID, Tool: tool.Name}, Result: compact(t, tool.Result)}})
	}
	state.Fold(seq+1, event.Event{Turn: 1, Answer: &event.Answer{Text: r.Input.Turn.Answer}})
	return state
}

func compact(t *testing.T, raw json.RawMessage) event.JSON {
	t.Helper()
	v, err := servedjson.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return event.JSON(v.Raw())
}

func TestPublicReportsEvidence(t *testing.T) {
	reports := readReports(t)
	for _, tt := range []struct {
		id      string
		outcome event.Outcome
		values  string
		reasons string
	}{
		{"ev-locale-comma", event.Grounded, "", ""},
		{"ev-two-numbers-not-one", event.Unsupported, "4777", ""},
		{"ev-rounding", event.NothingAsserted, "", ""}, // figures are off: two digits are not examined
		{"ev-int-not-widened", event.Unsupported, "6000", ""},
		{"ev-range-dash", event.Grounded, "", ""},
		{"ev-real-negative", event.Unsupported, "-1234.5", ""},
		{"ev-label-glue", event.Grounded, "", ""},
		{"ev-small-int-prose", event.NothingAsserted, "", ""},
		{"ev-section-ref", event.NothingAsserted, "", ""},
		{"ev-unicode-minus-nbsp", event.Grounded, "", ""},
		{"ev-time-parts", event.Grounded, "", ""},
		// The report would have a reason of its own for a time in another zone. The vocabulary of reasons is closed and
		// has none, and a conversion is arithmetic: both times are listed.
		{"ev-timezone", event.Unsupported, "05:00 06:00", ""},
		{"ev-id-component", event.Grounded, "", ""},
		{"ev-id-substring", event.Unsupported, "0xab12", ""},
		{"ev-sha-abbrev", event.Grounded, "", ""},
		{"ev-args-launder", event.Unsupported, "ord-90917", ""},
		{"ev-count-as-return", event.Grounded, "", ""}, // membership, not meaning
		{"ev-truncated-json", event.CannotTell, "99120", "result_capped"},
		{"ev-mcp-array", event.Grounded, "", ""},
		{"ev-html", event.Grounded, "", ""},
		{"ev-md-table", event.Grounded, "", ""},
		{"ev-typed-exempt-missing-system", event.Unsupported, "2031-05-15 pol-2231", "prompt_not_captured"},
		{"ev-one-trivial-call", event.Unsupported, "1337 parser.rs:4821", ""},
		{"ev-redacted", event.CannotTell, "4471829", "result_redacted"},
	} {
		t.Run(tt.id, func(t *testing.T) {
			r, ok := reports[tt.id]
			if !ok {
				t.Fatal("no such report")
			}
			delete(reports, tt.id)
			v := judge(t, r.fold(t, tt.id != "ev-typed-exempt-missing-system", nil), 1, 0)
			var reasons []string
			for _, reason := range v.Reasons {
				reasons = append(reasons, string(reason))
			}
			if v.Outcome != tt.outcome || values(v) != tt.values || strings.Join(reasons, " ") != tt.reasons {
				t.Errorf("%s %q %v, want %s %q [%s]", v.Outcome, values(v), v.Reasons, tt.outcome, tt.values, tt.reasons)
			}
		})
	}
	for id := range reports {
		if strings.HasPrefix(id, "ev-") {
			t.Errorf("the report %s has no expectation", id)
		}
	}
}

func TestPublicReportsRounding(t *testing.T) {
	r := readReports(t)["ev-rounding"]
	v := judge(t, r.fold(t, true, func(p *Policy) { p.Evidence.Figures = true }), 1, 0)
	if len(v.Computed) != 1 || v.Computed[0].Value != "73" || v.Computed[0].Derivation != "rounded" {
		t.Errorf("computed %+v, want 73 rounded from 72.64", v.Computed)
	}
}

func TestPublicReportsEmptiness(t *testing.T) {
	reports := readReports(t)
	for _, tt := range []struct{ id, emptiness, source, incomplete string }{
		{"em-structured-only", "non-empty", "shape", ""},
		{"em-structured-scalar", "undeclared-empty", "shape", ""}, // null says nothing came back, and not what was searched
		{"em-missing-key", "unknown", "", ""},
		{"em-omission-envelope", "unknown", "", ""},
		// The report would have non-empty. The rows stand two keys down, and nobody declared them: the reading stays
		// unknown, with the mark that the result is not whole.
		{"em-truncated-rows", "unknown", "shape", "rows_truncated"},
		{"em-silent-script", "undeclared-empty", "shape", ""},
	} {
		t.Run(tt.id, func(t *testing.T) {
			r, ok := reports[tt.id]
			if !ok {
				t.Fatal("no such report")
			}
			delete(reports, tt.id)
			results := judge(t, r.fold(t, true, nil), 1, 0).Results
			if len(results) != 1 {
				t.Fatalf("%d results", len(results))
			}
			if got := results[0]; got.Emptiness != tt.emptiness || got.Source != tt.source || got.Incomplete != tt.incomplete {
				t.Errorf("%s by %q, incomplete %q; want %s by %q, %q", got.Emptiness, got.Source, got.Incomplete, tt.emptiness, tt.source, tt.incomplete)
			}
		})
	}
	for id := range reports {
		if strings.HasPrefix(id, "em-") {
			t.Errorf("the report %s has no expectation", id)
		}
	}
}
