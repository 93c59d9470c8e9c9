package turn

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
)

// A verdict is a function of the events up to its through: whatever comes later, one that names the same answer and the
// same through says the same. Turns come in any order, and some are opened by the runtime's own correction.
func TestVerdictIsAFunctionOfItsThrough(t *testing.T) {
	for _, policy := range []Policy{{Ruleset: Calibrated1}, {Ruleset: Literal1, Scope: ScopeTurn}} {
		rules, err := policy.Compile()
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(3000) {
			r := rand.New(rand.NewPCG(seed, 2))
			events := make([]event.Event, 3+r.IntN(6))
			for i := range events {
				events[i] = anyTurnEvent(r)
			}
			checkThrough(t, rules, fmt.Sprintf("%s seed %d", policy.Ruleset, seed), events)
		}
	}
}

// The turn before a correction may be told of after the correction's answer: that answer's exchange did not begin in it.
func TestACorrectionGoesOnWithWhatWasSeen(t *testing.T) {
	checkThrough(t, literal(t), "a late turn", dialogue(`
		user 2 [evidence check] 44170 stands nowhere
		answer 2@0 it is 44170
		row 1 a@0 44170
		answer 1@0 it is 44170
	`).events(t))
}

func checkThrough(t *testing.T, rules *Rules, name string, events []event.Event) {
	t.Helper()
	type basis struct {
		answer             Name
		answerSeq, through uint64
	}
	said := map[basis]string{}
	state := New(rules, event.Conversation{})
	for i, e := range events {
		state.Fold(uint64(i+1), e)
		for _, thing := range state.Things() {
			if thing.Answer == nil {
				continue
			}
			verdict, _ := state.Judge(*thing.Answer)
			b, err := json.Marshal(verdict)
			if err != nil {
				t.Fatal(err)
			}
			key := basis{*thing.Answer, verdict.AnswerSeq, verdict.Through}
			if before, ok := said[key]; ok && before != string(b) {
				t.Fatalf("%s: event %d changed\n%s\nto\n%s", name, i+1, before, b)
			}
			said[key] = string(b)
		}
	}
}

func anyTurnEvent(r *rand.Rand) event.Event {
	e := randomEvent(r)
	if e.TurnStart != nil && r.IntN(2) == 0 {
		correction := "[evidence check] 44170 stands nowhere"
		e.TurnStart.User = &correction
	}
	if e.Answer != nil {
		for i := range r.IntN(3) {
			e.Answer.Calls = append(e.Answer.Calls, string(rune('a'+i)))
		}
	}
	return e
}
