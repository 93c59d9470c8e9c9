package evidence

import (
	"bytes"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// NewIndexFor is an index that knows texts by the gate's equivalences as well.
func NewIndexFor(g *Gate) *Index {
	ix := NewIndex()
	if g.rules.any() {
		ix.rules = g.rules
		ix.keys = NewIndex()
	}
	return ix
}

// Truncated tells whether something that was added may be missing: a form, or a key by which calibrated-1 would find it.
func (ix *Index) Truncated() bool { return ix.Full() || ix.keys != nil && ix.keys.Full() }

// addKeys adds the keys that a text is known by under the rules, and its tokens with what only looks different made
// equal.
func (w *rowWriter) addKeys(text []byte) {
	ix := w.ix
	if ix.keys == nil || ix.keys.Full() {
		return
	}
	folded := foldText(text)
	if folded.at != nil {
		w.addTokens(folded.text)
	}
	ix.addSpellings(folded.text)
	z := NewTokenizer(folded.text)
	for {
		token, _, _, ok := z.Next()
		if !ok {
			return
		}
		ix.addTokenKeys(token)
	}
}

func (ix *Index) addSpellings(text []byte) {
	s := speller{rules: &ix.rules, text: text}
	for {
		sp, ok := s.find()
		if !ok {
			return
		}
		for _, key := range sp.served {
			ix.keys.addForm(key)
		}
		s.keys.bytes = s.keys.bytes[:0]
	}
}

// addTokenKeys adds the keys of one literal token.
func (ix *Index) addTokenKeys(token []byte) {
	if countDigits(token) == 0 {
		return
	}
	var keys keyBuffer
	if ix.rules.has(ruleIDPart) {
		visitIDParts(token, func(part []byte) { ix.keys.addForm(keys.key(ruleIDPart, idPartKind, part)) })
	}
	if ix.rules.has(ruleHex) {
		if digits, ok := hexOf(token); ok {
			ix.keys.addForm(keys.key(ruleHex, hexKind, digits))
			ix.keys.noteHash(string(digits))
		}
	}
	if ix.rules.has(ruleNumber) {
		if form, ok := plainNumber(token); ok {
			ix.keys.addForm(keys.key(ruleNumber, numberKind, form))
		}
	}
}

// addDigits adds a JSON number under its own digits, when they are not what it is printed as.
func (ix *Index) addDigits(leaf servedjson.Value, printed []byte) {
	if ix.keys == nil || !ix.rules.has(ruleDigits) || bytes.Equal(leaf.Raw(), printed) {
		return
	}
	ix.keys.addForm((&keyBuffer{}).key(ruleDigits, numberKind, leaf.Raw()))
}
