package otlp

import (
	"encoding/base64"
	"math"
	"strconv"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
	"github.com/plumbline-dev/plumbline/schemas/adapter/genai"
)

// spansOf copies the spans of a request. line is where the request stands, from 1. A span without ids, or with a value that
// nests too deep, is a fault.
func spansOf(traces ptrace.Traces, line int) (spans []genai.Span, faults []adapter.RowError) {
	for _, resource := range traces.ResourceSpans().All() {
		service := ""
		if v, ok := resource.Resource().Attributes().Get("service.name"); ok && v.Type() == pcommon.ValueTypeStr {
			service = v.Str()
		}
		for _, scope := range resource.ScopeSpans().All() {
			if scope.Scope().Name() == ownScope {
				continue
			}
			for _, s := range scope.Spans().All() {
				span, fault := spanOf(s, line)
				if fault != nil {
					faults = append(faults, *fault)
					continue
				}
				span.Service = service
				spans = append(spans, span)
			}
		}
	}
	return spans, faults
}

// ownScope names what makes Plumbline's own spans: a consumer that sends its traces where it takes traces from does not
// audit itself.
const ownScope = "github.com/plumbline-dev/plumbline"

func spanOf(s ptrace.Span, line int) (genai.Span, *adapter.RowError) {
	span := genai.Span{
		Trace: s.TraceID().String(), ID: s.SpanID().String(), Parent: s.ParentSpanID().String(),
		Name: s.Name(), Remote: s.Kind() == ptrace.SpanKindClient,
		Start: uint64(s.StartTimestamp()), End: uint64(s.EndTimestamp()),
		Failed: s.Status().Code() == ptrace.StatusCodeError, Message: s.Status().Message(),
		Dropped: int(s.DroppedAttributesCount()) + int(s.DroppedEventsCount()),
		Line:    line,
	}
	if span.Trace == "" || span.ID == "" {
		return span, faultOf(span, "traceId or spanId", "is missing")
	}
	var key string
	if span.Attributes, key = attributesOf(s.Attributes()); key != "" {
		return span, faultOf(span, key, "nests too deep")
	}
	for _, e := range s.Events().All() {
		attributes, key := attributesOf(e.Attributes())
		if key != "" {
			return span, faultOf(span, e.Name()+"."+key, "nests too deep")
		}
		span.Dropped += int(e.DroppedAttributesCount())
		span.Events = append(span.Events, genai.SpanEvent{Name: e.Name(), Attributes: attributes})
	}
	return span, nil
}

func faultOf(s genai.Span, field, detail string) *adapter.RowError {
	return &adapter.RowError{Line: s.Line, Field: field, Detail: "span " + adapter.Quote(s.Name) + ": " + detail}
}

// attributesOf gives attributes as JSON; the key of one that is no JSON this program reads.
func attributesOf(m pcommon.Map) (attributes map[string]servedjson.Value, bad string) {
	attributes = make(map[string]servedjson.Value, m.Len())
	for key, v := range m.All() {
		value, err := servedjson.Parse(appendValue(nil, v, 0))
		if err != nil {
			return nil, key
		}
		attributes[key] = value
	}
	return attributes, ""
}

// maxDepth is how deep a value may nest before it is left out, which no reader follows anyway.
const maxDepth = 2000

// appendValue writes a value as JSON. Whole numbers keep their digits; other numbers are the shortest that read back as the
// same. What JSON has no number for is its name, bytes are base64.
func appendValue(dst []byte, v pcommon.Value, depth int) []byte {
	switch v.Type() {
	case pcommon.ValueTypeStr:
		return servedjson.AppendQuoted(dst, []byte(v.Str()))
	case pcommon.ValueTypeBool:
		return strconv.AppendBool(dst, v.Bool())
	case pcommon.ValueTypeInt:
		return strconv.AppendInt(dst, v.Int(), 10)
	case pcommon.ValueTypeDouble:
		return appendDouble(dst, v.Double())
	case pcommon.ValueTypeBytes:
		return servedjson.AppendQuoted(dst, base64.StdEncoding.AppendEncode(nil, v.Bytes().AsRaw()))
	case pcommon.ValueTypeMap, pcommon.ValueTypeSlice:
		if depth >= maxDepth {
			return dst // what is written is no JSON then, and refused
		}
		if v.Type() == pcommon.ValueTypeMap {
			return appendMap(dst, v.Map(), depth+1)
		}
		return appendSlice(dst, v.Slice(), depth+1)
	default:
		return append(dst, "null"...)
	}
}

func appendDouble(dst []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return servedjson.AppendQuoted(dst, strconv.AppendFloat(nil, f, 'g', -1, 64))
	}
	return servedjson.AppendJSNumber(dst, f)
}

func appendMap(dst []byte, m pcommon.Map, depth int) []byte {
	dst = append(dst, '{')
	first := true
	for key, v := range m.All() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(servedjson.AppendQuoted(dst, []byte(key)), ':')
		dst = appendValue(dst, v, depth)
	}
	return append(dst, '}')
}

func appendSlice(dst []byte, s pcommon.Slice, depth int) []byte {
	dst = append(dst, '[')
	for i, v := range s.All() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendValue(dst, v, depth)
	}
	return append(dst, ']')
}
