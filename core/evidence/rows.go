package evidence

import (
	"bytes"
	"unicode/utf8"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// RowFacts is what was noticed about a result while it was added.
type RowFacts struct {
	Row int
	// Capped tells that the result was cut before it was read.
	Capped bool
	// Placeholder tells that a redactor's placeholder stands in it, as a whole word.
	Placeholder bool
}

// AddResult adds a served result as a row, in one scan of its bytes: keys whole, leaves whole and in tokens, text in
// tokens. It keeps nothing of the content.
func (ix *Index) AddResult(content []byte, placeholders []string) RowFacts {
	ix.nextRow()
	facts := RowFacts{Row: ix.rows - 1}
	reading := ReadResult(content)
	facts.Capped = reading.Capped
	for _, part := range reading.Parts {
		ix.addPart(part, false)
	}
	ix.addTokens(reading.Text)
	ix.addKeys(reading.Text)
	if ix.keys != nil {
		facts.Capped = ix.addServed(reading) || facts.Capped
	}
	for _, placeholder := range placeholders {
		facts.Placeholder = facts.Placeholder || holdsWord(content, placeholder)
	}
	return facts
}

// addPart adds a piece of a result. Words that stand in a group are a leaf of it; beside one they are text.
func (ix *Index) addPart(part Part, inGroup bool) {
	switch {
	case part.Group != nil:
		for _, inner := range part.Group {
			ix.addPart(inner, true)
		}
	case part.Words != nil:
		if inGroup && !ix.Full() {
			ix.addWhole(part.Words)
		}
		ix.addTokens(part.Words)
		ix.addKeys(part.Words)
	case part.Cut != nil:
		servedjson.VisitPrefix(part.Cut, func(leaf servedjson.Value) { ix.addLeaf(leaf, false) })
	default:
		servedjson.Walk(part.Value, ix.addLeaf)
	}
}

// addLeaf adds a key or a leaf: whole, and a leaf in tokens as well.
func (ix *Index) addLeaf(leaf servedjson.Value, isKey bool) {
	if ix.Full() {
		return
	}
	switch leaf.Kind() {
	case servedjson.String:
		text := leaf.TextBytes(ix.leaf)
		if len(text) > 0 && leaf.Escaped() {
			ix.leaf = text
		}
		ix.addWhole(text)
		ix.addKeys(text)
		if !isKey {
			ix.addTokens(text)
		}
	case servedjson.Number:
		ix.leaf = leaf.AppendNumber(ix.leaf[:0])
		ix.addWhole(ix.leaf)
		ix.addTokens(ix.leaf)
		ix.addDigits(leaf, ix.leaf)
	case servedjson.True, servedjson.False:
		ix.add(leaf.Raw())
	}
}

// addWhole adds a text as one form.
func (ix *Index) addWhole(text []byte) {
	if isASCII(text) {
		low, high := trimBounds(text)
		form, _, _ := ix.spell.normalize(text[low:high])
		ix.add(form)
		return
	}
	ix.spell.buf = AppendNormalized(ix.spell.buf[:0], text)
	ix.add(ix.spell.buf)
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func (ix *Index) addTokens(text []byte) {
	if ix.Full() {
		return
	}
	ix.z.Reset(text)
	for {
		token, _, _, ok := ix.z.Next()
		if !ok {
			return
		}
		ix.add(token)
	}
}

// AddText adds a text that exempts as a row: its tokens, and the other spellings of its dates and clock times.
func (ix *Index) AddText(text []byte) (row int) {
	ix.nextRow()
	ix.addText(text)
	return ix.rows - 1
}

func (ix *Index) addText(text []byte) {
	ix.addTokens(text)
	ix.addKeys(text)
	if ix.Full() {
		return
	}
	for _, form := range DateAndClockForms(string(text)) {
		ix.add([]byte(form))
	}
}

// AddValue adds a value that exempts as a row: whole, and as a text.
func (ix *Index) AddValue(value []byte) (row int) {
	ix.nextRow()
	ix.addWhole(value)
	ix.addText(value)
	return ix.rows - 1
}

// holdsWord tells whether a word stands in a text and touches no letter, digit or underscore on either side.
func holdsWord(text []byte, word string) bool {
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte(word))
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(word)
		if (start == 0 || !isWord(text[start-1])) && (end == len(text) || !isWord(text[end])) {
			return true
		}
		from = start + 1
	}
}
