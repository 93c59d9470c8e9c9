package main

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// TestTelemetry: a verdict comes to an OTLP receiver as a log event, and the work on its answer as a trace, in the trace of
// the producer that published the answer.
func TestTelemetry(t *testing.T) {
	var mu sync.Mutex
	spans, labels := map[string]string{}, []string{} // guarded by mu: the traces of spans by name; the verdicts with theirs
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		body, err := io.ReadAll(plain(t, q))
		if err != nil {
			t.Error(err)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if strings.HasSuffix(q.URL.Path, "/v1/logs") {
			logs, err := (&plog.ProtoUnmarshaler{}).UnmarshalLogs(body)
			if err != nil {
				t.Error(err)
				return
			}
			record := logs.ResourceLogs().At(0).ScopeLogs().At(0).LogRecords().At(0)
			label, _ := record.Attributes().Get("gen_ai.evaluation.score.label")
			labels = append(labels, record.EventName()+" "+label.AsString()+" "+record.TraceID().String())
			return
		}
		traces, err := (&ptrace.ProtoUnmarshaler{}).UnmarshalTraces(body)
		if err != nil {
			t.Error(err)
			return
		}
		for _, span := range traces.ResourceSpans().At(0).ScopeSpans().At(0).Spans().All() {
			spans[span.Name()] = span.TraceID().String()
		}
	}))
	defer collector.Close()
	p := start(t, "--store-dir", t.TempDir(), "--port=0", "--otel-endpoint", collector.URL+"/base/", "--log-format=json")
	url := await(t, &p.stderr, `"server":"([^"]+)"`)
	js := connect(t, url)
	m, err := jet.EventMessage(event.Subjects{}, event.Event{
		ID: "e1", Conversation: event.Conversation{Tenant: "acme", Agent: "desk", ID: "c1"}, Turn: 1, Answer: &event.Answer{Text: "order 55012", User: new("which?")},
	})
	if err != nil {
		t.Fatal(err)
	}
	const producer = "0af7651916cd43dd8448eb211c80319c"
	m.Header.Set("traceparent", "00-"+producer+"-b7ad6b7169203331-01")
	if _, err := js.PublishMsg(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	awaitVerdict(t, js)
	p.stop()
	if code := p.end(t); code != cli.Done {
		t.Errorf("code %d", code)
	}
	for _, name := range []string{"plumbline.take", "plumbline.fold", "plumbline.judge", "plumbline.store"} {
		if spans[name] != producer {
			t.Errorf("%s is in the trace %q, of %v", name, spans[name], spans)
		}
	}
	if want := "gen_ai.evaluation.result unsupported " + producer; len(labels) != 1 || labels[0] != want {
		t.Errorf("log events %q, want %q", labels, want)
	}
}

func plain(t *testing.T, q *http.Request) io.Reader {
	t.Helper()
	if q.Header.Get("Content-Encoding") != "gzip" {
		return q.Body
	}
	r, err := gzip.NewReader(q.Body)
	if err != nil {
		t.Error(err)
		return strings.NewReader("")
	}
	return r
}

// TestTelemetryThatNobodyTakes: verdicts are stored and the program stops in time when the receiver is gone; what was lost is
// counted and said.
func TestTelemetryThatNobodyTakes(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	p := start(t, "--store-dir", t.TempDir(), "--port=0", "--http=127.0.0.1:0", "--drain-timeout=200ms", "--otel-endpoint", gone.URL, "--log-format=json")
	url := await(t, &p.stderr, `"server":"([^"]+)"`)
	address := await(t, &p.stderr, `"serving[^"]*","address":"([^"]+)"`)
	js := connect(t, url)
	m := nats.NewMsg("agent.events.acme.desk.c1")
	m.Data = []byte(`{"v":1,"type":"answer","id":"e1","tenant":"acme","agent":"desk","conversation":"c1","turn":1,"iteration":0,"text":"order 55012","user":"?"}`)
	if _, err := js.PublishMsg(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	awaitVerdict(t, js)
	if _, metrics := get(t, "http://"+address+"/metrics"); !strings.Contains(metrics, `plumbline_telemetry_lost_total{signal="logs",why="queue_full"} 0`) {
		t.Errorf("losses are not counted")
	}
	p.stop()
	if code := p.end(t); code != cli.Done {
		t.Errorf("code %d", code)
	}
	await(t, &p.stderr, `not sent to OpenTelemetry`)
}
