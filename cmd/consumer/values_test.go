package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/schemas"
)

// TestValuesThatVerdictsCarry runs the hostile traffic through the program under each --values: under all but full, nothing
// that was said stands in anything that is published. In no metric, no log line and nothing that is sent to OpenTelemetry does
// it stand under any. What is published fits its
// schema.
func TestValuesThatVerdictsCarry(t *testing.T) {
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte(strings.Repeat("k", 32)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for how, flags := range map[string][]string{"full": nil, "none": {"--values=none"}, "hashed": {"--values=hashed", "--values-key", key}} {
		t.Run(how, func(t *testing.T) {
			said, published := saidOf(t, flags)
			if strings.Contains(said, marker) {
				t.Error("a metric, a log line, a span or a log event holds what was said")
			}
			if !strings.Contains(said, "plumbline.judge") || !strings.Contains(said, "gen_ai.evaluation.result") {
				t.Error("no spans or no log events were sent")
			}
			if found := strings.Contains(published, marker); found != (how == "full") {
				t.Errorf("what is published holds what was said: %v", found)
			}
			if !strings.Contains(published, `"outcome":"unsupported"`) || !strings.Contains(published, `"kind":"ledger"`) || !strings.Contains(published, `"kind":"absence"`) {
				t.Error("the traffic makes too few kinds of records to show anything")
			}
		})
	}
}

// saidOf runs the traffic through the program: said is its log, its metrics and what it sends to OpenTelemetry, published
// everything on the audit stream.
func saidOf(t *testing.T, flags []string) (said, published string) {
	t.Helper()
	var sent buffer
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		if _, err := io.Copy(&sent, plain(t, q)); err != nil {
			t.Error(err)
		}
	}))
	defer collector.Close()
	p := start(t, append(flags, "--store-dir", t.TempDir(), "--port=0", "--http=127.0.0.1:0", "--grace=0s", "--otel-endpoint", collector.URL)...)
	js := connect(t, await(t, &p.stderr, `msg=ready server=(\S+)`))
	metrics := "http://" + await(t, &p.stderr, `address=(\S+)`) + "/metrics"
	for _, m := range hostile() {
		if _, err := js.PublishMsg(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	awaitFinished(t, js)
	_, said = get(t, metrics)
	var all strings.Builder
	err := jet.ReadAll(t.Context(), js, jet.AuditStream, "", func(m pipeline.Message) error {
		fmt.Fprintln(&all, m.Subject, m.Header, string(m.Data))
		kind := event.KindEvidenceChecked
		if strings.Contains(m.Subject, string(event.KindCoverageDeclared)) {
			kind = event.KindCoverageDeclared
		}
		if schemas.EncodingOf(m.Header) == schemas.JSON {
			if err := schemas.Validate(kind, m.Data); err != nil {
				t.Errorf("%s: %v", m.Data, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	p.stop()
	p.end(t)
	return said + sent.String() + p.stderr.String() + p.stdout.String(), all.String()
}
