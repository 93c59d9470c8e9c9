package integration_test

import (
	"fmt"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// BenchmarkWindows measures what the pipeline's windows were chosen by: how many messages are asked for ahead, how many
// records may be on their way, and whether the client speaks to the embedded server within the process or over loopback.
// Each passes the same events through, judging nothing.
func BenchmarkWindows(b *testing.B) {
	events := fleet(b, 500)
	pass := func(name string, on func(*testing.B) *deployment, in jet.SourceConfig, out jet.SinkConfig) {
		b.Run(name, func(b *testing.B) {
			flow(b, events, on, func(d *deployment) { d.passThrough(b, len(events), in, out) })
		})
	}
	for _, messages := range []int{1, 10, 50, 200, 1000} {
		pass(fmt.Sprintf("messages asked for=%d", messages), inside, jet.SourceConfig{PullMessages: messages}, jet.SinkConfig{})
	}
	for _, window := range []int{1, 10, 100, 1000} {
		pass(fmt.Sprintf("records on their way=%d", window), inside, jet.SourceConfig{}, jet.SinkConfig{Window: window})
	}
	pass("connection=in process", inside, jet.SourceConfig{}, jet.SinkConfig{})
	pass("connection=loopback", overLoopback, jet.SourceConfig{}, jet.SinkConfig{})
}

// overLoopback is a deployment whose client connects over TCP.
func overLoopback(b *testing.B) *deployment {
	b.Helper()
	d, server := deployOn(b, jet.EmbeddedConfig{})
	nc, err := jet.Connect(jet.Config{URLs: []string{server.URL()}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		b.Fatal(err)
	}
	if err := jet.WaitReady(b.Context(), nc); err != nil {
		b.Fatal(err)
	}
	d.nc, d.js = nc, js
	return d
}
