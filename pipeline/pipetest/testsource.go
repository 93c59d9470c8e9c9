package pipetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/plumbline-dev/plumbline/pipeline"
)

// Stream is what TestSource needs of an implementation: one partition of an empty event stream.
type Stream interface {
	// Put stores a message of the conversation and returns the subject and the sequence that it is stored under.
	Put(t *testing.T, conversation string, header map[string][]string, data []byte) (subject string, seq uint64)
	// Open starts a new epoch over the stream's one durable position.
	Open(t *testing.T) pipeline.Source
	// Close ends a source: Next hands out what it has and then returns pipeline.ErrClosed.
	Close(t *testing.T, s pipeline.Source)
	// Expire lets time pass, until what was handed out and not acknowledged is to be handed out again.
	Expire(t *testing.T)
}

// TestSource holds an implementation against what pipeline.Source and pipeline.Delivery say. open is called once per
// subtest.
func TestSource(t *testing.T, open func(t *testing.T) Stream) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, s *sourceTest)
	}{
		{"hands out in stream order", testOrder},
		{"hands out as published", testContent},
		{"hands the unacknowledged out again", testRedelivery},
		{"hands a message given back out again", testRetry},
		{"takes a second acknowledgement", testAckTwice},
		{"closes after handing out", testClose},
		{"gives up with the context", testCancel},
		{"starts an epoch with each opening", testEpoch},
		{"tells whether an epoch is whole", testFromStart},
		{"reads a subject back", testHistory},
		{"reads large and many messages back", testHistoryLarge},
		{"stops with the visitor", testHistoryStops},
		{"waits for a sequence to show", testHistoryWaits},
		{"reads nothing from an empty subject", testHistoryEmpty},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, &sourceTest{t: t, stream: open(t)}) })
	}
}

// patience bounds every wait of the suite.
const patience = 20 * time.Second

type sourceTest struct {
	t      *testing.T
	stream Stream
}

func (s *sourceTest) put(conversation string, n int) (subject string, seqs []uint64) {
	s.t.Helper()
	for i := range n {
		var seq uint64
		subject, seq = s.stream.Put(s.t, conversation, nil, fmt.Appendf(nil, "%s %d", conversation, i))
		seqs = append(seqs, seq)
	}
	return subject, seqs
}

func (s *sourceTest) ctx() context.Context {
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	s.t.Cleanup(cancel)
	return ctx
}

func (s *sourceTest) next(from pipeline.Source) pipeline.Delivery {
	s.t.Helper()
	d, err := from.Next(s.ctx())
	if err != nil {
		s.t.Fatalf("Next: %v", err)
	}
	return d
}

// take hands n messages out and acknowledges them; it returns their sequences.
func (s *sourceTest) take(from pipeline.Source, n int) (seqs []uint64) {
	s.t.Helper()
	for range n {
		d := s.next(from)
		seqs = append(seqs, d.Message().Seq)
		s.ack(d)
	}
	return seqs
}

func (s *sourceTest) ack(d pipeline.Delivery) {
	s.t.Helper()
	if err := d.Ack(); err != nil {
		s.t.Errorf("Ack of %d: %v", d.Message().Seq, err)
	}
}

// quiet fails when something is handed out within a short while.
func (s *sourceTest) quiet(from pipeline.Source) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 50*time.Millisecond)
	defer cancel()
	if d, err := from.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
		s.t.Errorf("Next: %v, %v; want nothing", d, err)
	}
}

func (s *sourceTest) want(what string, got, want []uint64) {
	s.t.Helper()
	if !slices.Equal(got, want) {
		s.t.Errorf("%s: sequences %v, want %v", what, got, want)
	}
}

func testOrder(t *testing.T, s *sourceTest) {
	_, before := s.put("a", 5)
	source := s.stream.Open(t)
	defer s.stream.Close(t, source)
	_, after := s.put("b", 5)
	s.want("handed out", s.take(source, 10), append(before, after...))
	s.quiet(source)
}

func testContent(t *testing.T, s *sourceTest) {
	header := map[string][]string{"Content-Type": {"application/json"}, "X-Two": {"one", "two"}}
	source := s.stream.Open(t)
	defer s.stream.Close(t, source)
	for _, h := range []map[string][]string{header, nil} {
		for _, body := range []string{"{}", ""} {
			subject, seq := s.stream.Put(t, "a", h, []byte(body))
			want := pipeline.Message{Seq: seq, Subject: subject, Header: h, Data: []byte(body)}
			s.same("Next", s.next(source).Message(), want)
			history, err := s.history(source, subject, 0, seq)
			if err != nil || len(history) == 0 {
				t.Fatalf("History: %d messages, %v", len(history), err)
			}
			s.same("History", history[len(history)-1], want)
		}
	}
}

func (s *sourceTest) same(what string, got, want pipeline.Message) {
	s.t.Helper()
	same := got.Seq == want.Seq && got.Subject == want.Subject && string(got.Data) == string(want.Data) &&
		maps.EqualFunc(got.Header, want.Header, func(a, b []string) bool { return slices.Equal(a, b) })
	if !same {
		s.t.Errorf("%s: %+v, want %+v", what, got, want)
	}
}

func testRedelivery(t *testing.T, s *sourceTest) {
	_, seqs := s.put("a", 4)
	first := s.stream.Open(t)
	for i := range seqs {
		if d := s.next(first); i%2 == 0 {
			s.ack(d)
		} else if d.Redelivered() {
			t.Errorf("message %d is redelivered at first", d.Message().Seq)
		}
	}
	s.stream.Close(t, first)
	s.stream.Expire(t)
	second := s.stream.Open(t)
	defer s.stream.Close(t, second)
	var again []uint64
	for range 2 {
		d := s.next(second)
		again = append(again, d.Message().Seq)
		if !d.Redelivered() {
			t.Errorf("message %d is handed out again and not redelivered", d.Message().Seq)
		}
		s.ack(d)
	}
	slices.Sort(again)
	s.want("handed out again", again, []uint64{seqs[1], seqs[3]})
	s.quiet(second)
}

func testRetry(t *testing.T, s *sourceTest) {
	_, seqs := s.put("a", 1)
	source := s.stream.Open(t)
	defer s.stream.Close(t, source)
	d := s.next(source)
	if err := d.Working(); err != nil {
		t.Errorf("Working: %v", err)
	}
	if err := d.Retry(10 * time.Millisecond); err != nil {
		t.Errorf("Retry: %v", err)
	}
	d = s.next(source)
	if d.Message().Seq != seqs[0] || !d.Redelivered() {
		t.Errorf("after Retry: message %d, redelivered %v", d.Message().Seq, d.Redelivered())
	}
	s.ack(d)
	s.quiet(source)
}

func testAckTwice(t *testing.T, s *sourceTest) {
	s.put("a", 1)
	source := s.stream.Open(t)
	defer s.stream.Close(t, source)
	d := s.next(source)
	s.ack(d)
	s.ack(d)
}

func testClose(t *testing.T, s *sourceTest) {
	s.put("a", 1)
	source := s.stream.Open(t)
	s.take(source, 1)
	s.put("a", 3)
	s.stream.Close(t, source)
	for n := 0; ; n++ {
		_, err := source.Next(s.ctx())
		if errors.Is(err, pipeline.ErrClosed) {
			break
		}
		if err != nil || n > 3 {
			t.Fatalf("Next of a closed source: %v after %d messages, want pipeline.ErrClosed", err, n)
		}
	}
	if _, err := source.Next(s.ctx()); !errors.Is(err, pipeline.ErrClosed) {
		t.Errorf("Next once more: %v, want pipeline.ErrClosed", err)
	}
}

func testCancel(t *testing.T, s *sourceTest) {
	source := s.stream.Open(t)
	defer s.stream.Close(t, source)
	s.quiet(source)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.put("a", 1)
	if _, err := source.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Next with an ended context: %v", err)
	}
	s.take(source, 1)
}

func testEpoch(t *testing.T, s *sourceTest) {
	s.put("a", 2)
	first := s.stream.Open(t)
	one, two := s.next(first), s.next(first)
	if one.Epoch() == "" || one.Epoch() != two.Epoch() {
		t.Errorf("epochs %q and %q of one source that nobody disturbs", one.Epoch(), two.Epoch())
	}
	s.stream.Close(t, first)
	s.put("a", 1)
	second := s.stream.Open(t)
	defer s.stream.Close(t, second)
	if e := s.next(second).Epoch(); e == one.Epoch() {
		t.Errorf("another opening has the same epoch %q", e)
	}
}

func testFromStart(t *testing.T, s *sourceTest) {
	s.put("a", 2)
	first := s.stream.Open(t)
	if !first.FromStart() {
		t.Error("FromStart of the first opening: false")
	}
	s.take(first, 2)
	if !first.FromStart() {
		t.Error("FromStart later in the same epoch: false")
	}
	s.stream.Close(t, first)
	s.put("a", 1)
	second := s.stream.Open(t)
	defer s.stream.Close(t, second)
	s.take(second, 1)
	if second.FromStart() {
		t.Error("FromStart although the first two messages are not handed out again: true")
	}
}
