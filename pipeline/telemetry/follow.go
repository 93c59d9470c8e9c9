package telemetry

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
)

// followed is one message on its way.
type followed struct {
	t        *Telemetry
	ctx      context.Context //nolint:containedctx // it carries the spans, and nothing waits for it
	producer context.Context //nolint:containedctx // it carries the producer's span, when the message names one
	span     trace.Span      // nil: no traces are sent
	response string          // the model's response that the message names
}

// Take begins the span of a message, in the producer's trace when the message names one.
func (t *Telemetry) Take(m pipeline.Message) pipeline.Followed {
	ctx := context.Background()
	if len(m.Header) > 0 {
		ctx = t.propagator.Extract(ctx, carrier(m.Header))
	}
	f := &followed{t: t, ctx: ctx, producer: ctx, response: plain(carrier(m.Header).Get(pipeline.HeaderResponseID))}
	if t.tracer != nil {
		f.ctx, f.span = t.tracer.Start(ctx, "plumbline.take", trace.WithSpanKind(trace.SpanKindConsumer))
		if f.span.IsRecording() {
			f.span.SetAttributes(attribute.Int64("plumbline.sequence", int64(m.Seq)), attribute.Int("messaging.message.body.size", len(m.Data)))
			f.span.SetAttributes(t.namesOf(m.Subject)...)
		}
	}
	return f
}

// namesOf are the names that a message's subject holds.
func (t *Telemetry) namesOf(subject string) []attribute.KeyValue {
	named, err := t.subjects.ParseConversation(subject)
	if err != nil {
		return nil // it will be a dead letter
	}
	return namesOf(named)
}

func namesOf(c event.Conversation) []attribute.KeyValue {
	return []attribute.KeyValue{
		textOf("gen_ai.conversation.id", c.ID), textOf("gen_ai.agent.name", c.Agent), textOf("plumbline.tenant", c.Tenant),
	}
}

// noStep ends a step of which no span is made.
func noStep(error) {}

// Step begins the span of a step.
func (f *followed) Step(name string) func(error) {
	if f.span == nil || !f.span.IsRecording() {
		return noStep
	}
	_, span := f.t.tracer.Start(f.ctx, "plumbline."+name)
	return func(err error) {
		if err != nil {
			span.SetStatus(codes.Error, faultOf(err))
		}
		span.End()
	}
}

// faultOf is what went wrong, without where in the program a reader broke.
func faultOf(err error) string {
	if pipeline.IsBroken(err) {
		return "a reader broke"
	}
	return plain(err.Error())
}

// End ends the message's span.
func (f *followed) End(handedBack bool) {
	if f.span == nil {
		return
	}
	if handedBack {
		f.span.SetStatus(codes.Error, "handed back: it comes again")
	}
	f.span.End()
}

// Verdict sends the verdict as a log event.
func (f *followed) Verdict(v event.EvidenceChecked, revision int) {
	if f.span != nil && f.span.IsRecording() {
		f.span.AddEvent("plumbline.verdict", trace.WithAttributes(attribute.String(scoreLabel, string(v.Outcome)), attribute.Int("plumbline.revision", revision)))
	}
	if f.t.logger == nil {
		return
	}
	ctx := f.producer // the event belongs to the span that gave the answer
	if !trace.SpanContextFromContext(ctx).IsValid() {
		ctx = f.ctx
	}
	f.t.logger.Emit(ctx, evaluation(v, revision, f.response, time.Now()))
}

// carrier reads headers without regard to the case of their names.
type carrier map[string][]string

// Get gives the first value of a header.
func (c carrier) Get(name string) string {
	for _, spelling := range []string{name, http.CanonicalHeaderKey(name)} {
		if values := c[spelling]; len(values) > 0 {
			return values[0]
		}
	}
	for _, spelling := range c.Keys() {
		if values := c[spelling]; strings.EqualFold(spelling, name) && len(values) > 0 {
			return values[0]
		}
	}
	return ""
}

// Set is for writers, which there are none of.
func (c carrier) Set(name, value string) { c[name] = []string{value} }

// Keys lists the headers, sorted.
func (c carrier) Keys() []string {
	keys := make([]string, 0, len(c))
	for key := range c {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

var (
	_ propagation.TextMapCarrier = carrier{}
	_ pipeline.Follower          = (*Telemetry)(nil)
)
