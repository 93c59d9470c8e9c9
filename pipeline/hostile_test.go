package pipeline_test

import (
	"context"
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

// forge publishes on an audit subject what the worker did not, after what stands there.
func (w *world) forge(subject, contentType, payload string) {
	w.t.Helper()
	stored, err := w.stream.Sink().Chain(context.Background(), subject)
	if err != nil {
		w.t.Fatal(err)
	}
	r := pipeline.Record{Subject: subject, ContentType: contentType, Payload: []byte(payload)}
	if len(stored) > 0 {
		r.Supersedes = stored[len(stored)-1].Seq
	}
	err = w.stream.Sink().Publish(context.Background(), r, func(_ uint64, err error) {
		if err != nil {
			w.t.Error(err)
		}
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// letterReasons are the reasons of the dead letters, with the sequences that they are of.
func (w *world) letterReasons() (reasons []string) {
	for _, l := range w.stream.Sink().Letters() {
		reasons = append(reasons, fmt.Sprintf("%s@%d", l.Reason, l.Seq))
	}
	slices.Sort(reasons)
	return reasons
}

// A message of someone else on a verdict's subject is a loud conflict; the verdict is stored after it, and the stream
// goes on.
func TestForeignRecordOnAVerdictsSubject(t *testing.T) {
	for name, foreign := range map[string]struct{ contentType, payload string }{
		"nothing":              {"", ""},
		"no JSON":              {schemas.JSON, "{"},
		"an unknown encoding":  {"text/csv", "1,2"},
		"another version":      {schemas.JSON, `{"v":2,"type":"evidence_checked"}`},
		"another event":        {schemas.JSON, `{"v":1,"type":"answer"}`},
		"JSON as MessagePack":  {schemas.Msgpack, `{"v":1,"type":"evidence_checked"}`},
		"deep nesting":         {schemas.JSON, strings.Repeat(`{"a":`, 9000)},
		"a field of its kinds": {schemas.JSON, `{"v":1,"type":"evidence_checked","through":"far"}`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				subject := event.Subjects{}.Verdict(turn.Literal1, conv(1), 1, 0)
				w.forge(subject, foreign.contentType, foreign.payload)
				_, stop := w.run(nil)
				seq := w.publish(answerOf(conv(1), 1, "order 44170"))
				w.publish(answerOf(conv(2), 1, "order 44170"))
				time.Sleep(time.Minute)
				stop(true)
				if want := []string{fmt.Sprintf("%s@%d", pipeline.ReasonVerdictConflict, seq)}; !slices.Equal(w.letterReasons(), want) {
					t.Errorf("dead letters %v, want %v", w.letterReasons(), want)
				}
				records := w.stream.Sink().Records(subject)
				if len(records) != 2 || records[1].Supersedes != records[0].Seq || !strings.Contains(string(records[1].Payload), `"44170"`) {
					t.Errorf("the subject holds %+v, want the verdict after what was there", records)
				}
				if left := w.stream.Unacked(); len(left) > 0 {
					t.Errorf("not acknowledged: %v", left)
				}
			})
		})
	}
}

// A stored verdict that rests on an event that its conversation does not have is left as it stands, and is a conflict.
func TestVerdictThatRestsOnNoEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		subject := event.Subjects{}.Verdict(turn.Literal1, conv(1), 1, 0)
		w.forge(subject, schemas.JSON, `{"v":1,"type":"evidence_checked","through":18446744073709551615}`)
		_, stop := w.run(nil)
		seq := w.publish(answerOf(conv(1), 1, "order 44170"))
		time.Sleep(time.Minute)
		stop(true)
		if want := []string{fmt.Sprintf("%s@%d", pipeline.ReasonVerdictConflict, seq)}; !slices.Equal(w.letterReasons(), want) {
			t.Errorf("dead letters %v, want %v", w.letterReasons(), want)
		}
		if n := len(w.stream.Sink().Records(subject)); n != 1 {
			t.Errorf("%d records, want the one that was there", n)
		}
		if left := w.stream.Unacked(); len(left) > 0 {
			t.Errorf("not acknowledged: %v", left)
		}
	})
}

// A verdict that no server takes becomes a dead letter, and the stream goes on.
func TestVerdictTooLargeForTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		_, stop := w.run(nil)
		w.stream.Sink().Limit(2000)
		for n := range 100 {
			w.publish(rowOf(conv(1), 1, fmt.Sprintf("call-%d", n), `{"order":44170}`))
		}
		want := []string{fmt.Sprintf("%s@%d", pipeline.ReasonVerdictTooLarge, w.publish(answerOf(conv(1), 1, "order 44170")))}
		w.publish(answerOf(conv(2), 1, "order 44170"))
		time.Sleep(time.Minute)
		stop(true)
		if !slices.Equal(w.letterReasons(), want) {
			t.Errorf("dead letters %v, want %v", w.letterReasons(), want)
		}
		if n := len(w.stream.Sink().AllRecords()); n != 1 {
			t.Errorf("%d verdicts, want the small one", n)
		}
		if left := w.stream.Unacked(); len(left) > 0 {
			t.Errorf("not acknowledged: %v", left)
		}
	})
}

// Names that make a subject which no server takes become a dead letter. The event counts all the same, and the stream
// goes on.
func TestNamesTooLongForASubject(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		_, stop := w.run(nil)
		long := conv(1)
		long.ID = strings.Repeat("é", event.MaxSubject/6)
		call := strings.Repeat("x", event.MaxSubject)
		row := rowOf(conv(2), 1, call, `{"absent":{"checked":[{"what":"orders"}]},"order":44170}`)
		row.ToolEnd.Door = &event.Door{Absent: true}
		tooLong := []string{
			fmt.Sprintf("%s@%d", pipeline.ReasonSubjectTooLong, w.publish(answerOf(long, 1, "order 44170"))),
			fmt.Sprintf("%s@%d", pipeline.ReasonSubjectTooLong, w.publish(row)),
		}
		w.publish(answerOf(conv(2), 1, "order 44170", call))
		time.Sleep(time.Minute)
		stop(true)
		if !slices.Equal(w.letterReasons(), tooLong) {
			t.Errorf("dead letters %v, want %v", w.letterReasons(), tooLong)
		}
		records := w.stream.Sink().Records(event.Subjects{}.Verdict(turn.Literal1, conv(2), 1, 0))
		if len(records) != 1 || !strings.Contains(string(records[0].Payload), `"outcome":"grounded"`) {
			t.Errorf("the answer that rests on the long call's row: %+v", records)
		}
		for _, r := range w.stream.Sink().AllRecords() {
			if len(r.Subject) > event.MaxSubject {
				t.Errorf("a subject of %d bytes was published on", len(r.Subject))
			}
		}
		if left := w.stream.Unacked(); len(left) > 0 {
			t.Errorf("not acknowledged: %v", left)
		}
	})
}

// TestReasonsAreTokens holds the vocabulary to what stands in a subject and a metric's label.
func TestReasonsAreTokens(t *testing.T) {
	seen := map[string]bool{}
	for _, reason := range pipeline.Reasons {
		if reason == "" || event.EncodeToken(reason) != reason || seen[reason] {
			t.Errorf("%q", reason)
		}
		seen[reason] = true
	}
	if want := 6 + len(schemas.Reasons); len(seen) != want {
		t.Errorf("%d reasons, want %d", len(seen), want)
	}
}
