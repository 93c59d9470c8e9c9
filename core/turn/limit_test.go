package turn

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
)

// limited are rules that take in exactly the first events of a dialogue.
func limited(t *testing.T, policy Policy, d dialogue, events int) *Rules {
	t.Helper()
	whole, err := policy.Compile()
	if err != nil {
		t.Fatal(err)
	}
	s := New(whole, event.Conversation{})
	for i, e := range d.events(t)[:events] {
		s.Fold(uint64(i+1), e)
	}
	policy.ConversationBytes = s.kept
	rules, err := policy.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func TestConversationLimit(t *testing.T) {
	const large = `{"pad":"................................................................................................"}`
	for _, tt := range []struct {
		name    string
		d       dialogue
		kept    int // how many events fit
		outcome event.Outcome
		reasons string
		values  string
		through uint64
	}{
		{"everything fits", `
			app 1 be brief
			user 1 which order?
			row 1 a@0 {"order":44170}
			answer 1@1 it is 44179`, 4, event.Unsupported, "", "44179", 4},
		{"a late report that is not read", `
			app 1 be brief
			user 1 which order?
			answer 1@1 it is 44179
			row 1 a@0 {"order":44179}`, 3, event.CannotTell, "turn_oversize", "44179", 4},
		{"further ones change nothing", `
			app 1 be brief
			user 1 which order?
			answer 1@1 it is 44179
			row 1 a@0 {"order":44170}
			row 1 b@0 {"order":44179}
			row 1 a@0 {"order":44179}`, 3, event.CannotTell, "turn_oversize", "44179", 4},
		{"one that the answer did not read", `
			app 1 be brief
			user 1 which order?
			row 1 a@0 {"order":44170}
			answer 1@1 [a] it is 44179
			row 1 b@0 {"order":44179}
			row 2 a@0 {"order":44179}`, 4, event.Unsupported, "", "44179", 4},
		{"one that it says it read", `
			app 1 be brief
			user 1 which order?
			answer 1@1 [a] it is 44179
			row 1 a@3 {"order":44179}`, 3, event.CannotTell, "turn_oversize", "44179", 4},
		{"grounded all the same", `
			app 1 be brief
			user 1 which order?
			row 1 a@0 {"order":44170}
			answer 1@1 it is 44170
			row 1 b@0 {"order":44179}`, 4, event.Grounded, "turn_oversize", "", 5},
		{"asserts nothing", `
			app 1 be brief
			user 1 hello
			answer 1@1 how can I help?
			row 1 b@0 {"order":44179}`, 3, event.NothingAsserted, "turn_oversize", "", 4},
		{"a report that says the same again", `
			app 1 be brief
			user 1 which order?
			row 1 a@0 {"order":44170}
			answer 1@1 it is 44179
			app 2 be brief, and kind
			row 1 a@0 {"order":44170}`, 4, event.Unsupported, "", "44179", 4},
		{"a report that says something else", `
			app 1 be brief
			user 1 which order?
			row 1 a@0 {"order":44170}
			answer 1@1 it is 44179
			row 1 a@0 {"order":44171}`, 4, event.CannotTell, "turn_oversize", "44179", 5},
		{"the same answer again", `
			app 1 be brief
			user 1 which order?
			answer 1@1 it is 44179
			app 2 be brief, and kind
			answer 1@1 it is 44179`, 3, event.Unsupported, "", "44179", 3},
		{"an answer past it", `
			app 1 be brief
			user 1 which order?
			row 1 a@0 {"order":44170}
			row 1 b@0 ` + large + `
			answer 1@1 it is 44179`, 3, event.CannotTell, "turn_oversize", "44179", 5},
		{"an answer past it that is grounded", `
			app 1 be brief
			user 1 which order?
			row 1 a@0 {"order":44170}
			row 1 b@0 ` + large + `
			answer 1@1 it is 44170`, 3, event.Grounded, "turn_oversize", "", 5},
		{"what is small does not slip in", `
			app 1 be brief
			user 1 which order?
			row 1 b@0 ` + large + `
			row 1 a@0 {"order":44179}
			answer 1@1 it is 44179`, 2, event.CannotTell, "turn_oversize", "44179", 5},
		{"a call that was not reported, or past it", `
			app 1 be brief
			user 1 which order?
			row 1 b@0 ` + large + `
			answer 1@1 [a] it is 44179`, 2, event.CannotTell, "turn_oversize", "44179", 4},
		{"another answer in its place", `
			app 1 be brief
			user 1 which order?
			answer 1@1 it is 44179
			row 1 a@2 ` + large + `
			answer 1@1 it is 44178`, 3, event.CannotTell, "turn_oversize", "44178", 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, verdict := tt.d.last(t, limited(t, Policy{Ruleset: Literal1}, tt.d, tt.kept))
			if whole := tt.kept == len(tt.d.events(t)); s.Full() == whole {
				t.Errorf("Full: %v", s.Full())
			}
			reasons := make([]string, len(verdict.Reasons))
			for i, r := range verdict.Reasons {
				reasons[i] = string(r)
			}
			got := fmt.Sprintf("%s (%s) %s through %d", verdict.Outcome, strings.Join(reasons, " "), values(verdict), verdict.Through)
			if want := fmt.Sprintf("%s (%s) %s through %d", tt.outcome, tt.reasons, tt.values, tt.through); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// last folds the dialogue and judges the answer that its last event concerns, or else the one that stands.
func (s dialogue) last(t *testing.T, rules *Rules) (*State, event.EvidenceChecked) {
	t.Helper()
	state := New(rules, event.Conversation{})
	verdicts := map[Name]event.EvidenceChecked{}
	name := Name{1, 1}
	for i, e := range s.events(t) {
		seq := uint64(i + 1)
		if effects := state.Fold(seq, e); effects.Past {
			verdicts[name] = state.Past(seq, e)
		} else if len(effects.Answers) > 0 {
			verdicts[name] = judge(t, state, name.Turn, name.Iteration)
		}
	}
	return state, verdicts[name]
}

// An answer past the limit takes the place of the one before it for good: that one is judged no more, by no late report
// and however often it comes again.
func TestAnswerReplacedPastTheLimit(t *testing.T) {
	d := dialogue(`
		user 1 which order?
		answer 1@1 [a] it is 44179
		row 1 b@0 44178
		answer 1@1 [a] it is 44178
		row 1 a@0 44179
		answer 1@1 [a] it is 44179`)
	events := d.events(t)
	s := New(limited(t, Policy{Ruleset: Literal1}, d, 2), event.Conversation{})
	past := map[uint64]bool{}
	for i, e := range events {
		past[uint64(i+1)] = s.Fold(uint64(i+1), e).Past
	}
	if !past[4] || !past[6] || past[2] {
		t.Errorf("past the limit: %v, want 4 and 6", past)
	}
	if _, ok := s.Judge(Name{1, 1}); ok || len(s.Things()) != 0 || len(s.Missing(Name{1, 1})) != 0 {
		t.Error("the answer that was replaced still stands")
	}
	for i, e := range events {
		effects := s.Fold(uint64(i+1), e)
		if effects.Past != past[uint64(i+1)] {
			t.Errorf("event %d again: past %v", i+1, effects.Past)
		}
		if e.ToolEnd != nil && len(effects.Answers) > 0 {
			t.Errorf("event %d again concerns %v", i+1, effects.Answers)
		}
	}
}

// What an answer named counts while it stands, and for the answers that were given meanwhile.
func TestCallsOfAnAnswerThatWasReplaced(t *testing.T) {
	s := dialogue(`
		user 1 which order?
		answer 1@1 [a] it is 44170
		answer 2@1 it is 44170
		answer 1@1 it is 44170
		answer 3@1 it is 44170
	`).fold(t, literal(t))
	for turn, want := range map[int]bool{1: false, 2: true, 3: false} {
		v := judge(t, s, turn, 1)
		if got := strings.Contains(fmt.Sprint(v.Reasons), "rows_missing"); got != want {
			t.Errorf("turn %d: rows_missing %v, want %v", turn, got, want)
		}
	}
}

// Past the limit a conversation takes no more memory, whatever comes.
func TestNothingIsKeptPastTheLimit(t *testing.T) {
	d := dialogue(`
		user 1 which order?
		row 1 a@0 44170
		answer 1@1 [a b] it is 44179`)
	s := d.fold(t, limited(t, Policy{Ruleset: Calibrated1}, d, 3))
	sizes := func() string {
		return fmt.Sprint(len(s.turns), len(s.answers), len(s.awaiting), len(s.rows), len(s.calls), len(s.late), len(s.texts),
			len(s.seen), len(s.unseen), len(s.owners), len(s.carrier), s.served.Rows(), s.exempt.Rows(), s.Bytes())
	}
	want := sizes()
	for seq := uint64(4); seq < 3000; seq++ {
		user := fmt.Sprint("user ", seq)
		turn := int(seq) % 700
		var e event.Event
		switch seq % 3 {
		case 0:
			e = event.Event{Turn: turn, TurnStart: &event.TurnStart{User: &user, Context: []string{user + "x"}, Unseen: event.Reasons}}
		case 1:
			e = event.Event{Turn: turn, ToolEnd: &event.ToolEnd{Call: event.Call{ID: user}, Result: event.JSON("1")}}
		case 2:
			e = event.Event{Turn: turn, Answer: &event.Answer{Iteration: int(seq), Text: user, User: &user, Calls: []string{user}}}
		}
		s.Fold(seq, e)
	}
	if got := sizes(); got != want {
		t.Errorf("kept %s, want %s", got, want)
	}
}

// padded is a random event, with results of many sizes.
func padded(r *rand.Rand) event.Event {
	e := anyTurnEvent(r)
	if e.ToolEnd != nil && r.IntN(3) == 0 {
		e.ToolEnd.Result = event.JSON(fmt.Sprintf(`{"n":%s,"pad":%q}`, e.ToolEnd.Result, strings.Repeat(".", r.IntN(1500))))
	}
	return e
}

// With any limit: a verdict is a function of its through; an event names every answer whose verdict it changes; what is
// past the limit says the same however much follows; and folding again, from the start or event by event, gives the same.
func TestLawsOfTheLimit(t *testing.T) {
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 3))
		events := make([]event.Event, 4+r.IntN(12))
		for i := range events {
			events[i] = padded(r)
		}
		rules, err := Policy{Ruleset: Rulesets[r.IntN(2)], Scope: []string{ScopeConversation, ScopeTurn}[r.IntN(2)],
			ConversationBytes: 1 + r.IntN(5000)}.Compile()
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("seed %d", seed)
		checkThrough(t, rules, name, events)
		checkEffects(t, rules, name, events)
	}
}

func checkEffects(t *testing.T, rules *Rules, name string, events []event.Event) {
	t.Helper()
	s := New(rules, event.Conversation{})
	past := map[uint64]string{}
	for i, e := range events {
		seq := uint64(i + 1)
		before := standing(t, s)
		effects := s.Fold(seq, e)
		for _, n := range effects.Answers {
			delete(before, n)
		}
		after := standing(t, s)
		for n, was := range before {
			if after[n] != was {
				t.Fatalf("%s: event %d changed %v, which it does not name, from\n%s\nto\n%s", name, i+1, n, was, after[n])
			}
		}
		if effects.Past {
			past[seq] = written(t, s.Past(seq, e))
		}
	}
	for i, e := range events {
		seq := uint64(i + 1)
		effects := s.Fold(seq, e)
		if want, ok := past[seq]; ok && (!effects.Past || written(t, s.Past(seq, e)) != want) {
			t.Fatalf("%s: event %d past the limit gives, after all others,\n%s\nwant\n%s", name, i+1, written(t, s.Past(seq, e)), want)
		}
	}
}

// standing is the verdict on every answer that stands.
func standing(t *testing.T, s *State) map[Name]string {
	t.Helper()
	all := map[Name]string{}
	for _, thing := range s.Things() {
		if thing.Answer != nil {
			all[*thing.Answer] = written(t, judge(t, s, thing.Answer.Turn, thing.Answer.Iteration))
		}
	}
	return all
}

func written(t *testing.T, v event.EvidenceChecked) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
