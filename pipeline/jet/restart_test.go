package jet

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/pipeline"
)

// TestRestartedServer stops the server under an open source and sink and starts it again on the same store and port.
func TestRestartedServer(t *testing.T) {
	dir := t.TempDir()
	server, err := StartEmbedded(EmbeddedConfig{StoreDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	port := server.server.ClientURL()
	nc, err := Connect(Config{URLs: []string{port}})
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
	b := &bench{nc: nc, js: js, ackWait: 30 * time.Second}
	s := b.open(t, SourceConfig{})
	sink := b.sink(t, SinkConfig{Timeout: 2 * time.Second})
	b.publish(t, b.event("a"), nil, []byte("1"))
	next(t, s)
	record := pipeline.Record{Subject: "agent.audit.evidence_checked.r.t.a.c.1.1", Payload: []byte("{}")}
	if _, err := publishTo(t, sink, record); err != nil {
		t.Fatal(err)
	}
	listen := server.server.Addr().String()
	server.Close()
	if _, err := publishTo(t, sink, record); err == nil {
		t.Error("a record was stored by a server that is down")
	}
	waitFor(t, func() bool { return !s.Health().Ready })
	server, err = StartEmbedded(EmbeddedConfig{StoreDir: dir, Port: portOf(t, listen)})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	if err := WaitReady(within(t, 15*time.Second), nc); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return s.Health().Ready })
	seq := b.publish(t, b.event("a"), nil, []byte("2"))
	for next(t, s).Message().Seq != seq { // the acknowledgement of the first may not have reached the old server's disk
	}
	if _, err := publishTo(t, sink, record); !errors.Is(err, pipeline.ErrGuard) {
		t.Errorf("the same record after a restart: %v, want pipeline.ErrGuard", err)
	}
}

func portOf(t *testing.T, address string) (port int) {
	t.Helper()
	if _, err := fmt.Sscanf(address[strings.LastIndex(address, ":")+1:], "%d", &port); err != nil {
		t.Fatal(err)
	}
	return port
}
