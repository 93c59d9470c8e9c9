package evidence

import (
	"bytes"
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
)

// spelledExtraction is one reading of an answer under calibrated-1: the spellings that rules read from text first, then
// the literal tokens outside them.
type spelledExtraction struct {
	gate    *Gate
	figures map[string]bool
	rules   *RuleSet
	tokens  int
	place   map[string]int // of a value among those found
	found   []Candidate
}

// extractSpelled is extract under the gate's equivalences.
func (g *Gate) extractSpelled(parts []part, figures map[string]bool) []Candidate {
	x := spelledExtraction{gate: g, figures: figures, rules: &g.rules, place: map[string]int{}, found: []Candidate{}}
	for _, p := range parts {
		x.read(&stretch{x.rules.fold(p.text), p.offset})
	}
	return x.found
}

// stretch is a part of an answer, folded.
type stretch struct {
	folded
	from int // in the answer
}

// spans is where a piece of the folded text stands in the answer.
func (s *stretch) spans(at piece) []event.Span {
	return []event.Span{{s.from + s.offset(at.start), s.from + s.offset(at.end)}}
}

func (x *spelledExtraction) read(s *stretch) {
	tokens := x.literal(s.text)
	next := newNextSpelling(x.rules, s.text)
	for len(tokens) > 0 {
		if !next.touches(tokens[0].at) {
			x.addToken(s, tokens[0])
			tokens = tokens[1:]
			continue
		}
		c := next.cluster(tokens)
		x.addCluster(s, &c)
		tokens = tokens[len(c.tokens):]
	}
}

// bytesOfToken is about how many bytes a token of prose takes, with the space behind it.
const bytesOfToken = 5

// literal gives the tokens of the folded text and what each asserts literally. The values of a list count each.
func (x *spelledExtraction) literal(text []byte) []located {
	tokens := make([]located, 0, min(1+len(text)/bytesOfToken, maxAnswerTokens))
	z := NewTokenizer(text)
	for x.tokens < maxAnswerTokens {
		token, start, end, ok := z.Next()
		if !ok {
			break
		}
		t := located{token: string(token), at: piece{start, end}, values: 1}
		if x.rules.has(ruleList) {
			t.values = min(1+bytes.Count(token, []byte{','}), maxAnswerTokens-x.tokens)
		}
		x.tokens += t.values
		t.candidate, t.asserts = x.gate.Classify(t.token, x.figures)
		tokens = append(tokens, t)
	}
	return tokens
}

// addCluster decides what a cluster asserts: the spellings, when they make up all of it but what joins them; else the
// tokens as they are.
func (x *spelledExtraction) addCluster(s *stretch, c *cluster) {
	switch {
	case !c.spelledOut(s.text):
		for _, t := range c.tokens {
			x.addToken(s, t)
		}
	case !c.asserts(x.gate.minDigits):
	case len(c.spellings) == 1:
		one := x.spelled(s, &c.spellings[0], c.at)
		if r := c.spellings[0].rule; r == ruleDate || r == ruleNumber {
			one.more.literally = c.asserted()
			if loose := c.spellings[0].loose; loose != nil && len(one.more.literally) == 0 {
				one.more.literally = []Candidate{{Value: string(loose), Shape: ShapeNumber}}
			}
		}
		x.add(one)
	default:
		all := candidateAt(s, c.at)
		all.more = &ways{strict: c.strict(), partRule: c.spellings[0].rule}
		for i := range c.spellings {
			sp := &c.spellings[i]
			all.more.parts = append(all.more.parts, x.spelled(s, sp, piece{sp.start, sp.end}))
		}
		x.add(all)
	}
}

// spelled is what a spelling asserts at a place.
func (x *spelledExtraction) spelled(s *stretch, sp *spelling, at piece) Candidate {
	c := candidateAt(s, at)
	c.more = sp.waysOf()
	if sp.rule == ruleNumber {
		c.Shape, c.Value = ShapeNumber, string(sp.named)
	}
	if sp.grouped {
		c.more.parts, c.more.partRule, c.more.whole = x.groupsOf(s, at), ruleGroups, true
	}
	return c
}

// groupsOf are the groups of a code, each a value of its own however short.
func (x *spelledExtraction) groupsOf(s *stretch, at piece) []Candidate {
	var groups []Candidate
	text := bytes.ReplaceAll(s.text[:at.end], []byte{'-'}, []byte{' '})
	z := NewTokenizer(text[at.start:])
	for {
		token, start, end, ok := z.Next()
		if !ok {
			return groups
		}
		group := Candidate{Value: string(token), Shape: ShapeNumber}
		group.more = &ways{}
		if countDigits(token) >= x.gate.minDigits {
			group.more.queries = x.rules.queriesOf(&group)
			group.more.places = []place{{s.text, piece{at.start + start, at.start + end}}}
		}
		groups = append(groups, group)
	}
}

// candidateAt is a candidate that is named by the text as it stands: in lower case, spaces as one.
func candidateAt(s *stretch, at piece) Candidate {
	low := appendLower(nil, bytes.ReplaceAll(s.text[at.start:at.end], []byte{noBreak}, []byte{' '}))
	return Candidate{Value: string(bytes.Join(bytes.Fields(low), []byte{' '})), Shape: ShapeIdentifier, Spans: s.spans(at)}
}

// addToken takes a literal token with the further ways that rules hold it by.
func (x *spelledExtraction) addToken(s *stretch, t located) {
	dressed, isDressed := x.undressed(t.token, t.candidate, t.asserts)
	if isDressed {
		if t.candidate, t.asserts = dressed, dressed.Shape != ""; !t.asserts {
			return
		}
	}
	if !t.asserts {
		x.addListed(s, t)
		return
	}
	c := t.candidate
	if c.Shape == ShapeIdentifier && x.assertsNothing(s, t) {
		return
	}
	if x.rules.has(ruleStructure) && c.Shape != ShapeFigure && isStructure(s.text, t.at.start, t.at.end) {
		return
	}
	c.Spans = s.spans(t.at)
	c.more = &ways{queries: x.rules.queriesOf(&c), dressed: isDressed, places: []place{{s.text, t.at}}}
	if !isDressed {
		x.addParts(s, t.at, &c, t.values, 0)
	}
	x.add(c)
}

// undressed reads a token that is no plain number as the number it is in another dress; its shape is empty when that
// number is no data.
func (x *spelledExtraction) undressed(token string, literal Candidate, asserts bool) (c Candidate, ok bool) {
	if !x.rules.has(ruleNumber) || asserts && literal.Shape != ShapeIdentifier || !asserts && strings.IndexByte(token, ',') < 0 {
		return c, false
	}
	text := []byte(token)
	if isScientific(text) {
		return c, false
	}
	form, ok := appendDressed(nil, text)
	if !ok || !asserts && x.gate.declaredExempt(text) {
		return c, false
	}
	return Candidate{Value: string(form), Shape: x.gate.numberShape(form, x.figures), Token: token}, true
}

// assertsNothing tells whether an identifier is two numbers that are too short to be data (10-15), or what is left of a
// strength behind its number (the mg/5 of 500 mg/5 ml).
func (x *spelledExtraction) assertsNothing(s *stretch, t located) bool {
	token := []byte(t.token)
	if x.rules.has(ruleRange) && x.areShort(token) {
		return true
	}
	unit := lettersEnd(token, 0)
	if !x.rules.has(ruleNumber) || unit == 0 || unit > 5 || unit == len(token) || token[unit] != '/' || !x.isShort(token[unit+1:]) {
		return false
	}
	before := bytes.TrimRight(s.text[:t.at.start], " \x01")
	return len(before) > 0 && len(before) < t.at.start && isDigit(before[len(before)-1])
}

// areShort tells whether a token is two numbers at a hyphen, or some at slashes, each too short to be data.
func (x *spelledExtraction) areShort(token []byte) bool {
	if at := bytes.IndexByte(token, '-'); at > 0 {
		return x.isShort(token[:at]) && x.isShort(token[at+1:])
	}
	if bytes.IndexByte(token, '/') < 0 {
		return false
	}
	for part := range bytes.SplitSeq(token, []byte{'/'}) {
		if !x.isShort(bytes.TrimPrefix(part, []byte{'.'})) {
			return false
		}
	}
	return true
}

// isShort tells whether a text is a number with too few digits to be data.
func (x *spelledExtraction) isShort(b []byte) bool {
	_, number := isNumber(b)
	return number && countDigits(b) < x.gate.minDigits
}

// addListed takes a token that asserts nothing as a whole, when it is a list of values.
func (x *spelledExtraction) addListed(s *stretch, t located) {
	if !x.rules.has(ruleList) || strings.IndexByte(t.token, ',') < 0 || x.gate.declaredExempt([]byte(t.token)) {
		return
	}
	c := Candidate{Value: t.token, Shape: ShapeNumber, Spans: s.spans(t.at), more: &ways{}}
	x.addParts(s, t.at, &c, t.values, 0)
	if len(c.more.parts) > 0 {
		x.add(c)
	}
}

// maxNested is how deep values are split: the pairs of a list, the line and the column behind a file.
const maxNested = 3

// addParts gives a candidate the values, at most so many of a list, that its token may be made of: they are asked when
// the token itself is not held.
func (x *spelledExtraction) addParts(s *stretch, at piece, c *Candidate, values, nested int) {
	token := s.text[at.start:at.end]
	if form, decimal := decimalComma(token); decimal && x.rules.has(ruleList) && x.rules.has(ruleNumber) {
		c.more.queries = append(c.more.queries, query{rule: ruleNumber, form: string(form)})
	}
	if nested == maxNested {
		return
	}
	parts := x.rules.split(token, c.Shape)
	c.more.partRule, c.more.whole = parts.rule, parts.whole
	if parts.rule == ruleList {
		parts.at = parts.at[:min(len(parts.at), values)]
	}
	for _, p := range parts.at {
		if part, ok := x.partOf(s, piece{at.start + p.start, at.start + p.end}, nested+1); ok {
			c.more.parts = append(c.more.parts, part)
		}
	}
	if parts.each && len(c.more.parts) < len(parts.at) {
		x.addShortParts(s, at, c, parts)
	}
}

// addShortParts adds the parts of a size or a pair that are no data by themselves: the numbers, and the name in front
// when nothing of the pair is data.
func (x *spelledExtraction) addShortParts(s *stretch, at piece, c *Candidate, parts partition) {
	none := len(c.more.parts) == 0 && !namesFile(s.text[at.start:at.end], parts)
	for _, p := range parts.at {
		p = withoutLineMark(s.text[at.start:at.end], p)
		raw := s.text[at.start+p.start : at.start+p.end]
		form := NormalizeToken(string(raw))
		short := x.isShort([]byte(form))
		if short || none && parts.rule == ruleIDPart && form != "" && countDigits(raw) == 0 {
			part := Candidate{Value: form, Shape: ShapeNumber, Spans: s.spans(piece{at.start + p.start, at.start + p.end}), more: &ways{}}
			if long, ok := writtenOut(s.text[at.start:at.end], p); ok && parts.rule == ruleRange {
				part.more.queries = x.rules.queriesOf(&Candidate{Value: long})
				part.more.queries = append(part.more.queries, query{rule: ruleRange, form: long})
			}
			c.more.parts = append(c.more.parts, part)
		}
	}
}

// partOf is what one part of a list, a range or a pair asserts; ok is false when it asserts nothing.
func (x *spelledExtraction) partOf(s *stretch, at piece, nested int) (c Candidate, ok bool) {
	token := NormalizeToken(string(s.text[at.start:at.end]))
	c, ok = x.gate.Classify(token, x.figures)
	dressed, isDressed := x.undressed(token, c, ok)
	if isDressed {
		c, ok = dressed, dressed.Shape != ""
	}
	if !ok {
		return c, false
	}
	c.Spans = s.spans(at)
	c.more = &ways{queries: x.rules.queriesOf(&c)}
	if !isDressed {
		x.addParts(s, at, &c, 0, nested)
	}
	return c, true
}

// add takes a candidate; one value is one candidate, with every place.
func (x *spelledExtraction) add(c Candidate) {
	value := c.Value
	if c.more.strict && len(c.more.queries) > 0 {
		value = "\x00" + c.more.queries[0].key + c.more.queries[0].form
	}
	at, ok := x.place[value]
	if !ok {
		x.place[value] = len(x.found)
		x.found = append(x.found, c)
		return
	}
	known := &x.found[at]
	known.Spans = append(known.Spans, c.Spans...)
	if room := maxPlaces - len(known.more.places); room > 0 {
		known.more.places = append(known.more.places, c.more.places[:min(room, len(c.more.places))]...)
	}
}
