package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cenkalti/backoff/v4"
	"go.uber.org/goleak"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/pipetest"
	"github.com/plumbline-dev/plumbline/schemas"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is a stream in memory, what was put on it, and the rules that it is judged by.
type world struct {
	t      *testing.T
	stream *pipetest.Memory
	rules  pipeline.Rules
	put    []pipeline.Message
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return newWorldOf(t, turn.Policy{Ruleset: turn.Literal1})
}

func newWorldOf(t *testing.T, policy turn.Policy) *world {
	t.Helper()
	rules, err := policy.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return &world{t: t, stream: pipetest.NewMemory(), rules: rules}
}

func encode(t *testing.T, e event.Event) (subject string, header map[string][]string, data []byte) {
	t.Helper()
	data, err := schemas.EncodeEvent(schemas.JSON, e)
	if err != nil {
		t.Fatal(err)
	}
	subject = event.Subjects{}.Log(0, e.Conversation)
	return subject, map[string][]string{"Content-Type": {schemas.JSON}}, data
}

func (w *world) publish(e event.Event) uint64 { return w.store(encode(w.t, e)) }

func (w *world) store(subject string, header map[string][]string, data []byte) uint64 {
	seq := w.stream.Put(subject, header, data)
	w.put = append(w.put, pipeline.Message{Seq: seq, Subject: subject, Header: header, Data: data})
	return seq
}

// run starts a worker on a new epoch and gives a function that ends it: after a drain, or at once.
func (w *world) run(change func(*pipeline.Config)) (source *pipetest.Source, stop func(drain bool)) {
	w.t.Helper()
	cfg := pipeline.Config{Rules: w.rules, Backoff: func() backoff.BackOff { return backoff.NewConstantBackOff(time.Millisecond) }}
	if change != nil {
		change(&cfg)
	}
	source = w.stream.Open()
	worker, err := pipeline.NewWorker(cfg, source, w.stream.Sink())
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- worker.Run(ctx) }()
	return source, func(drain bool) {
		w.t.Helper()
		if drain {
			source.Close()
			if err := <-ended; err != nil {
				w.t.Errorf("after a drain Run returned %v", err)
			}
			cancel()
			return
		}
		cancel()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			w.t.Errorf("after a kill Run returned %v", err)
		}
		source.Kill()
	}
}

// check holds what the sink has against the pure fold over the stream, and that everything is acknowledged.
func (w *world) check() {
	w.t.Helper()
	sink := w.stream.Sink()
	outcome := pipetest.Outcome{Events: w.put, Audit: sink.AllRecords(), Letters: sink.Letters()}
	for _, fault := range outcome.Faults(w.rules, event.Subjects{}) {
		w.t.Error(fault)
	}
	if left := w.stream.Unacked(); len(left) > 0 {
		w.t.Errorf("not acknowledged: %v", left)
	}
}

func conv(n int) event.Conversation {
	return event.Conversation{Tenant: "acme", Agent: "desk", ID: fmt.Sprintf("c%d", n)}
}

func rowOf(c event.Conversation, turnNo int, call string, result string) event.Event {
	return event.Event{ID: fmt.Sprintf("%s-%d-%s-%s", c.ID, turnNo, call, result), Conversation: c, Turn: turnNo, ToolEnd: &event.ToolEnd{
		Call: event.Call{ID: call, Tool: "lookup"}, Result: event.JSON(result),
	}}
}

func answerOf(c event.Conversation, turnNo int, text string, calls ...string) event.Event {
	user := "what is it?"
	return event.Event{ID: fmt.Sprintf("%s-%d-%s", c.ID, turnNo, text), Conversation: c, Turn: turnNo, Answer: &event.Answer{
		Text: text, Calls: calls, User: &user, Context: []string{"be brief"},
	}}
}

func TestWorkerStoresOneVerdictPerAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		_, stop := w.run(nil)
		w.publish(rowOf(conv(1), 1, "a", `{"order":44170}`))
		w.publish(answerOf(conv(1), 1, "order 44170", "a"))
		w.publish(answerOf(conv(2), 1, "order 99999"))
		synctest.Wait()
		stop(true)
		w.check()
		if n := len(w.stream.Sink().AllRecords()); n != 2 {
			t.Errorf("%d records, want 2", n)
		}
	})
}

func TestWorkerWaitsForADeclaredCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		_, stop := w.run(func(c *pipeline.Config) { c.Grace = 2 * time.Second })
		w.publish(answerOf(conv(1), 1, "order 44170", "a"))
		time.Sleep(time.Second)
		if n := len(w.stream.Sink().AllRecords()); n != 0 {
			t.Fatalf("%d verdicts before the call was reported", n)
		}
		if left := w.stream.Unacked(); len(left) != 1 {
			t.Fatalf("the waiting answer is acknowledged before its verdict is stored")
		}
		w.publish(rowOf(conv(1), 1, "a", `{"order":44170}`))
		synctest.Wait()
		stop(true)
		w.check()
		if n := len(w.stream.Sink().AllRecords()); n != 1 {
			t.Errorf("%d verdicts, want 1: the answer waited", n)
		}
	})
}

func TestWorkerEndsTheGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		_, stop := w.run(func(c *pipeline.Config) { c.Grace = 2 * time.Second })
		w.publish(answerOf(conv(1), 1, "order 44170", "a"))
		time.Sleep(3 * time.Second)
		w.check()
		w.publish(rowOf(conv(1), 1, "a", `{"order":44170}`))
		synctest.Wait()
		stop(true)
		w.check()
		if n := len(w.stream.Sink().AllRecords()); n != 2 {
			t.Errorf("%d verdicts, want 2: one that cannot tell, and the one that supersedes it", n)
		}
	})
}

// An answer that waits may not keep the stream from going on, however many there are.
func TestWorkerManyWaitingAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		_, stop := w.run(func(c *pipeline.Config) { c.Grace, c.MaxInFlight = time.Hour, 4 })
		for n := range 20 {
			w.publish(answerOf(conv(n), 1, "order 44170", "a"))
		}
		w.publish(answerOf(conv(99), 1, "nothing"))
		synctest.Wait()
		if got := len(w.stream.Sink().Records(event.Subjects{}.Verdict(turn.Literal1, conv(99), 1, 0))); got != 1 {
			t.Errorf("the last answer has %d verdicts, want 1", got)
		}
		stop(false)
	})
}

func TestWorkerBuriesWhatItCannotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		_, stop := w.run(nil)
		subject, header, data := encode(t, rowOf(conv(1), 1, "a", `1`))
		w.stream.Put(subject, header, data[:len(data)-3])
		w.stream.Put("agent.events.only.two", header, data)
		w.stream.Put(event.Subjects{}.Log(0, conv(2)), header, data)
		w.stream.Put(subject, map[string][]string{"content-type": {"text/csv"}}, data)
		w.stream.Sink().FailBuries(2)
		time.Sleep(time.Second)
		stop(true)
		var reasons []string
		for _, l := range w.stream.Sink().Letters() {
			reasons = append(reasons, l.Reason)
		}
		slices.Sort(reasons)
		if want := []string{"subject_mismatch", "unknown_encoding", "unreadable", "wrong_subject"}; !slices.Equal(reasons, want) {
			t.Errorf("reasons %q, want %q", reasons, want)
		}
		if left := w.stream.Unacked(); len(left) > 0 {
			t.Errorf("not acknowledged: %v", left)
		}
	})
}

// What is open is dropped to keep within CacheBytes, and read back when it is asked for again.
func TestWorkerKeepsWithinItsCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const conversations, textBytes, cacheBytes = 30, 10_000, 50_000
		w := newWorld(t)
		var watch watcher
		_, stop := w.run(func(c *pipeline.Config) { c.CacheBytes, c.Observer = cacheBytes, &watch })
		for n := range conversations {
			w.publish(rowOf(conv(n), 1, "a", `"order 44170`+strings.Repeat(" x", textBytes/2)+`"`))
		}
		for n := range conversations {
			w.publish(answerOf(conv(n), 1, "order 44170", "a"))
		}
		synctest.Wait()
		stop(true)
		w.check()
		if least := conversations*textBytes - cacheBytes; watch.evicted < least {
			t.Errorf("%d bytes were dropped, want at least %d", watch.evicted, least)
		}
		if watch.rebuilt < conversations-cacheBytes/textBytes {
			t.Errorf("%d conversations were read back", watch.rebuilt)
		}
	})
}

// watcher counts what the worker took in, dropped, read back and holds.
type watcher struct {
	evicted, rebuilt, messages, cached int

	taken []pipeline.Taken
	took  []time.Duration
}

func (w *watcher) Taken(_ event.Event, t pipeline.Taken) { w.taken = append(w.taken, t) }
func (w *watcher) Verdict(_ event.EvidenceChecked, _ int, took time.Duration) {
	w.took = append(w.took, took)
}
func (*watcher) Declared(event.CoverageDeclared) {}
func (*watcher) Buried(pipeline.Letter)          {}
func (w *watcher) Cached(change int)             { w.cached += change }
func (*watcher) PassedOver(string)               {}
func (w *watcher) Rebuilt(messages int) {
	w.rebuilt++
	w.messages += messages
}
func (w *watcher) Evicted(bytes int)                  { w.evicted += bytes }
func (*watcher) Retried(string, error, time.Duration) {}

// After a change of owners everything in hand comes again, in any order. A conversation is read back once for it, and not
// once for each of its messages.
func TestWorkerReadsBackOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		source, stop := w.run(nil)
		source.Close()
		stop(true)
		var calls []string
		for n := range 20 {
			calls = append(calls, fmt.Sprint("c", n))
			w.publish(rowOf(talk, 1, calls[n], fmt.Sprintf(`{"order":%d}`, 44170+n)))
		}
		w.publish(answerOf(talk, 1, "order 44170", calls...))
		var watch watcher
		source, stop = w.run(func(c *pipeline.Config) { c.Observer = &watch })
		source.SetFromStart(false)
		w.stream.Redeliver()
		w.stream.Redeliver()
		synctest.Wait()
		stop(true)
		w.check()
		if watch.rebuilt != 1 {
			t.Errorf("it was read back %d times", watch.rebuilt)
		}
	})
}
