package servedjson

import (
	"encoding/binary"
	"math/bits"
)

// class sorts bytes for the scanners.
type class uint8

const (
	classSpace  class = 1 << iota // JSON space: space, LF, CR, TAB
	classStop                     // ends a literal: { } [ ] , : " and JSON space
	classDigit                    // 0-9
	classString                   // may stand in a string as it is: not " \ or a control character
	classHex                      // 0-9 a-f A-F
)

var classes = func() (t [256]class) {
	for c := range t {
		if c >= ' ' && c != '"' && c != '\\' {
			t[c] = classString
		}
	}
	mark := func(with class, these string) {
		for _, c := range []byte(these) {
			t[c] |= with
		}
	}
	mark(classSpace|classStop, " \n\r\t")
	mark(classStop, `{}[],:"`)
	mark(classDigit|classHex, "0123456789")
	mark(classHex, "abcdefABCDEF")
	return t
}()

// IsSpace tells whether a byte is JSON space: space, LF, CR or TAB.
func IsSpace(c byte) bool { return classes[c]&classSpace != 0 }

// skip gives the first place at or after i whose byte is not of the class, or the end.
func skip(b []byte, i int, over class) int {
	for i < len(b) && classes[b[i]]&over != 0 {
		i++
	}
	return i
}

// skipSpace gives the first place at or after i that is not JSON space.
func skipSpace(b []byte, i int) int {
	for i < len(b) && classes[b[i]]&classSpace != 0 {
		i++
	}
	return i
}

// Eight bytes are looked at in one word, the first in the lowest byte. A function that marks bytes sets their highest
// bit. Bytes above the lowest marked one may be marked wrongly (a borrow or a carry runs upwards), so only the lowest
// mark is to be used. Each scanner ends in its plain twin, which reads byte by byte and which the fuzz tests hold it to.
const (
	wordSize = 8
	ones     = 0x0101010101010101
	highs    = 0x80 * ones
)

// load gives the eight bytes at b[i], which must be there.
func load(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i : i+wordSize]) }

// markStringEnd marks the bytes that may not stand in a string as they are: the quote, the backslash and control
// characters. A byte with the highest bit set never ends anything, so one mask at the end serves the three tests.
func markStringEnd(w uint64) uint64 {
	quote := (w ^ ones*'"') - ones
	slash := (w ^ ones*'\\') - ones
	control := w - ones*0x20
	return (quote | slash | control) &^ w & highs
}

// markQuoteOrSlash marks the bytes that are a quote or a backslash.
func markQuoteOrSlash(w uint64) uint64 {
	quote := (w ^ ones*'"') - ones
	slash := (w ^ ones*'\\') - ones
	return (quote | slash) &^ w & highs
}

// markNoDigit marks the bytes that are not 0-9: after the digits are moved down to 0-9, what is above 9 reaches 0x80.
func markNoDigit(w uint64) uint64 {
	w ^= ones * '0'
	return (w + ones*(0x7f-9) | w) & highs
}

// markSlash marks the backslashes.
func markSlash(w uint64) uint64 {
	w ^= ones * '\\'
	return (w - ones) &^ w & highs
}

// lowest gives the place of the lowest marked byte.
func lowest(marks uint64) int { return bits.TrailingZeros64(marks) / 8 }

// skipPlain gives the first place at or after i that holds a quote, a backslash or a control character, or the end.
func skipPlain(b []byte, i int) int {
	for i+wordSize <= len(b) {
		if marks := markStringEnd(load(b, i)); marks != 0 {
			return i + lowest(marks)
		}
		i += wordSize
	}
	return skip(b, i, classString)
}

// skipDigits gives the first place at or after i that is no digit, or the end.
func skipDigits(b []byte, i int) int {
	for i+wordSize <= len(b) {
		if marks := markNoDigit(load(b, i)); marks != 0 {
			return i + lowest(marks)
		}
		i += wordSize
	}
	return skip(b, i, classDigit)
}
