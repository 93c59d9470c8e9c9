package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/cmd/internal/demo"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/schemas"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// buffer is a bytes.Buffer that a program may write to while a test reads.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// process is the program, running.
type process struct {
	stdout, stderr buffer
	stop           context.CancelFunc
	code           chan int
}

func start(t *testing.T, args ...string) *process {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	p := &process{stop: cancel, code: make(chan int, 1)}
	go func() { p.code <- run(ctx, args, strings.NewReader(""), &p.stdout, &p.stderr) }()
	t.Cleanup(func() {
		cancel()
		if t.Failed() {
			t.Logf("stdout:\n%s\nstderr:\n%s", p.stdout.String(), p.stderr.String())
		}
	})
	return p
}

// end waits for the program's end and returns its exit code.
func (p *process) end(t *testing.T) int {
	t.Helper()
	select {
	case code := <-p.code:
		p.code <- code
		return code
	case <-time.After(time.Minute):
		t.Fatal("the program does not end")
		return -1
	}
}

// await waits until the pattern stands in the output, and returns its first group.
func await(t *testing.T, b *buffer, pattern string) string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if found := re.FindStringSubmatch(b.String()); found != nil {
			return found[len(found)-1]
		}
	}
	t.Fatalf("%q never came", pattern)
	return ""
}

func connect(t *testing.T, url string) jetstream.JetStream {
	t.Helper()
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

func publish(t *testing.T, url, subject string, payload []byte) {
	t.Helper()
	if _, err := connect(t, url).Publish(t.Context(), subject, payload); err != nil {
		t.Fatal(err)
	}
}

// publishBundle publishes the bundled events and returns how many answers are among them.
func publishBundle(t *testing.T, js jetstream.JetStream) (answers int) {
	t.Helper()
	for payload := range demo.Events() {
		e, err := schemas.Decode(schemas.JSON, payload)
		if err != nil {
			t.Fatal(err)
		}
		if e.Answer != nil {
			answers++
		}
		if _, err := js.Publish(t.Context(), (event.Subjects{}).Event(e.Conversation), payload); err != nil {
			t.Fatal(err)
		}
	}
	return answers
}

func stored(t *testing.T, js jetstream.JetStream, stream string) uint64 {
	t.Helper()
	s, err := js.Stream(t.Context(), stream)
	if err != nil {
		t.Fatal(err)
	}
	return s.CachedInfo().State.Msgs
}

func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	http.DefaultClient.CloseIdleConnections()
	return r.StatusCode, string(b)
}

// TestServe runs the program over a store that is kept, stops it in the middle of its work and starts it again: every
// answer has one verdict, and health and metrics say what there is to say.
func TestServe(t *testing.T) {
	args := []string{"--store-dir", t.TempDir(), "--port=0", "--http=127.0.0.1:0", "--log-format=json"}
	p := start(t, args...)
	url := await(t, &p.stderr, `"msg":"ready","server":"([^"]+)"`)
	js := connect(t, url)
	answers := publishBundle(t, js)
	publish(t, url, "agent.events.t.a.c", []byte("\xff"))
	p.stop()
	if code := p.end(t); code != cli.Done {
		t.Fatalf("code %d", code)
	}
	// What is in hand was finished. The server may have sent one more while it was told to send none.
	await(t, &p.stderr, `"msg":"stopped","messages_not_finished":[01],"messages_not_taken":\d+`)

	p = start(t, args...)
	health := "http://" + await(t, &p.stderr, `"address":"([^"]+)"`)
	js = connect(t, await(t, &p.stderr, `"msg":"ready","server":"([^"]+)"`))
	for deadline := time.Now().Add(time.Minute); stored(t, js, jet.AuditStream) < uint64(answers) || stored(t, js, jet.DeadStream) < 1; {
		if time.Now().After(deadline) {
			t.Fatalf("%d verdicts and %d dead letters are stored", stored(t, js, jet.AuditStream), stored(t, js, jet.DeadStream))
		}
		time.Sleep(10 * time.Millisecond)
	}
	if n := stored(t, js, jet.AuditStream); n != uint64(answers) {
		t.Errorf("%d verdicts for %d answers", n, answers)
	}
	for path, want := range map[string]string{"/livez": "ok\n", "/readyz": "ok\n", "/metrics": "\nplumbline_ready 1\n"} {
		if status, body := get(t, health+path); status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s: status %d, %q", path, status, body)
		}
	}
	p.stop()
	if code := p.end(t); code != cli.Done {
		t.Errorf("code %d", code)
	}
}

// TestSaysWhatItLeaves stops the program while an answer waits for a call that it names: the answer is left for the
// next start, and the program says so.
func TestSaysWhatItLeaves(t *testing.T) {
	args := []string{"--store-dir", t.TempDir(), "--port=0"}
	p := start(t, append(args, "--grace=1h")...)
	js := connect(t, await(t, &p.stderr, `msg=ready server=(\S+)`))
	waiting := `{"v":1,"type":"answer","id":"1","time":"2026-01-05T09:00:00Z","tenant":"t","agent":"a","conversation":"c",` +
		`"turn":1,"iteration":1,"calls":["never"],"user":"Where is it?","text":"Parcel 48213 is here."}`
	if _, err := js.Publish(t.Context(), "agent.events.t.a.c", []byte(waiting)); err != nil {
		t.Fatal(err)
	}
	awaitTaken(t, js)
	p.stop()
	if code := p.end(t); code != cli.Done {
		t.Errorf("code %d", code)
	}
	await(t, &p.stderr, `msg=stopped messages_not_finished=1 messages_not_taken=0`)
}

// awaitTaken waits until the one message was handed to the program.
func awaitTaken(t *testing.T, js jetstream.JetStream) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		stream, err := js.Stream(t.Context(), jet.EventsStream)
		if err != nil {
			t.Fatal(err)
		}
		for info := range stream.ListConsumers(t.Context()).Info() {
			if info.NumAckPending == 1 {
				return
			}
		}
	}
	t.Fatal("the message was never taken")
}

// TestMetrics publishes what each counter counts, and reads it off /metrics.
func TestMetrics(t *testing.T) {
	p := start(t, "--rules=literal-1", "--store-dir", t.TempDir(), "--port=0", "--http=127.0.0.1:0")
	url := await(t, &p.stderr, `msg=ready server=(\S+)`)
	health := "http://" + await(t, &p.stderr, `address=(\S+)`)
	await(t, &p.stderr, "took a partition") // what waits is looked up then
	publishBundle(t, connect(t, url))
	publish(t, url, "agent.events.t.a.c", []byte("not JSON: 4711"))
	await(t, &p.stderr, `msg="a message could not be read`)
	if strings.Contains(p.stderr.String(), "4711") {
		t.Error("a log line holds what was said")
	}
	for _, want := range []string{
		`plumbline_verdicts_total{agent="airline",outcome="unsupported",ruleset="literal-1",tenant="tau"} 21`,
		`plumbline_verdicts_total{agent="airline",outcome="nothing_asserted",ruleset="literal-1",tenant="tau"} 64`,
		`plumbline_unsupported_values_total{agent="airline",tenant="tau"} `, `plumbline_events_total{type="answer"} 134`,
		`plumbline_results_total{reading="unknown",tool="get_user_details"}`, `plumbline_decision_duration_seconds_count 134`, `plumbline_event_wait_seconds_count 279`,
		`plumbline_cache_limit_bytes 2.68435456e+08`, `plumbline_build_info{engine="plumbline/`,
		`plumbline_dead_letters_total{reason="`, `plumbline_conversations_rebuilt_total 0`,
		`plumbline_conversations_evicted_total 0`, `plumbline_verdicts_superseded_total 0`, `plumbline_events_waiting{partition="0"} 0`,
	} {
		if _, body := get(t, health+"/metrics"); !strings.Contains(body, want) {
			t.Errorf("/metrics lacks %s", want)
		}
	}
}

func TestWaitsForTheServerAndSaysSo(t *testing.T) {
	p := start(t, "--nats-url=nats://127.0.0.1:1", "--http=127.0.0.1:0")
	health := "http://" + await(t, &p.stderr, `address=(\S+)`)
	if status, body := get(t, health+"/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(body, "NATS") {
		t.Errorf("/readyz: status %d, %q", status, body)
	}
	if status, _ := get(t, health+"/livez"); status != http.StatusOK {
		t.Errorf("/livez: status %d", status)
	}
	p.stop()
	if code := p.end(t); code != cli.Done {
		t.Errorf("code %d", code)
	}
	await(t, &p.stderr, `stopped before it was ready.*--nats-url`)
}

// TestServerElsewhere runs the program over a server that is not its own.
func TestServerElsewhere(t *testing.T) {
	server, err := jet.StartEmbedded(jet.EmbeddedConfig{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	t.Setenv("NATS_URL", server.URL())

	p := start(t)
	if code := p.end(t); code != cli.Unfinished || !strings.Contains(p.stderr.String(), "AGENT_EVENTS does not exist: create it, or start with --provision") {
		t.Errorf("without streams: code %d, stderr %s", code, p.stderr.String())
	}
	p = start(t, "--provision", "--partitions=2")
	await(t, &p.stderr, `msg=ready.* partitions=2`)
	p.stop()
	if code := p.end(t); code != cli.Done {
		t.Errorf("code %d", code)
	}
	p = start(t, "--partitions=5")
	if code := p.end(t); code != cli.Unfinished || !strings.Contains(p.stderr.String(), "--partitions 5") {
		t.Errorf("with other partitions: code %d, stderr %s", code, p.stderr.String())
	}
}

func TestTakenAddress(t *testing.T) {
	server, err := jet.StartEmbedded(jet.EmbeddedConfig{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	taken := strings.TrimPrefix(server.URL(), "nats://")
	p := start(t, "--demo", "--once", "--http", taken)
	if code := p.end(t); code != cli.Unfinished || !strings.Contains(p.stderr.String(), "--http "+taken) {
		t.Errorf("code %d, stderr %s", code, p.stderr.String())
	}
}

func TestUsage(t *testing.T) {
	tests := []struct {
		args string
		want string
	}{
		{"--nats-url= --creds x", "--creds is for a NATS server elsewhere"},
		{"--tls-ca x", "--tls-ca is for a NATS server elsewhere"},
		{"--nats-url nats://h --store-dir x", "--store-dir, --port and --sync-always are for the server inside"},
		{"--nats-url nats://h --port 0", "--store-dir, --port and --sync-always are for the server inside"},
		{"--nats-url nats://h --sync-always", "--store-dir, --port and --sync-always are for the server inside"},
		{"--replicas 3", "--replicas"},
		{"--demo --nats-url nats://h", "--demo runs a server of its own"},
		{"--demo --store-dir x", "--demo runs a server of its own"},
		{"--demo --no-provision", "leave --no-provision out"},
		{"--once", "--once and --json belong to --demo"},
		{"--json", "--once and --json belong to --demo"},
		{"--grace=-1s", "--grace -1s"},
		{"--pace=-1s", "--pace -1s"},
		{"--drain-timeout 0s", "--drain-timeout 0s"},
		{"--cache-bytes 0", "--cache-bytes 0"},
		{"--partitions=-1", "--partitions -1"},
		{"--port 65536", "--port 65536"},
		{"--rules calibrated-9", `--rules: `},
		{"--log-format xml", `--log-format "xml": want text or json`},
		{"--http 8080", `--http "8080": want host:port or :port`},
		{"--otlp 4318", `--otlp "4318": want host:port or :port`},
		{"--policy /nowhere/x", "--policy: "},
		{"--nats-url nats://h --creds /nowhere/x", "check --creds"},
		{"--nats-url nats://h --nkey /nowhere/x", "check --nkey"},
		{"--nats-url nats://h --tls-ca /nowhere/x", "check --tls-ca"},
		{"--nats-url nats://h --tls-cert /nowhere/x --tls-key /nowhere/x", "check --tls-cert and --tls-key"},
		{"--nats-url nats://h:%zz", "check --nats-url"},
		{"--prefix a..b", `--prefix "a..b": use words`},
		{"--nats-url nats://h --prefix a.*", `--prefix "a.*": use words`},
		{"--partitions 5000", "--partitions 5000: choose 1 to"},
		{"--nats-url nats://h --replicas 9", "--replicas 9: choose 1 to 5"},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := run(t.Context(), strings.Fields(tt.args), strings.NewReader(""), &stdout, &stderr)
			if code != cli.Usage || stdout.String() != "" || !strings.Contains(stderr.String(), tt.want) {
				t.Errorf("code %d, stdout %q, stderr %q, want %d and %q", code, stdout.String(), stderr.String(), cli.Usage, tt.want)
			}
		})
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) {
	return 0, fmt.Errorf("%w: the screen is gone", os.ErrClosed)
}

func TestScreenThatBreaks(t *testing.T) {
	for _, args := range [][]string{{"--demo", "--once", "--pace=0s"}, {"--demo", "--once", "--pace=0s", "--json"}} {
		var stderr bytes.Buffer
		code := run(t.Context(), args, strings.NewReader(""), brokenPipe{}, &stderr)
		if code != cli.Unfinished || !strings.Contains(stderr.String(), "the screen is gone") {
			t.Errorf("%v: code %d, stderr %q", args, code, stderr.String())
		}
	}
}
