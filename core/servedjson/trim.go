package servedjson

import (
	"bytes"
	"unicode/utf8"
)

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
