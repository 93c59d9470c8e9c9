package pipeline_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
)

// A conversation that was dropped is not read back for a result that changes nothing that was said. It is for the next
// answer, for a result that comes after its answer, and for one that declares something or takes it back.
func TestDroppedConversationsAreReadBackWhenItMatters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		var watch watcher
		_, stop := w.run(func(c *pipeline.Config) { c.CacheBytes, c.Observer = 8000, &watch }) // one conversation and some traces
		read := 0
		expect := func(what string, want int, e ...event.Event) {
			t.Helper()
			for _, one := range e {
				w.publish(one)
				synctest.Wait()
			}
			if got := watch.rebuilt - read; got != want {
				t.Errorf("%s: %d conversations read back, want %d", what, got, want)
			}
			read = watch.rebuilt
		}
		var rows []event.Event
		for n := range 10 {
			for c := range 5 {
				rows = append(rows, rowOf(conv(c), 1, fmt.Sprint("call-", n), fmt.Sprintf(`{"order":%d}`, 44_170+n)))
			}
		}
		expect("results of conversations that take turns", 0, rows...)
		expect("their answers", 5, answerOf(conv(0), 1, "order 44170"), answerOf(conv(1), 1, "order 44171"),
			answerOf(conv(2), 1, "order 44172"), answerOf(conv(3), 1, "order 44173"), answerOf(conv(4), 1, "order 44999"))
		expect("results of the next turn", 0, rowOf(conv(0), 2, "a", `1`), rowOf(conv(1), 2, "a", `1`))
		// The second reading is of the conversation that a stored verdict is held against.
		expect("a result after its answer", 2, rowOf(conv(2), 1, "late", `{"order":44172}`))
		absent := rowOf(conv(3), 2, "none", `{"absent":{"checked":[{"what":"orders"}]}}`)
		absent.ToolEnd.Door = &event.Door{Absent: true}
		expect("a declaration", 1, absent)
		expect("another's answer", 1, answerOf(conv(4), 2, "order 44170"))
		expect("a declaration that is taken back", 2, rowOf(conv(3), 2, "none", `{"orders":[1]}`))
		stop(true)
		w.check()
	})
}
