package jet

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/pipeline"
)

// virtually runs a test with a server, a connection and streams in a bubble: waits cost no time, and a slow machine
// does not make them longer.
func virtually(t *testing.T, test func(t *testing.T, b *bench)) {
	newBench(t) // nats-server keeps one clock per process while there is a stream: it must not be started in the bubble
	forgetTimers()
	defer forgetTimers()
	synctest.Test(t, func(t *testing.T) {
		e, err := StartEmbedded(EmbeddedConfig{NoListen: true})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		nc, err := e.Connect(Config{})
		if err != nil {
			t.Fatal(err)
		}
		defer nc.Close()
		js, err := jetstream.New(nc)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Provision(t.Context(), js, StreamsConfig{}); err != nil {
			t.Fatal(err)
		}
		test(t, &bench{nc: nc, js: js, ackWait: 30 * time.Second})
	})
}

// forgetTimers empties the client's pool of timers, which belongs to the process: a timer that was made in a bubble must not
// be used outside, nor the other way round. It takes two collections to empty a sync.Pool.
func forgetTimers() {
	runtime.GC()
	runtime.GC()
}

// openHere opens a source that the test itself stops, within the bubble.
func (b *bench) openHere(t *testing.T, c SourceConfig) *Source {
	t.Helper()
	c.AckWait = b.ackWait
	s, err := OpenSource(t.Context(), b.js, c)
	if err != nil {
		t.Fatalf("open the source: %v", err)
	}
	return s
}

// TestAckWait lets the default of thirty seconds pass: what was not acknowledged comes again.
func TestAckWait(t *testing.T) {
	virtually(t, func(t *testing.T, b *bench) {
		seq := b.publish(t, b.event("a"), nil, []byte("1"))
		s := b.openHere(t, SourceConfig{})
		defer s.Stop()
		start := time.Now()
		for round := range 3 {
			d, err := s.Next(t.Context())
			if err != nil || d.Message().Seq != seq || d.Redelivered() != (round > 0) {
				t.Fatalf("round %d: %v, %v", round, d, err)
			}
		}
		if waited := time.Since(start); waited < time.Minute || waited > 2*time.Minute {
			t.Errorf("two redeliveries took %s", waited)
		}
		if h := s.Health(); !h.Ready || h.Restarts != 0 || h.Unacked != 1 {
			t.Errorf("health %+v", h)
		}
		s.Drain()
		if _, err := s.Next(t.Context()); !errors.Is(err, pipeline.ErrClosed) {
			t.Errorf("Next: %v", err)
		}
	})
}

// TestPinnedDurable opens a durable that keeps to one owner: the pin is the epoch, and a second source takes over.
func TestPinnedDurable(t *testing.T) {
	virtually(t, pinnedDurable)
}

func pinnedDurable(t *testing.T, b *bench) {
	d := &durable{source: &Source{config: SourceConfig{AckWait: b.ackWait}.withDefaults()}, name: "plumbline-p0", filter: "agent.log.0.>"}
	c := d.consumer()
	c.PriorityPolicy, c.PriorityGroups, c.PinnedTTL = jetstream.PriorityPolicyPinned, []string{"worker"}, 2*time.Second
	if _, err := b.js.CreateConsumer(t.Context(), EventsStream, c); err != nil {
		t.Fatal(err)
	}
	first := b.openHere(t, SourceConfig{NoMisfits: true})
	b.publish(t, b.event("a"), nil, []byte("1"))
	one := next(t, first)
	second := b.openHere(t, SourceConfig{NoMisfits: true})
	defer second.Stop()
	for i := range 5 {
		b.publish(t, b.event("a"), nil, []byte("x"))
		time.Sleep(900 * time.Millisecond) // longer than the pin's time in all, so that the pin must be renewed
		if d := next(t, first); d.Epoch() != one.Epoch() || len(d.Message().Header) != 0 || !first.FromStart() {
			t.Errorf("message %d in epoch %s with headers %v, from start %v", i, d.Epoch(), d.Message().Header, first.FromStart())
		}
	}
	first.Stop()
	last := b.publish(t, b.event("a"), nil, []byte("2"))
	d2 := next(t, second)
	if d2.Message().Seq != last || d2.Epoch() == one.Epoch() || second.FromStart() {
		t.Errorf("the second owner is handed %d in epoch %s, from start %v", d2.Message().Seq, d2.Epoch(), second.FromStart())
	}
	pin, _, _ := strings.Cut(one.Epoch(), ".")
	if other, _, _ := strings.Cut(d2.Epoch(), "."); pin == "" || other == pin {
		t.Errorf("epochs %s and %s do not name two pins", one.Epoch(), d2.Epoch())
	}
}

// TestSlowOwnerKeepsItsPartition lets an owner work on one message for longer than its pin lasts, while another waits.
func TestSlowOwnerKeepsItsPartition(t *testing.T) {
	virtually(t, func(t *testing.T, b *bench) {
		first := b.openHere(t, SourceConfig{NoMisfits: true})
		defer first.Stop()
		for range 3 {
			b.publish(t, b.event("a"), nil, []byte("1"))
		}
		one := next(t, first)
		second := b.openHere(t, SourceConfig{NoMisfits: true})
		defer second.Stop()
		time.Sleep(20 * time.Second)
		last := b.publish(t, b.event("a"), nil, []byte("2"))
		for range 3 {
			d := next(t, first)
			if d.Epoch() != one.Epoch() || !first.FromStart() {
				t.Errorf("message %d is of another epoch", d.Message().Seq)
			}
			if d.Message().Seq == last {
				return
			}
		}
		t.Error("the last message went to another")
	})
}

// TestBusyOwnerKeepsItsPartition lets an owner work off what it asked for ahead, each message in little time and all of
// them in longer than its pin lasts.
func TestBusyOwnerKeepsItsPartition(t *testing.T) {
	virtually(t, func(t *testing.T, b *bench) {
		const messages, stored = 300, 600
		for range stored {
			b.publish(t, b.event("a"), nil, []byte("1"))
		}
		s := b.openHere(t, SourceConfig{NoMisfits: true})
		defer s.Stop()
		epoch := next(t, s).Epoch()
		for n := 1; n < messages; n++ {
			time.Sleep(50 * time.Millisecond)
			d := next(t, s)
			if d.Epoch() != epoch {
				t.Fatalf("message %d is of another epoch", d.Message().Seq)
			}
			if err := d.Ack(); err != nil {
				t.Fatal(err)
			}
		}
	})
}
