package evidence

import (
	"errors"

	"github.com/plumbline-dev/plumbline/core/coverage"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// Reading is what one served result is evidence for.
type Reading struct {
	// Parts are what the result holds as JSON, in the order of the text; empty when it is read as text.
	Parts []Part
	// Text is the whole result when it is read as text, else what follows the JSON.
	Text []byte
	// Capped tells that the result was cut before it was read: JSON cut short, a capped result, or nesting too deep.
	Capped bool
}

// Part is a piece of a result that is JSON. Exactly one of its fields is set.
type Part struct {
	Value servedjson.Value // a complete value, projected when it declares an absence
	Cut   []byte           // JSON text cut short, of which the complete leaves count
	Words []byte           // the whole words of the string that JSON text was cut in
	Group []Part           // a capped result and what its head holds

	tokens []servedjson.Token // of the value
}

// ReadResult reads the text of a served result: the JSON values that it opens with, and what follows them as cut JSON or
// as text; a result that does not open with a value is cut JSON or text as a whole (readers.md, "Served JSON"). It keeps
// the content.
func ReadResult(content []byte) Reading {
	return readResult(content, &servedjson.Scanner{})
}

// readResult is ReadResult by a scanner, whose tokens the parts keep.
func readResult(content []byte, s *servedjson.Scanner) Reading {
	var r Reading
	r.Text, r.Capped = visitResult(content, s, func(part *Part) { r.Parts = append(r.Parts, *part) })
	return r
}

// visitResult is ReadResult that gives each part as it is read, valid until visit returns. The part keeps the scanner's
// tokens.
func visitResult(content []byte, s *servedjson.Scanner, visit func(part *Part)) (text []byte, capped bool) {
	rest, whole := servedjson.TrimJS(content), true
	var part Part
	for len(rest) > 0 && (rest[0] == '{' || rest[0] == '[') {
		scanned, err := s.Value(rest, 0)
		if err != nil {
			capped = capped || errors.Is(err, servedjson.ErrTooDeep)
			break
		}
		var isCapped bool
		part, isCapped = partOf(scanned, s)
		visit(&part)
		capped, whole = capped || isCapped, false
		rest = skipSpace(rest[scanned.End:])
	}
	words, isCut := readCut(rest)
	switch {
	case isCut:
		part = Part{Cut: rest}
		visit(&part)
		if words != nil {
			part = Part{Words: words}
			visit(&part)
		}
		return nil, true
	case whole:
		return content, capped
	}
	return rest, capped
}

func skipSpace(text []byte) []byte {
	for len(text) > 0 && servedjson.IsSpace(text[0]) {
		text = text[1:]
	}
	return text
}

// readCut tells whether the text is JSON cut short, and gives the words it ends in.
func readCut(text []byte) (words []byte, ok bool) {
	return servedjson.VisitPrefix(text, func(servedjson.Value) {})
}

func withWords(parts []Part, words []byte) []Part {
	if words == nil {
		return parts
	}
	return append(parts, Part{Words: words})
}

// partOf reads one top-level value: an absence is projected, a capped result brings what its head holds.
func partOf(scanned servedjson.Scanned, s *servedjson.Scanner) (part Part, capped bool) {
	part = Part{Value: scanned.Value, tokens: scanned.Tokens}
	if !hasMarker(scanned) {
		return part, false
	}
	if projected, ok := project(scanned.Value, s); ok {
		return projected, false
	}
	if !IsCapped(part.Value) {
		return part, false
	}
	return withHead(part, s), true
}

// hasMarker tells whether a value may be an absence, a boundary or a capped result: whether one of its own keys says so.
func hasMarker(scanned servedjson.Scanned) bool {
	raw := scanned.Value.Raw()
	for _, t := range scanned.Tokens {
		if !t.IsTopKey() {
			continue
		}
		key := raw[t.Start+1 : t.End-1]
		if t.Escaped {
			key = t.In(raw).AppendText(nil)
		}
		switch string(key) {
		case coverage.AbsenceMarker, coverage.CoverageMarker, cappedMarker:
			return true
		}
	}
	return false
}

func project(v servedjson.Value, s *servedjson.Scanner) (Part, bool) {
	projected, ok := ProjectAbsence(v)
	if !ok {
		return Part{}, false
	}
	scanned, err := s.Value(projected.Raw(), 0)
	if err != nil {
		return Part{}, false // the projection is a value that was parsed
	}
	return Part{Value: scanned.Value, tokens: scanned.Tokens}, true
}

// withHead is a capped result and what its head holds, when the head is JSON.
func withHead(capped Part, s *servedjson.Scanner) Part {
	head, _ := capped.Value.Get("head")
	if head.Kind() != servedjson.String {
		return capped
	}
	inner := readResult(head.AppendText(nil), s)
	if len(inner.Parts) == 0 {
		return capped
	}
	return Part{Group: append([]Part{capped}, inner.asOne()...)}
}

// asOne gives what a reading holds as the parts of a group: what was parsed as one, then the words or the text after it.
func (r Reading) asOne() []Part {
	parsed, words := r.parsed()
	group := []Part{parsed}
	if words == nil {
		words = r.Text
	}
	return withWords(group, emptyIsNil(words))
}

// parsed gives what was parsed as one part, a single one not wrapped, and the words of cut JSON apart.
func (r Reading) parsed() (part Part, words []byte) {
	parts := r.Parts
	if last := len(parts) - 1; parts[last].Words != nil {
		words, parts = parts[last].Words, parts[:last]
	}
	if len(parts) == 1 {
		return parts[0], words
	}
	return Part{Group: parts}, words
}

func emptyIsNil(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return b
}

// cappedMarker is the key that tells that a result was capped.
const cappedMarker = "truncated"

// IsCapped recognizes a capped result: an object whose truncated is exactly true and whose reason is a string.
func IsCapped(v servedjson.Value) bool {
	if truncated, _ := v.Get(cappedMarker); truncated.Kind() != servedjson.True {
		return false
	}
	reason, _ := v.Get("reason")
	return reason.Kind() == servedjson.String
}
