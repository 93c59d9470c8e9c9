package integration_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/schemas"
)

// bundle is the file of the conversations that the programs bring along.
var bundle = filepath.Join(root, "cmd", "internal", "demo", "airline", "events.jsonl")

// TestLiveAndReplayedAreTheSameBytes publishes the bundled conversations to a fresh event stream, so that sequences are
// line numbers, and compares what the live pipeline stores with what the replayer writes of the file.
func TestLiveAndReplayedAreTheSameBytes(t *testing.T) {
	for _, ruleset := range turn.Rulesets {
		t.Run(ruleset, func(t *testing.T) { sameBytes(t, ruleset) })
	}
}

func sameBytes(t *testing.T, ruleset string) {
	replayed := runReplayer(t, bundle, ruleset)
	if len(replayed) < 100 {
		t.Fatalf("the replayer wrote %d lines only", len(replayed))
	}
	d := deploy(t)
	d.publishLines(t, bundle)
	d.work(t, ruleset, len(replayed))
	live := d.audits(t)
	slices.SortFunc(replayed, bytes.Compare)
	slices.SortFunc(live, bytes.Compare)
	if len(live) != len(replayed) {
		t.Errorf("%d payloads live, %d replayed", len(live), len(replayed))
	}
	for i := range min(len(live), len(replayed)) {
		if !bytes.Equal(live[i], replayed[i]) {
			t.Fatalf("live and replayed differ:\n%s\n%s", live[i], replayed[i])
		}
	}
}

// runReplayer runs the replayer over a file and gives the lines that it wrote.
func runReplayer(t *testing.T, file, ruleset string) [][]byte {
	t.Helper()
	program := filepath.Join(t.TempDir(), "replayer")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../cmd/replayer").CombinedOutput(); err != nil {
		t.Fatalf("build the replayer: %v\n%s", err, out)
	}
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(t.Context(), program, "--file", file, "--rules", ruleset)
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		t.Fatalf("replayer: %v\n%s", err, stderr.String())
	}
	return lines(stdout.Bytes())
}

func lines(b []byte) [][]byte {
	var all [][]byte
	for line := range bytes.Lines(b) {
		all = append(all, bytes.TrimSuffix(line, []byte("\n")))
	}
	return all
}

// deployment is a server with fresh streams.
type deployment struct {
	nc *nats.Conn
	js jetstream.JetStream
}

func deploy(t testing.TB) *deployment {
	t.Helper()
	d, _ := deployOn(t, jet.EmbeddedConfig{NoListen: true})
	return d
}

// deployOn also gives the server, for programs that connect to it.
func deployOn(t testing.TB, c jet.EmbeddedConfig) (*deployment, *jet.Embedded) {
	t.Helper()
	server, err := jet.StartEmbedded(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	nc, err := server.Connect(jet.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := jet.Provision(t.Context(), js, jet.StreamsConfig{}); err != nil {
		t.Fatal(err)
	}
	return &deployment{nc, js}, server
}

// publishLines publishes a file of events, each on its subject, and holds that sequences are line numbers.
func (d *deployment) publishLines(t *testing.T, file string) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range lines(content) {
		e, err := schemas.Decode(schemas.JSON, line)
		if err != nil {
			t.Fatalf("%s:%d: %v", file, i+1, err)
		}
		m := nats.NewMsg((event.Subjects{}).Event(e.Conversation))
		m.Data = line
		m.Header.Set(nats.MsgIdHdr, e.ID)
		ack, err := d.js.PublishMsg(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		if ack.Sequence != uint64(i+1) {
			t.Fatalf("%s:%d is stored at sequence %d", file, i+1, ack.Sequence)
		}
	}
}

// work runs the pipeline until the audit stream holds so many messages, and then drains it.
func (d *deployment) work(t *testing.T, ruleset string, until int) {
	t.Helper()
	rules, err := turn.Policy{Ruleset: ruleset}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	source, err := jet.OpenSource(t.Context(), d.js, jet.SourceConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Stop()
	sink, err := jet.NewSink(d.nc, jet.SinkConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := sink.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	worker, err := pipeline.NewWorker(pipeline.Config{Rules: rules, Grace: time.Second}, source, sink)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- worker.Run(t.Context()) }()
	waitFor(t, func() bool { return d.count(t, jet.AuditStream)+d.count(t, jet.DeadStream) >= until })
	source.Drain()
	if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if n := d.count(t, jet.DeadStream); n > 0 {
		t.Errorf("%d dead letters", n)
	}
}

func (d *deployment) count(t *testing.T, stream string) int {
	t.Helper()
	s, err := d.js.Stream(t.Context(), stream)
	if err != nil {
		t.Fatal(err)
	}
	return int(s.CachedInfo().State.Msgs)
}

func waitFor(t *testing.T, met func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !met(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it does not come to it within a minute")
		}
	}
}

// audits reads the payloads of the audit stream.
func (d *deployment) audits(t *testing.T) [][]byte {
	t.Helper()
	var payloads [][]byte
	err := jet.ReadAll(t.Context(), d.js, jet.AuditStream, "", func(m pipeline.Message) error {
		payloads = append(payloads, m.Data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return payloads
}
