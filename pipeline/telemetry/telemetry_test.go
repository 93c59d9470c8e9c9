package telemetry_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.uber.org/goleak"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/telemetry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// receiver is an OTLP/HTTP receiver that reads what comes as the Collector does.
type receiver struct {
	*httptest.Server
	mu    sync.Mutex
	spans []ptrace.Span    // guarded by mu
	logs  []plog.LogRecord // guarded by mu
	named []string         // guarded by mu: the services that sent something
	hold  chan struct{}    // nil: answer at once
}

func newReceiver(t *testing.T, hold chan struct{}) *receiver {
	t.Helper()
	r := &receiver{hold: hold}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if err := r.take(q); err != nil {
			t.Error(err)
			w.WriteHeader(http.StatusBadRequest)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) take(q *http.Request) error {
	body, err := bodyOf(q)
	if err != nil {
		return err
	}
	if r.hold != nil {
		<-r.hold
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch q.URL.Path {
	case "/v1/traces":
		traces, err := (&ptrace.ProtoUnmarshaler{}).UnmarshalTraces(body)
		if err != nil {
			return err
		}
		for _, resource := range traces.ResourceSpans().All() {
			r.named = append(r.named, text(resource.Resource().Attributes(), "service.name"))
			for _, scope := range resource.ScopeSpans().All() {
				for _, span := range scope.Spans().All() {
					r.spans = append(r.spans, span)
				}
			}
		}
	case "/v1/logs":
		logs, err := (&plog.ProtoUnmarshaler{}).UnmarshalLogs(body)
		if err != nil {
			return err
		}
		for _, resource := range logs.ResourceLogs().All() {
			r.named = append(r.named, text(resource.Resource().Attributes(), "service.name"))
			for _, scope := range resource.ScopeLogs().All() {
				for _, record := range scope.LogRecords().All() {
					r.logs = append(r.logs, record)
				}
			}
		}
	default:
		return fmt.Errorf("asked for %s", q.URL.Path)
	}
	return nil
}

func bodyOf(q *http.Request) ([]byte, error) {
	if q.Header.Get("Content-Encoding") != "gzip" {
		return io.ReadAll(q.Body)
	}
	plain, err := gzip.NewReader(q.Body)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(plain)
}

func text(attributes pcommon.Map, name string) string {
	value, ok := attributes.Get(name)
	if !ok {
		return "(none)"
	}
	return value.AsString()
}

// span gives the first span of a name.
func (r *receiver) span(t *testing.T, name string) ptrace.Span {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.spans, func(s ptrace.Span) bool { return s.Name() == name })
	if i < 0 {
		t.Fatalf("no span %q among %d", name, len(r.spans))
	}
	return r.spans[i]
}

const (
	traceID    = "0af7651916cd43dd8448eb211c80319c"
	producerID = "b7ad6b7169203331"
)

func message(headers map[string][]string) pipeline.Message {
	return pipeline.Message{Seq: 7, Subject: "agent.log.0.acme.desk.c1", Header: headers, Data: []byte("the secret text")}
}

func open(t *testing.T, c telemetry.Config) *telemetry.Telemetry {
	t.Helper()
	sent, err := telemetry.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return sent
}

func closed(t testing.TB, sent *telemetry.Telemetry, within time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	if err := sent.Close(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// verdict is one that holds values that may not leave through telemetry.
func verdict(outcome event.Outcome) event.EvidenceChecked {
	v := event.EvidenceChecked{Outcome: outcome, LookedUp: 4, Reasons: []event.Reason{event.RowsMissing}}
	v.Tenant, v.Agent, v.Conversation, v.Turn, v.Iteration, v.Ruleset = "acme", "desk", "c1", 2, 1, "literal-1"
	v.AnswerSeq, v.Through, v.Policy = 7, 9, "abc"
	if outcome == event.Unsupported {
		v.Unsupported = []event.UnsupportedValue{{Value: "secret-55012"}}
	}
	return v
}

// TestTraceAndVerdict: the spans of a message are in the producer's trace, and the verdict is a log event of the producer's
// span, in the words of the GenAI conventions.
func TestTraceAndVerdict(t *testing.T) {
	r := newReceiver(t, nil)
	sent := open(t, telemetry.Config{Endpoint: r.URL, Version: "v1"})
	f := sent.Take(message(map[string][]string{
		"traceparent": {"00-" + traceID + "-" + producerID + "-01"}, "gen-ai-response-id": {"resp-1"},
	}))
	f.Step(pipeline.StepFold)(nil)
	f.Step(pipeline.StepStore)(errors.New("not now"))
	f.Verdict(verdict(event.Unsupported), 1)
	f.End(false)
	closed(t, sent, 5*time.Second)

	take := r.span(t, "plumbline.take")
	if take.TraceID().String() != traceID || take.ParentSpanID().String() != producerID || take.Kind() != ptrace.SpanKindConsumer {
		t.Errorf("the message's span is %s of %s, a %s", take.ParentSpanID(), take.TraceID(), take.Kind())
	}
	if got := text(take.Attributes(), "gen_ai.conversation.id") + text(take.Attributes(), "plumbline.sequence"); got != "c17" {
		t.Errorf("the message's span is about %q", got)
	}
	for _, step := range []string{"plumbline.fold", "plumbline.store"} {
		if s := r.span(t, step); s.TraceID() != take.TraceID() || s.ParentSpanID() != take.SpanID() {
			t.Errorf("%s is no step of the message", step)
		}
	}
	if s := r.span(t, "plumbline.store"); s.Status().Code() != ptrace.StatusCodeError || s.Status().Message() != "not now" {
		t.Errorf("a step that failed has the status %v", s.Status())
	}
	if len(r.logs) != 1 {
		t.Fatalf("%d log events", len(r.logs))
	}
	e := r.logs[0]
	if e.EventName() != "gen_ai.evaluation.result" || e.TraceID().String() != traceID || e.SpanID().String() != producerID {
		t.Errorf("the log event is %q of %s %s", e.EventName(), e.TraceID(), e.SpanID())
	}
	for name, want := range map[string]string{
		"gen_ai.evaluation.name": "plumbline.evidence", "gen_ai.evaluation.score.label": "unsupported", "gen_ai.evaluation.score.value": "0.75",
		"gen_ai.evaluation.explanation": "1 of 4 checked values stand in nothing that the agent read or was told.",
		"gen_ai.response.id":            "resp-1", "gen_ai.conversation.id": "c1", "gen_ai.agent.name": "desk", "plumbline.tenant": "acme",
		"plumbline.turn": "2", "plumbline.revision": "1", "plumbline.reasons": `["rows_missing"]`,
	} {
		if got := text(e.Attributes(), name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if slices.ContainsFunc(r.named, func(name string) bool { return name != "plumbline-consumer" }) || len(r.named) == 0 {
		t.Errorf("services %q", r.named)
	}
}

// TestScores: there is a score when it can be told, and only then.
func TestScores(t *testing.T) {
	r := newReceiver(t, nil)
	sent := open(t, telemetry.Config{Endpoint: r.URL})
	for _, outcome := range []event.Outcome{event.Grounded, event.Unsupported, event.NothingAsserted, event.CannotTell} {
		f := sent.Take(message(nil))
		f.Verdict(verdict(outcome), 0)
		f.End(true)
	}
	closed(t, sent, 5*time.Second)
	var scores []string
	for _, e := range r.logs {
		scores = append(scores, text(e.Attributes(), "gen_ai.evaluation.score.label")+" "+text(e.Attributes(), "gen_ai.evaluation.score.value"))
		if e.TraceID().IsEmpty() {
			t.Error("a verdict of a message without a trace is in no trace")
		}
		if said := fmt.Sprint(e.Attributes().AsRaw()); strings.Contains(said, "secret") || text(e.Attributes(), "gen_ai.evaluation.explanation") == "" {
			t.Errorf("the log event says %s", said)
		}
	}
	if want := []string{"grounded 1", "unsupported 0.75", "nothing_asserted (none)", "cannot_tell (none)"}; !slices.Equal(scores, want) {
		t.Errorf("scores %q, want %q", scores, want)
	}
	if take := r.span(t, "plumbline.take"); take.Status().Code() != ptrace.StatusCodeError {
		t.Error("a message that was handed back has no error")
	}
}

// TestNothingIsSentThatWasNotAskedFor: a producer that did not sample its trace is followed by no spans, and a signal that
// the environment refuses is not sent.
func TestNothingIsSentThatWasNotAskedFor(t *testing.T) {
	t.Setenv("OTEL_LOGS_EXPORTER", "none")
	r := newReceiver(t, nil)
	sent := open(t, telemetry.Config{Endpoint: r.URL})
	f := sent.Take(message(map[string][]string{"Traceparent": {"00-" + traceID + "-" + producerID + "-00"}}))
	f.Step(pipeline.StepFold)(nil)
	f.Verdict(verdict(event.Grounded), 0)
	f.End(false)
	closed(t, sent, 5*time.Second)
	if len(r.spans) > 0 || len(r.logs) > 0 {
		t.Errorf("%d spans and %d log events were sent", len(r.spans), len(r.logs))
	}
}

// losses counts what was not sent.
type losses struct {
	mu     sync.Mutex
	counts map[string]int
}

func (l *losses) add(lost telemetry.Loss) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.counts == nil {
		l.counts = map[string]int{}
	}
	l.counts[fmt.Sprint(lost.Signal, " ", lost.Err != nil)] += lost.Count
}

// TestAReceiverThatHangsHoldsNothingUp: what does not fit is dropped and counted, and the work goes on at once.
func TestAReceiverThatHangsHoldsNothingUp(t *testing.T) {
	hold := make(chan struct{})
	r := newReceiver(t, hold)
	var lost losses
	sent := open(t, telemetry.Config{Endpoint: r.URL, Lost: lost.add})
	const messages = telemetry.Queue + 500
	for range messages {
		f := sent.Take(message(nil))
		f.Verdict(verdict(event.Grounded), 0)
		f.End(false)
	}
	lost.mu.Lock()
	for _, signal := range telemetry.Signals {
		if n := lost.counts[signal+" false"]; n != messages-telemetry.Queue {
			t.Errorf("%d of %s were dropped, want %d", n, signal, messages-telemetry.Queue)
		}
	}
	lost.mu.Unlock()
	close(hold)
	closed(t, sent, 5*time.Second)
	if len(r.spans) != telemetry.Queue || len(r.logs) != telemetry.Queue {
		t.Errorf("%d spans and %d log events came, want %d of each", len(r.spans), len(r.logs), telemetry.Queue)
	}
}

// TestAReceiverThatRefuses: what is refused is counted with the reason.
func TestAReceiverThatRefuses(t *testing.T) {
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	defer refusing.Close()
	var lost losses
	sent := open(t, telemetry.Config{Endpoint: refusing.URL, Lost: lost.add})
	f := sent.Take(message(nil))
	f.Verdict(verdict(event.Grounded), 0)
	f.End(false)
	closed(t, sent, 5*time.Second)
	if lost.counts["traces true"] != 1 || lost.counts["logs true"] != 1 {
		t.Errorf("lost %v", lost.counts)
	}
}

// TestNamesThatAreNoText: a producer may put any bytes into its names. They spoil no span and no verdict, its own or another's.
func TestNamesThatAreNoText(t *testing.T) {
	r := newReceiver(t, nil)
	var lost losses
	sent := open(t, telemetry.Config{Endpoint: r.URL, Lost: lost.add})
	for _, subject := range []string{"agent.log.0.%FF.%C3%28.%ED%A0%80", "agent.log.0.acme.desk.c1"} {
		f := sent.Take(pipeline.Message{Seq: 7, Subject: subject, Header: map[string][]string{
			"Gen-Ai-Response-Id": {"\xff\x00"}, "tracestate": {"\xff=\xff"}, "traceparent": {"00-" + traceID + "-" + producerID + "-01"},
		}})
		f.Step(pipeline.StepStore)(errors.New("not \xff now"))
		v := verdict(event.Grounded)
		v.Conversation, v.Agent = "\xff", "\xed\xa0\x80"
		f.Verdict(v, 0)
		f.End(false)
	}
	closed(t, sent, 5*time.Second)
	if len(lost.counts) > 0 || len(r.spans) != 4 || len(r.logs) != 2 {
		t.Errorf("lost %v; %d spans and %d log events came, want 4 and 2", lost.counts, len(r.spans), len(r.logs))
	}
}

func TestWanted(t *testing.T) {
	if telemetry.Wanted() {
		t.Error("an empty environment wants telemetry")
	}
	t.Setenv("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "http://127.0.0.1:1")
	if !telemetry.Wanted() {
		t.Error("an environment with an endpoint wants none")
	}
	t.Setenv("OTEL_SDK_DISABLED", "TRUE")
	if telemetry.Wanted() {
		t.Error("a disabled SDK wants telemetry")
	}
	for endpoint, fine := range map[string]bool{"http://h:4318": true, "https://h/base/": true, "h:4318": false, "": false, "grpc://h": false, "http://h:143180": false, "http://:4318": false} {
		if err := telemetry.CheckEndpoint(endpoint); (err == nil) != fine {
			t.Errorf("%q: %v", endpoint, err)
		}
	}
}
