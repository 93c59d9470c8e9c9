package telemetry

import (
	"context"
	"sync/atomic"

	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// queue bounds what waits to be sent of one signal, and counts what is lost: the SDK's own queues drop in silence. They are
// twice as long, so they never drop.
type queue struct {
	signal string
	lost   func(Loss)
	length atomic.Int64
}

// enters tells whether one more may wait.
func (q *queue) enters() bool {
	if q.length.Add(1) <= Queue {
		return true
	}
	q.length.Add(-1)
	q.lost(Loss{Signal: q.signal, Count: 1})
	return false
}

// left takes note of what was sent, or was not for a reason. The SDK is not told of the reason: it would print it.
func (q *queue) left(n int, err error) error {
	q.length.Add(-int64(n))
	if err != nil {
		q.lost(Loss{Signal: q.signal, Count: n, Err: err})
	}
	return nil
}

// spanQueue lets into the SDK's queue what there is room for.
type spanQueue struct {
	sdktrace.SpanProcessor
	queue *queue
}

// OnEnd takes a span that ended.
func (q spanQueue) OnEnd(s sdktrace.ReadOnlySpan) {
	if s.SpanContext().IsSampled() && q.queue.enters() { // the SDK's queue takes none that is not
		q.SpanProcessor.OnEnd(s)
	}
}

type spanExporter struct {
	sdktrace.SpanExporter
	queue *queue
}

// ExportSpans sends a batch.
func (e spanExporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	return e.queue.left(len(spans), e.SpanExporter.ExportSpans(ctx, spans))
}

// logQueue is the same for log events.
type logQueue struct {
	sdklog.Processor
	queue *queue
}

// OnEmit takes a log event.
func (q logQueue) OnEmit(ctx context.Context, r *sdklog.Record) error {
	if q.queue.enters() {
		return q.Processor.OnEmit(ctx, r)
	}
	return nil
}

type logExporter struct {
	sdklog.Exporter
	queue *queue
}

// Export sends a batch.
func (e logExporter) Export(ctx context.Context, records []sdklog.Record) error {
	return e.queue.left(len(records), e.Exporter.Export(ctx, records))
}
