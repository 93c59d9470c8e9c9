package otlp

import (
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// The two messages that are answered are written by hand: the generated ones bring gRPC along. Their fields are those of
// opentelemetry-proto, collector/trace/v1/trace_service.proto, and of google/rpc/status.proto.

// protoResult is ExportTraceServiceResponse{partial_success: 1{rejected_spans: 1, error_message: 2}}, empty when nothing was
// refused.
func protoResult(refused int, reason string) []byte {
	if refused == 0 {
		return nil
	}
	partial := protowire.AppendTag(nil, 1, protowire.VarintType)
	partial = protowire.AppendVarint(partial, uint64(refused))
	partial = protowire.AppendTag(partial, 2, protowire.BytesType)
	partial = protowire.AppendString(partial, reason)
	return protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), partial)
}

// protoStatus is Status{message: 2}.
func protoStatus(reason string) []byte {
	return protowire.AppendString(protowire.AppendTag(nil, 2, protowire.BytesType), reason)
}

func jsonResult(refused int, reason string) []byte {
	if refused == 0 {
		return []byte("{}")
	}
	out := append([]byte(`{"partialSuccess":{"rejectedSpans":"`), strconv.Itoa(refused)...)
	out = append(out, `","errorMessage":`...)
	return append(servedjson.AppendQuoted(out, []byte(reason)), "}}"...)
}

func jsonStatus(reason string) []byte {
	return append(servedjson.AppendQuoted([]byte(`{"message":`), []byte(reason)), '}')
}
