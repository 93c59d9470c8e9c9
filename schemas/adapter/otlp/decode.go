package otlp

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
	"github.com/plumbline-dev/plumbline/schemas/adapter/genai"
)

// signal is what a row of a file holds.
type signal uint8

const (
	unknownSignal signal = iota
	traces
	otherSignal // logs, metrics or profiles
)

// signalOf tells what a row holds, by the names of its members.
func signalOf(row servedjson.Value) signal {
	if row.Kind() != servedjson.Object {
		return unknownSignal
	}
	for _, name := range []string{"resourceSpans", "resource_spans"} {
		if _, ok := row.Get(name); ok {
			return traces
		}
	}
	for _, name := range []string{"resourceLogs", "resource_logs", "resourceMetrics", "resource_metrics", "resourceProfiles"} {
		if _, ok := row.Get(name); ok {
			return otherSignal
		}
	}
	return unknownSignal
}

// DecodeJSON reads one export request in JSON. line is where it stands, from 1, 0 when that means nothing. The spans that
// could be read are given beside the faults. It keeps nothing of data.
func DecodeJSON(data []byte, line int) ([]genai.Span, []adapter.RowError) {
	row, err := servedjson.Parse(data)
	if err != nil {
		return nil, []adapter.RowError{{Line: line, Detail: "not JSON: " + err.Error()}}
	}
	return decodeRow(row, line)
}

func decodeRow(row servedjson.Value, line int) ([]genai.Span, []adapter.RowError) {
	if signalOf(row) != traces {
		return nil, []adapter.RowError{{Line: line, Field: "resourceSpans", Detail: "is missing: this is no export of spans"}}
	}
	decoded, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(row.Raw())
	if err != nil {
		return nil, []adapter.RowError{{Line: line, Field: "resourceSpans", Detail: "is not as the protocol has it: " + reasonOf(err)}}
	}
	return spansOf(decoded, line)
}

// reasonOf is an error of the decoder without the piece of the payload that it quotes.
func reasonOf(err error) string {
	text := err.Error()
	for _, quote := range []string{", error found in #", ", bigger context"} {
		if at := bytes.Index([]byte(text), []byte(quote)); at >= 0 {
			text = text[:at]
		}
	}
	return adapter.Quote(text)
}

// DecodeProto reads one export request in protobuf. message counts it among those of a file, from 1.
func DecodeProto(data []byte, message int) ([]genai.Span, []adapter.RowError) {
	decoded, err := (&ptrace.ProtoUnmarshaler{}).UnmarshalTraces(data)
	if err != nil {
		return nil, []adapter.RowError{{Line: message, Detail: "not an export of spans in protobuf: " + reasonOf(err)}}
	}
	return spansOf(decoded, message)
}

// messages splits a protobuf file: into what stands behind lengths, when all of the file does, else it is one message. The
// error is of a file that is neither.
func messages(data []byte) ([][]byte, error) {
	for _, length := range []func([]byte) (size uint64, width int){bigEndian, varint} {
		if list, ok := delimited(data, length); ok {
			return list, nil
		}
	}
	if isMessage(data) {
		return [][]byte{data}, nil
	}
	return nil, fmt.Errorf("no export of spans in protobuf: %d bytes that are neither one message nor messages behind their lengths", len(data))
}

func bigEndian(data []byte) (size uint64, width int) {
	if len(data) < 4 {
		return 0, 0
	}
	return uint64(binary.BigEndian.Uint32(data)), 4
}

func varint(data []byte) (size uint64, width int) { return binary.Uvarint(data) }

// delimited splits data into messages behind their lengths; ok is false when it is not made that way to its end.
func delimited(data []byte, length func([]byte) (uint64, int)) (list [][]byte, ok bool) {
	for len(data) > 0 {
		size, width := length(data)
		if width <= 0 || size > uint64(len(data)-width) {
			return nil, false
		}
		message := data[width : width+int(size)]
		if !isMessage(message) {
			return nil, false
		}
		list, data = append(list, message), data[width+int(size):]
	}
	return list, len(list) > 0
}

// resourceSpansTag is the only field of an export request: number 1, with a length (opentelemetry-proto, TracesData and
// ExportTraceServiceRequest).
const resourceSpansTag = 1<<3 | 2

// isMessage tells whether data is nothing but fields of an export request.
func isMessage(data []byte) bool {
	for len(data) > 0 {
		size, width := binary.Uvarint(data[1:])
		if data[0] != resourceSpansTag || width <= 0 || size > uint64(len(data)-1-width) {
			return false
		}
		data = data[1+width+int(size):]
	}
	return true
}
