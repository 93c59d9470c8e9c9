package pipeline_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/schemas"
)

// outcomes are those of the last verdicts on the answers of a conversation, by their turns.
func (w *world) outcomes(c event.Conversation) map[int]string {
	last := map[int]string{}
	for _, r := range w.stream.Sink().AllRecords() {
		v, err := schemas.DecodeEvidence(r.ContentType, r.Payload)
		if err != nil {
			w.t.Fatal(err)
		}
		if v.Conversation == c.ID {
			last[v.Turn] = fmt.Sprintf("%s %v", v.Outcome, v.Reasons)
		}
	}
	return last
}

// An event that breaks the fold becomes one dead letter. The others of its conversation are folded and judged, those after it
// too, and no answer is accused of what may have stood in it. Whether the conversation was in memory, or is read back, or the
// worker is killed and another goes on, is all the same.
func TestAnEventThatBreaksTheFold(t *testing.T) {
	for name, tt := range map[string]struct {
		cache  int
		killed bool
	}{
		"in memory": {}, "read back for every event": {cache: 1}, "killed": {killed: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorldOf(t, turn.Policy{Ruleset: turn.Calibrated1})
				change := func(cfg *pipeline.Config) {
					cfg.CacheBytes = tt.cache
					*cfg = cfg.Breaking(func(m pipeline.Message) {
						if strings.Contains(string(m.Data), "55012") && strings.Contains(string(m.Data), "tool_end") {
							panic("a reader that is broken")
						}
					})
				}
				_, stop := w.run(change)
				w.publish(rowOf(conv(1), 1, "a", `{"order":44170}`))
				w.publish(answerOf(conv(1), 1, "order 44170", "a"))
				time.Sleep(time.Second)
				want := []string{
					fmt.Sprintf("%s@%d", pipeline.ReasonReaderFailed, w.publish(rowOf(conv(1), 2, "b", `{"order":55012}`))),
					fmt.Sprintf("%s@%d", pipeline.ReasonReaderFailed, w.publish(rowOf(conv(1), 2, "c", `{"order":155012}`))),
				}
				w.publish(rowOf(conv(2), 1, "a", `{"order":44170}`))
				w.publish(rowOf(conv(1), 2, "d", `{"order":66013}`))
				if tt.killed {
					time.Sleep(time.Second)
					stop(false)
					_, stop = w.run(change)
				}
				w.publish(answerOf(conv(1), 2, "orders 66013 and 55012", "d"))
				w.publish(answerOf(conv(1), 3, "order 66013"))
				w.publish(answerOf(conv(2), 1, "order 44170", "a"))
				time.Sleep(time.Minute)
				stop(true)
				if got := slices.Compact(w.letterReasons()); !slices.Equal(got, want) {
					t.Errorf("dead letters %v, want %v", got, want)
				}
				outcomes := fmt.Sprint(w.outcomes(conv(1)), w.outcomes(conv(2)))
				if want := "map[1:grounded [] 2:cannot_tell [content_not_captured] 3:grounded [content_not_captured]] map[1:grounded []]"; outcomes != want {
					t.Errorf("verdicts %s\nwant     %s", outcomes, want)
				}
				if left := w.stream.Unacked(); len(left) > 0 {
					t.Errorf("not acknowledged: %v", left)
				}
			})
		})
	}
}
