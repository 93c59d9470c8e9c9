package schemas

import (
	"fmt"
	"strings"
)

// Reason says why a message is no event. It is the reason of its dead letter.
type Reason string

// The reasons.
const (
	UnknownEncoding Reason = "unknown_encoding" // the Content-Type is neither JSON nor MessagePack
	Unreadable      Reason = "unreadable"       // the bytes are not what the Content-Type says
	TooDeep         Reason = "too_deep"         // nested deeper than 1,000 levels
	TooLarge        Reason = "too_large"        // more bytes than MaxBytes
	UnknownVersion  Reason = "unknown_version"  // "v" is not 1
	UnknownType     Reason = "unknown_type"     // "type" names no event that comes in
	Invalid         Reason = "invalid"          // a field is missing or of the wrong type
)

// Error says what is wrong with a message. It never holds text of the payload but the names of known fields.
type Error struct {
	Reason Reason
	Field  string // dotted path, such as call.id; empty when it is about the whole message
	Offset int    // in bytes of the message, -1 when not known
	Detail string
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Reason))
	if e.Field != "" {
		b.WriteString(": " + e.Field)
	}
	b.WriteString(": " + e.Detail)
	if e.Offset >= 0 {
		fmt.Fprintf(&b, " (byte %d)", e.Offset)
	}
	return b.String()
}
