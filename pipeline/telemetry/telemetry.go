// Package telemetry answers "how do the traces of this work, and its verdicts, get to observability tools?". It sends both
// over OTLP/HTTP: a span for each message and for each step of it, joined to the producer's own trace when the message
// names one, and for each verdict that was stored a log event gen_ai.evaluation.result.
//
// It holds no rule about evidence, and nothing of what was said leaves through it: names, numbers and the closed words of a
// verdict only. What cannot be sent in time is dropped and counted; the work never waits for it.
package telemetry

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/propagation"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/plumbline-dev/plumbline/core/event"
)

// Config says where to. What it leaves open is read from OpenTelemetry's own environment variables: headers, certificates,
// time limits, the sampler, the resource.
type Config struct {
	// Endpoint is the URL of a collector, below which /v1/traces and /v1/logs are. Empty: what OTEL_EXPORTER_OTLP_ENDPOINT,
	// or the variable of one signal, says.
	Endpoint string
	// Version is the program's.
	Version string
	// Subjects names the subjects of the messages.
	Subjects event.Subjects
	// Lost is told of spans and log events that were not sent, on any goroutine: it must not block. Nil is nobody.
	Lost func(Loss)
}

// Loss is something that was not sent.
type Loss struct {
	Signal string // see Signals
	Count  int
	// Err is why the receiver did not get it; nil when more waited than Queue.
	Err error
}

// The signals.
const (
	Traces = "traces"
	Logs   = "logs"
)

// Signals lists them.
var Signals = []string{Traces, Logs}

// Queue is how many spans, and how many log events, may wait to be sent. What comes while so many wait is dropped.
const Queue = 4096

// Wanted tells whether the environment asks for traces and logs to be sent.
func Wanted() bool {
	return wants(Traces) || wants(Logs)
}

// wants tells whether the environment asks for a signal, by the rules of OpenTelemetry's specification.
func wants(signal string) bool {
	if refused(signal) {
		return false
	}
	return os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" ||
		os.Getenv("OTEL_EXPORTER_OTLP_"+strings.ToUpper(signal)+"_ENDPOINT") != ""
}

func refused(signal string) bool {
	return strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") ||
		strings.EqualFold(os.Getenv("OTEL_"+strings.ToUpper(signal)+"_EXPORTER"), "none")
}

// CheckEndpoint says what is wrong with the URL of a collector.
func CheckEndpoint(endpoint string) error {
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || !isPort(u.Port()) {
		return errors.New("want the URL of an OTLP/HTTP receiver, such as http://127.0.0.1:4318")
	}
	return nil
}

// isPort tells whether a URL's port may be one; empty is that of its scheme.
func isPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return port == "" || err == nil && n > 0
}

// Telemetry sends until Close. It is a pipeline.Follower and safe for concurrent use.
type Telemetry struct {
	subjects   event.Subjects
	tracer     trace.Tracer // nil: no traces are sent
	logger     log.Logger   // nil: no logs are sent
	propagator propagation.TraceContext
	closers    []func(context.Context) error
}

// Open makes the exporters. It reaches no receiver yet: one that is not there is told of as a Loss. The error is of a
// configuration that cannot be.
func Open(ctx context.Context, c Config) (*Telemetry, error) {
	if c.Lost == nil {
		c.Lost = func(Loss) {}
	}
	about, err := resource.New(ctx, resource.WithAttributes(
		attribute.String("service.name", "plumbline-consumer"), attribute.String("service.version", c.Version),
	), resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	t := &Telemetry{subjects: c.Subjects}
	if c.sends(Traces) {
		err = t.openTraces(ctx, c, about)
	}
	if err == nil && c.sends(Logs) {
		err = t.openLogs(ctx, c, about)
	}
	if err != nil {
		return nil, errors.Join(err, t.Close(ctx))
	}
	return t, nil
}

func (c Config) sends(signal string) bool {
	return c.Endpoint != "" && !refused(signal) || wants(signal)
}

func (t *Telemetry) openTraces(ctx context.Context, c Config, about *resource.Resource) error {
	var options []otlptracehttp.Option
	if c.Endpoint != "" {
		options = append(options, otlptracehttp.WithEndpointURL(below(c.Endpoint, "v1/traces")))
	}
	exporter, err := otlptracehttp.New(ctx, options...)
	if err != nil {
		return fmt.Errorf("send traces: %w", err)
	}
	queue := &queue{signal: Traces, lost: c.Lost}
	batches := sdktrace.NewBatchSpanProcessor(spanExporter{exporter, queue}, sdktrace.WithMaxQueueSize(2*Queue))
	provider := sdktrace.NewTracerProvider(sdktrace.WithResource(about), sdktrace.WithSpanProcessor(spanQueue{batches, queue}))
	t.tracer = provider.Tracer(scope, trace.WithInstrumentationVersion(c.Version))
	t.closers = append(t.closers, provider.Shutdown)
	return nil
}

func (t *Telemetry) openLogs(ctx context.Context, c Config, about *resource.Resource) error {
	var options []otlploghttp.Option
	if c.Endpoint != "" {
		options = append(options, otlploghttp.WithEndpointURL(below(c.Endpoint, "v1/logs")))
	}
	exporter, err := otlploghttp.New(ctx, options...)
	if err != nil {
		return fmt.Errorf("send logs: %w", err)
	}
	queue := &queue{signal: Logs, lost: c.Lost}
	batches := sdklog.NewBatchProcessor(logExporter{exporter, queue}, sdklog.WithMaxQueueSize(2*Queue))
	provider := sdklog.NewLoggerProvider(sdklog.WithResource(about), sdklog.WithProcessor(logQueue{batches, queue}))
	t.logger = provider.Logger(scope, log.WithInstrumentationVersion(c.Version))
	t.closers = append(t.closers, provider.Shutdown)
	return nil
}

// scope names what makes the spans and the log events.
const scope = "github.com/plumbline-dev/plumbline"

func below(endpoint, path string) string { return strings.TrimSuffix(endpoint, "/") + "/" + path }

// Close sends what waits, for as long as ctx allows. What is left then is lost, and the error says so.
func (t *Telemetry) Close(ctx context.Context) error {
	var all error
	for _, closing := range t.closers {
		all = errors.Join(all, closing(ctx))
	}
	return all
}
