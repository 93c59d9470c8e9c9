package pipeline_test

import (
	"context"
	"fmt"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
)

// longSource hands out one conversation that is made as it is read, so that it takes no memory itself.
type longSource struct {
	t      *testing.T
	made   func(seq uint64) event.Event
	first  uint64 // the first one handed out; those before are only read back
	last   uint64
	next   uint64
	peak   atomic.Uint64 // the most memory that was in use, in bytes
	onNext func(seq uint64)
}

func (s *longSource) message(seq uint64) pipeline.Message {
	subject, header, data := encode(s.t, s.made(seq))
	return pipeline.Message{Seq: seq, Subject: subject, Header: header, Data: data}
}

func (s *longSource) Next(context.Context) (pipeline.Delivery, error) {
	s.sample()
	s.next = max(s.next, s.first)
	if s.next > s.last {
		return nil, pipeline.ErrClosed
	}
	if s.onNext != nil {
		s.onNext(s.next)
	}
	s.next++
	return longDelivery{s.message(s.next - 1)}, nil
}

func (s *longSource) History(_ context.Context, _ string, after, _ uint64, visit func(pipeline.Message) error) error {
	for seq := after + 1; seq <= s.last; seq++ {
		s.sample()
		if err := visit(s.message(seq)); err != nil {
			return err
		}
	}
	return nil
}

func (s *longSource) FromStart() bool { return s.first == 1 }

// sample asks what the newest garbage collection left in use.
func (s *longSource) sample() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	s.peak.Store(max(s.peak.Load(), live[0].Value.Uint64()))
}

type longDelivery struct{ message pipeline.Message }

func (d longDelivery) Message() pipeline.Message { return d.message }
func (longDelivery) Stored() time.Time           { return time.Time{} }
func (longDelivery) Redelivered() bool           { return false }
func (longDelivery) Epoch() string               { return "one" }
func (longDelivery) Ack() error                  { return nil }
func (longDelivery) Working() error              { return nil }
func (longDelivery) Retry(time.Duration) error   { return nil }

// emptySink stores nothing: it only counts.
type emptySink struct{ stored uint64 }

func (s *emptySink) Publish(_ context.Context, _ pipeline.Record, done func(uint64, error)) error {
	s.stored++
	done(s.stored, nil)
	return nil
}
func (*emptySink) Chain(context.Context, string) ([]pipeline.Stored, error) { return nil, nil }
func (*emptySink) Bury(_ context.Context, l pipeline.Letter) error {
	return fmt.Errorf("buried for %s: %s", l.Reason, l.Detail)
}

// The memory of a worker is bounded by its configuration, however large a conversation grows and however many answers it
// has. PLUMBLINE_EVENT_MB makes the conversation larger: the bound stays.
func TestMemoryIsBoundedByConfiguration(t *testing.T) {
	const (
		conversationBytes = 1 << 20
		cacheBytes        = 512 << 10
		inFlightBytes     = 1 << 20
		rest              = 6 << 20 // the message in hand, and the test itself
	)
	const resultBytes = 128 << 10
	large := func(seq uint64) event.Event {
		c := conv(1)
		if seq%10 == 0 {
			return answerOf(c, int(seq/10), fmt.Sprintf("order %d is open", seq*1000))
		}
		sentence := fmt.Sprintf("order %d of %d is open and waits at gate b%d ", seq*1000, seq*7777, seq)
		return rowOf(c, 1+int(seq/10), fmt.Sprint("call", seq), `"`+strings.Repeat(sentence, resultBytes/len(sentence))+`"`)
	}
	answers := func(seq uint64) event.Event {
		return answerOf(conv(1), int(seq), fmt.Sprintf("order %d is open", seq*1000), fmt.Sprint("call", seq))
	}
	megabytes := setting(t, "PLUMBLINE_EVENT_MB", 20)
	events := uint64(megabytes << 20 / resultBytes)
	for _, tt := range []struct {
		name   string
		source *longSource
	}{
		{"large results", &longSource{made: large, first: 1, last: events}},
		{"large results, read back", &longSource{made: large, first: events - 20, last: events}},
		{"many answers", &longSource{made: answers, first: 1, last: uint64(100 * megabytes)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorldOf(t, turn.Policy{Ruleset: turn.Calibrated1, ConversationBytes: conversationBytes})
			tt.source.t = t
			var watch watcher
			sink := &emptySink{}
			worker, err := pipeline.NewWorker(pipeline.Config{
				Rules: w.rules, CacheBytes: cacheBytes, InFlightBytes: inFlightBytes, Observer: &watch,
			}, tt.source, sink)
			if err != nil {
				t.Fatal(err)
			}
			before := heap()
			if err := worker.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			peak := int(tt.source.peak.Load()) - before
			t.Logf("%d events, %d verdicts: at most %d KiB in use", tt.source.last, sink.stored, peak>>10)
			if limit := cacheBytes + inFlightBytes + 5*conversationBytes + rest; peak > limit {
				t.Errorf("%d bytes were in use, want at most %d", peak, limit)
			}
			if watch.rebuilt > 1 {
				t.Errorf("a conversation whose events come in a row was read back %d times", watch.rebuilt)
			}
		})
	}
}
