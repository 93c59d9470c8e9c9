package agentfootprint

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
)

func join(t *testing.T, j *Joiner, kind, payload string) (event.Event, bool) {
	t.Helper()
	return joinOf(t, j, "r", kind, payload)
}

func joinOf(t *testing.T, j *Joiner, run, kind, payload string) (event.Event, bool) {
	t.Helper()
	e, ok, err := ReadEnvelope(event.JSON(fmt.Sprintf(`{"type":"agentfootprint.%s","payload":%s,"meta":{"runId":%q,"sessionId":"c"}}`, kind, payload, run)))
	if !ok || err != nil {
		t.Fatalf("%s %s: %v %v", kind, payload, ok, err)
	}
	return j.Join(e)
}

// However much a runtime tells of one conversation, what is kept to join it is bounded, and what is forgotten accuses nobody.
func TestJoinerIsBounded(t *testing.T) {
	j := NewJoiner(event.Conversation{ID: "c"})
	join(t, j, "agent.turn_start", `{"userPrompt":"q"}`)
	long := strings.Repeat("x", 2000)
	for n := range 3 * joinBytes / (perCall + 3*len(long)) {
		join(t, j, "stream.tool_start", fmt.Sprintf(`{"toolCallId":"%s%d","toolName":"f","args":%q}`, long, n, long))
		joinOf(t, j, fmt.Sprint("r", n), "stream.llm_start", `{}`)
		if j.Bytes() > joinBytes {
			t.Fatalf("%d bytes after %d calls, the limit is %d", j.Bytes(), n, joinBytes)
		}
	}
	if held := len(j.c.calls) + len(j.c.byRun); len(j.c.held.queue) != held || held > joinBytes/perName {
		t.Errorf("%d things are held, %d are in the queue", held, len(j.c.held.queue))
	}
	answer, _ := join(t, j, "agent.turn_end", `{"finalContent":"a"}`)
	if answer.Answer == nil || answer.Answer.Calls != nil || !slices.Contains(answer.Answer.Unseen, event.HistoryIncomplete) {
		t.Errorf("the answer of a turn whose calls were forgotten is %+v", answer.Answer)
	}
	end, _ := join(t, j, "stream.tool_end", fmt.Sprintf(`{"toolCallId":"%s0","result":1}`, long))
	if end.ToolEnd == nil || end.Before == nil || !slices.Contains(end.Before.TurnStart.Unseen, event.HistoryIncomplete) {
		t.Errorf("the end of a call that was forgotten is %+v", end)
	}
}

// A result is counted while it may be told of again, and the count comes back down.
func TestJoinerCountsResults(t *testing.T) {
	j := NewJoiner(event.Conversation{ID: "c"})
	result := `"` + strings.Repeat("x", 1<<20) + `"`
	for n := range 20 {
		join(t, j, "stream.tool_start", fmt.Sprintf(`{"toolCallId":"k%d","toolName":"f"}`, n))
		join(t, j, "stream.tool_end", fmt.Sprintf(`{"toolCallId":"k%d","result":%s}`, n, result))
		if j.Bytes() > joinBytes || n > 2 && j.Bytes() < 1<<21 {
			t.Fatalf("%d bytes after %d results of 1 MiB", j.Bytes(), n+1)
		}
	}
	sum := 0
	for _, made := range j.c.calls {
		sum += made.bytes
	}
	sum += perName + len("r") // the turn, when its name is still held
	if _, held := j.c.byRun[runTurn{run: "r"}]; !held {
		sum -= perName + len("r")
	}
	if sum != j.Bytes() {
		t.Errorf("%d bytes are counted, what is held sums up to %d", j.Bytes(), sum)
	}
}

// A turn whose beginning did not come: what the person asked is not known, and an answer that says it again is not accused.
func TestTurnWithoutABeginningAccusesNobody(t *testing.T) {
	j := NewJoiner(event.Conversation{ID: "c"})
	for i, want := range [][]event.Reason{nil, {event.HistoryIncomplete}} {
		run := fmt.Sprint("r", i)
		if want == nil {
			joinOf(t, j, run, "agent.turn_start", `{"userPrompt":"order 10001?"}`)
		}
		e, ok := joinOf(t, j, run, "agent.turn_end", `{"finalContent":"Order 10009 is here."}`)
		if !ok || !slices.Equal(e.Answer.Unseen, want) {
			t.Errorf("run %s: unseen %v, want %v", run, e.Answer.Unseen, want)
		}
	}
}
