package evidence

import (
	"bytes"

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
		x.read(&stretch{foldText(p.text), p.offset})
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

// literal gives the tokens of the folded text and what each asserts literally.
func (x *spelledExtraction) literal(text []byte) []located {
	var tokens []located
	z := NewTokenizer(text)
	for x.tokens < maxAnswerTokens {
		token, start, end, ok := z.Next()
		if !ok {
			break
		}
		x.tokens++
		t := located{token: string(token), at: piece{start, end}}
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
		one := spelled(s, c.spellings[0], c.at)
		if c.spellings[0].rule == ruleDate {
			one.more.literally = c.asserted()
		}
		x.add(one)
	default:
		all := candidateAt(s, c.at)
		all.more = &ways{strict: c.strict(), partRule: c.spellings[0].rule}
		for _, sp := range c.spellings {
			all.more.parts = append(all.more.parts, spelled(s, sp, piece{sp.start, sp.end}))
		}
		x.add(all)
	}
}

// spelled is what a spelling asserts at a place.
func spelled(s *stretch, sp spelling, at piece) Candidate {
	c := candidateAt(s, at)
	c.more = sp.waysOf()
	if sp.rule == ruleNumber {
		c.Shape, c.Value = ShapeNumber, string(keyText(sp.asked[0]))
	}
	return c
}

// candidateAt is a candidate that is named by the text as it stands: in lower case, spaces as one.
func candidateAt(s *stretch, at piece) Candidate {
	low := appendLower(nil, bytes.ReplaceAll(s.text[at.start:at.end], []byte{noBreak}, []byte{' '}))
	return Candidate{Value: string(bytes.Join(bytes.Fields(low), []byte{' '})), Shape: ShapeIdentifier, Spans: s.spans(at)}
}

// addToken takes a literal token with the further ways that rules hold it by.
func (x *spelledExtraction) addToken(s *stretch, t located) {
	if !t.asserts {
		x.addListed(s, t)
		return
	}
	c := t.candidate
	if x.rules.has(ruleStructure) && c.Shape != ShapeFigure && isStructure(s.text, t.at.start, t.at.end) {
		return
	}
	c.Spans = s.spans(t.at)
	c.more = &ways{queries: x.rules.queriesOf([]byte(c.Value))}
	x.addParts(s, t, &c)
	if c.more.parts == nil && c.Shape == ShapeIdentifier && x.onlyShortNumbers(t.token) {
		return
	}
	x.add(c)
}

// addListed takes a token that asserts nothing as a whole, when it is a list of values.
func (x *spelledExtraction) addListed(s *stretch, t located) {
	if !x.rules.has(ruleList) || x.gate.declaredExempt([]byte(t.token)) {
		return
	}
	c := Candidate{Value: t.token, Shape: ShapeNumber, Spans: s.spans(t.at), more: &ways{}}
	x.addParts(s, t, &c)
	if len(c.more.parts) > 0 {
		x.add(c)
	}
}

// onlyShortNumbers tells whether a token is a range of two numbers that are too short to be data.
func (x *spelledExtraction) onlyShortNumbers(token string) bool {
	if !x.rules.has(ruleRange) {
		return false
	}
	parts, ok := rangeParts([]byte(token))
	for _, at := range parts {
		side := []byte(token[at.start:at.end])
		if _, number := isNumber(side); !number || countDigits(side) >= x.gate.minDigits {
			return false
		}
	}
	return ok
}

// addParts gives a candidate the values of the list or range that its token may be: they are asked when the token itself
// is not held.
func (x *spelledExtraction) addParts(s *stretch, t located, c *Candidate) {
	if form, decimal := decimalComma([]byte(t.token)); decimal && x.rules.has(ruleList) && x.rules.has(ruleNumber) {
		c.more.queries = append(c.more.queries, query{rule: ruleNumber, form: string(form)})
	}
	pieces, r := x.rules.split(s.text[t.at.start:t.at.end], c.Shape)
	c.more.partRule = r
	for _, at := range pieces {
		if part, ok := x.partOf(s, piece{t.at.start + at.start, t.at.start + at.end}); ok {
			c.more.parts = append(c.more.parts, part)
		}
	}
}

// partOf is what one part of a list or range asserts; ok is false when it asserts nothing.
func (x *spelledExtraction) partOf(s *stretch, at piece) (c Candidate, ok bool) {
	c, ok = x.gate.Classify(NormalizeToken(string(s.text[at.start:at.end])), x.figures)
	if !ok {
		return c, false
	}
	c.Spans = s.spans(at)
	c.more = &ways{queries: x.rules.queriesOf([]byte(c.Value))}
	return c, true
}

// add takes a candidate; one value is one candidate, with every place.
func (x *spelledExtraction) add(c Candidate) {
	value := c.Value
	if c.more.strict && len(c.more.queries) > 0 {
		value = "\x00" + c.more.queries[0].key + c.more.queries[0].form
	}
	if at, ok := x.place[value]; ok {
		x.found[at].Spans = append(x.found[at].Spans, c.Spans...)
		return
	}
	x.place[value] = len(x.found)
	x.found = append(x.found, c)
}
