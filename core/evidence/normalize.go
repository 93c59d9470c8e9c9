package evidence

import (
	"unicode/utf8"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// NormalizeToken gives the one spelling of a value; see AppendNormalized.
func NormalizeToken(s string) string {
	return string(AppendNormalized(nil, []byte(s)))
}

// AppendNormalized appends the one spelling that a value is compared by, on both sides: lower case, without white space
// around it, without one run of leading $ # @ + ' " ` ( [ { < and one run of trailing . , ; : ! ? % ' " ` ) ] } >,
// without the commas of well-formed thousands, a plain number of at most 15 digits in its shortest form (literal-1,
// "normalize"). It is not idempotent where the trim comes before the stripping: "( 4200 )" gives " 4200 ". It keeps
// nothing of raw.
func AppendNormalized(dst, raw []byte) []byte {
	start := len(dst)
	dst = appendLower(dst, raw)
	low, high := stripped(dst[start:])
	if low == high {
		return dst[:start]
	}
	kept := copy(dst[start:], dst[start+low:start+high])
	return shortest(dst[:start+kept], start)
}

// normalizer spells ASCII texts in a buffer of its own.
type normalizer struct {
	buf []byte
}

// spell gives the one spelling of an ASCII value after stripping: the value itself when nothing changes, else what is in
// the normalizer's buffer until the next call. kinds says which bytes the value may hold.
func (n *normalizer) spell(value []byte, kinds byteKind) []byte {
	if kinds&kindUpper != 0 {
		n.buf = appendLowerASCII(n.buf[:0], value)
		value = n.buf
	}
	if kinds&kindDigit == 0 || isSpelled(value) {
		return value
	}
	n.buf = shortest(append(n.buf[:0], value...), 0)
	return n.buf
}

// isSpelled tells whether a stripped value in lower case is surely its own spelling. A number that may print in another
// way is not.
func isSpelled(b []byte) bool {
	if firstDigitPlace(b) < 0 {
		return true
	}
	if whole, number := isNumber(b); number {
		return printsAsItStands(b, whole)
	}
	return !isGrouped(b)
}

// printsAsItStands tells whether a number, whose whole part ends at whole, is surely in its shortest form: no plus, no
// zero in front, none behind a fraction, and not so small that it prints with an exponent. A double keeps maxPlainDigits
// digits as they are.
func printsAsItStands(b []byte, whole int) bool {
	first := 0
	if b[0] == '-' {
		first = 1
	}
	if len(b) > maxPlainDigits || b[0] == '+' || b[first] == '0' {
		return false
	}
	return whole == len(b) || b[len(b)-1] != '0'
}

// stripped gives what is left of a lower-cased text after the trim and the two runs.
func stripped(b []byte) (low, high int) {
	low, high = trimBounds(b)
	return withoutRuns(b, low, high)
}

// withoutRuns takes the run of leading and the run of trailing characters off b[low:high].
func withoutRuns(b []byte, low, high int) (int, int) {
	for low < high && byteKinds[b[low]]&kindLeading != 0 {
		low++
	}
	for high > low && byteKinds[b[high-1]]&kindTrailing != 0 {
		high--
	}
	return low, high
}

func trimBounds(b []byte) (low, high int) {
	high = len(b)
	for low < high {
		r, n := rune(b[low]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(b[low:])
		}
		if !servedjson.IsSpaceJS(r) {
			break
		}
		low += n
	}
	for high > low {
		r, n := rune(b[high-1]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeLastRune(b[low:high])
		}
		if !servedjson.IsSpaceJS(r) {
			break
		}
		high -= n
	}
	return low, high
}

// shortest rewrites the value dst[start:] without thousands commas and, a plain number, in its shortest form.
func shortest(dst []byte, start int) []byte {
	if firstDigitPlace(dst[start:]) < 0 {
		return dst
	}
	if isGrouped(dst[start:]) {
		dst = dst[:start+len(withoutCommas(dst[start:]))]
	}
	whole, ok := isNumber(dst[start:])
	if !ok || countDigits(dst[start:]) > maxPlainDigits || printsAsItStands(dst[start:], whole) {
		return dst
	}
	return appendShortNumber(dst, start)
}

// maxPlainDigits is how many digits a number may have to be printed in its shortest form: a double holds as many.
const maxPlainDigits = 15

// firstDigitPlace is the place of a number's first digit, after one sign; -1 when the text does not begin like one.
func firstDigitPlace(b []byte) int {
	i := 0
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		i = 1
	}
	if i < len(b) && isDigit(b[i]) {
		return i
	}
	return -1
}

// isGrouped tells whether b is a number with well-formed thousands: ^-?\d{1,3}(,\d{3})+(\.\d+)?$.
func isGrouped(b []byte) bool {
	i := 0
	if len(b) > 0 && b[0] == '-' {
		i = 1
	}
	first := digitsEnd(b, i)
	if first == i || first-i > 3 {
		return false
	}
	i = first
	groups := 0
	for i < len(b) && b[i] == ',' {
		if digitsEnd(b, i+1) != i+4 {
			return false
		}
		i += 4
		groups++
	}
	return groups > 0 && endsNumber(b, i)
}

// endsNumber tells whether b[i:] is empty or a fraction.
func endsNumber(b []byte, i int) bool {
	if i == len(b) {
		return true
	}
	return b[i] == '.' && i+1 < len(b) && digitsEnd(b, i+1) == len(b)
}

// withoutCommas takes the commas out of b, in its room.
func withoutCommas(b []byte) []byte {
	kept := b[:0]
	for _, c := range b {
		if c != ',' {
			kept = append(kept, c)
		}
	}
	return kept
}

// isNumber tells whether b is a plain number: ^[-+]?\d+(\.\d+)?$, and where its whole part ends.
func isNumber(b []byte) (whole int, ok bool) {
	i := firstDigitPlace(b)
	if i < 0 {
		return 0, false
	}
	whole = digitsEnd(b, i)
	return whole, endsNumber(b, whole)
}

// appendShortNumber replaces the number dst[start:] by its shortest form.
func appendShortNumber(dst []byte, start int) []byte {
	v, err := servedjson.ParseNumber(dst[start:])
	if err != nil {
		return dst // a plain number always parses
	}
	return servedjson.AppendJSNumber(dst[:start], v)
}

func digitsEnd(b []byte, i int) int {
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// countDigits counts the ASCII digits.
func countDigits(b []byte) int {
	n := 0
	for _, c := range b {
		if isDigit(c) {
			n++
		}
	}
	return n
}

// LookupForms are the forms that a value is looked up by: itself, and what follows 0x when it begins so.
func LookupForms(v string) []string {
	if short, ok := shortForm(v); ok {
		return []string{v, short}
	}
	return []string{v}
}

// shortForm is what follows the 0x of a value.
func shortForm(v string) (string, bool) {
	if len(v) > 2 && v[0] == '0' && v[1] == 'x' {
		return v[2:], true
	}
	return "", false
}

// CanonicalForm is the last of a value's lookup forms.
func CanonicalForm(v string) string {
	if short, ok := shortForm(v); ok {
		return short
	}
	return v
}

// CountDigits counts the ASCII digits of a text.
func CountDigits(s string) int { return countDigits([]byte(s)) }
