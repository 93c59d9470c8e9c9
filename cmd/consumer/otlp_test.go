package main

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// TestTraces: an agent that is instrumented with the OpenTelemetry SDK, and sends its spans with the SDK's own exporter, is
// audited without code of its own.
func TestTraces(t *testing.T) {
	p := start(t, "--store-dir", t.TempDir(), "--port=0", "--otlp=127.0.0.1:0", "--log-format=json")
	url := await(t, &p.stderr, `"server":"([^"]+)"`)
	address := await(t, &p.stderr, `"taking traces in","address":"([^"]+)"`)
	runAgent(t, address)

	js := connect(t, url)
	v := awaitVerdict(t, js)
	if m, ok, err := jet.NewPast(js, jet.EventsStream).At(t.Context(), v.AnswerSeq); err != nil || !ok || len(m.Header[jet.HeaderTraceParent]) != 1 {
		t.Errorf("the answer's message names no span: %v, %v", m.Header, err)
	}
	if v.Agent != "depot" || v.Conversation != "conv-7" || v.Turn != 1 || v.Outcome != event.Unsupported {
		t.Errorf("%s/%s turn %d: %s for %v", v.Agent, v.Conversation, v.Turn, v.Outcome, v.Reasons)
	}
	if len(v.Unsupported) != 1 || v.Unsupported[0].Value != "55012" || len(v.Results) != 1 || v.Results[0].Tool != "find_crate" {
		t.Errorf("unsupported %v, results %v", v.Unsupported, v.Results)
	}
	p.stop()
	if code := p.end(t); code != cli.Done {
		t.Errorf("code %d", code)
	}
}

// runAgent records one turn as the conventions have it, and sends it.
func runAgent(t *testing.T, address string) {
	t.Helper()
	exporter, err := otlptracehttp.New(t.Context(), otlptracehttp.WithEndpoint(address), otlptracehttp.WithInsecure(),
		otlptracehttp.WithCompression(otlptracehttp.GzipCompression))
	if err != nil {
		t.Fatal(err)
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter),
		sdktrace.WithResource(resource.NewSchemaless(attribute.String("service.name", "depot-service"))))
	tracer := provider.Tracer("test")
	record := func(ctx context.Context, name string, attributes ...attribute.KeyValue) {
		_, span := tracer.Start(ctx, name)
		span.SetAttributes(append(attributes, attribute.String("gen_ai.conversation.id", "conv-7"))...)
		time.Sleep(time.Millisecond) // the clock's own step
		span.End()
	}
	text := attribute.String
	const user = `{"role":"user","parts":[{"type":"text","content":"Where is the pump?"}]}`
	const ask = `{"role":"assistant","parts":[{"type":"tool_call","id":"k1","name":"find_crate","arguments":{}}]}`
	const answer = `{"role":"assistant","parts":[{"type":"text","content":"In crate CR-20417, order 55012."}]}`
	ctx, root := tracer.Start(t.Context(), "invoke_agent depot")
	root.SetAttributes(text("gen_ai.operation.name", "invoke_agent"), text("gen_ai.agent.name", "depot"))
	record(ctx, "chat", text("gen_ai.operation.name", "chat"), text("gen_ai.input.messages", "["+user+"]"), text("gen_ai.output.messages", "["+ask+"]"))
	record(ctx, "execute_tool find_crate", text("gen_ai.operation.name", "execute_tool"), text("gen_ai.tool.name", "find_crate"),
		text("gen_ai.tool.call.id", "k1"), text("gen_ai.tool.call.result", `{"crate":"CR-20417"}`))
	record(ctx, "chat", text("gen_ai.operation.name", "chat"), text("gen_ai.input.messages", "["+user+","+ask+"]"), text("gen_ai.output.messages", "["+answer+"]"))
	root.End()
	if err := provider.Shutdown(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
}

// awaitVerdict waits for the first verdict.
func awaitVerdict(t *testing.T, js jetstream.JetStream) (v event.EvidenceChecked) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		stream, err := js.Stream(t.Context(), jet.AuditStream)
		if err != nil {
			t.Fatal(err)
		}
		m, err := stream.GetLastMsgForSubject(t.Context(), "agent.audit.evidence_checked.>")
		if err != nil {
			continue
		}
		if err := json.Unmarshal(m.Data, &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	t.Fatal("no verdict came")
	return v
}
