package jet

import (
	"fmt"
	"testing"
	"time"

	"github.com/plumbline-dev/plumbline/core/event"
)

// Events are stored in their order and each id once; the last turn is that of the conversation alone.
func TestEvents(t *testing.T) {
	b := benchOn(t, shared, StreamsConfig{Partitions: 3})
	publisher := NewEvents(b.js, b.subjects)
	odd := event.Conversation{Tenant: "t", Agent: "a.b *", ID: "c>1"}
	other := event.Conversation{Tenant: "t", Agent: "a.b *", ID: "c>2"}
	var events []event.Event
	for turn := 1; turn <= 300; turn++ { // more than are on their way at once
		events = append(events, event.Event{ID: fmt.Sprint(turn), Conversation: odd, Turn: turn, Answer: &event.Answer{Text: "yes"}})
	}
	events = append(events, event.Event{ID: "other", Conversation: other, Turn: 9, Answer: &event.Answer{Text: "no"}})
	for range 2 {
		if err := publisher.Publish(within(t, 30*time.Second), events); err != nil {
			t.Fatal(err)
		}
	}
	if stream, err := b.js.Stream(t.Context(), EventsStream); err != nil || stream.CachedInfo().State.Msgs != uint64(len(events)) {
		t.Errorf("%v, %d messages, want %d", err, stream.CachedInfo().State.Msgs, len(events))
	}
	for c, want := range map[event.Conversation]int{odd: 300, other: 9, {Tenant: "t", Agent: "a", ID: "never"}: 0} {
		if got, err := publisher.LastTurn(t.Context(), c); err != nil || got != want {
			t.Errorf("the last turn of %v: %d, %v, want %d", c, got, err, want)
		}
	}
}

// An event that cannot be written is an error that names it, and what follows it is not published in its place.
func TestEventsThatCannotBeWritten(t *testing.T) {
	b := newBench(t)
	err := NewEvents(b.js, b.subjects).Publish(within(t, 30*time.Second), []event.Event{{ID: "1", Turn: 0, Answer: &event.Answer{}}})
	if err == nil {
		t.Error("turn 0 is published")
	}
}
