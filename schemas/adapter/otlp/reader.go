package otlp

import (
	"fmt"
	"slices"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
	"github.com/plumbline-dev/plumbline/schemas/adapter/genai"
)

// Format is the form of files of OTLP traces.
var Format = adapter.Format{
	Name: "otlp",
	Says: "OpenTelemetry traces, JSON or protobuf (GenAI, OpenInference, OpenLLMetry, Vercel AI SDK)",
	Recognise: func(row servedjson.Value) adapter.Match {
		switch signalOf(row) {
		case traces:
			return adapter.Yes
		case otherSignal:
			return adapter.Maybe
		}
		return adapter.No
	},
	RecogniseBytes: recogniseProto,
	New: func(names event.Conversation) adapter.Reader {
		return &reader{converter: genai.New(names), traces: map[string][]genai.Span{}}
	},
}

// recogniseProto tells whether a record begins as an export request in protobuf does, alone or behind a length.
func recogniseProto(head []byte) bool {
	if begins(head) {
		return true
	}
	if size, width := bigEndian(head); width > 0 && size > 0 && begins(head[width:]) {
		return true
	}
	size, width := varint(head)
	return width > 0 && size > 0 && begins(head[width:])
}

// begins tells whether data begins with resource spans, whose first field is the resource (1) or the scopes' spans (2).
func begins(data []byte) bool {
	if len(data) < 3 || data[0] != resourceSpansTag {
		return false
	}
	size, width := varint(data[1:])
	inner := data[1+max(width, 0):]
	return width > 0 && size > 0 && len(inner) > 0 && (inner[0] == 1<<3|2 || inner[0] == 2<<3|2)
}

// reader holds the spans of a file until its end, since those of one trace may stand anywhere in it.
type reader struct {
	converter *genai.Converter
	traces    map[string][]genai.Span
	order     []string // the traces' ids, as they came
	other     int      // rows of other signals
}

func (r *reader) Read(row adapter.Row, out *adapter.Out) {
	if row.Value.IsZero() {
		r.readWhole(row, out)
		return
	}
	if signalOf(row.Value) == otherSignal {
		r.other++
		return
	}
	spans, faults := decodeRow(row.Value, row.Line)
	r.take(spans, faults, out)
}

// readWhole reads a record that came as one piece.
func (r *reader) readWhole(row adapter.Row, out *adapter.Out) {
	list, err := messages(row.Data)
	if err != nil {
		out.Fault(0, "", err.Error())
	}
	for i, message := range list {
		spans, faults := DecodeProto(message, i+1)
		r.take(spans, faults, out)
	}
}

// take keeps spans by their traces.
func (r *reader) take(spans []genai.Span, faults []adapter.RowError, out *adapter.Out) {
	for _, s := range spans {
		if _, ok := r.traces[s.Trace]; !ok {
			r.order = append(r.order, s.Trace)
		}
		r.traces[s.Trace] = append(r.traces[s.Trace], s)
	}
	out.Faults = append(out.Faults, faults...)
	if len(faults) > 0 {
		r.converter.Gap()
	}
}

// Gap says that a row is no JSON: its spans may be of any trace.
func (r *reader) Gap(int, *adapter.Out) { r.converter.Gap() }

func (r *reader) End(out *adapter.Out) {
	slices.Sort(r.order)
	for _, id := range r.order {
		for _, f := range r.converter.Read(r.traces[id]) {
			out.Fault(f.Line, f.Field, "span "+adapter.Quote(f.Span)+": "+f.Detail)
		}
		delete(r.traces, id)
	}
	if r.converter.OfAgents == 0 && len(out.Faults) == 0 {
		out.Fault(0, "", fmt.Sprintf(
			"none of its %d spans tells of an agent: no gen_ai, openinference, traceloop or ai attribute says so", r.converter.Spans))
	}
	r.converter.FlushTo(out)
}

func (r *reader) Notes() []string {
	notes := r.converter.Notes()
	if r.other > 0 {
		notes = append(notes, fmt.Sprintf("%d rows of logs, metrics or profiles are not read", r.other))
	}
	return notes
}
