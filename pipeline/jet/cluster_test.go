package jet

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/pipetest"
)

// startCluster starts three servers and returns their addresses. Each must know the others' ports before it starts.
func startCluster(t *testing.T) (servers []*server.Server, urls []string) {
	t.Helper()
	ports := freePorts(t, 3)
	var routes []*url.URL
	for _, port := range ports {
		routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprint("127.0.0.1:", port)})
	}
	for i, port := range ports {
		s, err := server.NewServer(&server.Options{
			ServerName: fmt.Sprint("node", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true,
			JetStream: true, StoreDir: t.TempDir(), JetStreamMaxStore: 1 << 30, MaxPayload: MaxPayload, Routes: routes,
			Cluster: server.ClusterOpts{Name: "plumbline", Host: "127.0.0.1", Port: port},
		})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(func() {
			s.Shutdown()
			s.WaitForShutdown()
		})
		servers, urls = append(servers, s), append(urls, s.ClientURL())
	}
	for _, s := range servers {
		if !s.ReadyForConnections(10 * time.Second) {
			t.Fatalf("%s is not ready", s.Name())
		}
	}
	return servers, urls
}

// freePorts finds ports that nobody listens on.
func freePorts(t *testing.T, n int) (ports []int) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// TestReplicated runs both suites, and the loss of the leader, over streams with three replicas.
func TestReplicated(t *testing.T) {
	servers, urls := startCluster(t)
	open := func(t *testing.T) *bench {
		nc, err := Connect(Config{URLs: urls})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(nc.Close)
		if err := WaitReady(within(t, 15*time.Second), nc); err != nil {
			t.Fatal(err)
		}
		js, err := jetstream.New(nc)
		if err != nil {
			t.Fatal(err)
		}
		b := &bench{nc: nc, js: js, ackWait: 2 * time.Second}
		for _, node := range servers {
			b.stores = append(b.stores, node.JetStreamConfig().StoreDir)
		}
		waitFor(t, func() bool {
			b.wipe(t)
			_, err = Provision(within(t, time.Second), js, StreamsConfig{Replicas: 3})
			return err == nil
		})
		return b
	}
	t.Run("source", func(t *testing.T) {
		pipetest.TestSource(t, func(t *testing.T) pipetest.Stream { return open(t) })
	})
	t.Run("sink", func(t *testing.T) {
		pipetest.TestSink(t, func(t *testing.T) pipetest.Store {
			b := open(t)
			return benchStore{b, b.sink(t, SinkConfig{})}
		})
	})
	t.Run("leader lost", func(t *testing.T) { leaderLost(t, open(t), servers) })
}

// leaderLost stops the event stream's leader and goes on reading and storing.
func leaderLost(t *testing.T, b *bench, servers []*server.Server) {
	s, sink := b.open(t, SourceConfig{}), b.sink(t, SinkConfig{Timeout: 2 * time.Second})
	before := b.publish(t, b.event("a"), nil, []byte("1"))
	next(t, s)
	stream, err := b.js.Stream(t.Context(), EventsStream)
	if err != nil {
		t.Fatal(err)
	}
	leader := stream.CachedInfo().Cluster.Leader
	for _, node := range servers {
		if node.Name() == leader {
			node.Shutdown()
			node.WaitForShutdown()
		}
	}
	var after uint64
	waitFor(t, func() bool {
		ack, err := b.js.Publish(within(t, time.Second), b.event("a"), []byte("2"))
		if err == nil {
			after = ack.Sequence
		}
		return err == nil
	})
	for next(t, s).Message().Seq < after { // the first, or a try of the second that seemed to fail, may come again
	}
	history, err := historyOf(t, s, b.log("a"), after)
	if err != nil || history[0].Seq != before || history[len(history)-1].Seq != after {
		t.Errorf("history %v, %v", sequences(history), err)
	}
	record := pipeline.Record{Subject: "agent.audit.x", Payload: []byte("{}")}
	waitFor(t, func() bool {
		_, err := publishTo(t, sink, record)
		return err == nil || errors.Is(err, pipeline.ErrGuard)
	})
	if chain, err := sink.Chain(within(t, 15*time.Second), record.Subject); err != nil || len(chain) != 1 {
		t.Errorf("%d records, %v; want 1", len(chain), err)
	}
}
