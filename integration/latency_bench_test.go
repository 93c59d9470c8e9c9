package integration_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// BenchmarkLatency measures how long an answer waits for its verdict, from stored to stored by the server's own stamps,
// while events come at half of the speed at which the pipeline takes them when they are all there.
func BenchmarkLatency(b *testing.B) {
	events := fleet(b, 2000)
	var waits []time.Duration
	for b.Loop() {
		full := deploy(b)
		for _, m := range events {
			full.publishAsync(b, m)
		}
		<-full.js.PublishAsyncComplete()
		start := time.Now()
		full.workUntilIdle(b)
		pace := 2 * time.Since(start) / time.Duration(len(events))

		half := deploy(b)
		stop := half.start(b)
		half.publishPaced(b, events, pace)
		for !half.idle(b) {
			time.Sleep(time.Millisecond)
		}
		stop()
		waits = append(waits, half.waits(b)...)
	}
	slices.Sort(waits)
	at := func(share float64) float64 {
		return float64(waits[int(share*float64(len(waits)-1))]) / float64(time.Millisecond)
	}
	b.ReportMetric(at(.5), "p50-ms")
	b.ReportMetric(at(.99), "p99-ms")
	b.ReportMetric(at(1), "max-ms")
}

// publishPaced publishes an event every pace, ten at a time: the machine's clock cannot wait for less than that.
func (d *deployment) publishPaced(b *testing.B, events []*nats.Msg, pace time.Duration) {
	b.Helper()
	const together = 10
	ticks := time.NewTicker(together * pace)
	defer ticks.Stop()
	for group := range slices.Chunk(events, together) {
		for _, m := range group {
			d.publishAsync(b, m)
		}
		<-ticks.C
	}
	<-d.js.PublishAsyncComplete()
}

// waits are the times between answers and their verdicts.
func (d *deployment) waits(b *testing.B) []time.Duration {
	b.Helper()
	stored := map[uint64]time.Time{}
	d.stamps(b, jet.EventsStream, func(m jetstream.Msg, meta *jetstream.MsgMetadata) { stored[meta.Sequence.Stream] = meta.Timestamp })
	var waits []time.Duration
	d.stamps(b, jet.AuditStream, func(m jetstream.Msg, meta *jetstream.MsgMetadata) {
		var verdict struct {
			AnswerSeq uint64 `json:"answerSeq"`
		}
		if err := json.Unmarshal(m.Data(), &verdict); err != nil {
			b.Fatal(err)
		}
		if at, ok := stored[verdict.AnswerSeq]; ok {
			waits = append(waits, meta.Timestamp.Sub(at))
		}
	})
	if len(waits) == 0 {
		b.Fatal("no verdict names its answer")
	}
	return waits
}

// stamps visits the messages of a stream with what the server says about them.
func (d *deployment) stamps(b *testing.B, stream string, visit func(jetstream.Msg, *jetstream.MsgMetadata)) {
	b.Helper()
	consumer, err := d.js.OrderedConsumer(b.Context(), stream, jetstream.OrderedConsumerConfig{})
	if err != nil {
		b.Fatal(err)
	}
	messages, err := consumer.Messages()
	if err != nil {
		b.Fatal(err)
	}
	defer messages.Stop()
	for pending := uint64(1); pending > 0; {
		m, err := messages.Next()
		if err != nil {
			b.Fatal(err)
		}
		meta, err := m.Metadata()
		if err != nil {
			b.Fatal(err)
		}
		visit(m, meta)
		pending = meta.NumPending
	}
}
