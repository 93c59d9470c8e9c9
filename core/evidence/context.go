package evidence

import (
	"bytes"
	"slices"
)

// What stands around a literal token of an answer may say which value it is: the unit behind it, a percent sign, the
// airline in front of it, a word that names a hash. The queries of this file are asked last, when nothing else holds the
// token.

// context lists what a candidate may be held by at a place.
func (s *RuleSet) context(c *Candidate, p place) []query {
	q := queryList{rules: s}
	value := []byte(c.Value)
	q.addJoinedGroups(p)
	if _, number := isNumber(value); !number {
		return q.queries
	}
	behind := p.text[p.at.end:]
	q.addUnit(value, behind)
	q.addShare(value, behind)
	q.addGrouped(p)
	q.addHour(value, behind)
	q.addBehindWord(value, p)
	return q.queries
}

// addUnit asks for the number and the unit behind it as one: 1840 ms is held by 1840ms.
func (q *queryList) addUnit(value, behind []byte) {
	at := skipSpaces(behind, 0)
	end := at
	for end < len(behind) && end-at <= 11 && (isLetter(behind[end]) || behind[end] == '/') {
		end++
	}
	unit := appendLowerASCII(nil, behind[at:end])
	if short, ok := shortUnits[string(bytes.TrimSuffix(unit, []byte{'s'}))]; ok {
		unit = []byte(short)
	}
	if len(unit) > 0 && isTail(unit) {
		united := append(value[:len(value):len(value)], unit...)
		q.form(ruleNumber, united)
		q.key(ruleNumber, unitedKind, united)
	}
}

// shortUnits are the short names of units whose names are written out.
var shortUnits = map[string]string{
	"millisecond": "ms", "microsecond": "us", "nanosecond": "ns", "second": "s", "sec": "s", "minute": "min", "hour": "h", "hr": "h",
	"day": "d", "meter": "m", "metre": "m", "kilometer": "km", "kilometre": "km", "centimeter": "cm", "centimetre": "cm",
	"millimeter": "mm", "millimetre": "mm", "gram": "g", "gramme": "g", "milligram": "mg", "microgram": "mcg", "kilogram": "kg",
	"kilo": "kg", "liter": "l", "litre": "l", "milliliter": "ml", "millilitre": "ml", "byte": "b", "kilobyte": "kb",
	"megabyte": "mb", "gigabyte": "gb", "terabyte": "tb", "kibibyte": "kib", "mebibyte": "mib", "gibibyte": "gib",
	"kilocalorie": "kcal", "watt": "w", "kilowatt": "kw", "megawatt": "mw", "volt": "v", "hertz": "hz", "kilohertz": "khz",
	"megahertz": "mhz", "gigahertz": "ghz", "pixel": "px", "point": "pt", "percent": "%", "request": "req",
}

// addShare asks for the share that a percentage is: 12.34 % is held by 0.1234.
func (q *queryList) addShare(value, behind []byte) {
	if !isPercent(behind) {
		return
	}
	if share, ok := appendShare(nil, value); ok {
		q.form(ruleNumber, share)
		q.key(ruleNumber, numberKind, share)
	}
}

// isPercent tells whether a percent sign or its word begins a text.
func isPercent(behind []byte) bool {
	_, ok := consumeAny(behind, skipSpaces(behind, 0), "%", "percent", "per cent", "pct")
	return ok
}

// appendShare appends the number with its point two places to the left.
func appendShare(dst, number []byte) (share []byte, ok bool) {
	whole, isPlain := isNumber(number)
	if !isPlain || countDigits(number) > maxPlainDigits-2 {
		return dst, false
	}
	start, first := len(dst), firstDigitPlace(number)
	dst = append(dst, number[:first]...)
	for n := whole - first; n < 3; n++ {
		dst = append(dst, '0')
	}
	digits := append(dst, number[first:whole]...)
	point := len(digits) - 2
	last := [2]byte{digits[point], digits[point+1]}
	dst = append(append(digits[:point], '.'), last[0], last[1])
	if whole < len(number) {
		dst = append(dst, number[whole+1:]...)
	}
	return shortest(dst, start), true
}

// addGrouped asks for a number whose points group its digits, which a currency beside it says: 12.480 €.
func (q *queryList) addGrouped(p place) {
	raw := p.text[p.at.start:p.at.end]
	if isPointGroup(raw) && besideCurrency(p) {
		q.form(ruleNumber, appendWithout(nil, raw, '.'))
	}
}

// isPointGroup tells whether a number has one point, and three digits behind it.
func isPointGroup(raw []byte) bool {
	point := bytes.IndexByte(raw, '.')
	return point >= 1 && point <= 3 && len(raw) == point+4 && raw[0] != '0'
}

// besideCurrency tells whether the sign or the code of a currency stands before or behind a place.
func besideCurrency(p place) bool {
	before := bytes.TrimRight(p.text[max(0, p.at.start-5):p.at.start], " \x01")
	behind := p.text[min(len(p.text), skipSpaces(p.text, p.at.end)):]
	for _, sign := range [...]string{"€", "$", "£", "¥", "₹", "₽", "₺", "Fr.", "kr"} {
		if bytes.HasSuffix(before, []byte(sign)) || bytes.HasPrefix(behind, []byte(sign)) {
			return true
		}
	}
	return len(before) >= 3 && isCurrency(before[len(before)-3:]) || len(behind) >= 3 && isCurrency(behind[:3])
}

func isCurrency(code []byte) bool { return isCapitals(code) && currencies[string(bytes.ToLower(code))] }

// isCapitals tells whether a text is two to four capital letters.
func isCapitals(b []byte) bool {
	for _, c := range b {
		if !isUpper(c) {
			return false
		}
	}
	return len(b) >= 2 && len(b) <= 4
}

// addHour asks for the time that four digits are before a word that says so: 1945 UTC.
func (q *queryList) addHour(value, behind []byte) {
	if len(value) != 4 || digitsEnd(value, 0) != 4 {
		return
	}
	c := clock{hour: digitsValue(value[:2]), minute: digitsValue(value[2:])}
	at := skipSpaces(behind, 0)
	end, ok := consumeAny(behind, at, "UTC", "GMT", "Z", "z", "hrs", "hours", "local time", "h")
	if !ok || c.hour > 23 || c.minute > 59 || end < len(behind) && isAlphanumeric(behind[end]) {
		return
	}
	q.key(ruleClock, clockMinute, value)
}

// hashWords are the words in front of an abbreviated hash.
var hashWords = map[string]bool{
	"commit": true, "commits": true, "sha": true, "hash": true, "revision": true, "rev": true, "digest": true, "checksum": true,
	"fingerprint": true, "changeset": true,
}

// addBehindWord asks for what the word in front makes of a number: BA 2490 is held by BA2490, and commit 1234567 by a
// hash that it opens.
func (q *queryList) addBehindWord(value []byte, p place) {
	end := p.at.start
	for end > 0 && (p.text[end-1] == ' ' || p.text[end-1] == '`') {
		end--
	}
	start := end
	for start > 0 && end-start <= maxPrefix && isLetter(p.text[start-1]) {
		start--
	}
	word := p.text[start:end]
	var room [2 * maxPrefix]byte
	if hashWords[string(appendLowerASCII(room[:0], word))] && len(value) >= minHexPrefix && digitsEnd(value, 0) == len(value) {
		q.key(ruleHex, hexKind, value)
	}
	if !isCapitals(word) || end+1 != p.at.start || p.text[end] != ' ' {
		return
	}
	if joined, _, ok := appendJoined(room[:0], p.text[start:p.at.end]); ok {
		q.key(ruleIDPart, idJoinedKind, joined)
		q.form(ruleIDPart, joined)
	}
}

// The bounds of a code that is looked for in the groups around a token.
const (
	maxSideGroups = 6
	maxGroup      = 8  // characters
	minCode       = 10 // characters
)

// addJoinedGroups asks for the codes that a token and the groups on both sides of it may be one of: the 2345 of 1Z 999
// AA1 01 2345 6784 is held by the whole of it. Every character of a code that was read has to stand there.
func (q *queryList) addJoinedGroups(p place) {
	var room [2*maxSideGroups + 1]piece
	groups, own := groupsAround(room[:0], p)
	if !q.rules.has(ruleGroups) || len(groups) < 2 {
		return
	}
	for first := own; first >= 0; first-- {
		for last := own; last < len(groups); last++ {
			if first == last {
				continue
			}
			var joined []byte
			for _, at := range groups[first : last+1] {
				joined = appendLowerASCII(joined, p.text[at.start:at.end])
			}
			if len(joined) >= minCode && digitsEnd(joined, 0) <= maxPlainDigits {
				joined = shortest(joined, 0)
			}
			if len(joined) >= minCode {
				q.form(ruleGroups, joined)
			}
		}
	}
}

// groupsAround lists the groups of letters and digits that single spaces or hyphens keep apart, and which is the place's.
func groupsAround(dst []piece, p place) (groups []piece, own int) {
	start := p.at.start
	for len(dst) < maxSideGroups {
		end := start - 1
		if end < 1 || !keepsApart(p.text[end]) {
			break
		}
		for start = end; start > 0 && isAlphanumeric(p.text[start-1]) && end-start <= maxGroup; start-- {
		}
		if start == end || end-start > maxGroup {
			break
		}
		dst = append(dst, piece{start, end})
	}
	slices.Reverse(dst)
	own = len(dst)
	dst = append(dst, p.at)
	for end := p.at.end; len(dst) <= own+maxSideGroups && end < len(p.text) && keepsApart(p.text[end]); {
		start, to := end+1, end+1
		for to < len(p.text) && isAlphanumeric(p.text[to]) && to-start <= maxGroup {
			to++
		}
		if to == start || to-start > maxGroup {
			break
		}
		dst, end = append(dst, piece{start, to}), to
	}
	return dst, own
}

func keepsApart(c byte) bool { return c == ' ' || c == '-' || c == noBreak }
