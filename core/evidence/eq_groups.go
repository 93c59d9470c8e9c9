package evidence

import "bytes"

// The groups rule: a phone number, an IBAN, the number of a card, of a book or of a device is one value however its
// characters are grouped: +49 30 1234567, +49301234567 and (030) 123-4567; DE89 3704 0044 and DE8937040044. A phone
// number may leave out its country, never another part. Only shapes that nothing else has are read out of a text.

// The kinds of keys of groups.
const (
	groupsKind   = 'g' // all characters
	nationalKind = 'n' // a phone number without its country
	localKind    = 'l' // the same of one that was written without it
)

// code is what a text writes in groups.
type code struct {
	digits   []byte // and letters, in lower case
	national []byte // of a phone number, without country and trunk zero
	abroad   bool   // the country was written
}

// group reads at text[i] a code that is written in groups.
func (s *speller) group(i int) *spelling {
	if i > 0 && (isWord(s.text[i-1]) || s.text[i-1] == '.' || s.text[i-1] == ',') {
		return nil
	}
	read := consumeDigitGroups
	if isLetter(s.text[i]) {
		read = consumeIBAN
	}
	c, end := read(s.text, i)
	if end == i {
		return nil
	}
	sp := s.spell(spelling{rule: ruleGroups, start: i, end: end, strict: true, data: true, grouped: true})
	all := s.keys.key(ruleGroups, groupsKind, c.digits)
	sp.asked.add(all)
	sp.served.add(all)
	if c.national != nil {
		national, local := s.keys.key(ruleGroups, nationalKind, c.national), s.keys.key(ruleGroups, localKind, c.national)
		sp.served.add(national)
		if c.abroad {
			sp.asked.add(local)
		} else {
			sp.asked.add(national)
			sp.served.add(local)
		}
	}
	sp.named = AppendNormalized(nil, c.digits)
	return sp
}

// consumeIBAN reads DE89 3704 0044 0532 0130 00 at b[i].
func consumeIBAN(b []byte, i int) (c code, end int) {
	if i+4 > len(b) || !isUpper(b[i]) || !isUpper(b[i+1]) || digitsEnd(b, i+2) != i+4 {
		return c, i
	}
	end = i + 4
	digits := appendLowerASCII(nil, b[i:end])
	for len(digits) < 34 && end+1 < len(b) && (b[end] == ' ' || b[end] == noBreak) {
		to := end + 1
		for to < len(b) && to-end <= 4 && (isDigit(b[to]) || isUpper(b[to])) {
			to++
		}
		if to-end == 1 || to < len(b) && isAlphanumeric(b[to]) {
			break
		}
		digits = appendLowerASCII(digits, b[end+1:to])
		if end = to; len(digits)%4 != 0 {
			break
		}
	}
	if len(digits) < 15 {
		return c, i
	}
	return code{digits: digits}, end
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// maxGroupsRead is how many groups of digits are read of one code.
const maxGroupsRead = 8

// digitGroups are groups of digits and what stands between them.
type digitGroups struct {
	b       []byte
	at      [maxGroupsRead]piece
	n       int
	plus    bool
	paren   bool // the first group stands in parentheses
	dropped bool // a trunk zero in parentheses was left out
	points  bool // points separate
}

// consumeDigitGroups reads at b[i] a phone number or the number of a card.
func consumeDigitGroups(b []byte, i int) (c code, end int) {
	g := digitGroups{b: b}
	g.read(i)
	switch {
	case g.n == 0:
		return c, i
	case g.plus, bytes.HasPrefix(b[g.at[0].start:g.at[0].end], []byte("00")) && g.width(0) > 2:
		c = g.international()
	case g.isTrunk():
		c.digits = g.joined()
		c.national = c.digits[1:]
	case g.isAmerican():
		g.n = 3
		c.digits = g.joined()
		c.national = c.digits
	case g.isCard():
		c.digits = g.joined()
	}
	if end = g.at[max(g.n, 1)-1].end; c.digits == nil || end < len(b) && (isWord(b[end]) || isDigitAt(b, end+1) && (b[end] == '.' || b[end] == ',' || b[end] == ':')) {
		return code{}, i
	}
	return c, end
}

// read takes groups of digits from b[i] on, while at most two of the usual signs stand between them.
func (g *digitGroups) read(i int) {
	g.plus = g.b[i] == '+'
	if g.plus {
		i++
	}
	if i < len(g.b) && g.b[i] == '(' {
		g.paren = !g.plus
		i++
	}
	for g.n < maxGroupsRead && isDigitAt(g.b, i) {
		end := digitsEnd(g.b, i)
		g.at[g.n] = piece{i, end}
		if g.plus && g.n > 0 && end == i+1 && g.b[i] == '0' && g.b[i-1] == '(' {
			g.dropped = true
		} else {
			g.n++
		}
		i = g.between(end)
	}
}

// between skips what separates two groups.
func (g *digitGroups) between(i int) int {
	to := i
	for to < len(g.b) && to-i < 2 && bytes.IndexByte([]byte(" -./()\x01"), g.b[to]) >= 0 {
		to++
	}
	if to == i || !isDigitAt(g.b, to) {
		return len(g.b)
	}
	g.points = g.points || g.b[i] == '.'
	return to
}

func (g *digitGroups) width(n int) int { return g.at[n].end - g.at[n].start }

func (g *digitGroups) joined() []byte {
	var digits []byte
	for _, at := range g.at[:g.n] {
		digits = append(digits, g.b[at.start:at.end]...)
	}
	return digits
}

func (g *digitGroups) total() int {
	total := 0
	for n := range g.n {
		total += g.width(n)
	}
	return total
}

// international is a number with its country, of 7 to 15 digits.
func (g *digitGroups) international() (c code) {
	for g.total() > 15 && g.n > 1 {
		g.n--
	}
	digits := bytes.TrimPrefix(g.joined(), []byte("00"))
	if len(digits) < 7 || len(digits) > 15 || g.points && g.n < 3 {
		return c
	}
	return code{digits: digits, national: digits[countryWidth(digits):], abroad: true}
}

// countryWidth is how many digits of an international number name the country (ITU-T E.164).
func countryWidth(digits []byte) int {
	switch digits[0] {
	case '1', '7':
		return 1
	}
	switch digitsValue(digits[:2]) {
	case 20, 27, 30, 31, 32, 33, 34, 36, 39, 40, 41, 43, 44, 45, 46, 47, 48, 49, 51, 52, 53, 54, 55, 56, 57, 58,
		60, 61, 62, 63, 64, 65, 66, 81, 82, 84, 86, 90, 91, 92, 93, 94, 95, 98:
		return 2
	}
	return 3
}

// isTrunk tells whether the groups are a national number behind its zero: 030 1234567, (030) 123-4567, 01 23 45 67 89.
func (g *digitGroups) isTrunk() bool {
	total := g.total()
	if g.b[g.at[0].start] != '0' || g.points || g.n < 2 || total < 9 || total > 12 {
		return false
	}
	if g.width(0) >= 3 && g.width(0) <= 5 {
		return true
	}
	for n := range g.n {
		if g.width(n) != 2 {
			return false
		}
	}
	return g.n == 5
}

// isAmerican tells whether the groups begin as 415-555-0142 does.
func (g *digitGroups) isAmerican() bool {
	return g.n >= 3 && g.width(0) == 3 && g.width(1) == 3 && g.width(2) == 4
}

// isCard tells whether the groups are fours, the last of which may be shorter: three at least.
func (g *digitGroups) isCard() bool {
	if g.n < 3 || g.points || g.paren {
		return false
	}
	for n := range g.n - 1 {
		if g.width(n) != 4 {
			return false
		}
	}
	return g.width(g.n-1) <= 4 && g.total() <= 19
}

// minGroups and minGrouped are how many groups and digits a token has that is one number in groups.
const (
	minGroups  = 3
	minGrouped = 6
)

// appendUngrouped appends the digits of a token that is one number in groups between hyphens: 978-3-16-148410-0.
func appendUngrouped(dst, token []byte) (digits []byte, ok bool) {
	groups, start := 1, len(dst)
	for i, c := range token {
		switch {
		case isDigit(c):
			dst = append(dst, c)
		case c != '-' || i == 0 || token[i-1] == '-':
			return dst[:start], false
		default:
			groups++
		}
	}
	return dst, groups >= minGroups && len(dst)-start >= minGrouped
}

// addUngrouped adds a token that is one number in groups.
func (w *keyWriter) addUngrouped(token []byte) {
	w.begin(ruleGroups, groupsKind)
	var ok bool
	if w.buf, ok = appendUngrouped(w.buf, token); ok {
		w.end()
	}
}
