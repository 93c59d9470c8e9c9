package whatif

import (
	"slices"
	"testing"

	"github.com/plumbline-dev/plumbline/core/turn"
)

// TestStreamReports holds the public report st-rules-change (langfuse/langfuse#8019): who edits the rules runs them over
// the history and sees what changes, and how much does not. The table of all cases stands at the test of the same name
// in core/turn.
func TestStreamReports(t *testing.T) {
	t.Run("st-rules-change", func(t *testing.T) {
		events := slices.Concat(conversation("t1", `{"n":44170}`, "it is 44170"), conversation("t2", `{"at":"07:30:00"}`, "it leaves at 7:30 AM"))
		was, is := compiled(t, turn.Policy{Ruleset: turn.Literal1}), compiled(t, turn.Policy{Ruleset: turn.Calibrated1, Scripts: turn.ScriptsOff})
		c := New(was, is)
		for i, e := range events {
			c.Add(uint64(i+1), e)
		}
		found, answers, err := c.Changes()
		if err != nil || answers != 2 || len(found) != 1 {
			t.Fatalf("%d changes of %d answers, %v; want 1 of 2", len(found), answers, err)
		}
		if got, want := words(found[0]), "unsupported → grounded; -7:30 [clock]; [ruleset]"; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}
