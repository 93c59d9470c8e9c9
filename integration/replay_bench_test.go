package integration_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
)

// BenchmarkReplay measures how fast a stream is judged again, from its messages to the payloads, and as a ratio to a
// bare read of the same stream by the client's ordered consumer in the same run, which looks at nothing.
func BenchmarkReplay(b *testing.B) {
	d := deploy(b)
	events := fleet(b, 2000)
	for _, m := range events {
		d.publishAsync(b, m)
	}
	<-d.js.PublishAsyncComplete()
	var bare, replayed time.Duration
	for b.Loop() {
		start := time.Now()
		d.readBare(b, len(events))
		bare += time.Since(start)
		start = time.Now()
		if n := d.replay(b); n != 2000 {
			b.Fatalf("%d verdicts", n)
		}
		replayed += time.Since(start)
	}
	rate := func(took time.Duration) float64 { return float64(len(events)*b.N) / took.Seconds() }
	b.ReportMetric(rate(bare), "bare-events/s")
	b.ReportMetric(rate(replayed), "events/s")
	b.ReportMetric(rate(replayed)/rate(bare), "of-bare")
}

// readBare reads so many messages with the client's ordered consumer.
func (d *deployment) readBare(b *testing.B, messages int) {
	b.Helper()
	consumer, err := d.js.OrderedConsumer(b.Context(), jet.EventsStream, jetstream.OrderedConsumerConfig{})
	if err != nil {
		b.Fatal(err)
	}
	var seen atomic.Int64
	all := make(chan struct{})
	consuming, err := consumer.Consume(func(jetstream.Msg) {
		if seen.Add(1) == int64(messages) {
			close(all)
		}
	})
	if err != nil {
		b.Fatal(err)
	}
	<-all
	consuming.Stop()
	<-consuming.Closed()
}

// replay judges the whole stream and encodes every verdict. It gives how many there are.
func (d *deployment) replay(b *testing.B) int {
	b.Helper()
	past := jet.NewPast(d.js, jet.EventsStream)
	first, last, err := past.Span(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	totals := replay.NewTotals()
	if err := past.Counts(b.Context(), ">", totals.Add); err != nil {
		b.Fatal(err)
	}
	store := replay.Store{History: past.History, Limit: last}
	rules := rules(b)
	gathering := replay.Gathering{
		Totals: totals, Workers: runtime.NumCPU(),
		Key: func(m pipeline.Message) string { return m.Subject },
		Read: func(ctx context.Context, visit func(pipeline.Message) error) error {
			return past.Read(ctx, "", first, last, visit)
		},
	}
	verdicts := 0
	err = replay.Each(b.Context(), gathering, func(ctx context.Context, s replay.Stretch) ([]replay.Finding[pipeline.Want], error) {
		c, err := store.Conversation(ctx, s)
		if err != nil {
			return nil, err
		}
		outputs, err := c.Outputs(rules)
		if err != nil {
			return nil, err
		}
		var found []replay.Finding[pipeline.Want]
		for _, out := range outputs {
			w, err := out.Want(event.Subjects{})
			if err != nil {
				return nil, err
			}
			found = append(found, replay.Finding[pipeline.Want]{Seq: out.Seq, Of: w})
		}
		return found, nil
	}, func(replay.Finding[pipeline.Want]) error {
		verdicts++
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return verdicts
}
