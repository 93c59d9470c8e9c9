package jet

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
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

// A message says in headers which span its event was read from, in the words of the conventions; what is no id is not said.
func TestEventMessageNamesItsOrigin(t *testing.T) {
	const trace, span = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	tests := []struct {
		name             string
		origin           *event.Origin
		parent, response string
	}{
		{"none", nil, "", ""},
		{"all", &event.Origin{Trace: trace, Span: span, Response: "resp-1"}, "00-" + trace + "-" + span + "-01", "resp-1"},
		{"no response", &event.Origin{Trace: trace, Span: span}, "00-" + trace + "-" + span + "-01", ""},
		{"a short id", &event.Origin{Trace: trace[1:], Span: span, Response: "r"}, "", "r"},
		{"no digits", &event.Origin{Trace: strings.ToUpper(trace), Span: span}, "", ""},
		{"zeros", &event.Origin{Trace: strings.Repeat("0", 32), Span: span}, "", ""},
		{"a header of its own", &event.Origin{Response: "r\r\nNats-Rollup: all"}, "", ""},
		{"long", &event.Origin{Response: strings.Repeat("r", 513)}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := event.Event{ID: "e", Turn: 1, Answer: &event.Answer{Text: "a"}, Origin: tt.origin}
			m, err := EventMessage(event.Subjects{}, e)
			if err != nil {
				t.Fatal(err)
			}
			if p, r := m.Header.Get(HeaderTraceParent), m.Header.Get(pipeline.HeaderResponseID); p != tt.parent || r != tt.response {
				t.Errorf("headers %q and %q, want %q and %q", p, r, tt.parent, tt.response)
			}
		})
	}
}
