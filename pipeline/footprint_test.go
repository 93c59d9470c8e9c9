package pipeline_test

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/schemas"
)

// heap is how much memory is in use after everything that is not was freed.
func heap() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// A cache that is bounded by what states say they take is bounded when they take about that. And a state whose
// conversation is bounded is: it takes a few times what it keeps, however its results are made.
func TestStatesTakeWhatTheySay(t *testing.T) {
	short := func(n int) string { // three letters, another for each number below 17,576
		return string([]byte{byte('a' + n/676%26), byte('a' + n/26%26), byte('a' + n%26)})
	}
	for _, tt := range []struct {
		name   string
		states func(t *testing.T) []*turn.State
	}{
		{"1,000 real conversations", func(t *testing.T) []*turn.State { return realStates(t, 1000) }},
		{"many small rows", func(t *testing.T) []*turn.State {
			return rowsOf(t, 4000, func(i int) string { return fmt.Sprintf(`{"order":%d}`, 10_000+i) })
		}},
		{"one row again and again", func(t *testing.T) []*turn.State {
			return rowsOf(t, 4000, func(int) string { return `{"order":44170,"state":"open"}` })
		}},
		{"one value again and again", func(t *testing.T) []*turn.State {
			return rowsOf(t, 10, func(int) string { return "[" + strings.Repeat("44170,", 10_000) + "0]" })
		}},
		{"other values in each row", func(t *testing.T) []*turn.State {
			return rowsOf(t, 10, func(i int) string {
				return fmt.Sprintf("%q", listOf(8000, func(j int) string { return strconv.Itoa(i*10_000 + j) }))
			})
		}},
		{"the same short values in each row", func(t *testing.T) []*turn.State {
			return rowsOf(t, 10, func(int) string { return fmt.Sprintf("%q", listOf(17_576, short)) })
		}},
		{"answers that name calls", func(t *testing.T) []*turn.State {
			return eventsOf(t, 4000, func(i int) event.Event {
				return answerOf(conv(1), 1+i, "it is done", fmt.Sprint("a", i), fmt.Sprint("b", i), fmt.Sprint("c", i))
			})
		}},
		{"answers that are given again", func(t *testing.T) []*turn.State {
			return eventsOf(t, 4000, func(i int) event.Event {
				return answerOf(conv(1), 1, fmt.Sprint("it is ", i), fmt.Sprint("a", i))
			})
		}},
		{"turns that are opened", func(t *testing.T) []*turn.State {
			return eventsOf(t, 4000, func(i int) event.Event {
				user := fmt.Sprintf("where is order %d?", 44_170+i)
				return event.Event{ID: user, Conversation: conv(1), Turn: 1 + i, TurnStart: &event.TurnStart{User: &user}}
			})
		}},
		{"prose", func(t *testing.T) []*turn.State {
			return rowsOf(t, 20, func(i int) string {
				return fmt.Sprintf("%q", strings.Repeat(fmt.Sprintf("flight %d leaves from gate b%d ", i, i%7), 1000))
			})
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := heap()
			states := tt.states(t)
			memory := float64(heap() - before)
			said, kept := 0.0, 0.0
			for _, s := range states {
				said += float64(s.Bytes())
				kept += float64(s.Kept())
			}
			t.Logf("%.0f bytes: %.2f of what is said, %.2f of what is kept", memory, memory/said, memory/kept)
			if memory < said/2 || memory > said*1.5 {
				t.Errorf("the states take %.0f bytes and say %.0f", memory, said)
			}
			if memory > 9*kept {
				t.Errorf("the states take %.0f bytes and keep %.0f", memory, kept)
			}
			runtime.KeepAlive(states)
		})
	}
}

func listOf(n int, item func(int) string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = item(i)
	}
	return strings.Join(items, ",")
}

// realStates folds the dialogues of the demo again and again, each time as conversations of their own.
func realStates(t *testing.T, n int) (states []*turn.State) {
	t.Helper()
	content, err := os.ReadFile("../cmd/internal/demo/airline/events.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for len(states) < n {
		byName := map[event.Conversation]*turn.State{}
		for line := range bytes.Lines(content) {
			e := decoded(t, bytes.TrimSpace(line))
			s := byName[e.Conversation]
			if s == nil {
				if len(states) == n {
					continue
				}
				s = turn.New(newWorldOf(t, turn.Policy{Ruleset: turn.Calibrated1}).rules.RulesFor(e.Conversation), e.Conversation)
				byName[e.Conversation], states = s, append(states, s)
			}
			s.Fold(s.Last()+1, e)
		}
	}
	return states
}

// rowsOf folds rows with these results into one conversation, twenty a turn.
func rowsOf(t *testing.T, rows int, result func(i int) string) []*turn.State {
	t.Helper()
	return eventsOf(t, rows, func(i int) event.Event {
		return rowOf(conv(1), 1+i/20, fmt.Sprint("call", i), result(i))
	})
}

func eventsOf(t *testing.T, n int, made func(i int) event.Event) []*turn.State {
	t.Helper()
	s := turn.New(newWorldOf(t, turn.Policy{Ruleset: turn.Calibrated1}).rules.RulesFor(conv(1)), conv(1))
	for i := range n {
		_, _, data := encode(t, made(i))
		s.Fold(uint64(i+1), decoded(t, data))
	}
	return []*turn.State{s}
}

func decoded(t *testing.T, data []byte) event.Event {
	t.Helper()
	e, err := schemas.Decode(schemas.JSON, data)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
