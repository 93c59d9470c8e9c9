package turn_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
)

// told writes an explanation as lines: the value, its standing, and what holds it.
func told(values []turn.Explained) (lines []string) {
	for _, v := range values {
		var line strings.Builder
		line.WriteString(v.Value + " " + string(v.Standing))
		for _, h := range v.Holders {
			fmt.Fprintf(&line, " [%d %s%s", h.Seq, h.Field, h.Path)
			if h.Call != nil {
				line.WriteString(" of " + h.Call.ID)
			}
			if h.At != nil {
				fmt.Fprintf(&line, " at %d", h.At[0])
			}
			line.WriteString("]")
		}
		if v.More {
			line.WriteString(" and more")
		}
		lines = append(lines, line.String())
	}
	return lines
}

func explained(t *testing.T, answer string, results ...string) []string {
	t.Helper()
	rules, err := turn.Policy{Ruleset: turn.Calibrated1}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	s := turn.New(rules, event.Conversation{ID: "c"})
	s.Fold(1, event.Event{Turn: 1, TurnStart: &event.TurnStart{User: new("What of 77001?"), Context: []string{"be brief"}}})
	for i, result := range results {
		id := string(rune('a' + i))
		s.Fold(uint64(i+2), event.Event{Turn: 1, ToolEnd: &event.ToolEnd{Call: event.Call{ID: id, Tool: "find"}, Result: event.JSON(result)}})
	}
	name := turn.Name{Turn: 1, Iteration: 1}
	s.Fold(100, event.Event{Turn: 1, Answer: &event.Answer{Text: answer, Iteration: 1}})
	values, ok := s.Explain(name)
	if !ok {
		t.Fatal("the answer is not explained")
	}
	verdict, _ := s.Judge(name)
	if again, _ := s.Judge(name); cmp.Diff(verdict, again) != "" {
		t.Error("explaining changed the verdict")
	}
	unsupported := 0
	for _, v := range values {
		if v.Standing == turn.Unsupported {
			unsupported++
		}
		for _, span := range v.Spans {
			if span[1] > len(answer) {
				t.Errorf("%s stands at %v of %d bytes", v.Value, span, len(answer))
			}
		}
	}
	if unsupported != len(verdict.Unsupported) || len(values) != verdict.Candidates {
		t.Errorf("%d values, %d unsupported; the verdict has %d, %d", len(values), unsupported, verdict.Candidates, len(verdict.Unsupported))
	}
	return told(values)
}

func TestExplain(t *testing.T) {
	tests := []struct {
		name, answer string
		results      []string
		want         []string
	}{
		{"nothing asserted", "Nothing.", []string{`[44170]`}, nil},
		{"the smallest part", "It is 44170, not 55012.", []string{`{"order":[{"id":"x"},{"id":44170,"a/b":{"c~d":"is 44170 here"}}]}`}, []string{
			"44170 read [2 result/order/1/id of a at 0] [2 result/order/1/a~1b/c~0d of a at 3]", "55012 unsupported",
		}},
		{"another spelling", "They are 44,170.", []string{`{"n":44170}`}, []string{"44170 read [2 result/n of a at 0]"}},
		{"a plain text", "It is 44170.", []string{`"the order 44170 went out"`}, []string{"44170 read [2 result of a at 10]"}},
		{"JSON in a text", "It is 44170.", []string{`"{\"id\": 44170}"`}, []string{"44170 read [2 result/id of a at 0]"}},
		{"capitals", "Crate CR-20417.", []string{`{"id":"the crate CR-20417"}`}, []string{"cr-20417 read [2 result/id of a at 10]"}},
		{"several rows", "It is 44170.", []string{`1`, `[44170]`, `{"k":"44170"}`}, []string{"44170 read [3 result/0 of b at 0] [4 result/k of c at 0]"}},
		{"what the person said", "So 77001 it is.", []string{`[77001]`}, []string{"77001 said [1 text at 8]"}},
		{"a name", "See the key 44170.", []string{`{"44170":true}`}, []string{"44170 read [2 result of a at 2]"}},
		{"many", "It is 44170.", []string{"[" + strings.Repeat("44170,", 30) + "1]"}, []string{
			"44170 read" + func() (all string) {
				for i := range 20 {
					all += fmt.Sprintf(" [2 result/%d of a at 0]", i)
				}
				return all
			}() + " and more",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, explained(t, tt.answer, tt.results...)); diff != "" {
				t.Errorf("explained (-want +got):\n%s", diff)
			}
		})
	}
}

// A large result costs no more than a bound, and what was not looked into is named as a whole.
func TestExplainIsBounded(t *testing.T) {
	got := explained(t, "It is 44170.", "[["+strings.Repeat("1,", 60_000)+"44170]]")
	if want := []string{"44170 read [2 result/0 of a at 120001]"}; cmp.Diff(want, got) != "" {
		t.Errorf("explained %q, want %q", got, want)
	}
}
