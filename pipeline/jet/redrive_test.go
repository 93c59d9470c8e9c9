package jet

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/plumbline-dev/plumbline/pipeline"
)

// anEvent is a readable event of conversation c.
func anEvent(c string) []byte {
	return fmt.Appendf(nil, `{"v":1,"type":"answer","id":"%s-1","time":"2026-01-05T09:00:00Z","tenant":"t","agent":"a",`+
		`"conversation":%q,"turn":1,"iteration":1,"text":"Parcel 48213 is here."}`, c, c)
}

// letterOf buries the message that stands at a sequence.
func (b *bench) letterOf(t *testing.T, s *Sink, reason, subject string, header map[string][]string, data []byte, seq uint64) StoredLetter {
	t.Helper()
	l := pipeline.Letter{Reason: reason, Detail: "broke", Message: pipeline.Message{Seq: seq, Subject: subject, Header: header, Data: data}}
	if err := s.Bury(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	var found StoredLetter
	err := Letters(t.Context(), b.js, b.subjects, reason, seq, func(l StoredLetter) error {
		found = l
		return nil
	})
	if err != nil || found.Seq != seq {
		t.Fatalf("the letter read back: %+v, %v", found, err)
	}
	return found
}

func (b *bench) redriver(t *testing.T) *Redriver {
	t.Helper()
	r, err := NewRedriver(t.Context(), b.js, b.subjects)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// copies are the messages of a conversation after the first.
func (b *bench) copies(t *testing.T, conversation string) []pipeline.Message {
	t.Helper()
	there, err := newReader(b.js, EventsStream).all(t.Context(), b.log(conversation))
	if err != nil || len(there) == 0 {
		t.Fatalf("%d messages, %v", len(there), err)
	}
	return there[1:]
}

// TestRedriveOnce runs many redrivers over one letter while its conversation goes on: one copy is stored, whoever wins,
// and every later run finds it.
func TestRedriveOnce(t *testing.T) {
	b := newBench(t)
	s := b.sink(t, SinkConfig{})
	header := nats.Header{"Content-Type": {"application/json"}, "X": {"1", "2"}, "Nats-Expected-Stream": {EventsStream}, "Nats-Trace-Dest": {"spy"}}
	seq := b.publish(t, b.event("c"), header, anEvent("c"))
	letter := b.letterOf(t, s, pipeline.ReasonReaderFailed, b.log("c"), header, anEvent("c"), seq)

	if done, err := b.redriver(t).Redrive(t.Context(), letter, true); err != nil || done != (Redriven{}) || len(b.copies(t, "c")) > 0 {
		t.Fatalf("a dry run: %+v, %v", done, err)
	}
	var all sync.WaitGroup
	outcomes := make([]Redriven, 8)
	for i := range outcomes {
		r := b.redriver(t)
		all.Go(func() {
			var err error
			if outcomes[i], err = r.Redrive(t.Context(), letter, false); err != nil {
				t.Error(err)
			}
		})
	}
	for range 20 {
		b.publish(t, b.event("c"), nil, []byte("goes on"))
	}
	all.Wait()
	fresh := 0
	var at uint64
	for _, done := range outcomes {
		if !done.Before && done.Left == "" {
			fresh++
			at = done.Seq
		}
	}
	var again []pipeline.Message
	for _, m := range b.copies(t, "c") {
		if string(m.Data) == string(anEvent("c")) {
			again = append(again, m)
		}
	}
	if fresh != 1 || len(again) != 1 || again[0].Seq != at {
		t.Fatalf("%d redrivers put it back, %d copies are stored", fresh, len(again))
	}
	if done, err := b.redriver(t).Redrive(t.Context(), letter, false); err != nil || !done.Before || done.Seq != at {
		t.Errorf("a later run: %+v, %v", done, err)
	}
	h := nats.Header(again[0].Header)
	if h.Get(HeaderRedriven) != fmt.Sprint(seq) || h.Get("Nats-Trace-Dest") != "" || fmt.Sprint(h["X"]) != "[1 2]" || h.Get("Content-Type") == "" {
		t.Errorf("the copy's headers are %v", h)
	}
}

func TestRedriveLeaves(t *testing.T) {
	b := newBench(t)
	s := b.sink(t, SinkConfig{})
	withID := nats.Header{nats.MsgIdHdr: {"id-1"}}
	for _, tt := range []struct {
		name, reason, subject, stored string
		header                        nats.Header
		data                          string
		want                          string
	}{
		{"a conflict", pipeline.ReasonVerdictConflict, b.event("v"), b.log("v"), nil, string(anEvent("v")), "something else is stored"},
		{"names that are too long", pipeline.ReasonSubjectTooLong, b.event("l"), b.log("l"), nil, string(anEvent("l")), "shorter ones"},
		{"what is still unreadable", "unreadable", b.event("u"), b.log("u"), nil, "{", "the same letter again: unreadable"},
		{"a subject that names no conversation", pipeline.ReasonWrongSubject, "agent.events.x", "agent.events.x", nil, string(anEvent("v")), "the same letter again"},
		{"an id that the stream still knows", pipeline.ReasonReaderFailed, b.event("d"), b.log("d"), withID, string(anEvent("d")), "do it again in 2m0s"},
		{"another message at its place", pipeline.ReasonReaderFailed, b.event("o"), b.log("other"), nil, string(anEvent("o")), "made anew since"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			seq := b.publish(t, tt.subject, tt.header, []byte(tt.data))
			done, err := b.redriver(t).Redrive(t.Context(), b.letterOf(t, s, tt.reason, tt.stored, tt.header, []byte(tt.data), seq), false)
			if err != nil || !strings.Contains(done.Left, tt.want) {
				t.Errorf("%+v, %v, want %q", done, err, tt.want)
			}
			if info, err := b.js.Stream(t.Context(), EventsStream); err != nil || info.CachedInfo().State.LastSeq != seq {
				t.Errorf("something was put back: %v", err)
			}
		})
	}
}

// TestRedriveWhatIsNoLongerKept takes the letter's own copy, unless it was cut.
func TestRedriveWhatIsNoLongerKept(t *testing.T) {
	b := newBench(t)
	s := b.sink(t, SinkConfig{})
	stream, err := b.js.Stream(t.Context(), EventsStream)
	if err != nil {
		t.Fatal(err)
	}
	seq := b.publish(t, b.event("c"), nil, anEvent("c"))
	b.publish(t, b.event("c"), nil, []byte("the next one"))
	letter := b.letterOf(t, s, pipeline.ReasonReaderFailed, b.log("c"), nil, anEvent("c"), seq)
	if err := stream.DeleteMsg(t.Context(), seq); err != nil {
		t.Fatal(err)
	}
	cut := letter
	cut.Cut = true
	if done, err := b.redriver(t).Redrive(t.Context(), cut, false); err != nil || !strings.Contains(done.Left, "only a part of it") {
		t.Errorf("cut: %+v, %v", done, err)
	}
	if done, err := b.redriver(t).Redrive(t.Context(), letter, false); err != nil || done.Seq == 0 {
		t.Errorf("whole: %+v, %v", done, err)
	}
}

// TestRedriveSaysWhatReturned tells letters of what was put back from others.
func TestRedriveSaysWhatReturned(t *testing.T) {
	b := newBench(t)
	s := b.sink(t, SinkConfig{})
	b.letterOf(t, s, "unreadable", b.log("c"), nil, nil, 7)
	r := b.redriver(t)
	b.letterOf(t, s, "unreadable", b.log("c"), nil, nil, 8)
	b.letterOf(t, s, "unreadable", b.log("c"), nil, nil, 9)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	letters, err := r.Returned(ctx, []uint64{7, 9})
	if err != nil || len(letters) != 1 || letters[0].Seq != 9 {
		t.Errorf("%+v, %v", letters, err)
	}
}

// TestRedriveIsGuarded lets two redrivers look before either of them publishes.
func TestRedriveIsGuarded(t *testing.T) {
	b := newBench(t)
	m := pipeline.Message{Subject: b.log("c"), Data: anEvent("c")}
	m.Seq = b.publish(t, b.event("c"), nil, m.Data)
	there, before, err := b.redriver(t).look(t.Context(), m)
	if err != nil || there != m.Seq || before != 0 {
		t.Fatalf("last %d, copy %d, %v", there, before, err)
	}
	if done, err := b.redriver(t).publish(t.Context(), m, there); err != nil || done.Seq == 0 {
		t.Fatalf("the first: %+v, %v", done, err)
	}
	if done, err := b.redriver(t).publish(t.Context(), m, there); !guarded(err) {
		t.Errorf("the second: %+v, %v, want the guard's refusal", done, err)
	}
}

// TestHarmlessHeaders keeps what says something of the event and drops what would make the server do something.
func TestHarmlessHeaders(t *testing.T) {
	kept := map[string][]string{nats.MsgIdHdr: {"1"}, "Content-Type": {"application/json"}, "X-Nats-TTL": {"1s"}, "traceparent": {"00"}}
	all := maps.Clone(kept)
	for _, acting := range []string{
		"Nats-Expected-Stream", "Nats-Expected-Last-Sequence", "Nats-Expected-Last-Subject-Sequence", "Nats-Expected-Last-Subject-Sequence-Subject",
		"Nats-Expected-Last-Msg-Id", "Nats-Rollup", "nats-rollup", "NATS-TTL", "Nats-TTL", "Nats-Schedule", "Nats-Schedule-Target",
		"Nats-Marker-Reason", "Nats-Incr", "Nats-Batch-Id", "Nats-Batch-Commit", "Nats-Trace-Dest", "Nats-Stream-Source", HeaderRedriven,
	} {
		all[acting] = []string{"x"}
	}
	if got := harmless(all); !maps.EqualFunc(got, kept, func(a, b []string) bool { return fmt.Sprint(a) == fmt.Sprint(b) }) {
		t.Errorf("%v, want %v", got, kept)
	}
}
