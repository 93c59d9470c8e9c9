package jet

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
)

// TestLayoutLog holds where a conversation is stored against where the server stores it.
func TestLayoutLog(t *testing.T) {
	b := benchOn(t, shared, StreamsConfig{Partitions: 16})
	layout, err := Check(t.Context(), b.js, "")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{}
	for i := range 100 {
		c := event.Conversation{Tenant: fmt.Sprint("t", i%3), Agent: "an agent.of " + fmt.Sprint(i%7), ID: fmt.Sprint(i)}
		if i == 99 {
			c = event.Conversation{}
		}
		want[layout.Log(c)] = 1
		if _, err := b.js.PublishMsg(t.Context(), &nats.Msg{Subject: layout.Subjects.Event(c), Data: []byte("{}")}); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]int{}
	if err := NewPast(b.js, EventsStream).Counts(t.Context(), ">", func(subject string, n uint64) { got[subject] += int(n) }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the server stores elsewhere: %s", diff)
	}
}

// TestPastReads holds what a part of a stream is.
func TestPastReads(t *testing.T) {
	b := newBench(t)
	past := NewPast(b.js, EventsStream)
	if first, last, err := past.Span(t.Context()); err != nil || last >= first {
		t.Errorf("an empty stream spans %d to %d, %v", first, last, err)
	}
	var times []time.Time
	for i := range 10 {
		times = append(times, time.Now())
		if _, err := b.js.PublishMsg(t.Context(), &nats.Msg{Subject: b.event(fmt.Sprint(i % 2)), Data: []byte("{}")}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Millisecond)
	}
	if seq, ok, err := past.Since(t.Context(), times[4]); err != nil || !ok || seq != 5 {
		t.Errorf("since the fifth: %d, %v, %v", seq, ok, err)
	}
	if _, ok, err := past.Since(t.Context(), time.Now().Add(time.Hour)); err != nil || ok {
		t.Errorf("since the future: %v, %v", ok, err)
	}
	var seqs []uint64
	err := past.Read(t.Context(), b.log("0"), 3, 8, func(m pipeline.Message) error {
		seqs = append(seqs, m.Seq)
		return nil
	})
	if err != nil || !slices.Equal(seqs, []uint64{3, 5, 7}) {
		t.Errorf("from 3 to 8: %v, %v", seqs, err)
	}
	counts := map[string]uint64{}
	if err := past.Counts(t.Context(), b.log("1"), func(subject string, n uint64) { counts[subject] = n }); err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(counts, map[string]uint64{b.log("1"): 5}) {
		t.Errorf("counts: %v", counts)
	}
}

// TestReplays holds that a checkpoint is kept, and that of two processes on one replay the second is refused.
func TestReplays(t *testing.T) {
	b := newBench(t)
	b.js.DeleteKeyValue(context.Background(), ReplaysBucket)
	t.Cleanup(func() { b.js.DeleteKeyValue(context.Background(), ReplaysBucket) })
	one, two := NewReplays(b.js), NewReplays(b.js)
	if had, err := one.Load(t.Context(), "a"); had != nil || err != nil {
		t.Errorf("before: %q, %v", had, err)
	}
	for _, value := range []string{"1", "2"} {
		if err := one.Save(t.Context(), "a", []byte(value)); err != nil {
			t.Fatal(err)
		}
	}
	if had, err := two.Load(t.Context(), "a"); string(had) != "2" || err != nil {
		t.Errorf("after: %q, %v", had, err)
	}
	if err := two.Save(t.Context(), "a", []byte("3")); err != nil {
		t.Fatal(err)
	}
	if err := one.Save(t.Context(), "a", []byte("4")); err != ErrReplayTaken {
		t.Errorf("the second process: %v", err)
	}
	if had, err := one.Load(t.Context(), "b"); had != nil || err != nil {
		t.Errorf("another: %q, %v", had, err)
	}
}

// TestReplaysAfterAFault holds that a checkpoint is saved again after a save that failed: whether that one was stored or not,
// and when the bucket was made anew. What another process wrote is refused all the same.
func TestReplaysAfterAFault(t *testing.T) {
	b := newBench(t)
	b.js.DeleteKeyValue(context.Background(), ReplaysBucket)
	t.Cleanup(func() { b.js.DeleteKeyValue(context.Background(), ReplaysBucket) })
	r := NewReplays(b.js)
	save := func(value string) {
		t.Helper()
		if err := r.Save(t.Context(), "a", []byte(value)); err != nil {
			t.Fatalf("%s: %v", value, err)
		}
	}
	fail := func(value string) {
		t.Helper()
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if err := r.Save(gone, "a", []byte(value)); err == nil || errors.Is(err, ErrReplayTaken) {
			t.Fatalf("%s: %v", value, err)
		}
	}
	put := func(value string) {
		t.Helper()
		kv, err := b.js.KeyValue(t.Context(), ReplaysBucket)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := kv.PutString(t.Context(), "a", value); err != nil {
			t.Fatal(err)
		}
	}
	save("1")
	fail("2")
	save("3") // 2 was not stored
	fail("4")
	fail("5")
	put("4") // it was stored all the same, and the answer was lost
	save("6")
	if err := b.js.DeleteKeyValue(t.Context(), ReplaysBucket); err != nil {
		t.Fatal(err)
	}
	if err := r.Save(t.Context(), "a", []byte("7")); err == nil || errors.Is(err, ErrReplayTaken) {
		t.Fatalf("without a bucket: %v", err)
	}
	save("8")
	fail("9")
	put("another's")
	if err := r.Save(t.Context(), "a", []byte("9")); !errors.Is(err, ErrReplayTaken) {
		t.Errorf("another process wrote: %v", err)
	}
}
