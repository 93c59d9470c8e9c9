package schemas

import "github.com/plumbline-dev/plumbline/core/event"

// kind is the kind of a value, in either encoding.
type kind uint8

const (
	kindNone kind = iota
	kindNull
	kindBool
	kindNumber
	kindText
	kindArray
	kindObject
	kindBytes     // only MessagePack
	kindExtension // only MessagePack, and not a number's
)

var kindNames = [...]string{
	"nothing", "null", "a boolean", "a number", "a string", "an array", "an object", "bytes", "an extension",
}

func (k kind) String() string { return kindNames[k] }

// span is where a value stands in a message, [start, end) in bytes. The zero span is no value.
type span struct{ start, end int }

// message is one message in either encoding. A span that fields gave is of a well-formed value, so the other methods do
// not meet broken bytes. Their errors are *Error without a Field.
type message interface {
	// root is the whole message. It is not checked before fields was called with it.
	root() (span, kind, error)
	// fields finds the members of an object that names lists, of a repeated one the last; the place in the result is the
	// place in names. The members of the root are checked on the way, and that nothing follows it.
	fields(object span, names []string) ([]span, error)
	// kind tells the kind of a value; that of the zero span is kindNone.
	kind(s span) kind
	// truth is a boolean's.
	truth(s span) bool
	// text is a string's. What is not UTF-8, and half a surrogate pair, is U+FFFD.
	text(s span) string
	// texts are the strings of an array. When an element is no string, ok is false and its place is len(texts).
	texts(array span) (texts []string, ok bool)
	// number is a number's JSON text, nil when JSON cannot write it (NaN).
	number(s span) []byte
	// json is any value as JSON in its one form.
	json(s span) (event.JSON, error)
}

// place finds a key among names; it is -1 when it is not there.
func place(names []string, key []byte) int {
	for i, name := range names {
		if string(key) == name {
			return i
		}
	}
	return -1
}
