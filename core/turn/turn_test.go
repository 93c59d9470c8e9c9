package turn

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
)

func TestJudgeOutcome(t *testing.T) {
	for _, tt := range []struct {
		name     string
		dialogue dialogue
		turn     int
		outcome  event.Outcome
		reasons  string
		values   string
		through  uint64
	}{
		{"grounded in its turn", `
			user 1 which order?
			app 1 be brief
			row 1 a@0 {"order":44170}
			answer 1@1 it is 44170`, 1, event.Grounded, "", "", 4},
		{"stands nowhere", `
			user 1 which order?
			app 1 be brief
			row 1 a@0 {"order":44170}
			answer 1@1 it is 44179`, 1, event.Unsupported, "", "44179", 4},
		{"asserts nothing", `
			user 1 hello
			app 1 be brief
			answer 1@1 how can I help?`, 1, event.NothingAsserted, "", "", 3},
		{"the person said it", `
			user 1 where is 44179?
			app 1 be brief
			answer 1@1 44179 is on its way`, 1, event.Grounded, "", "", 3},
		{"the app said it", `
			user 1 which line?
			app 1 the line is 0800-44179
			answer 1@1 call 0800-44179`, 1, event.Grounded, "", "", 3},
		{"a later report of its turn", `
			user 1 which order?
			app 1 be brief
			answer 1@1 [a] it is 44170
			row 1 a@0 {"order":44170}`, 1, event.Grounded, "", "", 4},
		{"a declared call never came", `
			user 1 which order?
			app 1 be brief
			answer 1@1 [a] it is 44170`, 1, event.CannotTell, "rows_missing", "44170", 3},
		{"the producer says what it did not record", `
			user 1 which order?
			app 1 be brief
			unseen 1 history_incomplete
			answer 1@1 it is 44170`, 1, event.CannotTell, "history_incomplete", "44170", 4},
		{"of an earlier turn", `
			unseen 1 content_not_captured
			user 2 which order?
			app 2 be brief
			unseen 2 content_not_captured
			answer 2@1 it is 44170`, 2, event.CannotTell, "content_not_captured", "44170", 5},
		{"only after the answer, or in a later turn", `
			user 1 which order?
			app 1 be brief
			unseen 2 content_not_captured
			answer 1@1 it is 44170
			unseen 1 result_capped`, 1, event.Unsupported, "", "44170", 4},
		{"a word that is no reason", `
			user 1 which order?
			app 1 be brief
			unseen 1 pictures
			answer 1@1 it is 44170`, 1, event.CannotTell, "content_not_captured", "44170", 4},
		{"the prompt, beside what is known of it", `
			user 1 which order?
			app 1 be brief
			unseen 1 prompt_not_captured
			answer 1@1 it is 44170`, 1, event.Unsupported, "prompt_not_captured", "44170", 4},
		{"a call that it does not name", `
			user 1 which order?
			app 1 be brief
			row 1 a@0 {}
			row 1 b@0 {"order":44170}
			answer 1@1 [a] it is 44170`, 1, event.Unsupported, "", "44170", 5},
		{"a call of a later iteration", `
			user 1 which order?
			app 1 be brief
			answer 1@1 it is 44170
			row 1 b@2 {"order":44170}`, 1, event.Unsupported, "", "44170", 3},
		{"a report of an earlier turn that came too late", `
			user 1 which order?
			app 1 be brief
			answer 2@1 it is 44170
			row 1 a@0 {"order":44170}`, 2, event.Unsupported, "", "44170", 3},
		{"a declared call of an earlier turn came too late", `
			user 1 which order?
			app 1 be brief
			answer 1@1 [a] a moment
			answer 2@1 it is 44170
			row 1 a@0 {"order":44170}`, 2, event.CannotTell, "rows_missing", "44170", 4},
		{"what was said afterwards exempts nothing", `
			user 1 which order?
			app 1 be brief
			answer 1@1 it is 44170
			user 2 so 44170 it is`, 1, event.Unsupported, "", "44170", 3},
		{"the call was reported again", `
			user 1 which order?
			app 1 be brief
			row 1 a@0 {"order":44170}
			answer 1@1 it is 44170
			row 1 a@0 {"order":55550}`, 1, event.Unsupported, "", "44170", 5},
		{"a repeated report is not what it rests on", `
			user 1 which order?
			app 1 be brief
			row 1 a@0 {"order":44170}
			answer 1@1 it is 44170
			row 1 a@0 {"order":44170}`, 1, event.Grounded, "", "", 4},
		{"an id used again in another iteration is another call", `
			user 1 which order?
			app 1 be brief
			row 1 a@0 {"order":44170}
			row 1 a@1 {"order":55550}
			answer 1@1 [a a] 44170 and 55550`, 1, event.Grounded, "", "", 5},
		{"an id named twice and reported once", `
			user 1 which order?
			app 1 be brief
			row 1 a@0 {"order":44170}
			answer 1@1 [a a] 44170 and 55550`, 1, event.CannotTell, "rows_missing", "55550", 4},
		{"a second answer takes its place", `
			user 1 which order?
			app 1 be brief
			row 1 a@0 {"order":44170}
			answer 1@1 it is 44179
			answer 1@1 it is 44170`, 1, event.Grounded, "", "", 5},
		{"the same answer again", `
			user 1 which order?
			app 1 be brief
			answer 1@1 it is 44179
			answer 1@1 it is 44179`, 1, event.Unsupported, "", "44179", 3},
		{"the beginning was not kept", `
			user 3 which order?
			app 3 be brief
			answer 3@1 it is 44179`, 3, event.CannotTell, "history_incomplete", "44179", 3},
		{"the result was capped", `
			user 1 which order?
			app 1 be brief
			row 1 a@0 {"truncated":true,"reason":"too long","head":"{\"order\":44170,\"ne"}
			answer 1@1 44170 and 44179`, 1, event.CannotTell, "result_capped", "44179", 4},
		{"the result nests deeper than is followed", dialogue(`
			user 1 which order?
			app 1 be brief
			row 1 a@0 ` + strings.Repeat("[", 2000) + `44170` + strings.Repeat("]", 2000) + `
			answer 1@1 44170 and 44179`), 1, event.CannotTell, "result_capped", "44179", 4},
		{"the result was redacted", `
			user 1 which order?
			app 1 be brief
			row 1 a@0 {"order":"[REDACTED]"}
			answer 1@1 it is 44179`, 1, event.CannotTell, "result_redacted", "44179", 4},
		{"nobody was heard", `
			row 1 a@0 {"order":44170}
			answer 1@1 it is 44179`, 1, event.CannotTell, "prompt_not_captured", "44179", 2},
		{"no prompt, but the person was heard", `
			user 1 which order?
			row 1 a@0 {"order":44170}
			answer 1@1 it is 44179`, 1, event.Unsupported, "prompt_not_captured", "44179", 3},
		{"a correction exempts nothing and opens no turn", `
			user 1 which order?
			app 1 be brief
			row 1 a@0 {"order":44170}
			user 2 [evidence check] 44179 stands in no result
			answer 2@1 it is 44170 or 44179`, 2, event.Unsupported, "", "44179", 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			state := tt.dialogue.fold(t, literal(t))
			v := judge(t, state, tt.turn, 1)
			if v.Outcome != tt.outcome || values(v) != tt.values || fmt.Sprint(v.Reasons) != "["+tt.reasons+"]" {
				t.Errorf("%s %v %q, want %s [%s] %q", v.Outcome, v.Reasons, values(v), tt.outcome, tt.reasons, tt.values)
			}
			if v.Through != tt.through {
				t.Errorf("through %d, want %d", v.Through, tt.through)
			}
			if accused := v.Action == event.ActionFlagged; accused != (v.Outcome == event.Unsupported) {
				t.Errorf("action %s with outcome %s", v.Action, v.Outcome)
			}
		})
	}
}

// A runtime that does not record what tools gave says so, and then nothing is accused.
func TestContentNotCaptured(t *testing.T) {
	state := dialogue(`
		user 1 which order?
		app 1 be brief`).fold(t, literal(t))
	end := parseEvent(t, `row 1 a@0 null`)
	end.ToolEnd.Status = event.StatusNotCaptured
	state.Fold(3, end)
	state.Fold(4, parseEvent(t, `answer 1@1 it is 55012`))
	v := judge(t, state, 1, 1)
	if v.Outcome != event.CannotTell || fmt.Sprint(v.Reasons) != "[content_not_captured]" || values(v) != "55012" {
		t.Errorf("%s %v %q, want cannot_tell for content_not_captured", v.Outcome, v.Reasons, values(v))
	}
	if v.Results[0].Emptiness != "unknown" {
		t.Errorf("a result that was not captured reads as %s", v.Results[0].Emptiness)
	}
}

func TestGroundingCounts(t *testing.T) {
	state := dialogue(`
		user 1 which orders?
		app 1 be brief
		row 1 a@0 {"order":44170}
		answer 1@1 it is 44170
		user 2 and the next?
		row 2 b@0 {"order":55550}
		row 2 c@0 [55550]
		answer 2@1 after 44170 comes 55550`).fold(t, literal(t))
	got, want := judge(t, state, 2, 1).Grounding, event.Grounding{
		FromThisTurn: 1, FromPriorTurns: 1, LatestPriorTurn: 1, CurrentTurn: 2, ToolResultsThisTurn: 2,
	}
	if got != want {
		t.Errorf("grounding %+v, want %+v", got, want)
	}
	carried := judge(t, state, 2, 1).CarriedBy
	if len(carried) != 1 || carried[0].Value != "55550" || !slices.Equal(carried[0].Calls, []string{"b", "c"}) {
		t.Errorf("carried %+v, want 55550 by b and c", carried)
	}
}

func TestUnsupportedSpans(t *testing.T) {
	state := dialogue(`
		user 1 which?
		app 1 be brief
		answer 1@1 é 44179, then `+"`44179`"+`.`).fold(t, literal(t))
	v := judge(t, state, 1, 1)
	text := "é 44179, then `44179`."
	for _, span := range v.Unsupported[0].Spans {
		if got := text[span[0]:span[1]]; got != "44179" {
			t.Errorf("span %v holds %q", span, got)
		}
	}
	if len(v.Unsupported[0].Spans) != 2 {
		t.Errorf("spans %v, want both places", v.Unsupported[0].Spans)
	}
}

func TestUnsupportedIsBounded(t *testing.T) {
	var text strings.Builder
	text.WriteString("answer 1@1 long-" + strings.Repeat("9", 100))
	for i := range 20 {
		text.WriteString(fmt.Sprintf(" %d", 70000+i))
	}
	v := judge(t, dialogue("user 1 which?\napp 1 brief\n"+text.String()).fold(t, literal(t)), 1, 1)
	if len(v.Unsupported) != 12 || v.UnsupportedOmitted != 9 {
		t.Errorf("%d listed and %d omitted, want 12 and 9", len(v.Unsupported), v.UnsupportedOmitted)
	}
	if first := v.Unsupported[0].Value; len([]rune(first)) != 64 || !strings.HasSuffix(first, "…") {
		t.Errorf("value %q is not clipped to 64", first)
	}
}

func TestCoverage(t *testing.T) {
	state := dialogue(`
		row 1 a@2 {"af_coverage":{"checked":[{"what":"x"}]},"result":{"af_absent":true,"looked_for":"y","checked":[{"what":"z"}]}}
		row 1 b@2 {"order":1}`).fold(t, literal(t))
	declared := state.Coverage(1, "a")
	if len(declared) != 2 || declared[0].Declared != "ledger" || declared[1].Declared != "absence" || declared[0].Seq != 1 {
		t.Fatalf("declared %+v, want a ledger and an absence at 1", declared)
	}
	if declared[1].Emptiness != "declared-absent" || declared[1].Iteration != 2 {
		t.Errorf("%+v, want declared-absent of iteration 2", declared[1])
	}
	if declared := state.Coverage(1, "b"); len(declared) != 0 {
		t.Errorf("a plain result declared %+v", declared)
	}
}

// The runtime's own record of a call decides: a marker it does not vouch for is data.
func TestCoverageDoorDecides(t *testing.T) {
	e := parseEvent(t, `row 1 a@0 {"af_absent":true,"checked":[{"what":"z"}]}`)
	e.ToolEnd.Door = &event.Door{}
	state := New(literal(t), e.Conversation)
	state.Fold(1, e)
	if declared := state.Coverage(1, "a"); len(declared) != 0 {
		t.Errorf("declared %+v though the door holds no absence", declared)
	}
}

// What is folded is all that counts: folding one event at a time and judging in between gives what folding everything
// and judging once gives, and folding anything twice changes nothing.
func TestFoldLaws(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		rules := literal(t)
		step, once := New(rules, event.Conversation{}), New(rules, event.Conversation{})
		for seq := range uint64(30) {
			e := randomEvent(r)
			step.Fold(seq+1, e)
			once.Fold(seq+1, e)
			for _, thing := range step.Things() {
				if thing.Answer != nil {
					step.Judge(*thing.Answer)
				}
			}
			if r.IntN(3) == 0 {
				step.Fold(seq+1, e)
			}
		}
		if got, want := everything(t, step), everything(t, once); got != want {
			t.Fatalf("seed %d:\n%s\nwant\n%s", seed, got, want)
		}
	}
}

func randomEvent(r *rand.Rand) event.Event {
	e := event.Event{Turn: 1 + r.IntN(3)}
	user := fmt.Sprint(44170 + r.IntN(6))
	switch r.IntN(4) {
	case 0:
		e.TurnStart = &event.TurnStart{User: &user}
	case 1, 2:
		e.ToolEnd = &event.ToolEnd{Call: event.Call{ID: string(rune('a' + r.IntN(3))), Tool: "t", Iteration: r.IntN(3)}, Result: event.JSON(user)}
	default:
		e.Answer = &event.Answer{Iteration: r.IntN(2), Text: "it is " + user}
	}
	return e
}

func everything(t *testing.T, s *State) string {
	t.Helper()
	var all strings.Builder
	for _, thing := range s.Things() {
		if thing.Answer == nil {
			continue
		}
		v, _ := s.Judge(*thing.Answer)
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(append(b, '\n'))
	}
	return all.String()
}

func TestPolicyNamesTheFieldThatIsWrong(t *testing.T) {
	for _, tt := range []struct {
		policy Policy
		want   string
	}{
		{Policy{Ruleset: "literal-9"}, "ruleset"},
		{Policy{Ruleset: Literal1, Scope: "page"}, "scope"},
		{Policy{Ruleset: Literal1, Scripts: "maybe"}, "scripts"},
		{Policy{Ruleset: Literal1, Placeholders: []string{""}}, "placeholders"},
		{Policy{Ruleset: Literal1, RowsAt: map[string]string{"search": "data.rows"}}, "search"},
	} {
		if _, err := tt.policy.Compile(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: error %v does not name %s", tt.policy, err, tt.want)
		}
	}
}

func TestUnsupportedNamesTheNearest(t *testing.T) {
	state := dialogue(`
		user 1 which order?
		app 1 be brief
		row 1 a@0 {"order":44170,"other":55551}
		row 1 b@0 ["ORD-90817"]
		answer 1@1 44179 and ORD-90917 and 99999`).fold(t, literal(t))
	v := judge(t, state, 1, 1)
	want := []*event.Near{{Value: "44170", Call: "a", Turn: 1}, {Value: "ord-90817", Call: "b", Turn: 1}, nil}
	for i, u := range v.Unsupported {
		if got := u.Near; (got == nil) != (want[i] == nil) || got != nil && *got != *want[i] {
			t.Errorf("%s: near %+v, want %+v", u.Value, got, want[i])
		}
	}
}
