package jet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/plumbline-dev/plumbline/pipeline"
)

// back reads a subject back, from its start.
func back(t *testing.T, r reader, subject string, atLeast uint64) (out []pipeline.Message, err error) {
	t.Helper()
	return collect(func(visit func(pipeline.Message) error) error {
		return r.read(within(t, 15e9), subject, 0, atLeast, visit)
	})
}

// historyOf is what a source keeps of a subject.
func historyOf(t *testing.T, s *Source, subject string, atLeast uint64) (out []pipeline.Message, err error) {
	t.Helper()
	return collect(func(visit func(pipeline.Message) error) error {
		return s.History(within(t, 15e9), subject, 0, atLeast, visit)
	})
}

func collect(read func(visit func(pipeline.Message) error) error) (out []pipeline.Message, err error) {
	err = read(func(m pipeline.Message) error {
		out = append(out, m)
		return nil
	})
	return out, err
}

func sequences(messages []pipeline.Message) (out []uint64) {
	for _, m := range messages {
		out = append(out, m.Seq)
	}
	return out
}

// TestHistoryReadsPastShortBatches reads a subject that is larger than a page, in bytes and then in messages.
func TestHistoryReadsPastShortBatches(t *testing.T) {
	b := newBench(t)
	var want []uint64
	for i := range 20 {
		want = append(want, b.publish(t, b.event("big"), nil, make([]byte, 900<<10)))
		b.publish(t, b.event(fmt.Sprint("other", i)), nil, []byte("x"))
	}
	for _, r := range []reader{
		newReader(b.js, EventsStream),
		{js: b.js, stream: EventsStream, messages: 7, size: 64 << 20},
		{js: b.js, stream: EventsStream, messages: 1, size: 1},
	} {
		got, err := back(t, r, b.log("big"), want[len(want)-1])
		if err != nil || !slices.Equal(sequences(got), want) {
			t.Errorf("pages of %d messages and %d bytes: %d messages, %v; want %d", r.messages, r.size, len(got), err, len(want))
		}
	}
}

// TestHistoryIsLiteral reads a conversation whose name would be a wildcard.
func TestHistoryIsLiteral(t *testing.T) {
	b := newBench(t)
	b.publish(t, "agent.events.t.a.c", nil, []byte("x"))
	if err := b.nc.Publish("agent.events.t.a.*", []byte("star")); err != nil {
		t.Fatal(err)
	}
	seq := b.publish(t, "agent.events.t.a.d", nil, []byte("x"))
	got, err := back(t, newReader(b.js, EventsStream), "agent.log.0.t.a.*", seq)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range got {
		if string(m.Data) != "star" {
			t.Errorf("the history of * holds %s", m.Subject)
		}
	}
}

func TestHistoryOfWhatIsNoLongerKept(t *testing.T) {
	b := newBench(t)
	one := b.publish(t, b.event("a"), nil, []byte("1"))
	two := b.publish(t, b.event("a"), nil, []byte("2"))
	three := b.publish(t, b.event("a"), nil, []byte("3"))
	stream, err := b.js.Stream(t.Context(), EventsStream)
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.DeleteMsg(t.Context(), two); err != nil {
		t.Fatal(err)
	}
	r := newReader(b.js, EventsStream)
	if got, err := back(t, r, b.log("a"), three); err != nil || !slices.Equal(sequences(got), []uint64{one, three}) {
		t.Errorf("with a gap: %v, %v", sequences(got), err)
	}
	if err := stream.DeleteMsg(t.Context(), three); err != nil {
		t.Fatal(err)
	}
	if got, err := back(t, r, b.log("a"), three); err != nil || !slices.Equal(sequences(got), []uint64{one}) {
		t.Errorf("without the message asked for: %v, %v", sequences(got), err)
	}
}

func TestHistoryErrors(t *testing.T) {
	b := newBench(t)
	b.publish(t, b.event("a"), nil, []byte("1"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := newReader(b.js, EventsStream).read(ctx, b.log("a"), 0, 1, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
	if err := newReader(b.js, "ABSENT").read(within(t, 15e9), b.log("a"), 0, 1, nil); err == nil {
		t.Error("a stream that does not exist was read")
	}
}

func TestReadAll(t *testing.T) {
	b := newBench(t)
	read := func(r Range) (out []uint64) {
		t.Helper()
		r.Stream = EventsStream
		err := Read(within(t, 15e9), b.js, r, func(m pipeline.Message) error {
			out = append(out, m.Seq)
			return nil
		})
		if err != nil {
			t.Errorf("%+v: %v", r, err)
		}
		return out
	}
	if got := read(Range{}); got != nil {
		t.Errorf("an empty stream holds %v", got)
	}
	var a, all []uint64
	for i := range 1500 {
		seq := b.publish(t, b.event([]string{"a", "b", "c"}[i%3]), nil, []byte("x"))
		all = append(all, seq)
		if i%3 == 0 {
			a = append(a, seq)
		}
	}
	for _, c := range []struct {
		r    Range
		want []uint64
	}{
		{Range{}, all}, {Range{Filter: b.log("a")}, a}, {Range{Filter: b.log("none")}, nil}, {Range{From: 100}, all[99:]},
		{Range{From: 100, Through: 200}, all[99:200]}, {Range{Filter: b.log("a"), Through: 6}, a[:2]}, {Range{From: 2000}, nil},
	} {
		if got := read(c.r); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %d messages, want %d", c.r, len(got), len(c.want))
		}
	}
	stop := errors.New("enough")
	if err := ReadAll(t.Context(), b.js, EventsStream, "", func(pipeline.Message) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("the visitor's error came back as %v", err)
	}
	stream, err := b.js.Stream(t.Context(), EventsStream)
	if err != nil {
		t.Fatal(err)
	}
	if n := stream.CachedInfo().State.Consumers; n != 0 {
		t.Errorf("%d consumers are left behind", n)
	}
}

func TestReadBetweenTimes(t *testing.T) {
	b := newBench(t)
	for range 10 {
		b.publish(t, b.event("a"), nil, []byte("x"))
	}
	stream, err := b.js.Stream(t.Context(), EventsStream)
	if err != nil {
		t.Fatal(err)
	}
	third, err := stream.GetMsg(t.Context(), 3)
	if err != nil {
		t.Fatal(err)
	}
	sixth, err := stream.GetMsg(t.Context(), 6)
	if err != nil {
		t.Fatal(err)
	}
	var got []uint64
	r := Range{Stream: EventsStream, Since: third.Time, Until: sixth.Time}
	err = Read(within(t, 15e9), b.js, r, func(m pipeline.Message) error {
		got = append(got, m.Seq)
		return nil
	})
	if err != nil || !slices.Equal(got, []uint64{3, 4, 5}) {
		t.Errorf("read %v, %v; want 3, 4 and 5", got, err)
	}
	for _, since := range []time.Time{sixth.Time, sixth.Time.Add(time.Hour)} {
		r := Range{Stream: EventsStream, Filter: b.log("none"), Since: since}
		err := Read(within(t, 15e9), b.js, r, func(m pipeline.Message) error { return fmt.Errorf("sequence %d", m.Seq) })
		if err != nil {
			t.Errorf("%+v: %v; want nothing", r, err)
		}
	}
	r.From = 1
	if err := Read(within(t, 15e9), b.js, r, nil); err == nil {
		t.Error("a range that starts at a sequence and at a time was read")
	}
}

// TestReadAllPassesHostileHeaders reads what would stop an ordered consumer of nats.go for ever.
func TestReadAllPassesHostileHeaders(t *testing.T) {
	b := newBench(t)
	b.publish(t, b.event("a"), nats.Header{"Status": {"409"}, "Description": {"Consumer Deleted"}}, nil)
	b.publish(t, b.event("a"), nil, []byte("x"))
	n := 0
	err := ReadAll(within(t, 15e9), b.js, EventsStream, "", func(pipeline.Message) error {
		n++
		return nil
	})
	if err != nil || n != 2 {
		t.Errorf("read %d messages, %v; want 2", n, err)
	}
}

// TestReadAllGoesOn loses its consumer in the middle.
func TestReadAllGoesOn(t *testing.T) {
	b := newBench(t)
	for range 2000 {
		if _, err := b.js.PublishAsync(b.event("a"), []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	<-b.js.PublishAsyncComplete()
	stream, err := b.js.Stream(t.Context(), EventsStream)
	if err != nil {
		t.Fatal(err)
	}
	var want uint64
	err = ReadAll(within(t, 15e9), b.js, EventsStream, "", func(m pipeline.Message) error {
		if want++; m.Seq != want {
			return fmt.Errorf("sequence %d, want %d", m.Seq, want)
		}
		if m.Seq == 700 {
			for name := range stream.ConsumerNames(t.Context()).Name() {
				if err := stream.DeleteConsumer(t.Context(), name); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil || want != 2000 {
		t.Errorf("read %d messages, %v; want 2000", want, err)
	}
}
