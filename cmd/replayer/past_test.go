package main

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/schemas"
)

// history is a server with streams, for the program to work on.
type history struct {
	t   testing.TB
	url string
	nc  *nats.Conn
	js  jetstream.JetStream
}

func newHistory(t testing.TB, partitions int) *history {
	t.Helper()
	server, err := jet.StartEmbedded(jet.EmbeddedConfig{})
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
	if _, err := jet.Provision(t.Context(), js, jet.StreamsConfig{Partitions: partitions}); err != nil {
		t.Fatal(err)
	}
	return &history{t: t, url: server.URL(), nc: nc, js: js}
}

// publish stores events, each under its id.
func (h *history) publish(payloads [][]byte) {
	h.t.Helper()
	for _, payload := range payloads {
		e, err := schemas.Decode(schemas.JSON, payload)
		if err != nil {
			h.t.Fatal(err)
		}
		m := &nats.Msg{Subject: event.Subjects{}.Event(e.Conversation), Data: payload, Header: nats.Header{}}
		m.Header.Set(nats.MsgIdHdr, e.ID)
		if _, err := h.js.PublishMsgAsync(m, jetstream.WithStallWait(time.Minute)); err != nil {
			h.t.Fatal(err)
		}
	}
	<-h.js.PublishAsyncComplete()
}

// play runs the program over the server's history.
func (h *history) play(args ...string) (code int, stdout, stderr string) {
	h.t.Helper()
	return h.playUntil(h.t.Context(), args...)
}

func (h *history) playUntil(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	h.t.Helper()
	var out, err bytes.Buffer
	code = run(ctx, append([]string{"--nats-url", h.url}, args...), strings.NewReader(""), &out, &err)
	return code, out.String(), withoutProgress(err.String())
}

// withoutProgress leaves out what is said only of a run that takes seconds.
func withoutProgress(stderr string) string {
	var kept strings.Builder
	for line := range strings.Lines(stderr) {
		if !strings.HasPrefix(line, "replayer: if it ends early") && !strings.Contains(line, " messages read, ") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// must is play of what must end well.
func (h *history) must(args ...string) (stdout, stderr string) {
	h.t.Helper()
	code, stdout, stderr := h.play(args...)
	if code != cli.Done {
		h.t.Fatalf("%v: code %d\n%s", args, code, stderr)
	}
	return stdout, stderr
}

// live runs a worker over the stream until the audit stream holds so many records. drain finishes what is in hand, else
// the worker is killed there.
func (h *history) live(ruleset string, until int, drain bool) {
	h.t.Helper()
	rules, err := turn.Policy{Ruleset: ruleset}.Compile()
	if err != nil {
		h.t.Fatal(err)
	}
	source, err := jet.OpenSource(h.t.Context(), h.js, jet.SourceConfig{AckWait: time.Second})
	if err != nil {
		h.t.Fatal(err)
	}
	defer source.Stop()
	sink, err := jet.NewSink(h.nc, jet.SinkConfig{})
	if err != nil {
		h.t.Fatal(err)
	}
	defer sink.Close(context.Background())
	worker, err := pipeline.NewWorker(pipeline.Config{Rules: rules, Grace: time.Second}, source, sink)
	if err != nil {
		h.t.Fatal(err)
	}
	ctx, kill := context.WithCancel(h.t.Context())
	defer kill()
	ended := make(chan error, 1)
	go func() { ended <- worker.Run(ctx) }()
	h.until(jet.AuditStream, until)
	if drain {
		source.Drain()
	} else {
		kill()
	}
	if err := <-ended; err != nil && drain {
		h.t.Fatal(err)
	}
}

// until waits until a stream holds so many messages. It gives up when none comes for a minute.
func (h *history) until(stream string, messages int) {
	h.t.Helper()
	seen, deadline := 0, time.Now().Add(time.Minute)
	for ; seen < messages; time.Sleep(5 * time.Millisecond) {
		if now := h.count(stream); now > seen {
			seen, deadline = now, time.Now().Add(time.Minute)
		}
		if time.Now().After(deadline) {
			h.t.Errorf("%s holds %d messages and does not come to hold %d", stream, seen, messages)
			return
		}
	}
}

func (h *history) count(stream string) int {
	h.t.Helper()
	s, err := h.js.Stream(context.WithoutCancel(h.t.Context()), stream)
	if err != nil {
		h.t.Fatal(err)
	}
	return int(s.CachedInfo().State.Msgs)
}

// bundled are the conversations that come along.
func bundled(t testing.TB) [][]byte {
	t.Helper()
	content, err := os.ReadFile(bundle)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSpace(content), []byte("\n"))
}

// lastOf gives the last payload of each audit subject.
func (h *history) lastOf() []string {
	h.t.Helper()
	last := map[string]string{}
	err := jet.ReadAll(h.t.Context(), h.js, jet.AuditStream, "", func(m pipeline.Message) error {
		last[m.Subject] = string(m.Data)
		return nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return slices.Sorted(maps.Values(last))
}

func linesOf(text string) []string {
	if text = strings.TrimSuffix(text, "\n"); text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// TestReplayedIsLive holds that what a consumer stored, one that was killed in the middle and followed by another, is
// byte for byte what the replayer makes of the stream, for any number of workers and any room for conversations, and that
// its order is that of the answers.
func TestReplayedIsLive(t *testing.T) {
	for _, ruleset := range turn.Rulesets {
		t.Run(ruleset, func(t *testing.T) {
			h := newHistory(t, 1)
			h.publish(bundled(t))
			replayed, _ := h.must("--rules", ruleset, "--workers", "1")
			want := linesOf(replayed)
			if len(want) < 100 {
				t.Fatalf("only %d verdicts", len(want))
			}
			seqs := make([]int, len(want))
			for i, line := range want {
				seqs[i] = answerSeq(t, line)
			}
			if !slices.IsSorted(seqs) {
				t.Errorf("the verdicts are in the order %v", seqs)
			}
			h.live(ruleset, len(want)/3, false)
			h.live(ruleset, len(want), true)
			if diff := cmp.Diff(h.lastOf(), slices.Sorted(slices.Values(want))); diff != "" {
				t.Errorf("live and replayed differ: %s", diff)
			}
			for _, args := range [][]string{{"--workers", "2"}, {"--workers", "9"}, {"--workers", "3", "--cache-bytes", "1"}, {"--cache-bytes", "20KiB"}} {
				if again, _ := h.must(append(args, "--rules", ruleset)...); again != replayed {
					t.Errorf("%v gives something else", args)
				}
			}
		})
	}
}

func answerSeq(t *testing.T, line string) int {
	t.Helper()
	var v struct{ AnswerSeq int }
	if err := json.Unmarshal([]byte(line), &v); err != nil {
		t.Fatal(err)
	}
	return v.AnswerSeq
}

// TestPartsMakeTheWhole replays a stream part by part. A conversation that a part cuts is read from its true beginning and
// to its end.
func TestPartsMakeTheWhole(t *testing.T) {
	h := newHistory(t, 4)
	events := bundled(t)
	h.publish(events[:len(events)/2])
	between := time.Now().UTC().Format(time.RFC3339Nano)
	time.Sleep(10 * time.Millisecond)
	h.publish(events[len(events)/2:])
	whole, _ := h.must()
	for name, parts := range map[string][][]string{
		"sequences": {{"--to-seq", "17"}, {"--from-seq", "18", "--to-seq", "300"}, {"--from-seq", "301"}},
		"time":      {{"--to", between}, {"--from", between}},
		"days":      {{"--from", "2020-01-01", "--to", "2199-01-01"}, {"--from", "2199-01-01"}},
	} {
		var together strings.Builder
		for _, args := range parts {
			part, _ := h.must(args...)
			together.WriteString(part)
		}
		if together.String() != whole {
			t.Errorf("%s: the parts are not the whole", name)
		}
	}
	var some []string
	for _, line := range linesOf(whole) {
		if strings.Contains(line, `"conversation":"task6-trial1"`) {
			some = append(some, line)
		}
	}
	for _, args := range [][]string{{"--conversation", "task6-trial1"}, {"--tenant", "tau", "--agent", "airline", "--conversation", "task6-trial1"}} {
		if got, _ := h.must(args...); len(some) == 0 || !slices.Equal(linesOf(got), some) {
			t.Errorf("%v gives %d verdicts, want %d", args, len(linesOf(got)), len(some))
		}
	}
	if got, _ := h.must("--tenant", "nobody"); got != "" {
		t.Errorf("a tenant that is not there has verdicts: %s", got)
	}
}

// TestUnreadInHistory holds that a replay over messages that cannot be read ends as that of a file with such lines does: the
// rest is judged, and the code is 3.
func TestUnreadInHistory(t *testing.T) {
	h := newHistory(t, 1)
	h.publish(mixedEvents(500))
	for _, payload := range []string{"{", `{"v":9}`} {
		if _, err := h.js.Publish(t.Context(), event.Subjects{}.Event(event.Conversation{Tenant: "t", Agent: "a0", ID: "c3"}), []byte(payload)); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		nil, {"--summary", "json"}, {"--publish", "--resume", "p"}, {"--publish", "--resume", "p"}, {"--diff"}, {"--against", "literal-1", "--exit-code"},
	} {
		code, stdout, stderr := h.play(args...)
		if code != cli.Unfinished || !strings.Contains(stderr, "replayer: messages of the range that could not be read, or judged: 2; the rest is done") {
			t.Errorf("%v: code %d\n%s", args, code, stderr)
		}
		if args == nil && len(linesOf(stdout)) != 100 {
			t.Errorf("%d verdicts", len(linesOf(stdout)))
		}
	}
	if n := h.count(jet.AuditStream); n != 100 {
		t.Errorf("%d verdicts are stored", n)
	}
}

func TestPastUsage(t *testing.T) {
	for _, tt := range []struct {
		args string
		want string
	}{
		{"--from yesterday", `--from "yesterday": want 2026-10-01`},
		{"--from 2026-01-01 --from-seq 4", "--from and --from-seq are both given"},
		{"--to 2026-01-01 --to-seq 4", "--to and --to-seq are both given"},
		{"--from-seq 5 --to-seq 4", "--to-seq 4 comes before --from-seq 5"},
		{"--from 2026-02-01 --to 2026-01-01", "--to 2026-01-01 comes before --from 2026-02-01"},
		{"--publish --verify", "--publish, --verify and --diff are three jobs"},
		{"--publish --against literal-1", "--publish, --verify and --diff are three jobs"},
		{"--publish --out x.jsonl", "--publish stores verdicts, --out and --text write them"},
		{"--verify --stored literal-1", "--stored belongs to --diff"},
		{"--diff --out x.parquet", "a Parquet file holds verdicts"},
		{"--out x.parquet --resume a", "a Parquet file cannot be gone on with"},
		{"--resume a.b", `--resume "a.b": want up to 64 letters`},
		{"--workers=-1", "--workers -1: want 1 or more"},
		{"--rate=-1", "--rate -1: want more than 0"},
		{"--cache-bytes 0", "--cache-bytes 0: want more than 0"},
		{"--creds a --nkey b", "--creds and --nkey are both given"},
		{"--against calibrated-9", "--against: open calibrated-9"},
	} {
		code, stdout, stderr := play(t, "", append([]string{"--nats-url", "nats://127.0.0.1:1"}, strings.Fields(tt.args)...)...)
		if code != cli.Usage || stdout != "" || !strings.Contains(stderr, tt.want) {
			t.Errorf("%s: code %d, stderr %q, want %q", tt.args, code, stderr, tt.want)
		}
	}
}
