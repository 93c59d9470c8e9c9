package servedjson

import "io"

// consumeValue checks the value at b[i] against the grammar and gives its end. Which brackets are open is kept in a bit
// set, so that no input uses the stack.
func consumeValue(b []byte, i int) (end int, err error) {
	var open stack
	for {
		opened := false
		switch {
		case i >= len(b):
			return i, io.ErrUnexpectedEOF
		case b[i] == '"':
			i, err = consumeString(b, i)
		case b[i] == '{' || b[i] == '[':
			i, opened, err = consumeOpening(b, i, &open)
		default:
			i, err = consumeLiteral(b, i)
		}
		if err == nil && !opened {
			i, err = consumeFollowing(b, i, &open)
		}
		if err != nil || open.depth == 0 {
			return i, err
		}
	}
}

// consumeOpening takes the opening of an array or object up to its first value; opened is false when it is empty, and
// was taken whole.
func consumeOpening(b []byte, i int, open *stack) (end int, opened bool, err error) {
	object := b[i] == '{'
	if !open.push(object) {
		return i, false, ErrTooDeep
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

// consumeFollowing takes what follows a value up to the next one: brackets that close, a comma, a key.
func consumeFollowing(b []byte, i int, open *stack) (end int, err error) {
	for open.depth > 0 {
		object := open.top()
		i = skipSpace(b, i)
		switch {
		case i >= len(b):
			return i, io.ErrUnexpectedEOF
		case b[i] == ',':
			i = skipSpace(b, i+1)
			if object {
				return consumeKey(b, i)
			}
			return i, nil
		case b[i] == closing(object):
			open.pop()
			i++
		case object:
			return i, errObject
		default:
			return i, errArray
		}
	}
	return i, nil
}

// consumeKey takes a key, its colon and the space up to its value.
func consumeKey(b []byte, i int) (end int, err error) {
	if i >= len(b) {
		return i, io.ErrUnexpectedEOF
	}
	if b[i] != '"' {
		return i, errKey
	}
	if i, err = consumeString(b, i); err != nil {
		return i, err
	}
	i = skipSpace(b, i)
	if i >= len(b) {
		return i, io.ErrUnexpectedEOF
	}
	if b[i] != ':' {
		return i, errColon
	}
	return skipSpace(b, i+1), nil
}

// stack holds which brackets are open, a bit each: set for an object.
type stack struct {
	depth uint
	bits  [(MaxDepth + 63) / 64]uint64
}

// push opens a bracket; it is false when that is one too many.
func (s *stack) push(object bool) bool {
	if s.depth >= MaxDepth {
		return false
	}
	word, bit := &s.bits[s.depth/64], uint64(1)<<(s.depth%64)
	*word &^= bit
	if object {
		*word |= bit
	}
	s.depth++
	return true
}

func (s *stack) pop() { s.depth-- }

// top tells whether the innermost open bracket is an object's.
func (s *stack) top() bool {
	at := s.depth - 1
	return s.bits[at/64]>>(at%64)&1 != 0
}
