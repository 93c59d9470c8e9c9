package pipetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/plumbline-dev/plumbline/pipeline"
)

// history reads a subject back, and fails when a message is of another subject, out of order or repeated.
func (s *sourceTest) history(from pipeline.Source, subject string, after, atLeast uint64) (out []pipeline.Message, err error) {
	s.t.Helper()
	before := after
	err = from.History(s.ctx(), subject, after, atLeast, func(m pipeline.Message) error {
		if m.Subject != subject || m.Seq <= before {
			s.t.Errorf("History visits %s at %d after %d", m.Subject, m.Seq, before)
		}
		before = m.Seq
		out = append(out, m)
		return nil
	})
	return out, err
}

func sequences(messages []pipeline.Message) (seqs []uint64) {
	for _, m := range messages {
		seqs = append(seqs, m.Seq)
	}
	return seqs
}

func testHistory(t *testing.T, s *sourceTest) {
	source := s.stream.Open(t)
	defer s.stream.Close(t, source)
	var want []uint64
	var subject string
	for range 50 {
		s.put("other", 2)
		var one []uint64
		subject, one = s.put("a", 3)
		want = append(want, one...)
	}
	for _, after := range []int{0, 1, 70, len(want)} {
		from := uint64(0)
		if after > 0 {
			from = want[after-1]
		}
		history, err := s.history(source, subject, from, want[len(want)-1])
		if err != nil {
			t.Fatalf("History after %d: %v", from, err)
		}
		s.want("History", sequences(history), want[after:])
	}
}

// testHistoryLarge reads more than any page takes: a message of 8 MB between small ones, and then many.
func testHistoryLarge(t *testing.T, s *sourceTest) {
	source := s.stream.Open(t)
	defer s.stream.Close(t, source)
	subject, want := s.put("a", 3)
	_, large := s.stream.Put(t, "a", nil, make([]byte, 8_000_000))
	want = append(want, large)
	for range 4 {
		_, seq := s.stream.Put(t, "a", nil, make([]byte, 3_000_000))
		want = append(want, seq)
	}
	_, many := s.put("a", 1100)
	want = append(want, many...)
	history, err := s.history(source, subject, 0, want[len(want)-1])
	if err != nil {
		t.Fatalf("History: %v", err)
	}
	s.want("History", sequences(history), want)
	if n := len(history[3].Data); n != 8_000_000 {
		t.Errorf("the large message came back with %d bytes", n)
	}
}

func testHistoryStops(t *testing.T, s *sourceTest) {
	source := s.stream.Open(t)
	defer s.stream.Close(t, source)
	subject, seqs := s.put("a", 5)
	enough := errors.New("enough")
	visited := 0
	err := source.History(s.ctx(), subject, 0, seqs[4], func(m pipeline.Message) error {
		if visited++; m.Seq == seqs[2] {
			return enough
		}
		return nil
	})
	if err != enough || visited != 3 { //nolint:errorlint // it is returned as it is
		t.Errorf("History visited %d messages and returned %v; want 3 and the visitor's own error", visited, err)
	}
}

func testHistoryWaits(t *testing.T, s *sourceTest) {
	source := s.stream.Open(t)
	defer s.stream.Close(t, source)
	subject, seqs := s.put("a", 2)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	ignore := func(pipeline.Message) error { return nil }
	if err := source.History(ctx, subject, 0, seqs[1]+1, ignore); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("History of a sequence that is not stored yet: %v, want the context's error", err)
	}
	type result struct {
		history []pipeline.Message
		err     error
	}
	asked := make(chan result)
	go func() {
		history, err := s.history(source, subject, 0, seqs[1]+1)
		asked <- result{history, err}
	}()
	time.Sleep(20 * time.Millisecond)
	s.put("a", 1)
	if r := <-asked; r.err != nil || len(r.history) != 3 {
		t.Errorf("History once it is stored: %d messages, %v", len(r.history), r.err)
	}
}

func testHistoryEmpty(t *testing.T, s *sourceTest) {
	source := s.stream.Open(t)
	defer s.stream.Close(t, source)
	subject, seqs := s.put("a", 1)
	history, err := s.history(source, subject+"x", 0, seqs[0])
	if err != nil || len(history) != 0 {
		t.Errorf("History of a subject with nothing on it: %d messages, %v", len(history), err)
	}
}
