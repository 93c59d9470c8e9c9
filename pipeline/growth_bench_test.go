package pipeline_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/pipetest"
	"github.com/plumbline-dev/plumbline/pipeline/policy"
	"github.com/plumbline-dev/plumbline/schemas"
)

// feed hands a worker messages that are made as they are asked for, and keeps none.
type feed struct {
	b        *testing.B
	next     func(n int) (event.Event, bool) // event n, counted from 0; false at the end
	n        int
	subjects event.Subjects
	measured int // from this event on time counts
}

func (f *feed) Next(context.Context) (pipeline.Delivery, error) {
	if f.n == f.measured {
		f.b.StartTimer()
	}
	e, ok := f.next(f.n)
	if !ok {
		return nil, pipeline.ErrClosed
	}
	f.n++
	data, err := schemas.EncodeEvent(schemas.JSON, e)
	if err != nil {
		return nil, err
	}
	return given{pipeline.Message{Seq: uint64(f.n), Subject: f.subjects.Log(0, e.Conversation), Data: data}}, nil
}

// History shows nothing: what is measured begins and ends while it is in memory.
func (*feed) History(context.Context, string, uint64, uint64, func(pipeline.Message) error) error {
	return nil
}
func (*feed) FromStart() bool { return true }

type given struct{ message pipeline.Message }

func (g given) Message() pipeline.Message { return g.message }
func (given) Stored() time.Time           { return time.Time{} }
func (given) Redelivered() bool           { return false }
func (given) Epoch() string               { return "one" }
func (given) Ack() error                  { return nil }
func (given) Working() error              { return nil }
func (given) Retry(time.Duration) error   { return nil }

// grow times the last events of a feed, after those before them were taken in.
func grow(b *testing.B, rules pipeline.Rules, before, timed int, next func(n int) event.Event) {
	b.Helper()
	for b.Loop() {
		b.StopTimer()
		f := &feed{b: b, measured: before, next: func(n int) (event.Event, bool) {
			if n >= before+timed {
				return event.Event{}, false
			}
			return next(n), true
		}}
		worker, err := pipeline.NewWorker(pipeline.Config{Rules: rules, CacheBytes: 1 << 30}, f, pipetest.NewSink())
		if err != nil {
			b.Fatal(err)
		}
		if err := worker.Run(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*timed), "ns/event")
	b.ReportMetric(0, "ns/op") // an operation is all of the timed events
}

// BenchmarkGrowth measures what an event costs while everything around it grows: each is the same mix of ten results
// and one answer. A million open conversations do not fit the cache: most of them are traces then.
func BenchmarkGrowth(b *testing.B) {
	const timed = 11_000
	one := compiled(b)
	named := func(n int) event.Conversation {
		return event.Conversation{Tenant: "acme", Agent: fmt.Sprintf("agent-%d", n%1000), ID: fmt.Sprintf("c%d", n)}
	}
	turns := func(c event.Conversation, n int) event.Event {
		if n%11 == 10 {
			return answerOf(c, n/11+1, fmt.Sprintf("order %d is on its way", 40_000+n))
		}
		return rowOf(c, n/11+1, fmt.Sprintf("call-%d", n%11), fmt.Sprintf(`{"order":%d,"state":"on its way","lane":"B%d"}`, 40_000+n, n%90))
	}
	for _, open := range []int{1_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("open conversations=%d", open), func(b *testing.B) {
			grow(b, one, open, timed, func(n int) event.Event {
				if n < open {
					return turns(named(n), 0)
				}
				return turns(named(open+(n-open)/11), (n-open)%11)
			})
		})
	}
	for _, rows := range []int{10, 1_000, 10_000} {
		b.Run(fmt.Sprintf("rows of a conversation=%d", rows), func(b *testing.B) {
			grow(b, one, rows/10*11, 1_100, func(n int) event.Event { return turns(named(0), n) })
		})
	}
	for _, agents := range []int{1, 1000} {
		b.Run(fmt.Sprintf("agents of a policy=%d", agents), func(b *testing.B) {
			grow(b, manyAgents(b, agents), 0, timed, func(n int) event.Event { return turns(named(n/11), n%11) })
		})
	}
}

func compiled(b *testing.B) *turn.Rules {
	b.Helper()
	rules, err := turn.Policy{Ruleset: turn.Calibrated1}.Compile()
	if err != nil {
		b.Fatal(err)
	}
	return rules
}

// manyAgents is a policy with settings of their own for so many agents.
func manyAgents(b *testing.B, agents int) *policy.Set {
	b.Helper()
	file := []byte("agents:\n")
	for n := range agents {
		file = fmt.Appendf(file, "  agent-%d: {minDigits: %d}\n", n, 2+n%3)
	}
	set, err := policy.Load("policy.yaml", file, "")
	if err != nil {
		b.Fatal(err)
	}
	return set
}
