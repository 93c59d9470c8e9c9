package pipeline_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cenkalti/backoff/v4"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/evidence"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/pipetest"
)

// rulesOf are literal-1 with numbers checked from so many digits on.
func rulesOf(t *testing.T, minDigits int) *turn.Rules {
	t.Helper()
	rules, err := turn.Policy{Ruleset: turn.Literal1, Evidence: evidence.GateConfig{MinDigits: &minDigits}}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// policies are what the revisions on the verdict's subject were made by, in order.
func (w *world) policies(turnNo int) (policies []string) {
	w.t.Helper()
	for _, r := range w.stream.Sink().Records(event.Subjects{}.Verdict(turn.Literal1, talk, turnNo, 0)) {
		var said struct{ Policy string }
		if err := json.Unmarshal(r.Payload, &said); err != nil {
			w.t.Fatal(err)
		}
		policies = append(policies, said.Policy)
	}
	return policies
}

// hold fails unless the revisions of the turn's answer were made by these rules, in order.
func (w *world) hold(turnNo int, rules ...*turn.Rules) {
	w.t.Helper()
	policies := w.policies(turnNo)
	if len(policies) != len(rules) {
		w.t.Fatalf("turn %d has %d revisions, want %d", turnNo, len(policies), len(rules))
	}
	for i, r := range rules {
		if policies[i] != r.Digest() {
			w.t.Errorf("revision %d of turn %d was made by %s, want %s", i, turnNo, policies[i], r.Digest())
		}
	}
}

// settled fails when something became a dead letter or was not acknowledged.
func (w *world) settled() {
	w.t.Helper()
	if letters := w.stream.Sink().Letters(); len(letters) > 0 {
		w.t.Errorf("dead letters: %+v", letters)
	}
	if left := w.stream.Unacked(); len(left) > 0 {
		w.t.Errorf("not acknowledged: %v", left)
	}
}

// What is in hand is finished by the rules before. What comes after is judged by the new ones: new answers, and earlier ones
// that a late report touches. An earlier answer that nothing touches keeps its verdict.
func TestMemberAdoptsRules(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		before, after := rulesOf(t, 4), rulesOf(t, 2)
		c := newCrew(t, func(c *pipeline.MemberConfig) { c.Worker.Rules = before }, w)
		c.place <- []int{0}
		w.publish(answerOf(talk, 1, "gate B12, lane 55"))
		synctest.Wait()
		w.stream.Sink().Hold()
		w.publish(answerOf(talk, 2, "gate B12, lane 55"))
		synctest.Wait()
		c.member.Adopt(rulesOf(t, 3)) // never used: another takes its place at once
		c.member.Adopt(after)
		synctest.Wait() // the partition is drained: its verdict is on its way
		w.publish(answerOf(talk, 3, "gate B12, lane 55"))
		synctest.Wait()
		w.stream.Sink().Release()
		synctest.Wait()
		w.publish(rowOf(talk, 1, "late", `["lane 55"]`))
		synctest.Wait()
		w.hold(1, before, after)
		w.hold(2, before)
		w.hold(3, after)
		w.settled()
		if c.openings() != 2 {
			t.Errorf("opened %d times", c.openings())
		}
		if err := c.end(); err != nil {
			t.Errorf("Run: %v", err)
		}
	})
}

// An answer that waits for a call when the rules change is judged once, by the new ones.
func TestMemberAdoptsRulesWhileAnAnswerWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		before, after := rulesOf(t, 4), rulesOf(t, 2)
		c := newCrew(t, func(c *pipeline.MemberConfig) { c.Worker.Rules, c.Worker.Grace = before, time.Hour }, w)
		c.place <- []int{0}
		w.publish(answerOf(talk, 1, "lane 55", "a"))
		synctest.Wait()
		c.member.Adopt(after)
		synctest.Wait()
		w.publish(rowOf(talk, 1, "a", `["lane 55"]`))
		synctest.Wait()
		w.hold(1, after)
		w.settled()
		if err := c.end(); err != nil {
			t.Errorf("Run: %v", err)
		}
	})
}

// An answer whose verdict was stored by the rules before, and that is handed out again, keeps it: that is no conflict.
func TestAnotherPolicyIsNoConflict(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		before, after := rulesOf(t, 4), rulesOf(t, 2)
		w.stream.Sink().Hold()
		_, stop := w.run(func(c *pipeline.Config) { c.Rules = before })
		w.publish(answerOf(talk, 1, "lane 55"))
		synctest.Wait()
		stop(false) // its verdict is stored, its event is not acknowledged
		w.stream.Sink().Release()
		_, stop = w.run(func(c *pipeline.Config) { c.Rules = after })
		synctest.Wait()
		stop(true)
		w.hold(1, before)
		w.settled()
	})
}

// Members that judge by different rules for a while, over the same partition, make no dead letter and end.
func TestTwoPoliciesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		before, after := rulesOf(t, 4), rulesOf(t, 2)
		one := newCrew(t, func(c *pipeline.MemberConfig) { c.Worker.Rules = before }, w)
		other := newCrew(t, func(c *pipeline.MemberConfig) { c.Worker.Rules = after }, w)
		one.place <- []int{0}
		w.publish(rowOf(talk, 1, "a", `{"absent":{"lookedFor":"lane","checked":[{"what":"lanes"}]}}`))
		w.publish(answerOf(talk, 1, "lane 55"))
		synctest.Wait()
		one.place <- nil
		other.place <- []int{0}
		synctest.Wait()
		w.stream.Deliver(1, 2) // once more, to whom it was handed before or not
		w.publish(answerOf(talk, 2, "lane 55"))
		synctest.Wait()
		w.hold(1, before)
		w.hold(2, after)
		w.settled()
		for _, c := range []*crew{one, other} {
			if err := c.end(); err != nil {
				t.Errorf("Run: %v", err)
			}
		}
	})
}

// TestAdoptFaults changes the policy again and again, under seeded schedules of faults and moves: in the end every chain holds
// what the fold gives under the policy that it names, no event is a dead letter for it, and everything is acknowledged.
func TestAdoptFaults(t *testing.T) {
	first, seeds := setting(t, "PLUMBLINE_SEED", 0), setting(t, "PLUMBLINE_SEEDS", 12)
	both := 0
	for seed := first; seed < first+seeds; seed++ {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { both += adopting(t, rand.New(rand.NewPCG(uint64(seed), 11))) })
		})
	}
	if seeds > 1 && both == 0 {
		t.Error("no stream was judged by both policies: the test shows nothing")
	}
}

// adopting gives 1 when verdicts of both policies stand at the end.
func adopting(t *testing.T, r *rand.Rand) (both int) {
	w := newWorld(t)
	policies := []*turn.Rules{rulesOf(t, 4), rulesOf(t, 2)}
	c := newCrew(t, func(c *pipeline.MemberConfig) {
		c.Worker.Rules, c.Worker.Grace = policies[0], time.Duration(r.IntN(3))*50*time.Millisecond
		c.Worker.CacheBytes, c.Worker.MaxInFlight, c.Worker.ReadBack = []int{1, 1 << 20}[r.IntN(2)], 1+r.IntN(20), time.Second
		c.Worker.Backoff = func() backoff.BackOff { return backoff.NewConstantBackOff(time.Millisecond) }
		c.Drain = []time.Duration{time.Millisecond, 10 * time.Second}[r.IntN(2)]
	}, w)
	c.place <- []int{0}
	load := pipetest.NewWorkload(r, 0)
	for range 60 {
		w.store(load.Next().Stored(event.Subjects{}))
		w.fault(r)
		switch r.IntN(10) {
		case 0, 1:
			c.member.Adopt(policies[r.IntN(2)])
		case 2:
			c.place <- nil
			c.place <- []int{0}
		}
	}
	for range 5 {
		time.Sleep(time.Second)
		w.stream.Redeliver()
	}
	time.Sleep(time.Second)
	if err := c.end(); err != nil {
		t.Errorf("Run: %v", err)
	}
	outcome := pipetest.Outcome{Events: w.put, Audit: w.stream.Sink().AllRecords(), Letters: w.stream.Sink().Letters()}
	for _, fault := range outcome.FaultsOf(event.Subjects{}, policies[0], policies[1]) {
		t.Error(fault)
	}
	if left := w.stream.Unacked(); len(left) > 0 {
		t.Errorf("not acknowledged: %v", left)
	}
	var all strings.Builder
	for _, record := range outcome.Audit {
		all.Write(record.Payload)
	}
	if strings.Contains(all.String(), policies[0].Digest()) && strings.Contains(all.String(), policies[1].Digest()) {
		both = 1
	}
	return both
}
