package evidence

import (
	"bytes"

	"github.com/plumbline-dev/plumbline/core/event"
)

// ways are the further ways in which calibrated-1 holds a candidate.
type ways struct {
	// queries: any one of them holds the candidate.
	queries []query
	// together: both of them hold it.
	together [2]query
	// parts: every part held holds it; the parts that are not are what is unsupported.
	parts    []Candidate
	partRule rule
	// literally are the candidates that literal-1 sees in the value: when every one of them is held, the value is not
	// accused of more than literal-1 accuses it of.
	literally []Candidate
	// strict tells that the candidate's own forms do not count: a time with am or pm, a date, a number.
	strict bool
}

// query is one thing to look up: a key of a rule, or a form under a rule's name.
type query struct {
	rule rule
	key  string // in the index of keys; empty when it is a form
	form string
}

// spelledExtraction reads an answer under calibrated-1: the spellings that rules read from text first, then the literal
// tokens outside them.
type spelledExtraction struct {
	gate    *Gate
	figures map[string]bool
	rules   *RuleSet
	tokens  int
	place   map[string]int
	found   []Candidate
}

// extractSpelled is extract under the gate's equivalences.
func (g *Gate) extractSpelled(parts []part, figures map[string]bool) []Candidate {
	x := spelledExtraction{gate: g, figures: figures, rules: &g.rules, place: map[string]int{}, found: []Candidate{}}
	for _, p := range parts {
		x.read(p)
	}
	return x.found
}

// located is a literal token and where it stands in the folded text.
type located struct {
	token      string
	start, end int
	candidate  Candidate
	asserts    bool
}

func (x *spelledExtraction) read(p part) {
	text := foldText(p.text)
	tokens := x.literal(text.text)
	s := speller{rules: x.rules, text: text.text}
	sp, more := s.find()
	for i := 0; i < len(tokens); {
		for more && sp.end <= tokens[i].start {
			sp, more = s.find()
		}
		if !more || sp.start >= tokens[i].end {
			x.addToken(p, &text, tokens[i])
			i++
			continue
		}
		i = x.addCluster(p, &text, tokens, i, &s, &sp, &more)
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
		t := located{token: string(token), start: start, end: end}
		t.candidate, t.asserts = x.gate.Classify(t.token, x.figures)
		tokens = append(tokens, t)
	}
	return tokens
}

// addCluster takes the tokens and spellings from tokens[i] on that run into each other, and gives where the rest begins.
func (x *spelledExtraction) addCluster(p part, text *folded, tokens []located, i int, s *speller, sp *spelling, more *bool) int {
	start, end := min(tokens[i].start, sp.start), tokens[i].end
	first := i
	var spellings []spelling
	for {
		switch {
		case *more && sp.start < end:
			end = max(end, sp.end)
			spellings = append(spellings, *sp)
			*sp, *more = s.find()
		case i < len(tokens) && tokens[i].start < end:
			end = max(end, tokens[i].end)
			i++
		default:
			x.settleCluster(p, text, tokens[first:i], spellings, piece{start, end})
			return i
		}
	}
}

// settleCluster decides what a run of tokens and spellings asserts: the spellings, when they make up all of it but
// joining characters; else the tokens as they are.
func (x *spelledExtraction) settleCluster(p part, text *folded, tokens []located, spellings []spelling, whole piece) {
	if !madeUpOf(text.text, whole, spellings) {
		for _, t := range tokens {
			x.addToken(p, text, t)
		}
		return
	}
	if !x.assertsAnything(tokens, spellings) {
		return
	}
	if len(spellings) == 1 {
		c := x.spelled(p, text, spellings[0], piece{min(whole.start, spellings[0].start), whole.end})
		if spellings[0].rule == ruleDate {
			c.more.literally = asserted(tokens)
		}
		x.add(c)
		return
	}
	c := x.candidateAt(p, text, whole)
	c.more = &ways{strict: allStrict(spellings), partRule: spellings[0].rule}
	for _, sp := range spellings {
		c.more.parts = append(c.more.parts, x.spelled(p, text, sp, piece{sp.start, sp.end}))
	}
	x.add(c)
}

func asserted(tokens []located) []Candidate {
	var candidates []Candidate
	for _, t := range tokens {
		if t.asserts {
			candidates = append(candidates, t.candidate)
		}
	}
	return candidates
}

func allStrict(spellings []spelling) bool {
	for _, sp := range spellings {
		if !sp.strict {
			return false
		}
	}
	return true
}

// assertsAnything tells whether literal-1 would look at any of the tokens, or a spelled number is long enough.
func (x *spelledExtraction) assertsAnything(tokens []located, spellings []spelling) bool {
	for _, t := range tokens {
		if t.asserts {
			return true
		}
	}
	for _, sp := range spellings {
		if sp.rule == ruleNumber && countDigits(sp.asked[0]) >= x.gate.minDigits {
			return true
		}
	}
	return false
}

// madeUpOf tells whether nothing stands in the range beside the spellings but what joins them: the T, the zone and the
// signs of stamps and ranges.
func madeUpOf(text []byte, whole piece, spellings []spelling) bool {
	at := whole.start
	for _, sp := range spellings {
		if !joins(text[at:max(at, sp.start)]) {
			return false
		}
		at = max(at, sp.end)
	}
	return joins(text[min(at, whole.end):whole.end])
}

func joins(b []byte) bool {
	b = bytes.TrimLeft(b, "Tt")
	b = bytes.TrimRight(b, "Zz")
	if len(b) == 6 && (b[0] == '+' || b[0] == '-') && b[3] == ':' && isDigit(b[1]) {
		return true // the offset of a zone
	}
	for _, c := range b {
		if c != '-' && c != '/' && c != ' ' && c != noBreak && c != ',' && c != '.' && c != ':' && c != '+' && c != '$' && c != '#' {
			return false
		}
	}
	return true
}

// candidateAt is a candidate that is named by the text as it stands.
func (x *spelledExtraction) candidateAt(p part, text *folded, at piece) Candidate {
	return Candidate{
		Value: spelledOut(text.text[at.start:at.end]), Shape: ShapeIdentifier,
		Spans: []event.Span{{p.offset + text.offset(at.start), p.offset + text.offset(at.end)}},
	}
}

// spelledOut is a spelling as a verdict shows it: in lower case, spaces as one.
func spelledOut(b []byte) string {
	low := appendLower(nil, bytes.ReplaceAll(b, []byte{noBreak}, []byte{' '}))
	return string(bytes.Join(bytes.Fields(low), []byte{' '}))
}

func (x *spelledExtraction) spelled(p part, text *folded, sp spelling, at piece) Candidate {
	c := x.candidateAt(p, text, at)
	c.more = &ways{strict: sp.strict}
	if sp.rule == ruleNumber {
		c.Shape = ShapeNumber
		form := string(sp.asked[0][2:])
		c.Value = form
		c.more.queries = append(c.more.queries, query{rule: ruleNumber, form: form})
	}
	for _, key := range sp.asked {
		c.more.queries = append(c.more.queries, query{rule: sp.rule, key: string(key)})
	}
	if sp.together[0] != nil {
		c.more.together = [2]query{{rule: sp.rule, key: string(sp.together[0])}, {rule: sp.rule, key: string(sp.together[1])}}
	}
	return c
}

// addToken takes a literal token with the further ways that rules hold it by.
func (x *spelledExtraction) addToken(p part, text *folded, t located) {
	c := t.candidate
	if !t.asserts {
		if x.rules.has(ruleList) && !x.gate.declaredExempt([]byte(t.token)) {
			x.addListed(p, text, t)
		}
		return
	}
	if x.rules.has(ruleStructure) && c.Shape != ShapeFigure && isStructure(text.text, t.start, t.end) {
		return
	}
	c.Spans = []event.Span{{p.offset + text.offset(t.start), p.offset + text.offset(t.end)}}
	c.more = &ways{queries: x.queriesOf([]byte(c.Value))}
	x.addParts(p, text, t, &c)
	if c.more.parts == nil && c.Shape == ShapeIdentifier && x.onlyShortNumbers(t.token) {
		return
	}
	x.add(c)
}

// addListed takes a token that asserts nothing as a whole but is a list of values.
func (x *spelledExtraction) addListed(p part, text *folded, t located) {
	c := Candidate{Value: t.token, Shape: ShapeNumber, more: &ways{}}
	c.Spans = []event.Span{{p.offset + text.offset(t.start), p.offset + text.offset(t.end)}}
	if x.addParts(p, text, t, &c); len(c.more.parts) > 0 {
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
		if _, isNumber := isNumber([]byte(token[at.start:at.end])); !isNumber || countDigits([]byte(token[at.start:at.end])) >= x.gate.minDigits {
			return false
		}
	}
	return ok
}

// queriesOf lists the keys that a literal value may be held by.
func (x *spelledExtraction) queriesOf(value []byte) []query {
	var queries []query
	add := func(r rule, kind byte, text []byte) {
		if x.rules.has(r) {
			queries = append(queries, query{rule: r, key: string((&keyBuffer{}).key(r, kind, text))})
		}
	}
	if digits, ok := hexOf(value); ok {
		add(ruleHex, hexKind, digits)
	}
	add(ruleIDPart, idPartKind, value)
	if form, ok := plainNumber(value); ok && x.rules.has(ruleNumber) {
		queries = append(queries, query{rule: ruleNumber, form: string(form)})
		add(ruleNumber, numberKind, form)
	}
	if _, ok := isNumber(value); ok {
		if x.rules.has(ruleNumber) && value[0] != '-' {
			queries = append(queries, query{rule: ruleNumber, form: "-" + string(value)}) // a refund of -2571 is a refund of 2571
		}
		add(ruleNumber, numberKind, value)
		add(ruleDigits, numberKind, value)
		if len(value) == 4 && digitsEnd(value, 0) == 4 {
			add(ruleDate, dateYear, value)
		}
	}
	return queries
}

// addParts takes the values of a list or a range, to be asked when the token itself is not held.
func (x *spelledExtraction) addParts(p part, text *folded, t located, c *Candidate) {
	raw := text.text[t.start:t.end]
	pieces, ok, r := []piece(nil), false, ruleList
	if x.rules.has(ruleList) {
		if form, decimal := decimalComma([]byte(t.token)); decimal && x.rules.has(ruleNumber) {
			c.more.queries = append(c.more.queries, query{rule: ruleNumber, form: string(form)})
		}
		pieces, ok = listParts(raw)
	}
	if !ok && x.rules.has(ruleRange) && c.Shape == ShapeIdentifier {
		pieces, ok = rangeParts(raw)
		r = ruleRange
	}
	if !ok {
		return
	}
	c.more.partRule = r
	for _, at := range pieces {
		part := x.partOf(p, text, piece{t.start + at.start, t.start + at.end})
		if part != nil {
			c.more.parts = append(c.more.parts, *part)
		}
	}
}

// partOf is what one part of a list or range asserts, nil when nothing.
func (x *spelledExtraction) partOf(p part, text *folded, at piece) *Candidate {
	token := NormalizeToken(string(text.text[at.start:at.end]))
	c, ok := x.gate.Classify(token, x.figures)
	if !ok {
		return nil
	}
	c.Spans = []event.Span{{p.offset + text.offset(at.start), p.offset + text.offset(at.end)}}
	c.more = &ways{queries: x.queriesOf([]byte(c.Value))}
	return &c
}

// add takes a candidate; one value is one candidate, with every place.
func (x *spelledExtraction) add(c Candidate) {
	key := c.Value
	if c.more.strict && len(c.more.queries) > 0 {
		key = "\x00" + c.more.queries[0].key + c.more.queries[0].form
	}
	if at, ok := x.place[key]; ok {
		x.found[at].Spans = append(x.found[at].Spans, c.Spans...)
		return
	}
	x.place[key] = len(x.found)
	x.found = append(x.found, c)
}
