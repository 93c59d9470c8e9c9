package jet

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/pipeline"
)

// Each benchmark handles messages of one kilobyte; an operation is one message, but for BenchmarkHistory: one turn.

func newBenchmark(b *testing.B) *bench {
	b.Helper()
	nc, err := shared.Connect(Config{})
	if err != nil {
		b.Fatal(err)
	}
	js, err := jetstream.New(nc, jetstream.WithPublishAsyncMaxPending(1000))
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{EventsStream, AuditStream, DeadStream} {
		if err := js.DeleteStream(context.Background(), name); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			b.Fatal(err)
		}
	}
	if _, err := Provision(b.Context(), js, StreamsConfig{}); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(nc.Close)
	return &bench{nc: nc, js: js}
}

func (b *bench) fill(tb *testing.B, n, conversations int) {
	tb.Helper()
	body := make([]byte, 1000)
	for i := range n {
		if _, err := b.js.PublishAsync(b.event(strconv.Itoa(i%conversations)), body, jetstream.WithStallWait(time.Minute)); err != nil {
			tb.Fatal(err)
		}
	}
	<-b.js.PublishAsyncComplete()
}

func BenchmarkRawPublish(b *testing.B) {
	x := newBenchmark(b)
	b.ResetTimer()
	x.fill(b, b.N, b.N)
}

func BenchmarkPublish(b *testing.B) {
	x := newBenchmark(b)
	s, err := NewSink(x.nc, SinkConfig{})
	if err != nil {
		b.Fatal(err)
	}
	body := make([]byte, 1000)
	var all sync.WaitGroup
	b.ResetTimer()
	for i := range b.N {
		all.Add(1)
		r := pipeline.Record{Subject: fmt.Sprint("agent.audit.x.", i), Payload: body}
		err := s.Publish(b.Context(), r, func(_ uint64, err error) {
			if all.Done(); err != nil {
				b.Error(err)
			}
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	all.Wait()
	b.StopTimer()
	if err := s.Close(b.Context()); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkNext(b *testing.B) {
	x := newBenchmark(b)
	x.fill(b, b.N, 1000)
	s, err := OpenSource(b.Context(), x.js, SourceConfig{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Stop()
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		d, err := s.Next(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		if err := d.Ack(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadAll(b *testing.B) {
	x := newBenchmark(b)
	x.fill(b, b.N, 1000)
	b.ResetTimer()
	n := 0
	err := ReadAll(b.Context(), x.js, EventsStream, "", func(pipeline.Message) error {
		n++
		return nil
	})
	if kept := x.kept(b); err != nil || n != kept {
		b.Fatalf("%d messages of %d, %v", n, kept, err)
	}
}

// kept is how many messages the stream holds: a publish that is tried again may be stored twice.
func (b *bench) kept(tb *testing.B) int {
	tb.Helper()
	stream, err := b.js.Stream(tb.Context(), EventsStream)
	if err != nil {
		tb.Fatal(err)
	}
	return int(stream.CachedInfo().State.Msgs)
}

// BenchmarkHistory reads ten messages of one of a thousand conversations.
func BenchmarkHistory(b *testing.B) {
	x := newBenchmark(b)
	x.fill(b, 10_000, 1000)
	r := newReader(x.js, EventsStream)
	for i := 0; b.Loop(); i++ {
		got := 0
		err := r.read(b.Context(), x.log(strconv.Itoa(i%1000)), 0, uint64(9_001+i%1000), func(pipeline.Message) error {
			got++
			return nil
		})
		if err != nil || got != 10 {
			b.Fatal(got, err)
		}
	}
}
