package integration_test

import (
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/schemas"
)

// BenchmarkPipeline measures how fast events go through the embedded server and the pipeline, from stored to judged,
// stored and acknowledged: conversations of ten tool results and one answer, the results of the bundled dialogues.
// Its yardstick does the same with the streams and neither reads nor judges: a bare passthrough that acknowledges each
// event and stores, under the guard, as many records of the verdicts' size.
func BenchmarkPipeline(b *testing.B) {
	events := fleet(b, 2000)
	b.Run("judged", func(b *testing.B) {
		flow(b, events, inside, func(d *deployment) { d.workUntilIdle(b) })
	})
	b.Run("passthrough", func(b *testing.B) {
		flow(b, events, inside, func(d *deployment) { d.passThrough(b, len(events), jet.SourceConfig{}, jet.SinkConfig{}) })
	})
}

// inside is a deployment whose client speaks to its server within the process.
func inside(b *testing.B) *deployment { return deploy(b) }

// flow times what work does with the events, each time over the fresh streams of a deployment that hold all of them.
func flow(b *testing.B, events []*nats.Msg, on func(*testing.B) *deployment, work func(*deployment)) {
	b.Helper()
	bytes := 0
	for b.Loop() {
		b.StopTimer()
		d := on(b)
		bytes = 0
		for _, m := range events {
			bytes += len(m.Data)
			d.publishAsync(b, m)
		}
		<-d.js.PublishAsyncComplete()
		b.StartTimer()
		work(d)
	}
	b.SetBytes(int64(bytes))
	b.ReportMetric(float64(len(events)*b.N)/b.Elapsed().Seconds(), "events/s")
}

// verdictBytes is about what a verdict on one of the bundled answers with ten results takes.
const verdictBytes = 2200

// passThrough takes n events, stores a record for every eleventh, and acknowledges each once what it caused is stored.
func (d *deployment) passThrough(b *testing.B, n int, in jet.SourceConfig, out jet.SinkConfig) {
	b.Helper()
	source, err := jet.OpenSource(b.Context(), d.js, in)
	if err != nil {
		b.Fatal(err)
	}
	defer source.Stop()
	sink, err := jet.NewSink(d.nc, out)
	if err != nil {
		b.Fatal(err)
	}
	record := pipeline.Record{ContentType: schemas.JSON, Payload: make([]byte, verdictBytes)}
	for i := range n {
		event, err := source.Next(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		done := func(_ uint64, err error) {
			if err := errors.Join(err, event.Ack()); err != nil {
				b.Error(err)
			}
		}
		if i%11 != 10 {
			done(0, nil)
			continue
		}
		record.Subject = fmt.Sprintf("agent.audit.passed.%d", i)
		if err := sink.Publish(b.Context(), record, done); err != nil {
			b.Fatal(err)
		}
	}
	if err := sink.Close(b.Context()); err != nil {
		b.Fatal(err)
	}
	for !d.idle(b) {
		time.Sleep(time.Millisecond)
	}
}

// fleet makes conversations of ten results and one answer out of the bundled dialogues.
func fleet(b *testing.B, conversations int) []*nats.Msg {
	b.Helper()
	content, err := os.ReadFile(bundle)
	if err != nil {
		b.Fatal(err)
	}
	var results, answers []event.Event
	for _, line := range lines(content) {
		e, err := schemas.Decode(schemas.JSON, line)
		if err != nil {
			b.Fatal(err)
		}
		if e.ToolEnd != nil {
			results = append(results, e)
		} else {
			answers = append(answers, e)
		}
	}
	var messages []*nats.Msg
	for c := range conversations {
		for i := range 10 {
			e := results[(c*10+i)%len(results)]
			end := *e.ToolEnd
			end.Call.ID = fmt.Sprintf("call-%d", i)
			e.ToolEnd = &end
			messages = append(messages, message(b, c, i, e))
		}
		e := answers[c%len(answers)]
		answer := *e.Answer
		answer.Calls, answer.Iteration = nil, 100
		e.Answer = &answer
		messages = append(messages, message(b, c, 10, e))
	}
	return messages
}

func message(b *testing.B, conversation, n int, e event.Event) *nats.Msg {
	b.Helper()
	e.Conversation.ID = fmt.Sprintf("c%d", conversation)
	e.ID, e.Turn = fmt.Sprintf("c%d-%d", conversation, n), 1
	data, err := schemas.EncodeEvent(schemas.JSON, e)
	if err != nil {
		b.Fatal(err)
	}
	m := nats.NewMsg(event.Subjects{}.Event(e.Conversation))
	m.Data = data
	return m
}
