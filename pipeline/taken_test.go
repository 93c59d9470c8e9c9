package pipeline_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/plumbline-dev/plumbline/core/emptiness"
	"github.com/plumbline-dev/plumbline/pipeline"
)

// What is told of each event: what its call came back with, whether that repeats another call of the turn, and whether an
// answer of before could have read it.
func TestWorkerTellsWhatItTook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		var watch watcher
		_, stop := w.run(func(c *pipeline.Config) { c.Observer = &watch })
		w.publish(rowOf(conv(0), 1, "a", `[]`))
		w.publish(rowOf(conv(0), 1, "b", `[]`)) // gives what a gave
		w.publish(rowOf(conv(0), 1, "b", `[]`)) // is the same call
		w.publish(rowOf(conv(0), 1, "c", `["order 44170"]`))
		w.publish(answerOf(conv(0), 1, "order 44170", "a", "b", "c"))
		w.publish(rowOf(conv(0), 1, "c", `["order 44171"]`)) // another report of a call that was read
		w.publish(rowOf(conv(0), 2, "a", `[]`))              // another turn
		synctest.Wait()
		want := []pipeline.Taken{
			{Reading: emptiness.UndeclaredEmpty}, {Reading: emptiness.UndeclaredEmpty, Repeat: true},
			{Reading: emptiness.UndeclaredEmpty}, {Reading: emptiness.NonEmpty}, {},
			{Reading: emptiness.NonEmpty, Late: true}, {Reading: emptiness.UndeclaredEmpty},
		}
		if !slices.Equal(watch.taken, want) {
			t.Errorf("told of\n%+v, want\n%+v", watch.taken, want)
		}
		if len(watch.took) != 2 || watch.took[0] < 0 {
			t.Errorf("the verdicts took %v", watch.took)
		}
		if watch.cached <= 0 {
			t.Errorf("the cache takes %d bytes", watch.cached)
		}
		stop(true)
		if watch.cached != 0 {
			t.Errorf("%d bytes are counted after the end", watch.cached)
		}
	})
}

// An event of a conversation that was dropped is told of as well, though it is not read back for it.
func TestWorkerTellsWhatItTookOfADroppedConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		var watch watcher
		_, stop := w.run(func(c *pipeline.Config) { c.CacheBytes, c.Observer = 20_000, &watch })
		w.publish(rowOf(conv(0), 1, "a", `"`+strings.Repeat("x", 30_000)+`"`))
		w.publish(rowOf(conv(1), 1, "a", `[1]`))
		w.publish(rowOf(conv(0), 1, "b", `[]`))
		synctest.Wait()
		stop(true)
		if n := len(watch.taken); n != 3 || watch.taken[2].Reading != emptiness.UndeclaredEmpty || watch.evicted == 0 || watch.rebuilt > 0 {
			t.Errorf("told of %+v, %d bytes dropped, %d conversations read back", watch.taken, watch.evicted, watch.rebuilt)
		}
	})
}

// What is handed out again is told apart.
func TestWorkerTellsWhatCameAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		var first, second watcher
		waits := func(c *pipeline.Config) { c.Observer, c.Grace = &first, time.Hour }
		_, stop := w.run(waits)
		w.publish(answerOf(conv(0), 1, "order 44170", "never"))
		synctest.Wait()
		stop(false)
		_, stop = w.run(func(c *pipeline.Config) { c.Observer = &second })
		synctest.Wait()
		stop(true)
		if got := append(first.taken, second.taken...); !slices.Equal(got, []pipeline.Taken{{}, {Again: true}}) {
			t.Errorf("told of %+v", got)
		}
	})
}
