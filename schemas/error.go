package schemas

import "fmt"

// Reason is why a message is not an event. It is a closed vocabulary: dead letters carry it in their subject.
type Reason string

// The reasons.
const (
	// UnknownEncoding: the Content-Type is neither JSON nor MessagePack, or names a charset that is not UTF-8.
	UnknownEncoding Reason = "unknown_encoding"
	// Unreadable: the bytes are not one complete value of their encoding, or more bytes follow it.
	Unreadable Reason = "unreadable"
	// UnknownVersion: "v" is a whole number that is not 1.
	UnknownVersion Reason = "unknown_version"
	// UnknownType: "type" is a string that names no event of this direction.
	UnknownType Reason = "unknown_type"
	// Invalid: a field is missing, or holds what it cannot hold. Field names it.
	Invalid Reason = "invalid"
	// TooDeep: arrays and objects nest deeper than MaxDepth.
	TooDeep Reason = "too_deep"
	// TooLarge: the message has more bytes than the limit.
	TooLarge Reason = "too_large"
)

// Reasons lists every reason.
var Reasons = []Reason{UnknownEncoding, Unreadable, UnknownVersion, UnknownType, Invalid, TooDeep, TooLarge}

// Error says why a message could not be read or written. Sending the same bytes again gives the same error. Nothing in it
// is text of the payload: only names of the contract's fields, kinds of values and positions.
type Error struct {
	Reason Reason
	// Field is the path of a field of the contract, as in turn, call.id or context.2; empty when the fault is not of one
	// field.
	Field string
	// Offset is where the fault stands in the message, in bytes; -1 when it has no place.
	Offset int
	// Detail is a plain sentence without its full stop.
	Detail string
}

func (e *Error) Error() string {
	text := string(e.Reason) + ": "
	if e.Field != "" {
		text += e.Field + ": "
	}
	text += e.Detail
	if e.Offset >= 0 {
		text += fmt.Sprintf(" (byte %d)", e.Offset)
	}
	return text
}
