package servedjson

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds. None is that of the zero Value.
const (
	None Kind = iota
	Null
	False
	True
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"none", "null", "false", "true", "number", "string", "array", "object"}

func (k Kind) String() string { return kindNames[k] }

// kinds tells the kind of a checked value by its first byte.
var kinds = func() (t [256]Kind) {
	for c := range t {
		t[c] = Number
	}
	t['{'], t['['], t['"'] = Object, Array, String
	t['t'], t['f'], t['n'] = True, False, Null
	return t
}()

// Value is one complete JSON value: a span of bytes that was checked. It keeps the bytes it was read from, which must
// not change while it is in use. The zero Value is no value.
type Value struct {
	raw []byte
}

// Parse reads b as one JSON value, with JSON space around it. It copies nothing. The error is a *SyntaxError with the
// byte offset, and wraps io.ErrUnexpectedEOF when b ends before the value does and ErrTooDeep when the value nests too
// deep.
func Parse(b []byte) (Value, error) {
	start := skipSpace(b, 0)
	end, err := consumeValue(b, start)
	if err != nil {
		return Value{}, syntaxError(end, err)
	}
	if rest := skipSpace(b, end); rest < len(b) {
		return Value{}, syntaxError(rest, errMore)
	}
	return Value{b[start:end]}, nil
}

// Raw is the value as it is written.
func (v Value) Raw() []byte { return v.raw }

// IsZero tells whether this is no value.
func (v Value) IsZero() bool { return len(v.raw) == 0 }

// Kind is the kind of the value.
func (v Value) Kind() Kind {
	if len(v.raw) == 0 {
		return None
	}
	return kinds[v.raw[0]]
}
