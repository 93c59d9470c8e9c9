package integration_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/pipeline/pipetest"
)

// world is one simulation, in a bubble: a whole server, processes that work on its streams, a producer, and what a
// schedule does to them.
type world struct {
	t          *testing.T
	r          *rand.Rand
	start      time.Time
	rules      *turn.Rules
	partitions int
	grace      time.Duration
	placed     bool // heartbeats place the partitions; else every process pulls all of them
	pinned     bool // the durables keep to one owner

	store     string
	server    atomic.Pointer[jet.Embedded] // nil while there is none
	nc        *nats.Conn
	js        jetstream.JetStream
	load      *pipetest.Workload
	processes []*process
	gone      []*process // killed or leaving
	started   int

	rebuilt, evicted, retried atomic.Int64

	mu  sync.Mutex
	log []string // guarded by mu
}

func newWorld(t *testing.T, r *rand.Rand) *world {
	t.Helper()
	rules, err := turn.Policy{
		Ruleset: turn.Rulesets[r.IntN(len(turn.Rulesets))], ConversationBytes: []int{0, 0, 4000, 8000}[r.IntN(4)],
	}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	w := &world{
		t: t, r: r, start: time.Now(), rules: rules, store: t.TempDir(), partitions: 1 + r.IntN(3),
		grace: time.Duration(r.IntN(3)) * time.Second, load: pipetest.NewWorkload(r, 0.05),
		placed: r.IntN(3) > 0, pinned: r.IntN(4) > 0,
	}
	w.boot()
	w.nc, err = nats.Connect("", nats.InProcessServer(w), nats.MaxReconnects(-1), nats.ReconnectWait(100*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	if w.js, err = jetstream.New(w.nc); err != nil {
		t.Fatal(err)
	}
	if _, err := jet.Provision(t.Context(), w.js, jet.StreamsConfig{Partitions: w.partitions}); err != nil {
		t.Fatal(err)
	}
	w.unpin()
	w.logf("%s, %d partitions, placed %v, pinned %v, grace %v", rules.Ruleset(), w.partitions, w.placed, w.pinned, w.grace)
	return w
}

// unpin makes durables that do not keep to one owner, as those of an earlier version did not.
func (w *world) unpin() {
	if w.pinned {
		return
	}
	for partition := range w.partitions {
		_, err := w.js.CreateConsumer(w.t.Context(), jet.EventsStream, jetstream.ConsumerConfig{
			Durable: "plumbline-p" + strconv.Itoa(partition), FilterSubject: event.Subjects{}.PartitionLogs(partition),
			AckPolicy: jetstream.AckExplicitPolicy, AckWait: 10 * time.Second, MaxDeliver: -1, MaxAckPending: 1000,
		})
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w *world) logf(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log = append(w.log, fmt.Sprintf("%8.3fs ", time.Since(w.start).Seconds())+fmt.Sprintf(format, args...))
}

// InProcessConn opens a connection to the server of now.
func (w *world) InProcessConn() (net.Conn, error) {
	if server := w.server.Load(); server != nil {
		return server.InProcessConn()
	}
	return nil, errNoRoute
}

func (w *world) boot() {
	server, err := jet.StartEmbedded(jet.EmbeddedConfig{NoListen: true, StoreDir: w.store})
	if err != nil {
		w.t.Fatal(err)
	}
	w.server.Store(server)
}

// shutDown stops the server once it has nothing to do: it sleeps under a lock while it stops, and a request that waited
// for that lock would hold up the clock of the bubble. What is on its way then is lost.
func (w *world) shutDown() {
	var held []*link
	for _, p := range slices.Concat(w.processes, w.gone) {
		if !p.link.gate.isShut() {
			p.link.gate.close()
			held = append(held, p.link)
		}
	}
	synctest.Wait()
	w.server.Swap(nil).Close()
	for _, l := range held {
		l.gate.open()
	}
}

// join starts a process.
func (w *world) join() {
	w.started++
	name := fmt.Sprintf("worker %d", w.started)
	p := &process{
		name: name, world: w, link: newLink(w, rand.New(rand.NewPCG(w.r.Uint64(), 1))),
		config: pipeline.Config{
			Rules: w.rules, Grace: w.grace, CacheBytes: []int{1, 20_000, 1 << 20}[w.r.IntN(3)], MaxInFlight: 1 + w.r.IntN(50),
			ReadBack: 2 * time.Second,
		},
		source: jet.SourceConfig{PullMessages: 1 + w.r.IntN(20), Heartbeat: time.Second},
		sink:   jet.SinkConfig{Window: 1 + w.r.IntN(4), Timeout: time.Duration(1+w.r.IntN(5)) * time.Second},
		drain:  time.Duration(1+w.r.IntN(5)) * time.Second, ended: make(chan struct{}),
	}
	p.config.Observer = pausing{p}
	ctx, stop := context.WithCancel(context.Background())
	p.stop = stop
	w.processes = append(w.processes, p)
	w.logf("%s joins: cache %d, %d in flight, window %d", name, p.config.CacheBytes, p.config.MaxInFlight, p.sink.Window)
	go p.run(ctx)
}

// drop takes a process off the list, and gives it.
func (w *world) drop() *process {
	i := w.r.IntN(len(w.processes))
	p := w.processes[i]
	w.processes = slices.Delete(w.processes, i, i+1)
	w.gone = append(w.gone, p)
	return p
}

// publish puts the workload's next message on the stream, however long that takes.
func (w *world) publish() {
	p := w.load.Next()
	m := &nats.Msg{Subject: p.Subject(event.Subjects{}), Header: p.Header, Data: p.Data}
	for {
		ctx, cancel := context.WithTimeout(w.t.Context(), time.Second)
		_, err := w.js.PublishMsg(ctx, m)
		cancel()
		if err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// settle lets everything heal and waits until nothing is left to do.
func (w *world) settle() {
	for _, p := range slices.Concat(w.processes, w.gone) {
		p.link.setLatency(5 * time.Millisecond)
		p.link.gate.open()
		p.awake.open()
	}
	for len(w.processes) < 2 {
		w.join()
	}
	w.logf("everything heals")
	for range 300 {
		time.Sleep(2 * time.Second)
		if w.left() == "" {
			break
		}
	}
	if left := w.left(); left != "" {
		w.t.Errorf("ten minutes after everything healed, %s", left)
	}
	for _, p := range w.processes {
		p.stop()
	}
	for _, p := range slices.Concat(w.processes, w.gone) {
		<-p.ended
	}
}

// left says what was not acknowledged, empty when everything is.
func (w *world) left() string {
	names := []string{"plumbline-misfits"}
	for partition := range w.partitions {
		names = append(names, "plumbline-p"+strconv.Itoa(partition))
	}
	for _, name := range names {
		ctx, cancel := context.WithTimeout(w.t.Context(), time.Second)
		consumer, err := w.js.Consumer(ctx, jet.EventsStream, name)
		cancel()
		if err != nil {
			return fmt.Sprintf("consumer %s: %v", name, err)
		}
		if info := consumer.CachedInfo(); info.NumPending > 0 || info.NumAckPending > 0 {
			return fmt.Sprintf("consumer %s has %d messages waiting and %d not acknowledged", name, info.NumPending, info.NumAckPending)
		}
	}
	return ""
}

// outcome reads what the streams hold.
func (w *world) outcome() pipetest.Outcome {
	var o pipetest.Outcome
	w.read(jet.EventsStream, func(m pipeline.Message) error {
		o.Events = append(o.Events, m)
		return nil
	})
	chains := map[string]bool{}
	sink, err := jet.NewSink(w.nc, jet.SinkConfig{})
	if err != nil {
		w.t.Fatal(err)
	}
	defer sink.Close(w.t.Context())
	w.read(jet.AuditStream, func(m pipeline.Message) error {
		if chains[m.Subject] {
			return nil
		}
		chains[m.Subject] = true
		chain, err := sink.Chain(w.t.Context(), m.Subject)
		o.Audit = append(o.Audit, chain...)
		return err
	})
	w.read(jet.DeadStream, func(m pipeline.Message) error {
		l, err := jet.ReadLetter(m)
		o.Letters = append(o.Letters, l)
		return err
	})
	return o
}

func (w *world) read(stream string, visit func(pipeline.Message) error) {
	if err := jet.ReadAll(w.t.Context(), w.js, stream, "", visit); err != nil {
		w.t.Error(err)
	}
}

// check holds the streams against the oracle, and says what led there when they do not hold.
func (w *world) check() {
	o := w.outcome()
	for _, fault := range o.Faults(w.rules, event.Subjects{}) {
		w.t.Error(fault)
	}
	if w.t.Failed() {
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, line := range w.log {
			w.t.Log(line)
		}
	}
	w.t.Logf("%d events, %d records, %d letters; %d read back, %d evicted, %d retried",
		len(o.Events), len(o.Audit), len(o.Letters), w.rebuilt.Load(), w.evicted.Load(), w.retried.Load())
}

// end closes what is left, within the bubble.
func (w *world) end() {
	w.nc.Close()
	w.shutDown()
}

// deleteDurable takes a partition's durable away under its workers.
func (w *world) deleteDurable() {
	name := "plumbline-p" + strconv.Itoa(w.r.IntN(w.partitions))
	w.logf("durable %s is deleted", name)
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Second)
	defer cancel()
	if err := w.js.DeleteConsumer(ctx, jet.EventsStream, name); err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
		w.logf("it is not: %v", err)
	}
}
