package evidence

import (
	"encoding/binary"
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// Eight bytes are looked at in one word, the first in the lowest byte.
const (
	wordSize = 8
	ones     = 0x0101010101010101
	highs    = 0x80 * ones
)

// appendLowerASCII appends ASCII text in lower case.
func appendLowerASCII(dst, b []byte) []byte {
	start := len(dst)
	dst = append(dst, b...)
	added := dst[start:]
	for len(added) >= wordSize {
		binary.LittleEndian.PutUint64(added, lowerWord(binary.LittleEndian.Uint64(added)))
		added = added[wordSize:]
	}
	for i, c := range added {
		added[i] = lowerByte(c)
	}
	return dst
}

// lowerWord is lowerByte of eight ASCII bytes: a byte from A up reaches 0x80 by one sum, one past Z by the other.
func lowerWord(w uint64) uint64 {
	upper := (w + ones*(0x80-'A')) &^ (w + ones*(0x7f-'Z')) & highs
	return w | upper>>2
}

func lowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// asciiEnd gives the first place at or after i that is not ASCII, or the end.
func asciiEnd(b []byte, i int) int {
	for i+wordSize <= len(b) {
		if wide := binary.LittleEndian.Uint64(b[i:]) & highs; wide != 0 {
			return i + bits.TrailingZeros64(wide)/8
		}
		i += wordSize
	}
	for i < len(b) && b[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// appendLower appends text in lower case the way ECMAScript's toLowerCase does: all of Unicode (in the version of Go's
// tables), U+0130 as i and a dot above, a capital sigma at the end of a word as a final one. What is not valid UTF-8
// becomes U+FFFD.
func appendLower(dst, b []byte) []byte {
	for i := 0; i < len(b); {
		if end := asciiEnd(b, i); end > i {
			dst = appendLowerASCII(dst, b[i:end])
			i = end
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		switch r {
		case 'İ':
			dst = append(dst, "i\u0307"...)
		case 'Σ':
			dst = utf8.AppendRune(dst, lowerSigma(b, i, n))
		default:
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
		i += n
	}
	return dst
}

// lowerSigma is the lower case of the capital sigma b[i:i+n]: the final one when a cased letter stands before it and
// none after it, with what case ignores skipped (the Unicode Standard, 3.13, Final_Sigma).
func lowerSigma(b []byte, i, n int) rune {
	if casedBefore(b[:i]) && !casedAfter(b[i+n:]) {
		return 'ς'
	}
	return 'σ'
}

func casedBefore(b []byte) bool {
	for len(b) > 0 {
		r, n := utf8.DecodeLastRune(b)
		if !caseIgnorable(r) {
			return cased(r)
		}
		b = b[:len(b)-n]
	}
	return false
}

func casedAfter(b []byte) bool {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if !caseIgnorable(r) {
			return cased(r)
		}
		b = b[n:]
	}
	return false
}

func cased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

func caseIgnorable(r rune) bool {
	switch r {
	case '\'', '.', ':', '^', '`', 0xA8, 0xAD, 0xAF, 0xB4, 0xB7, 0xB8, 0x387, 0x55F, 0x5F4,
		0x2018, 0x2019, 0x2024, 0x2027, 0xFE13, 0xFE52, 0xFE55, 0xFF07, 0xFF0E, 0xFF1A:
		return true
	}
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
}
