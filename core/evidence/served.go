package evidence

import (
	"bytes"
	"html"
	"slices"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// What calibrated-1 reads of a result beside what literal-1 does (readers.md, "Served JSON"): the text blocks of a
// result of the Model Context Protocol each as a result of its own, JSON that stands in a string, and the text of HTML.

// maxInner is how many levels of JSON in strings are read.
const maxInner = 4

// addInnerPart adds what calibrated-1 reads in the strings of a part; capped tells whether any of it was cut.
func (w *rowWriter) addInnerPart(part *Part, level int) (capped bool) {
	for i := range part.Group {
		capped = w.addInnerPart(&part.Group[i], level) || capped
	}
	if part.Value.IsZero() {
		return capped
	}
	blocks, raw := textBlocks(part), part.Value.Raw()
	for _, t := range part.tokens {
		if t.Kind == servedjson.String && !t.IsKey() && (blocks || mayHoldJSON(raw[t.Start:t.End])) {
			capped = w.addInner(t.In(raw), blocks, level) || capped
		}
	}
	return capped
}

// addInner adds the JSON that a string may hold, and of a text block what it holds as a result.
func (w *rowWriter) addInner(leaf servedjson.Value, blocks bool, level int) (capped bool) {
	text := servedjson.TrimJS(leaf.TextBytes(nil))
	if blocks {
		w.addHTML(text)
		w.addPlain(text)
	}
	if len(text) < 2 || text[0] != '{' && text[0] != '[' || level >= maxInner {
		return false
	}
	reading := readResult(text, w.scan)
	if !blocks && (len(reading.Parts) != 1 || reading.Capped || len(reading.Text) > 0) {
		return false // not one whole value: it is the tool's text
	}
	capped = reading.Capped
	for i := range reading.Parts {
		part := &reading.Parts[i]
		w.addPart(part, false)
		capped = w.addInnerPart(part, level+1) || capped
	}
	return capped
}

// mayHoldJSON tells whether a string, as it is written, may begin with JSON: space and escapes are not looked behind.
func mayHoldJSON(raw []byte) bool {
	c := raw[min(1, len(raw)-1)]
	return c == '{' || c == '[' || c == '\\' || c <= ' ' || c >= 0x80
}

// textBlocks tells whether a value is a result of the Model Context Protocol, or a bare list of its blocks.
func textBlocks(part *Part) bool {
	v := part.Value
	if v.Kind() == servedjson.Object {
		if !part.mayHaveKey("content") {
			return false
		}
		v, _ = v.Get("content")
	}
	if v.Kind() != servedjson.Array {
		return false
	}
	some := false
	for block := range v.Elements() {
		kind, _ := block.Get("type")
		if kind.Kind() != servedjson.String {
			return false
		}
		some = true
	}
	return some
}

// mayHaveKey tells whether an object may have a key of its own: one that is written so, or with escapes.
func (p *Part) mayHaveKey(key string) bool {
	raw := p.Value.Raw()
	return slices.ContainsFunc(p.tokens, func(t servedjson.Token) bool {
		return t.IsTopKey() && (t.Escaped || string(raw[t.Start+1:t.End-1]) == key)
	})
}

// addPlain adds the text of a result without the colours of a terminal.
func (w *rowWriter) addPlain(text []byte) {
	if plain, ok := withoutColours(text); ok {
		w.addTokens(plain)
		w.addKeys(plain, markDigit|markWide)
	}
}

// addHTML adds the text of a result that is HTML: without its tags, its entities resolved once.
func (w *rowWriter) addHTML(text []byte) {
	plain, ok := htmlText(text)
	if !ok {
		return
	}
	w.addTokens(plain)
	w.addKeys(plain, markDigit|markWide)
}

// htmlText gives the text of HTML, with a space in place of each tag; ok is false when the text holds no tag.
func htmlText(text []byte) (plain []byte, ok bool) {
	if bytes.IndexByte(text, '<') < 0 {
		return nil, false
	}
	tags := tagScanner{text: text}
	for i := 0; i < len(text); {
		end := tags.end(i)
		if end == i {
			plain = append(plain, text[i])
			i++
			continue
		}
		plain, ok = append(plain, ' '), true
		i = end
	}
	return []byte(html.UnescapeString(string(plain))), ok
}

// tagScanner finds where tags end. It looks at each byte of the text once, whatever stands in it.
type tagScanner struct {
	text  []byte
	close int // the first > at or after the place asked about, len(text) when there is none
}

// end is where the tag at text[i] ends, i when none stands there.
func (s *tagScanner) end(i int) int {
	if s.text[i] != '<' || i+1 >= len(s.text) || !isLetter(s.text[i+1]) && s.text[i+1] != '/' && s.text[i+1] != '!' {
		return i
	}
	if s.close < i {
		s.close = len(s.text)
		if at := bytes.IndexByte(s.text[i:], '>'); at >= 0 {
			s.close = i + at
		}
	}
	if s.close == len(s.text) {
		return i
	}
	return s.close + 1
}
