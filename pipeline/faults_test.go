package pipeline_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/pipetest"
)

// TestWorkerFaults runs seeded schedules of faults over streams in memory against the pure fold. A failing seed is a
// subtest's name; PLUMBLINE_SEEDS runs that many, from PLUMBLINE_SEED on.
func TestWorkerFaults(t *testing.T) {
	first, seeds := setting(t, "PLUMBLINE_SEED", 0), setting(t, "PLUMBLINE_SEEDS", 150)
	for seed := first; seed < first+seeds; seed++ {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { schedule(t, rand.New(rand.NewPCG(uint64(seed), 7)), pipetest.NewWorkload) })
		})
	}
}

// TestWorkerFaultsOfEnvelopes does the same to streams of envelopes, whose messages say something only together.
func TestWorkerFaultsOfEnvelopes(t *testing.T) {
	first, seeds := setting(t, "PLUMBLINE_SEED", 0), setting(t, "PLUMBLINE_SEEDS", 60)
	for seed := first; seed < first+seeds; seed++ {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { schedule(t, rand.New(rand.NewPCG(uint64(seed), 12)), pipetest.NewEnvelopes) })
		})
	}
}

// setting is a whole number of the environment.
func setting(t *testing.T, name string, otherwise int) int {
	t.Helper()
	said := os.Getenv(name)
	if said == "" {
		return otherwise
	}
	n, err := strconv.Atoi(said)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

func schedule(t *testing.T, r *rand.Rand, newWorkload func(*rand.Rand, float64) *pipetest.Workload) {
	w := newWorldOf(t, turn.Policy{
		Ruleset: turn.Rulesets[r.IntN(len(turn.Rulesets))], ConversationBytes: []int{0, 2000, 6000}[r.IntN(3)],
	})
	tune := func(c *pipeline.Config) {
		c.Grace = time.Duration(r.IntN(3)) * 50 * time.Millisecond
		c.CacheBytes = []int{1, 20_000, 1 << 20}[r.IntN(3)]
		c.MaxInFlight = 1 + r.IntN(20)
		c.ReadBack = time.Second
	}
	load := newWorkload(r, 0.05)
	w.stream.Lag(r.IntN(2) == 0)
	_, stop := w.run(tune)
	for step := range 60 {
		w.store(load.Next().Stored(event.Subjects{}))
		w.fault(r)
		if step%20 == 19 && r.IntN(2) == 0 {
			stop(r.IntN(2) == 0)
			_, stop = w.run(tune)
		}
	}
	for range 5 {
		time.Sleep(time.Second)
		w.stream.Redeliver()
	}
	time.Sleep(time.Second)
	stop(true)
	w.check()
}

// fault lets one thing go wrong, or nothing.
func (w *world) fault(r *rand.Rand) {
	switch sink := w.stream.Sink(); r.IntN(14) {
	case 0:
		sink.FailPublishes(1 + r.IntN(3))
	case 1:
		sink.LoseReplies(1 + r.IntN(2))
	case 2:
		sink.Contend(1)
	case 3:
		w.stream.LoseAcks(1 + r.IntN(3))
	case 4:
		w.stream.FailHistories(r.IntN(2))
		w.stream.CutHistories(r.IntN(2), r.IntN(10))
	case 5:
		sink.Delay(time.Duration(r.IntN(30)) * time.Millisecond)
	case 6:
		w.stream.Redeliver()
	case 7:
		sink.FailChains(1)
	case 8:
		time.Sleep(time.Duration(r.IntN(100)) * time.Millisecond)
	case 9:
		w.stream.Deliver(w.put[r.IntN(len(w.put))].Seq)
	case 10:
		sink.FailBuries(1)
	}
}
