package schemas

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
)

// The encodings, as Content-Types. An empty Content-Type is JSON.
const (
	JSON    = "application/json"
	Msgpack = "application/msgpack"
)

const (
	// DefaultMaxBytes is the largest message that is read unless Limits say otherwise.
	DefaultMaxBytes = 8 << 20
	// MaxDepth is how many arrays and objects may be open at once in a message, its own object included. It is more than
	// the readers follow: a result that nests deeper than they do is read as text, and is not lost.
	MaxDepth = 8000
)

// Limits bound what is read. The zero value is the default.
type Limits struct {
	// MaxBytes is the largest message in bytes; 0 means DefaultMaxBytes.
	MaxBytes int
}

// Decode reads one message that comes in: a tool_end, an answer or a turn_start. It keeps nothing of data. The time is
// linear in len(data). Every error is a *Error.
func Decode(contentType string, data []byte) (event.Event, error) {
	return Limits{}.Decode(contentType, data)
}

// DecodeMessage reads one message by the Content-Type of its header.
func DecodeMessage(header map[string][]string, data []byte) (event.Event, error) {
	return Limits{}.Decode(ContentType(header), data)
}

// DecodeMessage reads one message by the Content-Type of its header, within the limits.
func (l Limits) DecodeMessage(header map[string][]string, data []byte) (event.Event, error) {
	return l.Decode(ContentType(header), data)
}

// Decode reads one message that comes in, within the limits.
func (l Limits) Decode(contentType string, data []byte) (event.Event, error) {
	m, err := l.open(contentType, data)
	if err != nil {
		return event.Event{}, err
	}
	return readEvent(m)
}

// Value gives a message that is an object as JSON in its one form, whatever it says. It keeps nothing of data. Every error is a
// *Error.
func Value(header map[string][]string, data []byte) (event.JSON, error) {
	m, err := Limits{}.open(ContentType(header), data)
	if err != nil {
		return nil, err
	}
	r := &reader{m: m}
	r.root(nil) // checks it all
	if r.err != nil {
		return nil, r.err
	}
	s, _, err := m.root()
	if err != nil {
		return nil, err
	}
	return m.json(s)
}

// open looks at the size, the encoding and the nesting of a message.
func (l Limits) open(contentType string, data []byte) (message, error) {
	encoding, err := encodingOf(contentType)
	if err != nil {
		return nil, err
	}
	if err := l.checkSize(len(data)); err != nil {
		return nil, err
	}
	if encoding == Msgpack {
		return newPackMessage(data), nil
	}
	m, err := newJSONMessage(data)
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (l Limits) checkSize(size int) error {
	limit := l.MaxBytes
	if limit == 0 {
		limit = DefaultMaxBytes
	}
	if size > limit {
		return &Error{Reason: TooLarge, Offset: -1, Detail: fmt.Sprintf("%d bytes, the limit is %d", size, limit)}
	}
	return nil
}

// ContentType gives the Content-Type of a message's header, empty when there is none. Header names are read without
// regard to case; of several spellings of the name the first in byte order that has a value is taken.
func ContentType(header map[string][]string) string {
	var names []string
	for name, values := range header {
		if len(values) > 0 && strings.EqualFold(name, "Content-Type") {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return header[slices.Min(names)][0]
}

// IsMsgpack tells whether a Content-Type means MessagePack.
func IsMsgpack(contentType string) bool {
	encoding, err := encodingOf(contentType)
	return err == nil && encoding == Msgpack
}

// EncodingOf gives the encoding that a message's header says, JSON or Msgpack, for a message that was read.
func EncodingOf(header map[string][]string) string {
	if IsMsgpack(ContentType(header)) {
		return Msgpack
	}
	return JSON
}

// encodingOf reads a Content-Type (RFC 9110, section 8.3.1): the media type without regard to case. Of the parameters
// only charset is looked at, which can only be UTF-8 or its part ASCII.
func encodingOf(contentType string) (string, error) {
	mediaType, parameters, _ := strings.Cut(contentType, ";")
	mediaType = strings.Trim(mediaType, " \t")
	var encoding string
	switch {
	case mediaType == "" && parameters == "", strings.EqualFold(mediaType, JSON):
		encoding = JSON
	case strings.EqualFold(mediaType, Msgpack):
		encoding = Msgpack
	default:
		return "", &Error{Reason: UnknownEncoding, Offset: -1, Detail: "the Content-Type is neither " + JSON + " nor " + Msgpack}
	}
	if !charsetIsUTF8(parameters) {
		return "", &Error{Reason: UnknownEncoding, Offset: -1, Detail: "the Content-Type names a charset that is not UTF-8"}
	}
	return encoding, nil
}

func charsetIsUTF8(parameters string) bool {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(parameter, "=")
		if !strings.EqualFold(strings.Trim(name, " \t"), "charset") {
			continue
		}
		value = strings.Trim(value, " \t\"")
		if !strings.EqualFold(value, "utf-8") && !strings.EqualFold(value, "utf8") && !strings.EqualFold(value, "us-ascii") {
			return false
		}
	}
	return true
}
