package jet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/pipeline"
)

func TestMisfitsReachThePipelineInThePartitionsEpoch(t *testing.T) {
	b := newBench(t)
	s := b.open(t, SourceConfig{})
	b.publish(t, b.event("a"), nil, []byte("1"))
	epoch := next(t, s).Epoch()
	for _, subject := range []string{"agent.events.t", "agent.events.t.a", "agent.events.t.a.c.extra"} {
		b.publish(t, subject, nil, []byte("x"))
		d := next(t, s)
		if d.Message().Subject != subject || d.Epoch() != epoch {
			t.Errorf("%s in epoch %s, want %s in %s", d.Message().Subject, d.Epoch(), subject, epoch)
		}
	}
	b.publish(t, b.event("a"), nil, []byte("2"))
	if d := next(t, s); d.Message().Subject != b.log("a") || d.Epoch() != epoch || !s.FromStart() {
		t.Errorf("after misfits: %s in epoch %s, from start %v", d.Message().Subject, d.Epoch(), s.FromStart())
	}
}

// TestStatusHeadersAreNotTheServers publishes what nats.go takes for words of the server: empty bodies with a status.
func TestStatusHeadersAreNotTheServers(t *testing.T) {
	b := newBench(t)
	s := b.open(t, SourceConfig{})
	hostile := []nats.Header{
		{"Status": {"409"}, "Description": {"Consumer Deleted"}},
		{"Status": {"404"}}, {"Status": {"408"}}, {"Status": {"503"}}, {"Status": {"100"}}, {"Status": {"400"}},
		{"Status": {"204"}, "Description": {"EOB"}},
		{"Nats-Sequence": {"1"}, "Nats-Subject": {"x"}, "Nats-Num-Pending": {"0"}, "Nats-Time-Stamp": {"x"}},
		{"Nats-Num-Pending": {"x"}}, {"Nats-Pin-Id": {"mine"}},
	}
	var want []uint64
	for _, h := range hostile {
		want = append(want, b.publish(t, b.event("a"), h, nil))
		want = append(want, b.publish(t, b.event("a"), nil, []byte("{}")))
	}
	for i, seq := range want {
		d := next(t, s)
		if d.Message().Seq != seq || d.Redelivered() {
			t.Fatalf("message %d: sequence %d, redelivered %v; want %d", i, d.Message().Seq, d.Redelivered(), seq)
		}
		sameHeader(t, "Next", d.Message(), hostile, i)
	}
	history, err := historyOf(t, s, b.log("a"), want[len(want)-1])
	if err != nil || len(history) != len(want) {
		t.Fatalf("History: %d messages, %v; want %d", len(history), err, len(want))
	}
	for i, m := range history {
		if m.Seq != want[i] {
			t.Errorf("History holds sequence %d at %d, want %d", m.Seq, i, want[i])
		}
		sameHeader(t, "History", m, hostile, i)
	}
	if h := s.Health(); h.Restarts != 0 {
		t.Errorf("%d restarts: a message's headers stopped the subscription", h.Restarts)
	}
}

func sameHeader(t *testing.T, what string, m pipeline.Message, hostile []nats.Header, i int) {
	t.Helper()
	var want nats.Header
	if i%2 == 0 {
		want = hostile[i/2]
	}
	if len(m.Header) != len(want) {
		t.Errorf("%s: headers %v, want %v", what, m.Header, want)
	}
	for name, values := range want {
		if !slices.Equal(m.Header[name], values) {
			t.Errorf("%s: header %s is %v, want %v", what, name, m.Header[name], values)
		}
	}
}

func TestDeletedConsumerIsMadeAnewFromTheAcknowledgedFloor(t *testing.T) {
	b := newBench(t)
	var mu sync.Mutex
	var told []Health
	b.publish(t, b.event("a"), nil, []byte("1"))
	first := b.open(t, SourceConfig{})
	next(t, first)
	first.Drain()
	<-first.Closed()
	time.Sleep(20 * time.Millisecond)
	s := b.open(t, SourceConfig{OnHealth: func(h Health) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, h)
	}})
	two := b.publish(t, b.event("a"), nil, []byte("2"))
	epoch := next(t, s).Epoch()
	if err := b.js.DeleteConsumer(t.Context(), EventsStream, "plumbline-p0"); err != nil {
		t.Fatal(err)
	}
	three := b.publish(t, b.event("a"), nil, []byte("3"))
	var seqs []uint64
	for len(seqs) == 0 || seqs[len(seqs)-1] != three {
		d := next(t, s)
		seqs = append(seqs, d.Message().Seq)
		if d.Epoch() == epoch {
			t.Error("the epoch outlived its consumer")
		}
	}
	if !slices.Equal(seqs, []uint64{two, three}) {
		t.Errorf("handed out %v, want what was not known to be acknowledged, %v and %v", seqs, two, three)
	}
	if s.FromStart() {
		t.Error("FromStart of a consumer that starts in the middle: true")
	}
	mu.Lock()
	defer mu.Unlock()
	if h := s.Health(); !h.Ready || h.Recreated != 1 || h.Restarts == 0 {
		t.Errorf("health %+v", h)
	}
	if !slices.ContainsFunc(told, func(h Health) bool { return !h.Ready && strings.Contains(h.Reason, "deleted") }) {
		t.Errorf("nobody was told that the consumer was deleted: %+v", told)
	}
}

func TestDeletedConsumerOfANewStreamStartsOver(t *testing.T) {
	b := newBench(t)
	s := b.open(t, SourceConfig{})
	for range 5 {
		b.publish(t, b.event("a"), nil, []byte("old"))
		next(t, s)
	}
	b.wipe(t)
	if _, err := Provision(t.Context(), b.js, StreamsConfig{}); err != nil {
		t.Fatal(err)
	}
	seq := b.publish(t, b.event("a"), nil, []byte("new"))
	if d := next(t, s); d.Message().Seq != seq || string(d.Message().Data) != "new" {
		t.Errorf("handed out %d %s, want the new stream's first message", d.Message().Seq, d.Message().Data)
	}
}

func TestAnotherReaderEndsTheEpoch(t *testing.T) {
	b := newBench(t)
	b.shared(t, "plumbline-p0", "agent.log.0.>")
	b.publish(t, b.event("a"), nil, []byte("1"))
	s := b.open(t, SourceConfig{NoMisfits: true, PullMessages: 1})
	epoch := next(t, s).Epoch()
	if !s.FromStart() {
		t.Fatal("FromStart before anybody else: false")
	}
	consumer, err := b.js.Consumer(t.Context(), EventsStream, "plumbline-p0")
	if err != nil {
		t.Fatal(err)
	}
	taken := 0
	batch, err := consumer.Fetch(4, jetstream.FetchMaxWait(2*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	for range 8 {
		b.publish(t, b.event("a"), nil, []byte("x"))
	}
	for m := range batch.Messages() {
		taken++
		if err := m.Ack(); err != nil {
			t.Error(err)
		}
	}
	for range 8 - taken {
		d := next(t, s)
		if taken > 0 && d.Message().Seq == 9 && (d.Epoch() == epoch || s.FromStart()) {
			t.Errorf("epoch %s, from start %v, after another reader took %d messages", d.Epoch(), s.FromStart(), taken)
		}
	}
	if taken == 0 {
		t.Fatal("the other reader took nothing: the test shows nothing")
	}
}

// shared makes a durable that serves whoever asks, as someone may have made it before.
func (b *bench) shared(t *testing.T, name, filter string) {
	t.Helper()
	_, err := b.js.CreateConsumer(t.Context(), EventsStream, jetstream.ConsumerConfig{
		Durable: name, FilterSubject: filter, AckPolicy: jetstream.AckExplicitPolicy, AckWait: b.ackWait, MaxDeliver: -1,
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestLargeMessagesPassSmallRequests(t *testing.T) {
	b := newBench(t)
	s := b.open(t, SourceConfig{PullBytes: 100 << 10, PullMessages: 8})
	big := make([]byte, 300<<10)
	var want []uint64
	for i := range 20 {
		body := big
		if i%3 == 0 {
			body = big[:100]
		}
		want = append(want, b.publish(t, b.event("a"), nil, body))
	}
	for _, seq := range want {
		if d := next(t, s); d.Message().Seq != seq || d.Redelivered() {
			t.Fatalf("sequence %d, redelivered %v; want %d", d.Message().Seq, d.Redelivered(), seq)
		}
	}
}

func TestManyMessages(t *testing.T) {
	b := newBench(t)
	const n = 5000
	for i := range n {
		if _, err := b.js.PublishAsync(b.event(fmt.Sprint("c", i%100)), []byte("{}"), jetstream.WithStallWait(time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	<-b.js.PublishAsyncComplete()
	s := b.open(t, SourceConfig{})
	var epoch string
	for i := range uint64(n) {
		d := next(t, s)
		if d.Message().Seq != i+1 || d.Redelivered() || epoch != "" && d.Epoch() != epoch {
			t.Fatalf("sequence %d, redelivered %v, epoch %s; want %d in %s", d.Message().Seq, d.Redelivered(), d.Epoch(), i+1, epoch)
		}
		epoch = d.Epoch()
	}
	if !s.FromStart() {
		t.Error("FromStart: false")
	}
}

func TestOpenRefusesADurableThatLosesMessages(t *testing.T) {
	b := newBench(t)
	for wrong, c := range map[string]jetstream.ConsumerConfig{
		"filters":          {AckPolicy: jetstream.AckExplicitPolicy, FilterSubject: "agent.log.>"},
		"acknowledgement":  {AckPolicy: jetstream.AckAllPolicy, FilterSubject: "agent.log.0.>"},
		"after 3":          {AckPolicy: jetstream.AckExplicitPolicy, FilterSubject: "agent.log.0.>", MaxDeliver: 3},
		"delivers headers": {AckPolicy: jetstream.AckExplicitPolicy, FilterSubject: "agent.log.0.>", HeadersOnly: true},
	} {
		c.Durable = "plumbline-p0"
		if _, err := b.js.CreateConsumer(t.Context(), EventsStream, c); err != nil {
			t.Fatal(err)
		}
		s, err := OpenSource(t.Context(), b.js, SourceConfig{})
		if err == nil {
			s.Stop()
		}
		if err == nil || !strings.Contains(err.Error(), wrong) || !strings.Contains(err.Error(), "delete it") {
			t.Errorf("durable that %s: %v", wrong, err)
		}
		if err := b.js.DeleteConsumer(t.Context(), EventsStream, "plumbline-p0"); err != nil {
			t.Fatal(err)
		}
	}
	b.wipe(t)
	if _, err := OpenSource(t.Context(), b.js, SourceConfig{}); !errors.Is(err, jetstream.ErrStreamNotFound) {
		t.Errorf("open without a stream: %v", err)
	}
}

func TestSourceEndsWithItsConnection(t *testing.T) {
	newBench(t)
	nc, err := shared.Connect(Config{})
	if err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	s, err := OpenSource(t.Context(), js, SourceConfig{})
	if err != nil {
		t.Fatal(err)
	}
	nc.Close()
	if _, err := s.Next(within(t, 15*time.Second)); !errors.Is(err, nats.ErrConnectionClosed) {
		t.Errorf("Next after the connection was closed: %v", err)
	}
	s.Stop()
}

func waitFor(t *testing.T, is func() bool) {
	t.Helper()
	for ctx := within(t, 15*time.Second); !is(); {
		if !pause(ctx, nil, 5*time.Millisecond) {
			t.Fatal("waited in vain")
		}
	}
}

// publishTo publishes one record and waits for its outcome.
func publishTo(t *testing.T, s *Sink, r pipeline.Record) (seq uint64, err error) {
	t.Helper()
	done := make(chan struct{})
	start := s.Publish(within(t, 15*time.Second), r, func(n uint64, e error) {
		seq, err = n, e
		close(done)
	})
	if start != nil {
		return 0, start
	}
	<-done
	return seq, err
}

func TestStopDropsWhatWaits(t *testing.T) {
	b := newBench(t)
	for range 10 {
		b.publish(t, b.event("a"), nil, []byte("x"))
	}
	s := b.open(t, SourceConfig{})
	next(t, s)
	s.Stop()
	if _, err := s.Next(context.Background()); !errors.Is(err, pipeline.ErrClosed) {
		t.Errorf("Next of a stopped source: %v", err)
	}
}

func TestPartitionsDoNotMix(t *testing.T) {
	b := benchOn(t, shared, StreamsConfig{Partitions: 4})
	for i := range 40 {
		b.publish(t, b.event(fmt.Sprint("c", i)), nil, []byte("x"))
	}
	stream, err := b.js.Stream(t.Context(), EventsStream)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[uint64]bool{}
	for p := range 4 {
		logs := b.subjects.PartitionLogs(p)
		info, err := stream.Info(t.Context(), jetstream.WithSubjectFilter(logs))
		if err != nil {
			t.Fatal(err)
		}
		s := b.open(t, SourceConfig{Partition: p, NoMisfits: p != 0})
		for range info.State.Subjects {
			m := next(t, s).Message()
			if seen[m.Seq] || !covers(logs, m.Subject) {
				t.Errorf("partition %d hands out %s, seen before %v", p, m.Subject, seen[m.Seq])
			}
			seen[m.Seq] = true
		}
		s.Stop()
	}
	if len(seen) != 40 {
		t.Errorf("four partitions handed out %d messages, want 40", len(seen))
	}
}
