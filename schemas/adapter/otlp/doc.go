// Package otlp reads traces in the OpenTelemetry protocol: as JSON and as protobuf, from files and from requests. It answers
// "which spans do these bytes hold?"; what spans mean is package genai's.
//
// In a file every row is one export request ({"resourceSpans": […]}, as the Collector's file exporter writes them), and the
// spans of one trace may stand in many rows, in any order. Protobuf stands as one message, or as many, each behind its
// length: a varint (protobuf's delimited streams) or four bytes, the first the highest (the Collector's file exporter).
package otlp
