package evidence

import (
	"bytes"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// The number rule: 2.480,50 is 2480.5 and 1.234.567 is 1234567 where the shape leaves no other reading; spaces that do
// not break a line and apostrophes group digits, and so does the Indian way (12,34,567); .312 is 0.312; a minus sign of
// any kind is one; 1.2e3 and 1.2 x 10^3 are 1200; a currency in front, a unit or a word behind is no part of the number. A
// number that was read as negative may be written without its sign, as a refund or a loss is, never the reverse. 1204,5
// alone has two readings, and is a list unless exactly 1204.5 was read. This file reads single tokens, eq_amount.go what
// spaces separate.

// The kinds of keys of numbers.
const (
	numberKind  = 'n' // a number in its one spelling
	unitedKind  = 'u' // a number and the unit behind it
	percentKind = '%' // the share that a percentage is
	exactKind   = 'x' // every digit of a number that a double does not hold, and its exponent
)

// addNumberKeys adds what a token that is a number in another dress is known by.
func (w *keyWriter) addNumberKeys(token []byte) {
	if _, plain := isNumber(token); !plain && mayBeNumber(token) {
		w.addDressed(token)
	}
}

func (w *keyWriter) addDressed(token []byte) {
	w.begin(ruleNumber, numberKind)
	var ok bool
	if w.buf, ok = appendPlain(w.buf, token); ok {
		w.end()
	}
	if isScientific(token) && w.ix.rules.has(ruleDigits) {
		w.begin(ruleDigits, exactKind)
		w.buf = appendExact(w.buf, token)
		w.end()
	}
	number, tail := splitTail(token)
	if len(number) == 0 {
		return
	}
	if len(tail) == 0 {
		w.addDecimalComma(token)
		return
	}
	kind := byte(unitedKind)
	switch {
	case currencies[string(tail)], isWords(tail) && len(tail) > maxUnit:
		kind, tail = numberKind, nil
	case !isGluedUnit(tail) || bytes.IndexByte(number, ',') < 0:
		return
	}
	w.begin(ruleNumber, kind)
	if w.buf, ok = appendNumeral(w.buf, number); ok {
		w.buf = append(w.buf, tail...)
		w.end()
	}
}

// mayBeNumber tells whether a token with a digit may be a number in another dress: letters in front may only be a currency.
func mayBeNumber(token []byte) bool {
	if !isLetter(token[0]) {
		return true
	}
	if len(token) > 3 && !isLetter(token[3]) && currencies[string(token[:3])] {
		return true
	}
	return bytes.IndexByte(token[:min(len(token), 4)], '$') > 0
}

// maxUnit is how long the tail of a number is that literal-1 takes for a unit: a hyphen and five letters.
const maxUnit = 6

// addDecimalComma adds a token like 1204,5 as the decimal it can be; as a list it is known by its values as well.
func (w *keyWriter) addDecimalComma(token []byte) {
	comma := bytes.IndexByte(token, ',')
	if comma < 0 || len(token)-comma == len(",000") {
		return
	}
	if form, ok := decimalComma(token); ok {
		w.addKey(ruleNumber, numberKind, form)
	}
}

// isGluedUnit tells whether a tail is a unit that touches its number.
func isGluedUnit(tail []byte) bool { return len(tail) > 0 && isLetter(tail[0]) && isTail(tail) }

// appendPlain appends the one spelling of a token that is a number in another dress: 1.2e3, usd2480, 12,34,567, .312. ok
// is false when it is none, or is spelled so already.
func appendPlain(dst, token []byte) (form []byte, ok bool) {
	if isScientific(token) {
		x, err := servedjson.ParseNumber(token)
		if err != nil {
			return dst, false
		}
		form = servedjson.AppendJSNumber(dst, x)
	} else if form, ok = appendNumeral(dst, withoutCurrency(token)); !ok {
		return dst, false
	}
	if bytes.Equal(form[len(dst):], token) {
		return dst, false
	}
	return form, true
}

// appendNumeral appends the one spelling of a number whose digits may be grouped: by commas, in the Indian way, or by
// points before a decimal comma; a point may open it.
func appendNumeral(dst, b []byte) (form []byte, ok bool) {
	start := len(dst)
	if len(b) > 0 && b[0] == '-' {
		dst, b = append(dst, '-'), b[1:]
	}
	if len(b) == 0 {
		return dst[:start], false
	}
	switch _, plain := isNumber(b); {
	case plain && isDigit(b[0]):
		dst = append(dst, b...)
	case isGrouped(b) && b[0] != '-', isLakh(b):
		dst = appendWithout(dst, b, ',')
	case isUnderscored(b):
		dst = appendWithout(dst, b, '_')
	case b[0] == '.' && len(b) > 1 && digitsEnd(b, 1) == len(b):
		dst = append(append(dst, '0'), b...)
	default:
		form, end := consumeForeignNumber(b, 0)
		if form == nil || end != len(b) {
			return dst[:start], false
		}
		dst = append(dst, form...)
	}
	return shortest(dst, start), true
}

func appendWithout(dst, b []byte, c byte) []byte {
	for _, d := range b {
		if d != c {
			dst = append(dst, d)
		}
	}
	return dst
}

// isLakh tells whether b is a number grouped in the Indian way: ^\d{1,2}(,\d{2})+,\d{3}(\.\d+)?$.
func isLakh(b []byte) bool {
	i := digitsEnd(b, 0)
	if i == 0 || i > 2 {
		return false
	}
	groups := 0
	for i < len(b) && b[i] == ',' && digitsEnd(b, i+1) == i+3 {
		i += 3
		groups++
	}
	return groups > 0 && i < len(b) && b[i] == ',' && digitsEnd(b, i+1) == i+4 && endsNumber(b, i+4)
}

// isUnderscored tells whether b is a whole number grouped as programs do: 1_234_567.
func isUnderscored(b []byte) bool {
	i := digitsEnd(b, 0)
	if i == 0 || i > 3 {
		return false
	}
	for i < len(b) && b[i] == '_' && digitsEnd(b, i+1) == i+4 {
		i += 4
	}
	return i == len(b) && i > 3
}

// isScientific tells whether a token is [-]d+(.d+)?e[+-]?d+.
func isScientific(b []byte) bool {
	e := bytes.IndexByte(b, 'e')
	if e < 1 || e == len(b)-1 {
		return false
	}
	if _, ok := isNumber(b[:e]); !ok {
		return false
	}
	exponent := b[e+1:]
	if exponent[0] == '+' || exponent[0] == '-' {
		exponent = exponent[1:]
	}
	return len(exponent) > 0 && len(exponent) <= 3 && digitsEnd(exponent, 0) == len(exponent)
}

// currencies are the codes that stand beside an amount.
var currencies = map[string]bool{
	"usd": true, "eur": true, "gbp": true, "jpy": true, "cny": true, "inr": true, "chf": true, "cad": true, "aud": true,
	"sek": true, "nok": true, "dkk": true, "pln": true, "brl": true, "mxn": true, "krw": true, "sgd": true, "hkd": true,
	"nzd": true, "zar": true, "try": true, "aed": true, "ils": true, "thb": true, "czk": true, "huf": true,
}

// withoutCurrency takes a currency off an amount: usd2480, us$2480, -$2480. A minus in front of it stays.
func withoutCurrency(token []byte) []byte {
	body, minus := bytes.CutPrefix(token, []byte{'-'})
	if len(body) == 0 || !isLetter(body[0]) && body[0] != '$' {
		return token
	}
	if len(body) > 3 && !isLetter(body[3]) && currencies[string(body[:3])] {
		body = body[3:]
	} else if end := lettersEnd(body, 0); end <= 3 && end < len(body) && body[end] == '$' {
		body = body[end+1:]
	} else {
		return token
	}
	if len(body) == 0 || !minus {
		return body
	}
	return append([]byte{'-'}, body...)
}

// splitTail splits a token behind the digits, points and commas that it begins with.
func splitTail(token []byte) (number, tail []byte) {
	i := 0
	if len(token) > 0 && token[0] == '-' {
		i = 1
	}
	for i < len(token) && (isDigit(token[i]) || token[i] == ',' || token[i] == '.') {
		i++
	}
	return token[:i], token[i:]
}

// appendDressed appends the number of an answer's token that a currency, a unit or words dress: 12,480ms, 1450m2,
// 1500-calorie. ok is false when it is none.
func appendDressed(dst, token []byte) (form []byte, ok bool) {
	if form, ok = appendPlain(dst, token); ok {
		return form, true
	}
	number, tail := splitTail(withoutCurrency(token))
	if len(tail) == 0 || len(number) == 0 || !isTail(tail) && !isAreaUnit(tail) && !isWords(tail) {
		return dst, false
	}
	return appendNumeral(dst, number)
}

// isAreaUnit tells whether a tail is a unit of an area or of a volume: m2, km2, cm3, kg/m3.
func isAreaUnit(tail []byte) bool {
	last := len(tail) - 1
	return (tail[last] == '2' || tail[last] == '3') && last > 0 && tail[last-1] == 'm' && isTail(tail[:last])
}

// isWords tells whether a tail is words behind hyphens.
func isWords(tail []byte) bool {
	for i := 0; i < len(tail); {
		if tail[i] != '-' {
			return false
		}
		end := lettersEnd(tail, i+1)
		if end == i+1 || end-i > 20 {
			return false
		}
		i = end
	}
	return true
}

// decimalComma reads a token like 1204,5 as the decimal it can be.
func decimalComma(token []byte) (form []byte, ok bool) {
	comma := bytes.IndexByte(token, ',')
	if comma < 1 || bytes.IndexByte(token[comma+1:], ',') >= 0 {
		return nil, false
	}
	form = append(append(append(form, token[:comma]...), '.'), token[comma+1:]...)
	if _, isNumber := isNumber(form); !isNumber {
		return nil, false
	}
	return AppendNormalized(nil, form), true
}
