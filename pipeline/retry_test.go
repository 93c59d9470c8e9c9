package pipeline_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
)

// A fault that passes after five minutes is tried again with growing pauses, never in a hot loop, and what waited for it
// is stored.
func TestRetriesPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		var seen paces
		_, stop := w.run(func(c *pipeline.Config) { c.Backoff, c.Observer = nil, &seen })
		sink := w.stream.Sink()
		sink.FailPublishes(1 << 30)
		w.publish(answerOf(conv(1), 1, "order 44170"))
		time.Sleep(5 * time.Minute)
		sink.FailPublishes(0)
		time.Sleep(time.Minute)
		stop(true)
		w.check()
		if n := len(seen); n < 20 || n > 80 {
			t.Errorf("%d retries in five minutes, want some thirty", n)
		}
		if first, last := seen[0], seen[len(seen)-1]; first > 100*time.Millisecond || last < 5*time.Second {
			t.Errorf("the first pause is %v, the last %v", first, last)
		}
	})
}

// paces are the pauses before the retries that the worker told of.
type paces []time.Duration

func (*paces) Taken(event.Event, pipeline.Taken)                 {}
func (*paces) Verdict(event.EvidenceChecked, int, time.Duration) {}
func (*paces) Declared(event.CoverageDeclared)                   {}
func (*paces) Buried(pipeline.Letter)                            {}
func (*paces) PassedOver(string)                                 {}
func (*paces) Rebuilt(int)                                       {}
func (*paces) Evicted(int)                                       {}
func (*paces) Cached(int)                                        {}

func (p *paces) Retried(_ string, _ error, after time.Duration) { *p = append(*p, after) }
