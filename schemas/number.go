package schemas

import (
	"bytes"
	"math"
	"slices"
)

// Whole numbers of the events are bounded, so that every language holds them.
const (
	maxCount   = math.MaxInt32 // turn, iteration
	maxInteger = 1<<53 - 1     // exitCode: what a double holds exactly
)

// wholeNumber reads the text of a JSON number as a whole number, as JSON Schema's integer does: 1, 1.0, 10e-1 and 0.1e1
// are the same. It is false for a number with a fraction and for one that is larger than maxInteger either way. The time
// is linear in the text, whatever the exponent says.
func wholeNumber(text []byte) (n int64, ok bool) {
	digits, exponent := scientific(text)
	if len(digits) == 0 {
		return 0, true
	}
	if exponent < 0 || len(digits)+exponent > 16 {
		return 0, false
	}
	for _, c := range digits {
		n = n*10 + int64(c-'0')
	}
	for range exponent {
		n *= 10
	}
	if text[0] == '-' {
		n = -n
	}
	return n, n >= -maxInteger && n <= maxInteger
}

// scientific takes the text of a JSON number apart: without its sign it is digits times ten to the exponent, and digits
// neither begin nor end with a zero; for zero there are none.
func scientific(text []byte) (digits []byte, exponent int) {
	mantissa := text
	if e := bytes.IndexAny(text, "eE"); e >= 0 {
		mantissa, exponent = text[:e], clampedExponent(text[e+1:])
	}
	whole, fraction, _ := bytes.Cut(bytes.TrimPrefix(mantissa, []byte("-")), []byte("."))
	exponent -= len(fraction)
	digits = slices.Concat(whole, fraction)
	trimmed := bytes.TrimRight(digits, "0")
	exponent += len(digits) - len(trimmed)
	return bytes.TrimLeft(trimmed, "0"), exponent
}

// clampedExponent reads an exponent; beyond a billion either way it stays there, which no text of digits makes up for.
func clampedExponent(text []byte) int {
	const limit = 1_000_000_000
	n, sign := 0, 1
	for _, c := range text {
		switch {
		case c == '-':
			sign = -1
		case c != '+':
			n = min(n*10+int(c-'0'), limit)
		}
	}
	return sign * n
}
