package pipetest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/plumbline-dev/plumbline/pipeline"
)

func TestKilledSourceHandsItsMessagesToTheNext(t *testing.T) {
	m := NewMemory()
	for range 3 {
		m.Put("a", nil, []byte("x"))
	}
	first := m.Open()
	d1, err := first.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d2, _ := first.Next(t.Context())
	if err := d1.Ack(); err != nil {
		t.Fatal(err)
	}
	first.Kill()
	if err := d2.Ack(); !errors.Is(err, ErrKilled) {
		t.Errorf("an acknowledgement of a killed source: %v, want ErrKilled", err)
	}
	if _, err := first.Next(t.Context()); !errors.Is(err, pipeline.ErrClosed) {
		t.Errorf("Next of a killed source: %v, want ErrClosed", err)
	}
	second := m.Open()
	if second.FromStart() {
		t.Error("FromStart with an acknowledged message: true")
	}
	second.Close()
	var seqs []uint64
	for {
		d, err := second.Next(t.Context())
		if err != nil {
			break
		}
		seqs = append(seqs, d.Message().Seq)
		if want := d.Message().Seq == 2; d.Redelivered() != want {
			t.Errorf("message %d redelivered: %v", d.Message().Seq, !want)
		}
		if d.Epoch() == d1.Epoch() {
			t.Error("the second source has the epoch of the first")
		}
	}
	if !slices.Equal(seqs, []uint64{2, 3}) {
		t.Errorf("second source handed out %v, want 2 and 3", seqs)
	}
}

func TestSourceFaults(t *testing.T) {
	m := NewMemory()
	m.Put("a", nil, nil)
	s := m.Open()
	d, err := s.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m.FailAcks(1)
	if err := d.Ack(); !errors.Is(err, ErrFault) {
		t.Errorf("Ack: %v, want ErrFault", err)
	}
	m.LoseAcks(1)
	if err := d.Ack(); err != nil || len(m.Acked()) != 0 {
		t.Errorf("lost Ack: %v, acknowledged %v", err, m.Acked())
	}
	m.FailHistories(1)
	visited := 0
	count := func(pipeline.Message) error {
		visited++
		return nil
	}
	if err := s.History(t.Context(), "a", 0, 1, count); !errors.Is(err, ErrFault) || visited != 0 {
		t.Errorf("History: %v after %d messages, want ErrFault", err, visited)
	}
	m.CutHistories(1, 1)
	if err := s.History(t.Context(), "a", 0, 1, count); !errors.Is(err, ErrFault) || visited != 1 {
		t.Errorf("History: %v after %d messages, want ErrFault after one", err, visited)
	}
	held := m.PutHeld("a", nil, nil)
	if s.Queued() != 0 {
		t.Error("a held message was queued")
	}
	visited = 0
	if err := s.History(t.Context(), "a", 0, held, count); err != nil || visited != 2 {
		t.Errorf("History: %d messages, %v", visited, err)
	}
	m.Deliver(held)
	if d, err := s.Next(t.Context()); err != nil || d.Message().Seq != held || d.Redelivered() {
		t.Errorf("the held message came as %v, %v", d, err)
	}
}

func TestSinkFaults(t *testing.T) {
	s := NewSink()
	publish := func() (got error) {
		if err := s.Publish(t.Context(), pipeline.Record{Subject: "v"}, func(_ uint64, err error) { got = err }); err != nil {
			return err
		}
		return got
	}
	for _, c := range []struct {
		name   string
		ask    func(n int)
		want   error
		stored int
	}{
		{"fail", s.FailPublishes, ErrFault, 0},
		{"refuse", s.RefuseStarts, ErrFault, 0},
		{"contend", s.Contend, pipeline.ErrGuard, 0},
		{"lose the reply", s.LoseReplies, ErrFault, 1},
	} {
		c.ask(1)
		if err := publish(); !errors.Is(err, c.want) || len(s.AllRecords()) != c.stored {
			t.Errorf("%s: %v with %d stored, want %v with %d", c.name, err, len(s.AllRecords()), c.want, c.stored)
		}
	}
	s.FailChains(1)
	if _, err := s.Chain(context.Background(), "v"); !errors.Is(err, ErrFault) {
		t.Errorf("Chain: %v", err)
	}
	s.FailBuries(1)
	if err := s.Bury(t.Context(), pipeline.Letter{}); !errors.Is(err, ErrFault) || len(s.Letters()) != 0 {
		t.Errorf("Bury: %v with %d letters", err, len(s.Letters()))
	}
}

func TestHeldOutcomesComeInOrder(t *testing.T) {
	s := NewSink()
	s.Hold()
	var got []string
	for _, subject := range []string{"a", "b", "c"} {
		err := s.Publish(t.Context(), pipeline.Record{Subject: subject}, func(uint64, error) { got = append(got, subject) })
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(got) != 0 || len(s.AllRecords()) != 3 {
		t.Fatalf("while held: outcomes %v, %d records", got, len(s.AllRecords()))
	}
	if n := s.Release(); n != 3 || !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("released %d: %v", n, got)
	}
}
