package evidence

import (
	"bytes"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// The number rule: 2.480,50 is 2480.5 and 1.234.567 is 1234567 where the shape leaves no other reading; spaces that do
// not break a line group digits; a minus sign of any kind is one; 1.2e3 is 1200; a currency code in front is no part of
// the number. A number that was read as negative may be written without its sign, as a refund or a loss is, never the
// reverse. 1204,5 alone has two readings, and is a list unless exactly 1204.5 was read.

// numberKind opens the keys of numbers; what follows is the number in its one spelling.
const numberKind = 'n'

// number reads at text[i] a number that the literal rule reads otherwise.
func (s *speller) number(i int) (spelling, bool) {
	form, end := consumeForeignNumber(s.text, i)
	if form == nil {
		return spelling{}, false
	}
	start := i
	if i > 0 && s.text[i-1] == '-' && (i == 1 || !isWord(s.text[i-2])) {
		start, form = i-1, append([]byte{'-'}, form...)
	}
	sp := spelling{rule: ruleNumber, start: start, end: end, strict: true}
	sp.asked = append(sp.asked, s.keys.key(ruleNumber, numberKind, AppendNormalized(nil, form)))
	sp.served = sp.asked
	return sp, true
}

// consumeForeignNumber reads a number grouped by points or by spaces that do not break a line, and gives it in plain
// digits with a decimal point; nil when none stands there.
func consumeForeignNumber(b []byte, i int) (form []byte, end int) {
	end = digitsEnd(b, i)
	if end-i > 3 || end >= len(b) || b[end] != '.' && b[end] != noBreak {
		return nil, i
	}
	group := b[end]
	form = append(form, b[i:end]...)
	groups := 0
	for end < len(b) && b[end] == group && digitsEnd(b, end+1) == end+4 {
		form = append(form, b[end+1:end+4]...)
		end += 4
		groups++
	}
	fraction := 0
	if end+1 < len(b) && (b[end] == ',' || b[end] == '.' && group == noBreak) && isDigit(b[end+1]) {
		to := digitsEnd(b, end+1)
		fraction = to - end - 1
		form = append(append(form, '.'), b[end+1:to]...)
		end = to
	}
	unambiguous := groups > 1 || groups == 1 && (group == noBreak || fraction > 0)
	if !unambiguous || runsOn(b, end) {
		return nil, i
	}
	return form, end
}

// runsOn tells whether more of a number or a word follows.
func runsOn(b []byte, i int) bool {
	if i >= len(b) {
		return false
	}
	return isWord(b[i]) || (b[i] == '.' || b[i] == ',') && isDigitAt(b, i+1)
}

// plainNumber gives the plain spelling of a token that is a number in another dress: 1.2e3, usd2480. ok is false when it
// is none.
func plainNumber(token []byte) (form []byte, ok bool) {
	if bare, found := withoutCurrency(token); found {
		if _, isNumber := isNumber(bare); isNumber {
			return AppendNormalized(nil, bare), true
		}
	}
	if !isScientific(token) {
		return nil, false
	}
	x, err := servedjson.ParseNumber(token)
	if err != nil {
		return nil, false
	}
	form = servedjson.AppendJSNumber(nil, x)
	return form, !bytes.Equal(form, token)
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

// currencies are the codes that stand in front of an amount without a space.
var currencies = map[string]bool{
	"usd": true, "eur": true, "gbp": true, "jpy": true, "cny": true, "inr": true, "chf": true, "cad": true, "aud": true,
	"sek": true, "nok": true, "dkk": true, "pln": true, "brl": true, "mxn": true, "krw": true, "sgd": true, "hkd": true,
	"nzd": true, "zar": true, "try": true, "aed": true, "ils": true, "thb": true, "czk": true, "huf": true,
}

func withoutCurrency(token []byte) ([]byte, bool) {
	if len(token) > 3 && currencies[string(token[:3])] && (isDigit(token[3]) || token[3] == '-') {
		return token[3:], true
	}
	return nil, false
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
