package pipeline_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/pipetest"
	"github.com/plumbline-dev/plumbline/schemas"
)

// bigRow is a row that takes about ten thousand bytes.
func bigRow(n, turnNo int, call string) event.Event {
	return rowOf(conv(n), turnNo, call, `"order 44170`+strings.Repeat(" x", 5000)+`"`)
}

// A conversation that does not fit the cache is kept while its events come in a row, and read back once when they come
// in turns with another's.
func TestWorkerReadsBackOnlyWhatItDropped(t *testing.T) {
	for _, tt := range []struct {
		name    string
		order   func(i int) (conversation int)
		rebuilt int
	}{
		{"in a row", func(i int) int { return i / 20 }, 0},
		{"in turns", func(i int) int { return i % 2 }, 38},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				var watch watcher
				_, stop := w.run(func(c *pipeline.Config) { c.CacheBytes, c.Observer = 1, &watch })
				for i := range 40 {
					n := tt.order(i)
					w.publish(bigRow(n, 1, fmt.Sprint("a", i)))
					synctest.Wait()
				}
				stop(true)
				w.check()
				if watch.rebuilt != tt.rebuilt {
					t.Errorf("%d times read back, want %d", watch.rebuilt, tt.rebuilt)
				}
			})
		})
	}
}

// before lets the stream have been worked on: a worker that starts now does not see it from its start.
func (w *world) before() {
	w.t.Helper()
	w.publish(event.Event{ID: "before", Conversation: conv(99), Turn: 1, TurnStart: &event.TurnStart{}})
	w.stream.SetAcked(w.put[len(w.put)-1].Seq)
}

// A worker that takes a conversation over reads it back once, also when many of its messages are not acknowledged.
func TestWorkerReadsABacklogBackOnce(t *testing.T) {
	for _, again := range []bool{false, true} {
		t.Run(fmt.Sprintf("handed out before %v", again), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				if again {
					first := w.stream.Open()
					for i := range 50 {
						w.publish(rowOf(conv(1), 1, fmt.Sprint("a", i), "44170"))
						if _, err := first.Next(t.Context()); err != nil {
							t.Fatal(err)
						}
					}
					first.Kill()
				}
				for i := range 50 {
					w.publish(rowOf(conv(1), 1, fmt.Sprint("b", i), "44170"))
				}
				w.publish(answerOf(conv(1), 1, "it is 44170"))
				w.before()
				var watch watcher
				_, stop := w.run(func(c *pipeline.Config) { c.Observer = &watch })
				synctest.Wait()
				stop(true)
				w.check()
				if watch.rebuilt != 1 {
					t.Errorf("%d times read back, want once", watch.rebuilt)
				}
			})
		})
	}
}

// What a reading back visited before a fault is not read again.
func TestReadingBackGoesOnAfterAFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		for i := range 9 {
			w.publish(rowOf(conv(1), 1, fmt.Sprint("a", i), "44170"))
		}
		w.publish(answerOf(conv(1), 1, "it is 44170"))
		w.stream.CutHistories(3, 2)
		w.before()
		var watch watcher
		_, stop := w.run(func(c *pipeline.Config) { c.Observer = &watch })
		time.Sleep(time.Second)
		stop(true)
		w.check()
		if watch.rebuilt != 1 || watch.messages != 10 {
			t.Errorf("%d times read back, %d messages in all; want once and 10", watch.rebuilt, watch.messages)
		}
	})
}

// Whatever the cache holds and wherever the fold starts over, the last revisions are the same bytes: also past the limit
// of a conversation.
func TestVerdictsDoNotDependOnTheCache(t *testing.T) {
	for _, conversationBytes := range []int{0, 3000} {
		var want map[string]string
		for _, cacheBytes := range []int{1, pipeline.DefaultCacheBytes, 1 << 50} {
			for restart := 0; restart <= 60; restart += 10 {
				synctest.Test(t, func(t *testing.T) {
					got := ends(t, conversationBytes, cacheBytes, restart)
					if want == nil {
						want = got
					}
					if !maps.Equal(got, want) || len(got) == 0 {
						t.Errorf("limit %d, cache %d, starting over after %d: other verdicts", conversationBytes, cacheBytes, restart)
					}
				})
			}
		}
	}
}

// ends gives what the subjects of one workload end in.
func ends(t *testing.T, conversationBytes, cacheBytes, restart int) map[string]string {
	t.Helper()
	w := newWorldOf(t, turn.Policy{Ruleset: turn.Calibrated1, ConversationBytes: conversationBytes})
	load := pipetest.NewWorkload(rand.New(rand.NewPCG(3, 3)), 0)
	tune := func(c *pipeline.Config) { c.CacheBytes = cacheBytes }
	_, stop := w.run(tune)
	for step := range 60 {
		if step == restart {
			synctest.Wait()
			stop(false)
			_, stop = w.run(tune)
		}
		w.store(load.Next().Stored(event.Subjects{}))
	}
	synctest.Wait()
	stop(true)
	w.check()
	last := map[string]string{}
	for _, r := range w.stream.Sink().AllRecords() {
		made, err := schemas.Identify(r.ContentType, r.Payload)
		if err != nil {
			t.Fatal(err)
		}
		last[r.Subject+" "+made.Lane] = string(r.Payload)
	}
	return last
}

// A message is taken only while what is in flight leaves room, in bytes: of messages, and of conversations that cannot be
// dropped because something of theirs is on its way.
func TestWorkerTakesNoMoreThanItHasRoomFor(t *testing.T) {
	for _, tt := range []struct {
		name  string
		tune  func(*pipeline.Config)
		taken int
	}{
		{"messages", func(c *pipeline.Config) { c.InFlightBytes = 25_000 }, 2},
		{"conversations", func(c *pipeline.Config) { c.CacheBytes = 25_000 }, 3},
		{"a message larger than the room", func(c *pipeline.Config) { c.InFlightBytes = 1 }, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const answers = 12
				w := newWorld(t)
				sink := w.stream.Sink()
				sink.Hold()
				source, stop := w.run(tt.tune)
				for n := range answers {
					w.publish(answerOf(conv(n), 1, "it is 44170"+strings.Repeat(" x", 5000)))
				}
				synctest.Wait()
				// one more waits to be taken
				if taken := answers - source.Queued() - 1; taken != tt.taken {
					t.Errorf("%d messages taken, want %d", taken, tt.taken)
				}
				for sink.Release() > 0 {
					synctest.Wait()
					sink.Hold()
				}
				sink.Release()
				synctest.Wait()
				stop(true)
				w.check()
			})
		})
	}
}

// Answers that wait for a call make room when their conversations fill the cache: the stream goes on.
func TestWaitingConversationsMakeRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		_, stop := w.run(func(c *pipeline.Config) { c.CacheBytes, c.Grace = 30_000, time.Hour })
		for n := range 10 {
			w.publish(bigRow(n, 1, "a"))
			w.publish(answerOf(conv(n), 1, "it is 44170", "a", "b"))
		}
		synctest.Wait()
		if n := len(w.stream.Sink().AllRecords()); n < 6 {
			t.Errorf("%d verdicts, and the others fill the cache", n)
		}
		time.Sleep(2 * time.Hour)
		stop(true)
		w.check()
	})
}
