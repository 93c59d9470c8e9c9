package replay_test

import (
	"fmt"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
)

// An event that breaks the fold is counted as one that cannot be read, and takes no other with it: what the consumer stores of
// such a conversation is what a replay gives. Where all of a conversation is asked for, it is an error.
func TestAnEventThatBreaksTheFold(t *testing.T) {
	rules, err := turn.Policy{Ruleset: turn.Calibrated1}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	name := event.Conversation{Tenant: "t", Agent: "a", ID: "c"}
	row := func(seq uint64, result string) replay.Event {
		return replay.Event{Seq: seq, Event: event.Event{Conversation: name, Turn: 1, ToolEnd: &event.ToolEnd{
			Call: event.Call{ID: fmt.Sprint("k", seq), Tool: "f"}, Result: event.JSON(result),
		}}}
	}
	conversation := func(broken ...string) *replay.Conversation {
		c := &replay.Conversation{Name: name, From: 1, Through: 9, Events: []replay.Event{
			row(1, "44170"), row(2, "55012"),
			{Seq: 3, Event: event.Event{Conversation: name, Turn: 1, Answer: &event.Answer{Text: "44170 and 55012", User: new("q"), Context: []string{"c"}}}},
		}}
		c.Break(func(e event.Event) {
			for _, result := range broken {
				if e.ToolEnd != nil && string(e.ToolEnd.Result) == result {
					panic("a reader that is broken")
				}
			}
		})
		return c
	}
	for _, tt := range []struct {
		broken []string
		want   string
	}{
		{nil, "grounded [] []"},
		{[]string{"55012"}, "cannot_tell [content_not_captured] [2]"},
		{[]string{"55012", "44170"}, "cannot_tell [content_not_captured] [1 2]"},
	} {
		c := conversation(tt.broken...)
		outputs, err := c.Judged(rules)
		if err != nil || len(outputs) != 1 {
			t.Fatalf("%v: %d outputs, %v", tt.broken, len(outputs), err)
		}
		seqs := []uint64{}
		for _, l := range c.Unread {
			if l.Reason != pipeline.ReasonReaderFailed {
				t.Errorf("%v: %s", tt.broken, l.Reason)
			}
			seqs = append(seqs, l.Seq)
		}
		if got := fmt.Sprintf("%s %v %v", outputs[0].Evidence.Outcome, outputs[0].Evidence.Reasons, seqs); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.broken, got, tt.want)
		}
		if _, err := conversation(tt.broken...).Outputs(rules); pipeline.IsBroken(err) != (len(tt.broken) > 0) {
			t.Errorf("%v: all of it: %v", tt.broken, err)
		}
	}
}
