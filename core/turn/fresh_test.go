package turn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/evidence"
)

// fullTurns is how many turns the conversation of full has.
const fullTurns = 5

// full is a conversation whose results and whose person say more than an index holds; the last report of its first turn
// comes at the very end.
func full() dialogue {
	var d strings.Builder
	many := func(from int) string {
		var b strings.Builder
		for i := range evidence.MaxForms / 4 {
			fmt.Fprintf(&b, "%07d ", from+i)
		}
		return b.String()
	}
	d.WriteString("app 1 be brief\n")
	for n := 1; n <= fullTurns; n++ {
		fmt.Fprintf(&d, "user %d which of %s?\n", n, many(5_000_000+n*100_000))
		fmt.Fprintf(&d, "row %d a@0 %q\n", n, many(n*100_000+1_000_000))
		fmt.Fprintf(&d, "answer %d@1 [a b] %07d and 9999999 of %07d\n", n, n*100_000+1_000_007, 5_000_003+n*100_000)
	}
	d.WriteString(`row 1 b@0 "9999999"`)
	return dialogue(d.String())
}

// What is kept of a truncated conversation changes no verdict: each is the same when it is the only one that is made,
// made in turn, or made backwards.
func TestFreshIndexesChangeNoVerdict(t *testing.T) {
	events := full().events(t)
	fold := func(rules *Rules) *State {
		state := New(rules, events[0].Conversation)
		for i, e := range events {
			state.Fold(uint64(i+1), e)
		}
		return state
	}
	for _, scope := range []string{"", ScopeTurn} {
		rules, err := Policy{Ruleset: Literal1, Scope: scope}.Compile()
		if err != nil {
			t.Fatal(err)
		}
		inTurn, backwards := fold(rules), fold(rules)
		if !inTurn.served.Truncated() || !inTurn.exempt.Truncated() {
			t.Fatal("the indexes hold everything: the test shows nothing")
		}
		var forth, back [fullTurns + 1]event.EvidenceChecked
		for n := 1; n <= fullTurns; n++ {
			forth[n] = judge(t, inTurn, n, 1)
			back[fullTurns+1-n] = judge(t, backwards, fullTurns+1-n, 1)
		}
		for _, n := range []int{1, fullTurns} {
			alone := judge(t, fold(rules), n, 1)
			if diff := cmp.Diff(alone, forth[n]); diff != "" {
				t.Errorf("scope %q, turn %d, after those before it: %s", scope, n, diff)
			}
		}
		if diff := cmp.Diff(forth, back); diff != "" {
			t.Errorf("scope %q, forth and back: %s", scope, diff)
		}
	}
}
