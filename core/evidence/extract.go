package evidence

import (
	"github.com/plumbline-dev/plumbline/core/event"
)

// maxAnswerTokens is how many tokens of an answer are read; what follows asserts nothing.
const maxAnswerTokens = 20_000

// Extract gives the values that a text asserts, each once, in the order of their first appearance, with every place
// where it stands among the first maxAnswerTokens tokens. cuts are ranges of the text that are not read; they come in
// order, and no token reaches over one.
func (g *Gate) Extract(text string, cuts []event.Span) []Candidate {
	parts := uncut([]byte(text), cuts)
	if !g.figures {
		return g.extract(parts, nil)
	}
	return g.extract(parts, figureSet(parts))
}

// ExtractWith is Extract of a whole text with a given set of numbers that count as figures.
func (g *Gate) ExtractWith(text string, figures map[string]bool) []Candidate {
	return g.extract(uncut([]byte(text), nil), figures)
}

func (g *Gate) extract(parts []part, figures map[string]bool) []Candidate {
	if g.calibrated {
		return g.extractSpelled(parts, figures)
	}
	x := extraction{gate: g, figures: figures, place: map[string]int{}, candidates: []Candidate{}}
	for _, p := range parts {
		x.read(p)
	}
	return x.candidates
}

// extraction is one reading of an answer.
type extraction struct {
	gate       *Gate
	figures    map[string]bool
	tokenizer  Tokenizer
	number     []byte // room for the number in front of a unit
	tokens     int
	place      map[string]int // of a value among the candidates
	candidates []Candidate
}

// read takes in the tokens of a part of the answer.
func (x *extraction) read(p part) {
	x.tokenizer.Reset(p.text)
	for x.tokens < maxAnswerTokens {
		token, start, end, ok := x.tokenizer.Next()
		if !ok {
			return
		}
		x.tokens++
		value, shape, tail := x.gate.classify(x.number, token, x.figures)
		if tail {
			x.number = value
		}
		if shape != "" {
			x.add(value, shape, token, tail, event.Span{p.offset + start, p.offset + end})
		}
	}
}

func (x *extraction) add(value []byte, shape string, token []byte, tail bool, span event.Span) {
	if at, ok := x.place[string(value)]; ok {
		x.candidates[at].Spans = append(x.candidates[at].Spans, span)
		return
	}
	c := Candidate{Value: string(value), Shape: shape, Spans: []event.Span{span}}
	if tail && string(token) != c.Value {
		c.Token = string(token)
	}
	x.place[c.Value] = len(x.candidates)
	x.candidates = append(x.candidates, c)
}

// part is a stretch of an answer that is read.
type part struct {
	text   []byte
	offset int // in the answer
}

// uncut lists the parts of a text that no cut covers.
func uncut(text []byte, cuts []event.Span) []part {
	var parts []part
	from := 0
	for _, cut := range cuts {
		if to := min(cut[0], len(text)); to > from {
			parts = append(parts, part{text[from:to], from})
		}
		from = max(from, cut[1])
	}
	if from < len(text) {
		parts = append(parts, part{text[from:], from})
	}
	return parts
}

// Forms are the forms that a candidate is looked up by: those of its value, then those of its token.
func (c *Candidate) Forms() []string { return c.appendForms(make([]string, 0, 1)) }

// appendForms is Forms with room given.
func (c *Candidate) appendForms(dst []string) []string {
	for _, spelling := range [...]string{c.Value, c.Token} {
		if spelling == "" || len(dst) > 0 && spelling == c.Value {
			continue
		}
		dst = append(dst, spelling)
		if short, ok := shortForm(spelling); ok {
			dst = append(dst, short)
		}
	}
	return dst
}
