package pipeline_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
	"github.com/plumbline-dev/plumbline/schemas"
)

// TestStreamReports holds public reports about streams, by the id of their case, where a worker shows them. The table of
// all cases stands at the test of the same name in core/turn.
func TestStreamReports(t *testing.T) {
	for _, tt := range []struct {
		id, source string
		test       func(t *testing.T)
	}{
		{"st-redelivered-after-ackwait", "nats-io/nats.go#1929", redeliveredAfterAckWait},
		{"st-poison", "hmchangw/newchat#346", poison},
		{"st-stalled-ackpending", "nats-io/nats-server#4112", stalledAckPending},
		{"st-memory", "open-telemetry/opentelemetry-collector-contrib#31498", manyOpenTurns},
		{"st-backfill-double", "langfuse/langfuse#13823", backfillDouble},
	} {
		t.Run(tt.id, func(t *testing.T) { synctest.Test(t, tt.test) })
	}
}

// redeliveredAfterAckWait has two workers handle the same message, the first before and the second after the wait for
// its acknowledgement ran out: one verdict is stored.
func redeliveredAfterAckWait(t *testing.T) {
	w := newWorld(t)
	sink := w.stream.Sink()
	sink.Hold() // the first worker's verdict is stored, and it does not learn of it
	_, stopFirst := w.run(nil)
	seq := w.publish(answerOf(conv(1), 1, "order 44170"))
	synctest.Wait()
	_, stopSecond := w.run(nil)
	sink.Release()
	w.stream.Deliver(seq)
	time.Sleep(time.Second)
	stopSecond(true)
	stopFirst(false)
	w.check()
	if n := len(sink.AllRecords()); n != 1 {
		t.Errorf("%d records, want 1", n)
	}
}

// poison has a message that is cut short before a good one: a dead letter, a verdict, and no trying again.
func poison(t *testing.T) {
	w := newWorld(t)
	var seen paces
	_, stop := w.run(func(c *pipeline.Config) { c.Observer = &seen })
	subject, header, _ := encode(t, answerOf(conv(1), 1, "ok"))
	w.store(subject, header, []byte(`{"type":"tool_end","turn":"t1","result":`))
	w.publish(answerOf(conv(1), 2, "ok"))
	time.Sleep(time.Minute)
	stop(true)
	w.check()
	if letters := w.stream.Sink().Letters(); len(letters) != 1 || letters[0].Seq != 1 || len(seen) != 0 {
		t.Errorf("letters %+v, %d retries; want sequence 1 and none", letters, len(seen))
	}
}

// stalledAckPending has as many open turns as may be in flight, none of them answered: every message is acknowledged, so
// that the stream goes on.
func stalledAckPending(t *testing.T) {
	const window = 100
	w := newWorld(t)
	_, stop := w.run(func(c *pipeline.Config) { c.MaxInFlight = window })
	for n := range 2 * window {
		w.publish(rowOf(conv(n), 1, "a", `{"order":44170}`))
	}
	synctest.Wait()
	if left := w.stream.Unacked(); len(left) > 0 {
		t.Errorf("%d messages wait for an answer to be acknowledged", len(left))
	}
	w.publish(answerOf(conv(0), 1, "order 44170", "a"))
	synctest.Wait()
	stop(true)
	w.check()
}

// manyOpenTurns opens many turns and answers them later: what is held is bounded, and what was dropped is counted.
func manyOpenTurns(t *testing.T) {
	const turns, cacheBytes = 3000, 200_000
	w := newWorld(t)
	var watch watcher
	_, stop := w.run(func(c *pipeline.Config) { c.CacheBytes, c.Observer = cacheBytes, &watch })
	for n := range turns {
		w.publish(rowOf(conv(n), 1, "a", `"`+strings.Repeat("x", 500)+`"`))
	}
	for n := 0; n < turns; n += 10 {
		w.publish(answerOf(conv(n), 1, "order 44170", "a"))
	}
	synctest.Wait()
	stop(true)
	w.check()
	if least := turns*1000 - cacheBytes; watch.evicted < least {
		t.Errorf("%d bytes were dropped, want at least %d", watch.evicted, least)
	}
}

// backfillDouble stores a verdict live and then backfills it by the same rules and by others: one record for each rules,
// however often.
func backfillDouble(t *testing.T) {
	w := newWorld(t)
	_, stop := w.run(nil)
	w.publish(answerOf(conv(1), 1, "order 44170"))
	synctest.Wait()
	stop(true)
	settler := pipeline.Settler{Sink: w.stream.Sink()}
	for _, tt := range []struct {
		ruleset string
		want    pipeline.Settled
	}{
		{turn.Literal1, pipeline.AlreadyThere}, {turn.Calibrated1, pipeline.Published}, {turn.Calibrated1, pipeline.AlreadyThere},
	} {
		got, err := settler.Settle(t.Context(), wantOf(t, w, tt.ruleset))
		if err != nil || got != tt.want {
			t.Errorf("backfill by %s: %v, %v; want %v", tt.ruleset, got, err, tt.want)
		}
	}
	if n := len(w.stream.Sink().AllRecords()); n != 2 {
		t.Errorf("%d records, want one for each rules", n)
	}
}

// wantOf is the one verdict that the rules give of what was put on the stream.
func wantOf(t *testing.T, w *world, ruleset string) pipeline.Want {
	t.Helper()
	rules, err := turn.Policy{Ruleset: ruleset}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	history := replay.New(rules)
	for _, m := range w.put {
		said, err := pipeline.Read(event.Subjects{}, m)
		if err != nil {
			t.Fatal(err)
		}
		history.Add(m.Seq, said.Event)
	}
	for out := range history.Outputs() {
		payload, err := schemas.EncodeEvidence(schemas.JSON, *out.Evidence)
		if err != nil {
			t.Fatal(err)
		}
		return pipeline.Want{
			Subject: event.Subjects{}.Verdict(ruleset, conv(1), 1, 0), ContentType: schemas.JSON, Payload: payload,
		}
	}
	t.Fatal("the rules give no verdict")
	return pipeline.Want{}
}
