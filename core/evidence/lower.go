package evidence

import (
	"unicode"
	"unicode/utf8"
)

// appendLowerASCII appends ASCII text in lower case.
func appendLowerASCII(dst, b []byte) []byte {
	start := len(dst)
	dst = append(dst, b...)
	for i, c := range dst[start:] {
		if c >= 'A' && c <= 'Z' {
			dst[start+i] = c + 'a' - 'A'
		}
	}
	return dst
}

// appendLower appends text in lower case the way ECMAScript's toLowerCase does: all of Unicode (in the version of Go's
// tables), U+0130 as i and a dot above, a capital sigma at the end of a word as a final one. What is not valid UTF-8
// becomes U+FFFD.
func appendLower(dst, b []byte) []byte {
	for i := 0; i < len(b); {
		if c := b[i]; c < utf8.RuneSelf {
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			dst = append(dst, c)
			i++
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
