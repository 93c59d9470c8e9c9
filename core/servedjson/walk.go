package servedjson

import (
	"bytes"
	"unicode/utf8"
)

// Walk visits the keys and the leaves of a value in the order of the text, in one pass, repeated keys included. A key is
// a String; a leaf is a String, Number, True, False or Null.
func Walk(v Value, visit func(leaf Value, isKey bool)) {
	b := v.raw
	for i := 0; i < len(b); {
		switch b[i] {
		case '{', '[', '}', ']', ',', ':', ' ', '\n', '\r', '\t':
			i++
		case '"':
			end := stringEnd(b, i)
			after := skipSpace(b, end)
			visit(Value{b[i:end]}, after < len(b) && b[after] == ':')
			i = end
		default:
			end := literalEnd(b, i)
			visit(Value{b[i:end]}, false)
			i = end
		}
	}
}

// TrimJS cuts off the white space of ECMAScript's trim: U+0009-000D, U+0020, U+00A0, U+1680, U+2000-200A, U+2028,
// U+2029, U+202F, U+205F, U+3000 and U+FEFF, and not U+0085.
func TrimJS(b []byte) []byte {
	return bytes.TrimFunc(b, IsSpaceJS)
}

// IsSpaceJS tells whether ECMAScript's trim cuts the character off.
func IsSpaceJS(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ' ' || r >= '\t' && r <= '\r'
	}
	switch {
	case r >= 0x2000 && r <= 0x200A:
		return true
	case r == 0xA0, r == 0x1680, r == 0x2028, r == 0x2029, r == 0x202F, r == 0x205F, r == 0x3000, r == 0xFEFF:
		return true
	}
	return false
}
