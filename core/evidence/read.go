package evidence

import (
	"bytes"
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
}

// ReadResult reads the text of a served result: one JSON value; or leading values, and what follows them as cut JSON or
// as text; or cut JSON; or text (readers.md, "Served JSON"). A result that does not open with a bracket is text. It
// keeps the content.
func ReadResult(content []byte) Reading {
	text := servedjson.TrimJS(content)
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return Reading{Text: content}
	}
	v, err := servedjson.Parse(text)
	if err == nil {
		return oneValue(v)
	}
	tooDeep := errors.Is(err, servedjson.ErrTooDeep)
	values, rest := servedjson.LeadingValues(text)
	words, isCut := readCut(rest)
	switch {
	case len(values) == 0 && !isCut:
		return Reading{Text: content, Capped: tooDeep}
	case len(values) == 0:
		return Reading{Parts: withWords([]Part{{Cut: rest}}, words), Capped: true}
	}
	r := Reading{Capped: isCut || tooDeep}
	for _, v := range values {
		part, capped := partOf(v)
		r.Parts = append(r.Parts, part)
		r.Capped = r.Capped || capped
	}
	if isCut {
		r.Parts = withWords(append(r.Parts, Part{Cut: rest}), words)
	} else {
		r.Text = rest
	}
	return r
}

func oneValue(v servedjson.Value) Reading {
	part, capped := partOf(v)
	return Reading{Parts: []Part{part}, Capped: capped}
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
func partOf(v servedjson.Value) (part Part, capped bool) {
	if coverage.MayDeclare(v.Raw()) {
		if projected, ok := ProjectAbsence(v); ok {
			return Part{Value: projected}, false
		}
	}
	if !IsCapped(v) {
		return Part{Value: v}, false
	}
	head, ok := v.Get("head")
	if !ok || head.Kind() != servedjson.String {
		return Part{Value: v}, true
	}
	inner := ReadResult([]byte(head.Text()))
	if len(inner.Parts) == 0 {
		return Part{Value: v}, true
	}
	return Part{Group: append([]Part{{Value: v}}, inner.asOne()...)}, true
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

// IsCapped recognizes a capped result: an object whose truncated is exactly true and whose reason is a string.
func IsCapped(v servedjson.Value) bool {
	if v.Kind() != servedjson.Object || !bytes.Contains(v.Raw(), []byte("truncated")) && !bytes.Contains(v.Raw(), []byte(`\u`)) {
		return false
	}
	truncated, ok := v.Get("truncated")
	if !ok || truncated.Kind() != servedjson.True {
		return false
	}
	reason, ok := v.Get("reason")
	return ok && reason.Kind() == servedjson.String
}
