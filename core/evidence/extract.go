package evidence

import (
	"github.com/plumbline-dev/plumbline/core/event"
)

// maxAnswerTokens is how many tokens of an answer are read; what follows asserts nothing.
const maxAnswerTokens = 20_000

// Extract gives the values that a text asserts, each once, in the order of their first appearance, with every place
// where it stands. cuts are ranges that are not read: in order, apart, and of whole lines, so that no token spans one.
func (g *Gate) Extract(text string, cuts []event.Span) []Candidate {
	if !g.figures {
		return g.ExtractWith(text, cuts, nil)
	}
	return g.ExtractWith(text, cuts, figureSet(text, cuts))
}

// ExtractWith is Extract with a given set of numbers that count as figures.
func (g *Gate) ExtractWith(text string, cuts []event.Span, figures map[string]bool) []Candidate {
	x := extraction{gate: g, figures: figures, place: map[string]int{}, candidates: []Candidate{}}
	for _, part := range uncut(len(text), cuts) {
		x.read([]byte(text[part[0]:part[1]]), part[0])
	}
	return x.candidates
}

// extraction is one reading of an answer.
type extraction struct {
	gate       *Gate
	figures    map[string]bool
	tokens     int
	place      map[string]int // of a value among the candidates
	candidates []Candidate
}

// read takes in the tokens of a part of the answer that begins at the offset.
func (x *extraction) read(part []byte, offset int) {
	z := NewTokenizer(part)
	for x.tokens < maxAnswerTokens {
		token, start, end, ok := z.Next()
		if !ok {
			return
		}
		x.tokens++
		value, shape, tail := x.gate.classify(token, x.figures)
		if shape == "" {
			continue
		}
		x.add(value, shape, token, tail, event.Span{offset + start, offset + end})
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

// uncut lists the ranges of a text of the length that no cut covers.
func uncut(length int, cuts []event.Span) []event.Span {
	var parts []event.Span
	from := 0
	for _, cut := range cuts {
		if cut[0] > from {
			parts = append(parts, event.Span{from, cut[0]})
		}
		from = max(from, cut[1])
	}
	if from < length {
		parts = append(parts, event.Span{from, length})
	}
	return parts
}

// Forms are the forms that a candidate is looked up by: those of its value, then those of its token.
func (c *Candidate) Forms() []string {
	forms := LookupForms(c.Value)
	if c.Token == "" || c.Token == c.Value {
		return forms
	}
	return append(forms, LookupForms(c.Token)...)
}
