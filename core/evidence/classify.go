package evidence

import (
	"unicode/utf16"
	"unicode/utf8"

	"github.com/plumbline-dev/plumbline/core/event"
)

// The shapes of data that need no declaration.
const (
	ShapeNumber     = "number"
	ShapeFigure     = "figure"
	ShapeIdentifier = "identifier"
)

// Candidate is a value that an answer asserts.
type Candidate struct {
	Value string // in its one spelling
	Shape string
	// Token is the whole token when the value is the number in front of a unit (1007us asserts 1007), else empty.
	Token string
	// Spans are where the value stands in the answer, every time, in bytes.
	Spans []event.Span
	// more are the further ways in which calibrated-1 holds the value; nil under literal-1.
	more *ways
}

// minIdentifier is how many UTF-16 code units an identifier needs.
const minIdentifier = 4

// Classify tells whether a token, in its one spelling, is data, and of which shape. figures holds the numbers of the text
// that wear a unit; nil when figures are off. The order of the questions is the rule (literal-1, "extract").
func (g *Gate) Classify(token string, figures map[string]bool) (Candidate, bool) {
	value, shape, tail := g.classify(nil, []byte(token), figures)
	if shape == "" {
		return Candidate{}, false
	}
	c := Candidate{Value: string(value), Shape: shape}
	if tail && c.Value != token {
		c.Token = token
	}
	return c, true
}

// classify gives the value that a token asserts and its shape, empty when it is no data; tail tells whether the value is
// the number in front of a unit, which is then built in buf's room.
func (g *Gate) classify(buf, token []byte, figures map[string]bool) (value []byte, shape string, tail bool) {
	if len(token) == 0 || g.declaredExempt(token) {
		return nil, "", false
	}
	for _, s := range g.shapes {
		if s.pattern.Match(token) {
			return token, s.name, false
		}
	}
	if countDigits(token) == 0 || isFraction(token) {
		return nil, "", false
	}
	if end, ok := numberWithTail(token); ok {
		value = token[:end]
		tail = end < len(token)
		if tail {
			value = AppendNormalized(buf[:0], value)
		}
		return value, g.numberShape(value, figures), tail
	}
	if hasIdentifierByte(token) && hasUnits(token, minIdentifier) {
		return token, ShapeIdentifier, false
	}
	return nil, "", false
}

func (g *Gate) numberShape(value []byte, figures map[string]bool) string {
	switch {
	case countDigits(value) >= g.minDigits:
		return ShapeNumber
	case figures[string(value)]:
		return ShapeFigure
	}
	return ""
}

// isFraction tells whether a token is N/M of one or two digits each: a date or a share, not data.
func isFraction(b []byte) bool {
	slash := digitsEnd(b, 0)
	if slash < 1 || slash > 2 || slash >= len(b) || b[slash] != '/' {
		return false
	}
	end := digitsEnd(b, slash+1)
	return end == len(b) && end-slash-1 >= 1 && end-slash-1 <= 2
}

// numberWithTail gives the end of the number that a token is, alone or with a short tail:
// ^[-+]?\d+(\.\d+)?([-/]?[a-z]{1,5}(/[a-z]{1,5})?)?$.
func numberWithTail(b []byte) (end int, ok bool) {
	i := firstDigitPlace(b)
	if i < 0 {
		return 0, false
	}
	end = digitsEnd(b, i)
	if end+1 < len(b) && b[end] == '.' && isDigit(b[end+1]) {
		end = digitsEnd(b, end+1)
	}
	return end, end == len(b) || isTail(b[end:])
}

// isTail tells whether b is [-/]?[a-z]{1,5}(/[a-z]{1,5})?, whole.
func isTail(b []byte) bool {
	i := 0
	if b[0] == '-' || b[0] == '/' {
		i = 1
	}
	first := lettersEnd(b, i)
	if first == i || first-i > 5 {
		return false
	}
	if first == len(b) {
		return true
	}
	second := lettersEnd(b, first+1)
	return b[first] == '/' && second == len(b) && second > first+1 && second-first-1 <= 5
}

func lettersEnd(b []byte, i int) int {
	for i < len(b) && b[i] >= 'a' && b[i] <= 'z' {
		i++
	}
	return i
}

// hasUnits tells whether b has at least n UTF-16 code units.
func hasUnits(b []byte, n int) bool {
	for len(b) > 0 && n > 0 {
		r, size := utf8.DecodeRune(b)
		n -= utf16.RuneLen(r)
		b = b[size:]
	}
	return n <= 0
}

// hasIdentifierByte tells whether a token holds a letter or one of : _ - / and the point.
func hasIdentifierByte(b []byte) bool {
	for _, c := range b {
		switch {
		case c >= 'a' && c <= 'z', c == ':', c == '_', c == '-', c == '/', c == '.':
			return true
		}
	}
	return false
}
