package evidence

import "bytes"

// The id-part rule: 7504069 is held by certificate_7504069. A whole component of an id that was read, of 4 characters or
// more with a digit, is held when all that stands before it is words. What stands inside a component never is. Behind a
// name, a slash, a colon, a # and an @ set apart: each segment of a path, of a URL or of an ARN is a component, and so are
// a line behind its file, a port behind its host, a version behind its package. An answer may drop the same from its
// own id, or put a word in front of what a field for ids holds (eq_typed.go).

// The kinds of keys of ids.
const (
	idPartKind   = 'p' // a part of an id
	idJoinedKind = 'j' // an id without what stands between its letters and its digits
	idFieldKind  = 'n' // the number of a field for ids
)

// maxIDRuns is how many runs of components to the end of an id stand for it. Each takes up to the id's length, so
// their number is what keeps an id of 100,000 words linear.
const maxIDRuns = 16

// minLongHex is how many hex digits make a component an id whatever stands before it: a span's has so many.
const minLongHex = 16

// maxFronts is how many places are taken off the end of an id: the column, the line, the fragment.
const maxFronts = 3

// addIDParts adds what of an id, whose bytes are of the kinds, may stand for it.
func (w *keyWriter) addIDParts(token []byte, kinds byteKind) {
	if number, ok := withoutLabel(token); ok {
		w.addIDPart(number)
	}
	if kinds&(kindPoint|kindJoin|kindApart) == 0 {
		return // it has one part
	}
	body := bytes.Trim(token, "_/:-")
	if len(body) < len(token) {
		w.addIDPart(body)
	}
	if end := lettersEnd(body, 0); end > 0 && isVersion(body[end:]) && digitsAndPoints(body[end:]) {
		w.addIDPart(body[end:]) // go1.26.2
	}
	if isColonHex(body) {
		return // an address of a card or of IPv6: its groups are no components
	}
	w.addRuns(body)
	w.addLinePlaces(body)
	for range maxFronts {
		front, ok := withoutPlace(body)
		if !ok {
			return
		}
		w.addIDPart(front)
		w.addRuns(front)
		body = front
	}
}

// addRuns adds each component that may stand for an id, and each run of components to its end.
func (w *keyWriter) addRuns(id []byte) {
	runs := 0
	at := idScan{id: id, named: isLetter(id[0]) || id[0] >= 0x80, words: true, apart: true}
	for i := 0; i < len(id); {
		end := componentEnd(id, i)
		if i > 0 && !at.mayDrop() && end-i >= minLongHex && w.ix.rules.has(ruleHex) {
			w.addHex(id[i:end]) // so long an id is itself wherever it stands
		}
		if i > 0 && at.mayDrop() {
			w.addIDPart(id[i:end])
			if end < len(id) && runs < maxIDRuns {
				runs++
				w.addIDPart(id[i:])
			}
		}
		if end == len(id) {
			return
		}
		at.pass(i, end)
		i = end + 1
	}
}

// idScan is what stands before a component.
type idScan struct {
	id    []byte
	named bool // the id begins with a name
	words bool // every component since the last that is set apart is a word
	apart bool // what stands before that one may be dropped
}

func (s *idScan) mayDrop() bool { return s.apart && s.words }

// pass goes over a component and the separator behind it.
func (s *idScan) pass(i, end int) {
	word := lettersEnd(s.id, i) == end
	if !setsApart(s.id[end]) {
		s.words = s.words && word && end > i
		return
	}
	s.apart = s.named || s.apart && s.words && word || isAddressed(s.id, end)
	s.words = true
}

// setsApart tells whether a separator sets apart what follows it.
func setsApart(c byte) bool { return c == '/' || c == ':' || c == '#' || c == '@' }

// isAddressed tells whether digits alone follow the colon at id[at], behind an address.
func isAddressed(id []byte, at int) bool {
	if id[at] != ':' || digitsEnd(id, at+1) != len(id) || bytes.IndexByte(id[:at], '.') < 0 {
		return false
	}
	_, number := isNumber(id[:at])
	return !number
}

// withoutPlace takes a fragment, a line or port, or the width of a network, off the end of an id.
func withoutPlace(id []byte) (front []byte, ok bool) {
	at := bytes.LastIndexByte(id, '#')
	if at < 0 {
		at = bytes.LastIndexAny(id, ":/")
		if at < 0 || digitsEnd(id, at+1) != len(id) || id[at] == '/' && !isAddress(id[:at]) {
			return nil, false
		}
	}
	if at < 1 || digitsEnd(id, 0) == at {
		return nil, false
	}
	return id[:at], true
}

// isAddress tells whether b is four numbers between points.
func isAddress(b []byte) bool { return digitsAndPoints(b) && bytes.Count(b, []byte{'.'}) == 3 }

// addIDPart adds a part of an id, when it may be one.
func (w *keyWriter) addIDPart(part []byte) {
	if len(part) < minIdentifier || countDigits(part) == 0 {
		return
	}
	if w.ix.rules.has(ruleHex) && isFullHash(len(part)) {
		w.addHex(part)
	}
	w.begin(ruleIDPart, idPartKind)
	w.buf = appendPart(w.buf, part)
	w.end()
}

// appendPart appends a part: a number in its one spelling.
func appendPart(dst, part []byte) []byte {
	start := len(dst)
	dst = append(dst, part...)
	if part[0] == '0' {
		return shortest(dst, start)
	}
	return dst
}

func componentEnd(b []byte, i int) int {
	for i < len(b) && !isSeparator(b[i]) {
		i++
	}
	return i
}

func isSeparator(c byte) bool { return c == '_' || c == '-' || setsApart(c) }

// maxJoined is how long an id may be, in bytes, whose separators are left out.
const maxJoined = 24

// appendJoined appends an id without the hyphens, underscores and spaces between its letters and its digits: ORD-4417,
// ORD_4417 and ORD 4417 are ord4417. changed tells whether there were any; ok is false when the text is no such id.
func appendJoined(dst, id []byte) (joined []byte, changed, ok bool) {
	if len(id) > maxJoined || !isLetter(id[0]) {
		return dst, false, false
	}
	digits := 0
	for i, c := range id {
		switch {
		case isDigit(c):
			digits++
		case isLetter(c):
		case c != '-' && c != '_' && c != ' ' || i+1 == len(id):
			return dst, false, false
		case isLetter(id[i-1]) && isDigit(id[i+1]) || isDigit(id[i-1]) && isLetter(id[i+1]):
			changed = true
			continue
		}
		dst = append(dst, lowerByte(c))
	}
	return dst, changed, digits >= 3
}

// addJoined adds an id without its separators.
func (w *keyWriter) addJoined(id []byte) {
	w.begin(ruleIDPart, idJoinedKind)
	var changed, ok bool
	if w.buf, changed, ok = appendJoined(w.buf, id); changed && ok {
		w.end()
	}
}
