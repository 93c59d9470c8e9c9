package evidence

import "bytes"

// The range rule: 1112-1478 and 10.0.0.1/10.0.0.9 are two values, each of which must be held, and 1920x1080 is two as
// well; a range never runs backwards, and a real negative keeps its sign. The list rule: 2031,2032 is two values. Both are
// asked only when the token itself is not held. A range of numbers or a size that was read holds the numbers it is made
// of.

// piece is a part of a token, as a range of it.
type piece struct{ start, end int }

// partition is how a token may be made of values, and the rule that says so.
type partition struct {
	at    []piece
	rule  rule
	whole bool // what is unsupported is the token, not a part
	each  bool // the parts that are too short to be data are asked as well
}

// split splits a token that may be a size, a range of two identifiers, a list of values, or a value behind what it belongs
// to.
func (s *RuleSet) split(token []byte, shape string) (parts partition) {
	identifier := shape == ShapeIdentifier
	if s.has(ruleRange) && identifier {
		if at, ok := sizeParts(token); ok {
			return partition{at: at, rule: ruleRange, each: true}
		}
		if at, ok := rangeParts(token); ok && (!s.has(ruleList) || bytes.IndexByte(token, ',') < 0 || areNumerals(token, at)) {
			_, season := seasonOf(token)
			short := min(countDigits(token[:at[0].end]), countDigits(token[at[1].start:])) < minIdentifier
			return partition{at: at, rule: ruleRange, each: !season, whole: short}
		}
	}
	if s.has(ruleList) {
		if at, ok := listParts(token); ok {
			return partition{at: at, rule: ruleList}
		}
	}
	if s.has(ruleIDPart) && identifier {
		if at, ok := pairOf(token); ok {
			return partition{at: at, rule: ruleIDPart, whole: true, each: string(token[:at[0].end]) != "1"}
		}
	}
	return partition{}
}

// rangeParts splits a token at its one hyphen or slash, when both sides hold a digit and one stands right beside it. A
// hyphen between two numbers makes a range only upwards: 2000-1112 is none, and neither is 2024-06, while 2023-24 is.
func rangeParts(token []byte) (parts []piece, ok bool) {
	at, next := rangeMark(token)
	if at < 1 || next >= len(token) || !isDigit(token[at-1]) && !isDigit(token[next]) || !holdsDigit(token[:at]) || !holdsDigit(token[next:]) {
		return nil, false
	}
	from, to := withoutLineMark(token, piece{0, at}), withoutLineMark(token, piece{next, len(token)})
	if token[at] != '/' && runsBackwards(token[from.start:from.end], token[to.start:to.end]) {
		return nil, false
	}
	return []piece{from, to}, true
}

// withoutLineMark leaves the l of l42 away.
func withoutLineMark(token []byte, at piece) piece {
	if token[at.start]|0x20 == 'l' && at.start+1 < at.end && digitsEnd(token, at.start+1) == at.end {
		at.start++
	}
	return at
}

// rangeMark finds the one hyphen, slash or run of points that may make a token a range; at is -1 when there is none, or
// more than one.
func rangeMark(token []byte) (at, to int) {
	if at = bytes.Index(token, []byte("..")); at > 0 {
		to = at
		for to < len(token) && token[to] == '.' {
			to++
		}
		return at, to
	}
	at = -1
	for i := 1; i < len(token)-1; i++ {
		if token[i] != '-' && token[i] != '/' {
			continue
		}
		if at >= 0 {
			return -1, 0
		}
		at = i
	}
	return at, at + 1
}

// runsBackwards tells whether two whole numbers are no range: the second is less, and not an abbreviation of more.
func runsBackwards(a, b []byte) bool {
	if digitsEnd(a, 0) != len(a) || digitsEnd(b, 0) != len(b) {
		return false
	}
	a, b = bytes.TrimLeft(a, "0"), b[:]
	if len(b) < len(a) {
		return bytes.Compare(b, a[len(a)-len(b):]) <= 0 // 2023-24 goes on to 2024
	}
	b = bytes.TrimLeft(b, "0")
	return len(b) < len(a) || len(b) == len(a) && bytes.Compare(b, a) < 0
}

// writtenOut gives the second number of a range like 2019-21 in full.
func writtenOut(token []byte, part piece) (long string, ok bool) {
	first := digitsEnd(token, 0)
	if first+1 != part.start || token[first] != '-' || part.end-part.start >= first || digitsEnd(token, part.start) != part.end {
		return "", false
	}
	return string(token[:first-(part.end-part.start)]) + string(token[part.start:part.end]), true
}

// areNumerals tells whether every part is a number: the commas in them group digits.
func areNumerals(token []byte, parts []piece) bool {
	for _, at := range parts {
		var room [32]byte
		number, tail := splitTail(bytes.TrimLeft(token[at.start:at.end], "$"))
		if _, ok := appendNumeral(room[:0], number); !ok || len(tail) > 0 && !isUnit(tail) {
			return false
		}
	}
	return true
}

// isUnit tells whether a tail, in any case, is that of a number.
func isUnit(tail []byte) bool {
	var room [2 * maxUnit]byte
	return len(tail) <= len(room) && isTail(appendLowerASCII(room[:0], tail))
}

// sizeParts splits 1920x1080 at each x.
func sizeParts(token []byte) (parts []piece, ok bool) {
	start := 0
	for i := 0; i <= len(token); i++ {
		if i < len(token) && token[i]|0x20 != 'x' {
			continue
		}
		number := token[start:i]
		if i < len(token) && len(parts) == 0 && string(number) == "0" {
			return nil, false // 0x opens a hex number
		}
		if number, tail := splitTail(number); len(number) == 0 || len(tail) > 0 && (i < len(token) || !isUnit(tail)) {
			return nil, false
		}
		parts = append(parts, piece{start, i})
		start = i + 1
	}
	return parts, len(parts) > 1
}

func holdsDigit(b []byte) bool { return countDigits(b) > 0 }

// listParts splits a token at its commas.
func listParts(token []byte) (parts []piece, ok bool) {
	if bytes.IndexByte(token, ',') < 0 {
		return nil, false
	}
	start := 0
	for i := 0; i <= len(token); i++ {
		if i == len(token) || token[i] == ',' {
			parts = append(parts, piece{start, i})
			start = i + 1
		}
	}
	return parts, true
}

// addListed adds the values of a token that is a list of them.
func (w *keyWriter) addListed(token []byte) {
	if bytes.IndexByte(token, ',') < 0 {
		return
	}
	for len(token) > 0 {
		part, rest, _ := bytes.Cut(token, []byte{','})
		w.begin(ruleList, numberKind)
		if w.buf = AppendNormalized(w.buf, part); len(w.buf) >= keyHead+3 {
			w.end()
		} else if len(w.buf) > keyHead && !w.ix.Full() {
			w.ix.addForm(w.buf[keyHead:]) // a line before its column: (42,17)
		}
		if bytes.ContainsAny(part, "-/:") {
			w.addSpellings(part)
		}
		if w.ix.rules.has(ruleIDPart) && len(part) > 0 && isLetter(part[0]) {
			w.addRuns(part)
		}
		token = rest
	}
}

// addRange adds the numbers that a range or a size is made of, and the ends of a range with points.
func (w *keyWriter) addRange(token []byte) {
	if parts, ok := sizeParts(token); ok {
		for _, at := range parts {
			w.addRangePart(token[at.start:at.end])
		}
		return
	}
	parts, ok := rangeParts(token)
	if !ok {
		return
	}
	from, to := token[parts[0].start:parts[0].end], token[parts[1].start:parts[1].end]
	switch mark := token[parts[0].end]; {
	case mark == '.' && w.ix.rules.has(ruleIDPart):
		w.addIDPart(from)
		w.addIDPart(to)
	case mark == '-' && countDigits(to) > countDigits(from)+1:
		return // an id rather than a range
	}
	if areNumerals(token, parts) {
		w.addRangePart(from)
		w.addRangePart(to)
	}
}

// addRangePart adds a number of a range, without the sign of its currency and its unit.
func (w *keyWriter) addRangePart(part []byte) {
	number, _ := splitTail(bytes.TrimLeft(part, "$"))
	if countDigits(number) < minIdentifier {
		return
	}
	w.begin(ruleRange, numberKind)
	var ok bool
	if w.buf, ok = appendNumeral(w.buf, number); ok {
		w.end()
	}
}
