// Package otlp takes in traces over HTTP as OpenTelemetry's exporters send them, and publishes the events that they tell of.
// It answers "how does an instrumented agent get onto the stream without code of its own?".
//
// It holds no encoding and no reading of spans (packages schemas/adapter/otlp and genai) and knows no NATS: a Publisher
// stores the events. Sizes are in bytes of decoded request.
//
// # What is promised
//
// Spans come as they end, so a turn is whole when the root span of its trace came. Until then its spans wait in memory:
// when the process dies, turns that had not ended are lost, as with every collector. The request that brings the root is
// answered after the events of the trace are stored; when they cannot be, it is answered 503 and the exporter sends it
// again, which changes nothing but time: the same spans give the same events under the same ids.
//
// A trace whose root does not come (its service sends its spans elsewhere) is given after Config.Idle without a new span.
// Spans that come after that are read with the others of their trace once more, for as long as it is held. When Config.MaxBytes
// is reached the oldest trace is given up: what there is of it is given, and no answer in it is accused.
package otlp
