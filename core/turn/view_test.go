package turn

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/evidence"
)

// An index that is full may lack the value that would have held an answer's: nothing is accused then, whichever of the
// indexes it is.
func TestNothingIsAccusedFromATruncatedIndex(t *testing.T) {
	for _, tt := range []struct {
		name       string
		pattern    string // of the values that come first, by their number
		count      int
		said       bool // they are the person's, not a result's
		cannotTell bool
	}{
		{"room for all", "%07d", 1000, false, false},
		{"results: the values", "%07d", evidence.MaxForms, false, true},
		{"results: two keys of each id", "a-b-%07d", evidence.MaxForms / 2, false, true},
		{"what was said: the values", "%07d", evidence.MaxForms, true, true},
		{"what was said: two keys of each id", "a-b-%07d", evidence.MaxForms / 2, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var many strings.Builder
			for i := range tt.count {
				fmt.Fprintf(&many, tt.pattern+" ", 1_000_000+i)
			}
			result, said := many.String(), "be brief"
			if tt.said {
				result, said = said, result
			}
			state := dialogue(fmt.Sprintf("app 1 %s\nuser 1 which?\nrow 1 a@0 %q\nanswer 1@1 9999999", said, result)).fold(t, calibrated(t))
			v := judge(t, state, 1, 1)
			told := slices.Equal(v.Reasons, []event.Reason{event.IndexTruncated}) && v.Outcome == event.CannotTell
			if told != tt.cannotTell || values(v) != "9999999" || v.EvidenceTruncated != (tt.cannotTell && !tt.said) {
				t.Errorf("%s %q %v, truncated %v", v.Outcome, values(v), v.Reasons, v.EvidenceTruncated)
			}
		})
	}
}

// A number that figures cannot be asked about for want of room is not accused of.
func TestCappedFiguresCannotTell(t *testing.T) {
	rules, err := Policy{Ruleset: Calibrated1, Evidence: evidence.GateConfig{Figures: true}}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	for name, rows := range map[string]int{"few": 10, "too many": 5001} {
		state := New(rules, event.Conversation{ID: "c"})
		user := "how many?"
		state.Fold(1, event.Event{Turn: 1, TurnStart: &event.TurnStart{User: &user, Context: []string{"be brief"}}})
		result := "[" + strings.TrimSuffix(strings.Repeat(`{"n":7},`, rows), ",") + "]"
		state.Fold(2, event.Event{Turn: 1, ToolEnd: &event.ToolEnd{Call: event.Call{ID: "c1", Tool: "t"}, Result: event.JSON(result)}})
		state.Fold(3, event.Event{Turn: 1, Answer: &event.Answer{Text: "They are 35007 in all."}})
		v := judge(t, state, 1, 0)
		want := event.Unsupported
		if rows > 5000 {
			want = event.CannotTell
		}
		if v.Outcome != want || (len(v.Reasons) == 1 && v.Reasons[0] == event.IndexTruncated) != (rows > 5000) {
			t.Errorf("%s rows: %s %v", name, v.Outcome, v.Reasons)
		}
	}
}
