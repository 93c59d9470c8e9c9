package pipeline_test

import (
	"testing"
	"testing/synctest"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/policy"
)

// Each conversation is judged by the rules of its own tenant and agent, also after it was dropped and read back.
func TestWorkerAsksForTheRulesOfEachConversation(t *testing.T) {
	set, err := policy.Load("policy.yaml", []byte("agents: {bay: {ruleset: literal-1}}\ntenants: {zoo: {minDigits: 2}}\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	conversations := []event.Conversation{
		{Tenant: "acme", Agent: "desk", ID: "a"}, {Tenant: "acme", Agent: "bay", ID: "b"}, {Tenant: "zoo", Agent: "desk", ID: "c"},
	}
	for _, cacheBytes := range []int{0, 1} { // all are kept, and none
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			w.rules = set
			_, stop := w.run(func(c *pipeline.Config) { c.CacheBytes = cacheBytes })
			for _, c := range conversations {
				w.publish(rowOf(c, 1, "a", `{"at":"07:30:00"}`))
			}
			for _, c := range conversations {
				w.publish(answerOf(c, 1, "at 7:30 AM, lane 55", "a"))
			}
			synctest.Wait()
			stop(true)
			w.check()
			for i, ruleset := range []string{"calibrated-1", "literal-1", "calibrated-1"} {
				subject := event.Subjects{}.Verdict(ruleset, conversations[i], 1, 0)
				if n := len(w.stream.Sink().Records(subject)); n != 1 {
					t.Errorf("%d verdicts on %s", n, subject)
				}
			}
		})
	}
}
