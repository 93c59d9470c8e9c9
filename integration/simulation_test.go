package integration_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/plumbline-dev/plumbline/pipeline/pipetest"
)

// TestSimulation runs seeded schedules of everything that can go wrong around a whole server and several processes, in
// virtual time, and holds what the streams hold at the end against the pure fold. A failing seed prints how to run it
// again. It runs PLUMBLINE_SEEDS seeds from PLUMBLINE_SEED on; make sim runs many on every core.
//
// The processes and the server share one program and one clock. What is not simulated: a process that stops in the
// middle of one statement, a disk that fails, and a cluster; the chaos test has those.
func TestSimulation(t *testing.T) {
	keepServerClock(t)
	t.Cleanup(func(before int) func() { return func() { debug.SetGCPercent(before) } }(debug.SetGCPercent(400)))
	first, seeds := setting(t, "PLUMBLINE_SEED", 1), setting(t, "PLUMBLINE_SEEDS", 25)
	for seed := first; seed < first+seeds; seed++ {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			forgetTimers()
			defer forgetTimers() // the tests that follow run outside of every bubble
			synctest.Test(t, func(t *testing.T) { simulate(t, seed) })
			if t.Failed() {
				t.Logf("run it again: make sim SEED=%d SEEDS=1", seed)
			}
		})
	}
}

// keepServerClock starts the one clock that nats-server keeps per process while there is a stream, outside of every
// bubble, and keeps it until all tests are over.
func keepServerClock(t *testing.T) {
	t.Helper()
	deploy(t)
}

// forgetTimers empties the client's pool of timers, which belongs to the process: a timer of one bubble must not be used
// in another, or in none. It takes two collections to empty a sync.Pool.
func forgetTimers() {
	runtime.GC()
	runtime.GC()
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

func simulate(t *testing.T, seed int) {
	w := newWorld(t, rand.New(rand.NewPCG(uint64(seed), 11)))
	defer w.end()
	if seed%5 == 0 { // what another runtime says, which the worker has to join
		w.load = pipetest.NewEnvelopes(w.r, 0.05)
	}
	for range 1 + w.r.IntN(3) {
		w.join()
	}
	for range 40 {
		for range w.r.IntN(4) {
			w.publish()
		}
		w.step()
		time.Sleep(time.Duration(w.r.IntN(400)) * time.Millisecond)
		synctest.Wait()
	}
	w.settle()
	w.check()
}

// step lets one thing happen, or nothing.
func (w *world) step() {
	if len(w.processes) == 0 {
		w.join()
		return
	}
	p := w.processes[w.r.IntN(len(w.processes))]
	switch w.r.IntN(20) {
	case 0:
		w.kill(w.drop())
	case 1:
		w.leave(w.drop())
	case 2, 3:
		if len(w.processes) < 4 {
			w.join()
		}
	case 4:
		w.pause(p, w.any(20*time.Second))
	case 5:
		w.partition(p, w.any(20*time.Second))
	case 6:
		w.slow(p, w.any(3*time.Second))
	case 7:
		w.logf("%s is fast again", p.name)
		p.link.setLatency(5 * time.Millisecond)
	case 8:
		w.logf("the connections of %s are reset", p.name)
		p.link.reset()
	case 9:
		if w.r.IntN(3) == 0 {
			w.deleteDurable()
		}
	case 10:
		if w.r.IntN(3) == 0 {
			w.restart(w.any(3 * time.Second))
		}
	case 11:
		time.Sleep(w.any(15 * time.Second))
	}
}

// any is a duration up to d, short ones as likely as long ones.
func (w *world) any(d time.Duration) time.Duration {
	return time.Duration(w.r.Int64N(int64(d) >> w.r.IntN(8)))
}

// kill ends a process at once: what it had written and the server had not read is lost.
func (w *world) kill(p *process) {
	w.logf("%s is killed", p.name)
	p.link.cut()
	p.stop()
}

// leave makes a process drain and go, meanwhile the schedule goes on.
func (w *world) leave(p *process) {
	w.logf("%s leaves", p.name)
	p.stop()
}

// pause stops a process for a while; then it goes on with what it had in hand.
func (w *world) pause(p *process, d time.Duration) {
	w.logf("%s is paused for %v", p.name, d)
	p.awake.close()
	p.link.gate.close()
	time.AfterFunc(d, func() {
		w.logf("%s wakes", p.name)
		p.link.gate.open()
		p.awake.open()
	})
}

// partition keeps a process from the server for a while; what was on its way arrives afterwards, or is lost.
func (w *world) partition(p *process, d time.Duration) {
	lost := w.r.IntN(2) == 0
	w.logf("%s is cut off for %v, lost %v", p.name, d, lost)
	p.link.gate.close()
	time.AfterFunc(d, func() {
		w.logf("%s is back", p.name)
		if lost {
			p.link.reset()
		}
		p.link.gate.open()
	})
}

// slow makes everything that a process sends and is sent take up to d.
func (w *world) slow(p *process, d time.Duration) {
	w.logf("%s is slow: %v", p.name, d)
	p.link.setLatency(d)
}

// restart stops the server for a while.
func (w *world) restart(d time.Duration) {
	w.logf("the server is gone for %v", d)
	w.shutDown()
	time.Sleep(d)
	w.boot()
	w.logf("the server is back")
}
