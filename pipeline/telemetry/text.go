package telemetry

import (
	"strings"

	"go.opentelemetry.io/otel/attribute"
)

// maxText is how many bytes of a producer's text leave through telemetry. A name fits: a subject is shorter.
const maxText = 4096

// plain is a text as OpenTelemetry's messages may hold it: UTF-8, and not long. A producer chooses its names, and one that
// is no UTF-8 would keep the whole batch from being written.
func plain(text string) string {
	if len(text) > maxText {
		text = text[:maxText]
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// textOf is an attribute that holds a producer's text.
func textOf(name, text string) attribute.KeyValue { return attribute.String(name, plain(text)) }
