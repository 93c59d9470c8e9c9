package integration_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/nats-io/nats.go"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas"
)

// BenchmarkPipeline measures how fast events go through the embedded server and the pipeline, from stored to judged,
// stored and acknowledged: conversations of ten tool results and one answer, the results of the bundled dialogues.
func BenchmarkPipeline(b *testing.B) {
	events := fleet(b, 2000)
	bytes := 0
	for b.Loop() {
		b.StopTimer()
		d := deploy(b)
		bytes = 0
		for _, m := range events {
			bytes += len(m.Data)
			d.publishAsync(b, m)
		}
		<-d.js.PublishAsyncComplete()
		b.StartTimer()
		d.workUntilIdle(b)
	}
	b.SetBytes(int64(bytes))
	b.ReportMetric(float64(len(events)*b.N)/b.Elapsed().Seconds(), "events/s")
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
