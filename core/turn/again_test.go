package turn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
)

const (
	absence  = `{"af_absent":true,"checked":[{"what":"stock"}]}`
	boundary = `{"af_coverage":{"checked":["store 1"]},"result":%s}`
)

// A later report of a call takes the place of what it declared. What it declares no more is withdrawn: the subject it
// stands on must end in the same whether or not the first report's declaration was published.
func TestCoverageOfACallReportedAgain(t *testing.T) {
	both := fmt.Sprintf(boundary, absence)
	for _, tt := range []struct {
		name    string
		results []string
		want    string // of the call, kind by kind
	}{
		{"declares nothing", []string{`{"order":44170}`}, ""},
		{"declares", []string{absence}, "absence"},
		{"declares at last", []string{`{"order":44170}`, absence}, "absence"},
		{"declares no more", []string{absence, `{"order":44170}`}, "absence withdrawn"},
		{"declares no more, and says so again", []string{absence, `{"order":44170}`, `{"order":44171}`}, "absence withdrawn"},
		{"declares half of it", []string{both, fmt.Sprintf(boundary, `{"order":44170}`)}, "ledger, absence withdrawn"},
		{"declares another kind", []string{fmt.Sprintf(boundary, `[]`), absence}, "ledger withdrawn, absence"},
		{"declares it again after all", []string{absence, `{"order":44170}`, absence}, "absence"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var d strings.Builder
			for _, result := range tt.results {
				fmt.Fprintf(&d, "row 1 a@0 %s\n", result)
			}
			s := dialogue(d.String()).fold(t, literal(t))
			if got := declaredIn(s); got != tt.want {
				t.Errorf("Coverage gives %q, want %q", got, tt.want)
			}
			if listed := len(s.Things()) > 0; listed != (tt.want != "") {
				t.Errorf("Things lists the call: %v", listed)
			}
		})
	}
}

func declaredIn(s *State) string {
	var all []string
	for _, d := range s.Coverage(1, "a") {
		if d.Withdrawn {
			d.Declared += " withdrawn"
		} else if d.Checked == nil {
			d.Declared += " of nothing"
		}
		all = append(all, d.Declared)
	}
	return strings.Join(all, ", ")
}

// A turn's submissions are the last report per call that carries a program, in the order of submitting (readers.md,
// "Script match"): a later report without one takes nothing back.
func TestSubmissionsOfACallReportedAgain(t *testing.T) {
	s := New(calibrated(t), event.Conversation{ID: "c1"})
	report := func(seq uint64, call, program string, result string) {
		end := &event.ToolEnd{Call: event.Call{ID: call, Tool: "run"}, Result: event.JSON(result)}
		if program != "" {
			end.Script = &event.Script{Program: program}
		}
		s.Fold(seq, event.Event{Turn: 1, ToolEnd: end})
	}
	report(1, "a", "select 1", `"queued"`)
	report(2, "b", "select 2", `"queued"`)
	report(3, "a", "", `"done"`)
	report(4, "b", "select 3", `"done"`)
	s.Fold(5, event.Event{Turn: 1, Answer: &event.Answer{Text: "```\nselect 1\n```\n```\nselect 2\n```\n```\nselect 3\n```\n"}})
	s.Fold(6, event.Event{Turn: 2, Answer: &event.Answer{Text: "done"}})
	var got []string
	for _, b := range judge(t, s, 1, 0).Scripts.Blocks {
		got = append(got, fmt.Sprintf("%s %s %d", b.Status, b.Call, b.Dispatch))
	}
	if want := "[matched a 1 unmatched  0 matched b 2]"; fmt.Sprint(got) != want {
		t.Errorf("blocks %v, want %v", got, want)
	}
	if n := judge(t, s, 2, 0).Scripts.EarlierTurnRows; n != 2 {
		t.Errorf("%d submissions of earlier turns, want 2", n)
	}
}
