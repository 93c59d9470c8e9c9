package jet

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/pipetest"
)

// shared is one server for all tests that need no server of their own; each takes a subject prefix's worth of streams
// by making them anew.
var shared *Embedded

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if shared, err = StartEmbedded(EmbeddedConfig{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.Run()
	shared.Close()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// bench is a connection to the shared server with fresh streams.
type bench struct {
	nc       *nats.Conn
	js       jetstream.JetStream
	subjects event.Subjects
	ackWait  time.Duration
	stores   []string // where the servers keep their files
}

func newBench(t *testing.T) *bench {
	t.Helper()
	return benchOn(t, shared, StreamsConfig{Partitions: 1})
}

func benchOn(t *testing.T, server *Embedded, c StreamsConfig) *bench {
	t.Helper()
	nc, err := server.Connect(Config{Name: t.Name()})
	if err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{nc: nc, js: js, ackWait: 30 * time.Second, stores: []string{server.server.JetStreamConfig().StoreDir}}
	b.wipe(t)
	if _, err := Provision(t.Context(), js, c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		b.wipe(t)
		nc.Close()
	})
	return b
}

func (b *bench) wipe(t *testing.T) {
	t.Helper()
	for _, name := range []string{EventsStream, AuditStream, DeadStream, membersStream} {
		gone := func() bool {
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second) // a cluster without a leader answers late or never
			defer cancel()
			err := b.js.DeleteStream(ctx, name)
			return err == nil || errors.Is(err, jetstream.ErrStreamNotFound)
		}
		for tries := 0; !gone(); tries++ {
			if tries == 10 {
				t.Fatalf("wipe %s: tried in vain", name)
			}
		}
	}
	b.gone(t, EventsStream, AuditStream, DeadStream, membersStream)
}

// gone waits until no files of deleted streams are left. The server removes them in its own time, and until then a
// stream of the same name can take them for its own.
func (b *bench) gone(t *testing.T, streams ...string) {
	t.Helper()
	for tries := 0; b.leftovers(t, streams); tries++ {
		if tries == 1000 {
			t.Fatal("the files of deleted streams stay")
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func (b *bench) leftovers(t *testing.T, streams []string) bool {
	t.Helper()
	for _, store := range b.stores {
		for _, name := range streams {
			for _, dir := range []string{name, "." + name} { // the second while they are being removed
				found, err := filepath.Glob(filepath.Join(store, "*", "streams", dir))
				if err != nil {
					t.Fatal(err)
				}
				if len(found) > 0 {
					return true
				}
			}
		}
	}
	return false
}

// publish stores an event and returns its sequence.
func (b *bench) publish(t *testing.T, subject string, header nats.Header, data []byte) uint64 {
	t.Helper()
	ack, err := b.js.PublishMsg(t.Context(), &nats.Msg{Subject: subject, Header: header, Data: data})
	if err != nil {
		t.Fatalf("publish to %s: %v", subject, err)
	}
	return ack.Sequence
}

func (b *bench) event(conversation string) string {
	return b.subjects.Event(event.Conversation{Tenant: "t", Agent: "a", ID: conversation})
}

func (b *bench) log(conversation string) string {
	return b.subjects.Log(0, event.Conversation{Tenant: "t", Agent: "a", ID: conversation})
}

func (b *bench) open(t *testing.T, c SourceConfig) *Source {
	t.Helper()
	c.AckWait = b.ackWait
	s, err := OpenSource(t.Context(), b.js, c)
	if err != nil {
		t.Fatalf("open the source: %v", err)
	}
	t.Cleanup(s.Stop)
	return s
}

func (b *bench) sink(t *testing.T, c SinkConfig) *Sink {
	t.Helper()
	s, err := NewSink(b.nc, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			t.Errorf("close the sink: %v", err)
		}
	})
	return s
}

// within bounds a wait.
func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// next takes one message and acknowledges it.
func next(t *testing.T, s pipeline.Source) pipeline.Delivery {
	t.Helper()
	d, err := s.Next(within(t, 15*time.Second))
	if err != nil {
		t.Fatalf("Next: %v", err)
	}
	if err := d.Ack(); err != nil {
		t.Fatalf("Ack: %v", err)
	}
	return d
}

func (b *bench) Put(t *testing.T, conversation string, header map[string][]string, data []byte) (string, uint64) {
	t.Helper()
	return b.log(conversation), b.publish(t, b.event(conversation), header, data)
}

func (b *bench) Open(t *testing.T) pipeline.Source { return b.open(t, SourceConfig{}) }

func (b *bench) Close(_ *testing.T, s pipeline.Source) { s.(*Source).Drain() }

func (b *bench) Expire(*testing.T) { time.Sleep(b.ackWait + 50*time.Millisecond) }

// shortWait is how long tests wait for an unacknowledged message to come again; the others wait the default, so that a
// slow machine hands nothing out twice.
const shortWait = 200 * time.Millisecond

func TestSourceSuite(t *testing.T) {
	pipetest.TestSource(t, func(t *testing.T) pipetest.Stream {
		b := newBench(t)
		b.ackWait = shortWait
		return b
	})
}

// benchStore is the audit and dead-letter streams of a bench.
type benchStore struct {
	*bench
	sink *Sink
}

func (b benchStore) Sink() pipeline.Sink { return b.sink }

func (b benchStore) Subject(name string) string {
	return b.subjects.Verdict("standard", event.Conversation{Tenant: "t", Agent: "a", ID: name}, 1, 1)
}

func (b benchStore) Letters(t *testing.T) []pipeline.Letter {
	t.Helper()
	var out []pipeline.Letter
	err := ReadAll(t.Context(), b.js, DeadStream, "", func(m pipeline.Message) error {
		l, err := ReadLetter(m)
		if want := b.subjects.Dead(l.Reason, l.Seq); m.Subject != want {
			t.Errorf("letter on %s, want %s", m.Subject, want)
		}
		out = append(out, l)
		return err
	})
	if err != nil {
		t.Fatalf("read the letters: %v", err)
	}
	return out
}

func TestSinkSuite(t *testing.T) {
	pipetest.TestSink(t, func(t *testing.T) pipetest.Store {
		b := newBench(t)
		return benchStore{b, b.sink(t, SinkConfig{})}
	})
}
