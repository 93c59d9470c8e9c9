package servedjson

import (
	"fmt"
	"iter"
)

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

// Value is one complete JSON value: a span of bytes that was checked. It keeps the bytes it was read from, which must
// not change while it is in use. The zero Value is no value.
type Value struct {
	raw []byte
}

// Parse reads b as one JSON value, with JSON space around it. It copies nothing. The error is a *SyntaxError with the
// byte offset, and wraps ErrTooDeep when the value nests too deep.
func Parse(b []byte) (Value, error) {
	start := skipSpace(b, 0)
	end, err := consumeValue(b, start)
	if err != nil {
		return Value{}, err
	}
	if rest := skipSpace(b, end); rest < len(b) {
		return Value{}, &SyntaxError{Offset: rest, Reason: "more text after the value"}
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
	switch v.raw[0] {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't':
		return True
	case 'f':
		return False
	case 'n':
		return Null
	}
	return Number
}

// Elements are the elements of an Array, in order; of any other kind there are none.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.Kind() != Array {
			return
		}
		for i := skipSpace(v.raw, 1); v.raw[i] != ']'; {
			end := valueEnd(v.raw, i)
			if !yield(Value{v.raw[i:end]}) {
				return
			}
			i = skipComma(v.raw, end)
		}
	}
}

// Members are the keys and values of an Object, in the order of the text, repeated keys included; a key is a String.
func (v Value) Members() iter.Seq2[Value, Value] {
	return func(yield func(Value, Value) bool) {
		if v.Kind() != Object {
			return
		}
		for i := skipSpace(v.raw, 1); v.raw[i] != '}'; {
			keyEnd := valueEnd(v.raw, i)
			start := skipSpace(v.raw, skipSpace(v.raw, keyEnd)+1)
			end := valueEnd(v.raw, start)
			if !yield(Value{v.raw[i:keyEnd]}, Value{v.raw[start:end]}) {
				return
			}
			i = skipComma(v.raw, end)
		}
	}
}

// skipComma gives the place of the next element, or of the closing bracket.
func skipComma(b []byte, i int) int {
	i = skipSpace(b, i)
	if b[i] == ',' {
		i = skipSpace(b, i+1)
	}
	return i
}

// Len is the number of elements of an Array or of members of an Object, else 0.
func (v Value) Len() int {
	n := 0
	switch v.Kind() {
	case Array:
		for range v.Elements() {
			n++
		}
	case Object:
		for range v.Members() {
			n++
		}
	}
	return n
}

// Get is the value of an Object's key: of a repeated key the last one, as JSON.parse keeps it.
func (v Value) Get(name string) (found Value, ok bool) {
	for key, value := range v.Members() {
		if key.TextIs(name) {
			found, ok = value, true
		}
	}
	return found, ok
}

// valueEnd is the end of the value at b[i], which was checked before.
func valueEnd(b []byte, i int) int {
	switch b[i] {
	case '"':
		return stringEnd(b, i)
	case '{', '[':
		return bracketEnd(b, i)
	}
	for i < len(b) && classes[b[i]]&classStop == 0 {
		i++
	}
	return i
}

// stringEnd is the end of the string at b[i], or -1 when the text ends first. Escapes are skipped, not checked.
func stringEnd(b []byte, i int) int {
	for i++; i < len(b); i++ {
		i = plainRun(b, i)
		switch {
		case i >= len(b):
			return -1
		case b[i] == '"':
			return i + 1
		case b[i] == '\\':
			i++
		}
	}
	return -1
}

// bracketEnd is the end of the bracketed text at b[i], found by counting brackets of either kind outside strings, or -1
// when the text ends first.
func bracketEnd(b []byte, i int) int {
	for depth := 0; i < len(b); i++ {
		switch b[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			end := stringEnd(b, i)
			if end < 0 {
				return -1
			}
			i = end - 1
		}
	}
	return -1
}

// consumeValue checks the value at b[i] against the grammar and gives its end. What is open is kept in a bit set, so
// that no input uses the stack.
func consumeValue(b []byte, i int) (int, error) {
	var open stack
	for {
		end, opened, err := consumeToken(b, i, &open)
		if err != nil {
			return end, err
		}
		i = end
		if opened {
			continue
		}
		if i, err = closeAll(b, i, &open); err != nil || open.depth == 0 {
			return i, err
		}
	}
}

// consumeToken takes a scalar, an empty array or object, or the opening of one with its first key.
func consumeToken(b []byte, i int, open *stack) (end int, opened bool, err error) {
	if i >= len(b) {
		return i, false, &SyntaxError{Offset: i, Reason: "the text ends before the value does"}
	}
	switch c := b[i]; c {
	case '"':
		end, err = checkString(b, i)
		return end, false, err
	case '{', '[':
		return openBracket(b, i, open)
	default:
		end = consumeNumber(b, i)
		if end == i {
			end = consumeWord(b, i)
		}
		if end == i {
			return i, false, &SyntaxError{Offset: i, Reason: "not the beginning of a JSON value"}
		}
		return end, false, nil
	}
}

func openBracket(b []byte, i int, open *stack) (end int, opened bool, err error) {
	object := b[i] == '{'
	if !open.push(object) {
		return i, false, &SyntaxError{Offset: i, Reason: ErrTooDeep.Error(), cause: ErrTooDeep}
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == closing(object) {
		open.pop()
		return i + 1, false, nil
	}
	if object {
		i, err = consumeKey(b, i)
	}
	return i, true, err
}

func closing(object bool) byte {
	if object {
		return '}'
	}
	return ']'
}

// closeAll takes what may follow a value: the brackets that close, then a comma and the next key.
func closeAll(b []byte, i int, open *stack) (int, error) {
	for open.depth > 0 {
		i = skipSpace(b, i)
		if i >= len(b) {
			return i, &SyntaxError{Offset: i, Reason: "the text ends before the value does"}
		}
		object := open.top()
		switch b[i] {
		case closing(object):
			open.pop()
			i++
		case ',':
			i = skipSpace(b, i+1)
			if object {
				return consumeKey(b, i)
			}
			return i, nil
		default:
			return i, &SyntaxError{Offset: i, Reason: fmt.Sprintf("want , or %c", closing(object))}
		}
	}
	return i, nil
}

func consumeKey(b []byte, i int) (int, error) {
	if i >= len(b) || b[i] != '"' {
		return i, &SyntaxError{Offset: i, Reason: "want a key"}
	}
	i, err := checkString(b, i)
	if err != nil {
		return i, err
	}
	i = skipSpace(b, i)
	if i >= len(b) || b[i] != ':' {
		return i, &SyntaxError{Offset: i, Reason: "want a colon after the key"}
	}
	return skipSpace(b, i+1), nil
}

func checkString(b []byte, i int) (int, error) {
	end, cut, ok := consumeString(b, i)
	if !ok {
		return end, &SyntaxError{Offset: end, Reason: "a control character or an unknown escape in a string"}
	}
	if cut {
		return len(b), &SyntaxError{Offset: len(b), Reason: "the text ends inside a string"}
	}
	return end, nil
}

// stack holds which brackets are open, a bit each: set for an object.
type stack struct {
	depth int
	bits  [(MaxDepth + 63) / 64]uint64
}

// push opens a bracket; it is false when that is one too many.
func (s *stack) push(object bool) bool {
	if s.depth >= MaxDepth {
		return false
	}
	word, bit := s.depth/64, uint64(1)<<(s.depth%64)
	if object {
		s.bits[word] |= bit
	} else {
		s.bits[word] &^= bit
	}
	s.depth++
	return true
}

func (s *stack) pop() { s.depth-- }

// top tells whether the innermost open bracket is an object's.
func (s *stack) top() bool {
	at := s.depth - 1
	return s.bits[at/64]&(1<<(at%64)) != 0
}
