package servedjson

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// MaxDepth is how many arrays and objects may be open at once; deeper text is not read as JSON (readers.md, last
// section). No input can use up the stack.
const MaxDepth = 1000

// ErrTooDeep is wrapped by the error of a text that nests deeper than MaxDepth.
var ErrTooDeep = errors.New("nested deeper than 1000 levels")

// SyntaxError says where a text stops being JSON.
type SyntaxError struct {
	Offset int // in bytes
	Reason string
	cause  error
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Reason) }

// Unwrap gives ErrTooDeep when that is why.
func (e *SyntaxError) Unwrap() error { return e.cause }

// class sorts bytes for the scanners.
type class uint8

const (
	classSpace  class = 1 << iota // JSON space: space, LF, CR, TAB
	classStop                     // ends a literal: { } [ ] , : " and JSON space
	classDigit                    // 0-9
	classString                   // may stand in a string as it is: not " \ or a control character
)

var classes = func() (t [256]class) {
	for c := range 256 {
		if c >= ' ' && c != '"' && c != '\\' {
			t[c] |= classString
		}
	}
	for _, c := range []byte(" \n\r\t") {
		t[c] |= classSpace | classStop
	}
	for _, c := range []byte(`{}[],:"`) {
		t[c] |= classStop
	}
	for c := byte('0'); c <= '9'; c++ {
		t[c] |= classDigit
	}
	return t
}()

// IsSpace tells whether a byte is JSON space: space, LF, CR or TAB.
func IsSpace(c byte) bool { return classes[c]&classSpace != 0 }

// skipSpace gives the first place at or after i that is not JSON space.
func skipSpace(b []byte, i int) int {
	for i < len(b) && classes[b[i]]&classSpace != 0 {
		i++
	}
	return i
}

// plainRun gives the first place at or after i that holds a quote, a backslash or a control character, or the end.
// It looks at eight bytes at a time; plainRunByByte is its plain twin.
func plainRun(b []byte, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for i+8 <= len(b) {
		w := binary.LittleEndian.Uint64(b[i:])
		quote := w ^ ones*'"'
		slash := w ^ ones*'\\'
		found := ((quote - ones) &^ quote) | ((slash - ones) &^ slash) | ((w - ones*0x20) &^ w)
		if found &= highs; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
		i += 8
	}
	return plainRunByByte(b, i)
}

func plainRunByByte(b []byte, i int) int {
	for i < len(b) && classes[b[i]]&classString != 0 {
		i++
	}
	return i
}

// consumeString gives the end of the string that opens at b[i]. When the text ends inside it, n is len(b) and cut is
// true; a control character or a bad escape gives ok false, with n where it stands.
func consumeString(b []byte, i int) (n int, cut, ok bool) {
	for i++; ; {
		i = plainRun(b, i)
		switch {
		case i >= len(b):
			return len(b), true, true
		case b[i] == '"':
			return i + 1, false, true
		case b[i] != '\\':
			return i, false, false
		}
		width, cut, ok := consumeEscape(b[i:])
		if !ok || cut {
			return i, cut, ok
		}
		i += width
	}
}

// consumeEscape gives the width of the escape that b opens with.
func consumeEscape(b []byte) (n int, cut, ok bool) {
	if len(b) < 2 {
		return 0, true, true
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, false, true
	case 'u':
		for i := 2; i < 6; i++ {
			if i >= len(b) {
				return 0, true, true
			}
			if !isHex(b[i]) {
				return 0, false, false
			}
		}
		return 6, false, true
	}
	return 0, false, false
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// consumeNumber gives the end of the number that begins at b[i], and i when none does. It takes the longest number of
// the JSON grammar.
func consumeNumber(b []byte, i int) int {
	start := i
	if i < len(b) && b[i] == '-' {
		i++
	}
	switch {
	case i < len(b) && b[i] == '0':
		i++
	case i < len(b) && classes[b[i]]&classDigit != 0:
		i = skipDigits(b, i)
	default:
		return start
	}
	if i+1 < len(b) && b[i] == '.' && classes[b[i+1]]&classDigit != 0 {
		i = skipDigits(b, i+1)
	}
	return consumeExponent(b, i)
}

func consumeExponent(b []byte, i int) int {
	if i >= len(b) || b[i]|0x20 != 'e' {
		return i
	}
	digits := i + 1
	if digits < len(b) && (b[digits] == '+' || b[digits] == '-') {
		digits++
	}
	if end := skipDigits(b, digits); end > digits {
		return end
	}
	return i
}

func skipDigits(b []byte, i int) int {
	for i < len(b) && classes[b[i]]&classDigit != 0 {
		i++
	}
	return i
}

// consumeWord gives the end of true, false or null at b[i], and i when none stands there.
func consumeWord(b []byte, i int) int {
	for _, word := range [...]string{"true", "false", "null"} {
		if len(b)-i >= len(word) && string(b[i:i+len(word)]) == word {
			return i + len(word)
		}
	}
	return i
}
