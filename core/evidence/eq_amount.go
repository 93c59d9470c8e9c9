package evidence

import (
	"bytes"
	"strconv"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// This file reads the numbers of the number rule that stand in a text over more than one token, or in a token of another
// language: 2.480,50, 1 234,50, 1'234.50, 6.022 x 10^23.

// number reads at text[i] a number that the literal rule reads otherwise.
func (s *speller) number(i int) *spelling {
	form, end := consumeScientific(s.text, i)
	if form == nil {
		form, end = consumeForeignNumber(s.text, i)
	}
	if form == nil {
		return nil
	}
	start := i
	if i > 0 && s.text[i-1] == '-' && (i == 1 || !isWord(s.text[i-2])) {
		start, form = i-1, append([]byte{'-'}, form...)
	}
	sp := s.spell(spelling{rule: ruleNumber, start: start, end: s.unitBehind(end), strict: true})
	plain, ok := appendPlain(nil, form)
	if !ok {
		plain = AppendNormalized(nil, form)
	}
	key := s.keys.key(ruleNumber, numberKind, plain)
	sp.asked.add(key)
	sp.served.add(key)
	if isScientific(form) && s.rules.has(ruleDigits) {
		exact := s.keys.key(ruleDigits, exactKind, appendExact(nil, form))
		sp.served.add(exact)
		if isLong(plain) {
			sp.asked.set(exact)
		}
	}
	sp.named, sp.loose = plain, looseNumber(s.text[i:end])
	return sp
}

// looseNumber is the number in the text of a spelling that may be meant instead: what follows the last plain space of
// 1 234,50, and what stands before the power of ten, which may be a unit.
func looseNumber(text []byte) []byte {
	if at := bytes.IndexAny(text, "xX*×·⋅\\"); at >= 0 {
		return AppendNormalized(nil, bytes.TrimRight(text[:at], " \x01"))
	}
	if at := bytes.LastIndexByte(text, ' '); at >= 0 {
		return AppendNormalized(nil, bytes.ReplaceAll(text[at+1:], []byte{','}, []byte{'.'}))
	}
	return nil
}

// unitBehind gives the end of the unit that touches a number's end.
func (s *speller) unitBehind(end int) int {
	to := end
	if to+1 < len(s.text) && s.text[to] == '/' && isLetter(s.text[to+1]) {
		to++
	}
	for to < len(s.text) && isLetter(s.text[to]) {
		to++
	}
	if to-end > 6 || to < len(s.text) && isWord(s.text[to]) {
		return end
	}
	return to
}

// consumeForeignNumber reads a number grouped by points, apostrophes or spaces, and gives it in plain digits with a
// decimal point; nil when none stands there or when it has another reading. Plain spaces group only before a fraction or
// more than once.
func consumeForeignNumber(b []byte, i int) (form []byte, end int) {
	end = digitsEnd(b, i)
	if end == i || end-i > 3 {
		return nil, i
	}
	group, width := groupMark(b, end)
	if width == 0 || digitsEnd(b, end+width) != end+width+3 {
		return nil, i
	}
	groups := 0
	form = append(form, b[i:end]...)
	for width > 0 && bytes.HasPrefix(b[end:], group) && digitsEnd(b, end+width) == end+width+3 {
		form = append(form, b[end+width:end+width+3]...)
		end += width + 3
		groups++
	}
	fraction := 0
	if groups > 0 && end+1 < len(b) && (b[end] == ',' || b[end] == '.' && group[0] != '.') && isDigit(b[end+1]) {
		to := digitsEnd(b, end+1)
		fraction = to - end - 1
		form = append(append(form, '.'), b[end+1:to]...)
		end = to
	}
	if !groupsForSure(group, groups, fraction) || runsOn(b, end) {
		return nil, i
	}
	return form, end
}

// groupMark gives the mark that may group the digits before b[i], and its width in bytes.
func groupMark(b []byte, i int) (mark []byte, width int) {
	if i >= len(b) {
		return nil, 0
	}
	switch b[i] {
	case '.', noBreak, '\'', ' ':
		return b[i : i+1], 1
	}
	if bytes.HasPrefix(b[i:], []byte("’")) {
		return b[i : i+len("’")], len("’")
	}
	return nil, 0
}

// groupsForSure tells whether groups of three digits have no other reading.
func groupsForSure(mark []byte, groups, fraction int) bool {
	switch {
	case groups == 0:
		return false
	case groups > 1 || fraction > 0:
		return mark[0] != ' ' || fraction > 0
	}
	return mark[0] != '.' && mark[0] != ' '
}

// runsOn tells whether more of a number or a word follows, which no unit is.
func runsOn(b []byte, i int) bool {
	end := i
	for end < len(b) && isLetter(b[end]) {
		end++
	}
	if end-i > 5 || end < len(b) && isWord(b[end]) {
		return true
	}
	return end == i && i < len(b) && (b[i] == '.' || b[i] == ',') && isDigitAt(b, i+1)
}

// consumeScientific reads 6.022 x 10^23 at b[i], with any sign of multiplication and raised digits, and gives it as
// 6.022e23; nil when none stands there.
func consumeScientific(b []byte, i int) (form []byte, end int) {
	end = digitsEnd(b, i)
	if end+1 < len(b) && b[end] == '.' && isDigit(b[end+1]) {
		end = digitsEnd(b, end+1)
	}
	mantissa := b[i:end]
	at, ok := consumeAny(b, skipSpaces(b, end), "x", "X", "×", "*", "·", "⋅", "\\times", "\\cdot")
	if !ok || end == i {
		return nil, i
	}
	if at = skipSpaces(b, at); !bytes.HasPrefix(b[at:], []byte("10")) {
		return nil, i
	}
	exponent, to, ok := consumeExponent(b, at+2)
	if !ok {
		return nil, i
	}
	return strconv.AppendInt(append(append(form, mantissa...), 'e'), int64(exponent), 10), to
}

// consumeAny goes over the first of the texts that stands at b[i].
func consumeAny(b []byte, i int, texts ...string) (end int, ok bool) {
	for _, text := range texts {
		if bytes.HasPrefix(b[min(i, len(b)):], []byte(text)) {
			return i + len(text), true
		}
	}
	return i, false
}

// raised are the raised digits in their order.
const raised = "⁰¹²³⁴⁵⁶⁷⁸⁹"

// consumeExponent reads ^23, ^-23 or raised digits at b[i], at most three.
func consumeExponent(b []byte, i int) (exponent, end int, ok bool) {
	i, plain := consumeAny(b, i, "^{", "^")
	braces := plain && b[i-1] == '{'
	i, negative := consumeAny(b, i, "-", "⁻")
	digits := 0
	for end = i; end < len(b) && digits <= 3; digits++ {
		d, to := consumeRaised(b, end, plain)
		if to == end {
			break
		}
		exponent, end = exponent*10+d, to
	}
	if negative {
		exponent = -exponent
	}
	if braces {
		end, _ = consumeAny(b, end, "}")
	}
	return exponent, end, digits > 0 && digits <= 3
}

func consumeRaised(b []byte, i int, plain bool) (digit, end int) {
	if plain {
		if isDigit(b[i]) {
			return int(b[i] - '0'), i + 1
		}
		return 0, i
	}
	n := 0
	for _, r := range raised {
		if bytes.HasPrefix(b[i:], []byte(string(r))) {
			return n, i + len(string(r))
		}
		n++
	}
	return 0, i
}

// isLong tells whether a number prints with more digits than a double holds.
func isLong(plain []byte) bool {
	return countDigits(plain) > maxPlainDigits || bytes.IndexByte(plain, 'e') >= 0 && bytes.IndexByte(plain, '-') < 1
}

// appendExact appends the digits of a number without the zeros around them, and the exponent of the last: 1.2e19 and
// 12000000000000000000 are 12e18.
func appendExact(dst, number []byte) []byte {
	start, exponent, fraction := len(dst), 0, false
	for i, c := range number {
		if c == 'e' || c == 'E' {
			exponent += exponentOf(number[i+1:])
			break
		}
		switch {
		case c == '.':
			fraction = true
		case isDigit(c):
			if fraction {
				exponent--
			}
			if c != '0' || len(dst) > start {
				dst = append(dst, c)
			}
		}
	}
	for len(dst) > start && dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
		exponent++
	}
	if number[0] == '-' {
		dst = append(dst, '-')
	}
	return strconv.AppendInt(append(dst, 'e'), int64(exponent), 10)
}

func exponentOf(b []byte) int {
	negative := len(b) > 0 && b[0] == '-'
	n := digitsValue(bytes.TrimLeft(b[:min(len(b), 6)], "+-"))
	if negative {
		return -n
	}
	return n
}

// addDigits adds a JSON number under its own digits, when they are not what it is printed as, and exactly.
func (w *keyWriter) addDigits(leaf servedjson.Value, printed []byte) {
	raw := leaf.Raw()
	if w.ix.keys == nil || !w.ix.rules.has(ruleDigits) {
		return
	}
	if !bytes.Equal(raw, printed) {
		w.begin(ruleDigits, numberKind)
		w.buf = append(w.buf, raw...)
		w.end()
	}
	if countDigits(raw) > maxPlainDigits || bytes.ContainsAny(raw, "eE") {
		w.begin(ruleDigits, exactKind)
		w.buf = appendExact(w.buf, raw)
		w.end()
	}
}
