package evidence

import (
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// NewIndexFor is an index that reads results by the gate's ruleset and knows texts by its equivalences as well.
func NewIndexFor(g *Gate) *Index {
	ix := NewIndex()
	if g.calibrated {
		ix.rules = g.rules
		ix.keys = NewIndex()
	}
	return ix
}

// Truncated tells whether something that was added may be missing: a form, or a key by which calibrated-1 would find it.
func (ix *Index) Truncated() bool { return ix.Full() || ix.keys != nil && ix.keys.Full() }

// keyWriter adds the keys of texts to the index of keys. Its buffers serve other texts afterwards.
type keyWriter struct {
	ix   *Index // of the texts
	buf  []byte // the key that is being made
	keys keyBuffer
	z    Tokenizer
	// field is the key before, as it is written, and of which kind its field is, once that was asked.
	field []byte
	kind  fieldKind
}

// fieldKind tells whether a field is for ids.
type fieldKind byte

const (
	fieldUnknown fieldKind = iota
	fieldOfIDs
	fieldOfOther
)

func (w *keyWriter) inIDField() bool {
	if w.kind == fieldUnknown {
		if w.kind = fieldOfOther; isIDField(w.field) {
			w.kind = fieldOfIDs
		}
	}
	return w.kind == fieldOfIDs
}

// begin begins a key of a rule that holds.
func (w *keyWriter) begin(r rule, kind byte) { w.buf = append(w.buf[:0], byte(r), kind) }

// end adds the key.
func (w *keyWriter) end() { w.ix.keys.addForm(w.buf) }

func (w *keyWriter) addKey(r rule, kind byte, text []byte) {
	w.begin(r, kind)
	w.buf = append(w.buf, text...)
	w.end()
}

func (w *keyWriter) addList(keys *keyList) {
	for _, key := range keys.all() {
		w.ix.keys.addForm(key)
	}
}

// addKeys adds the keys that a text is known by under the rules, and its tokens with what only looks different made
// equal. A text without digits has none.
func (w *rowWriter) addKeys(text []byte, marks byte) {
	ix := w.ix
	if ix.keys == nil || marks&(markDigit|markWide) == 0 || ix.keys.Full() {
		return
	}
	if marks&markWide != 0 {
		if folded := ix.rules.fold(text); folded.at != nil {
			text = folded.text
			w.addTokens(text)
		}
	}
	w.keyed.addSpellings(text)
	w.keyed.addTokens(text)
}

func (w *keyWriter) addSpellings(text []byte) {
	s := speller{rules: &w.ix.rules, text: text, keys: w.keys}
	for {
		s.keys.bytes = s.keys.bytes[:0]
		sp := s.find()
		if sp == nil {
			w.keys = s.keys
			return
		}
		w.addList(&sp.served)
	}
}

// addTokens adds the keys of the literal tokens of a text, and of those that a word before or a sign behind says more of.
func (w *keyWriter) addTokens(text []byte) {
	w.z.Reset(text)
	word := piece{}
	for {
		token, start, end, ok := w.z.Next()
		if !ok {
			w.z.Reset(nil)
			return
		}
		kinds := w.z.kindsOf(token, end-start)
		if kinds&kindDigit == 0 {
			word = piece{start, end}
			continue
		}
		w.addTokenKeys(token, kinds)
		if kinds&(kindLetter|kindPoint|kindJoin|kindApart) == 0 && digitsEnd(token, 0) == len(token) {
			w.addNumberIn(text, word, piece{start, end}, token)
		}
		if w.ix.rules.has(ruleNumber) {
			w.addSigned(place{text, piece{start, end}}, token)
		}
	}
}

// addSigned adds what a percent sign behind a number, or a currency beside it, makes of it.
func (w *keyWriter) addSigned(p place, token []byte) {
	if _, number := isNumber(token); !number || len(p.text) == p.at.end-p.at.start {
		return
	}
	if isPercent(p.text[p.at.end:]) {
		w.begin(ruleNumber, percentKind)
		var ok bool
		if w.buf, ok = appendShare(w.buf, token); ok {
			w.end()
		}
	}
	if raw := p.text[p.at.start:p.at.end]; isPointGroup(raw) && besideCurrency(p) {
		w.begin(ruleNumber, numberKind)
		w.buf = appendWithout(w.buf, raw, '.')
		w.end()
	}
}

// addNumberIn adds what the text around a whole number makes of it: part of an id behind a short word in capitals (BA
// 2490), the number of an id behind #.
func (w *keyWriter) addNumberIn(text []byte, word, at piece, token []byte) {
	if !w.ix.rules.has(ruleIDPart) {
		return
	}
	if at.start > 0 && text[at.start-1] == '#' || len(text) == at.end-at.start && w.inIDField() {
		w.addKey(ruleIDPart, idFieldKind, token)
	}
	if at.start == word.end+1 && isCapitals(text[word.start:word.end]) && text[word.end] == ' ' {
		w.begin(ruleIDPart, idJoinedKind)
		var ok bool
		if w.buf, _, ok = appendJoined(w.buf, text[word.start:at.end]); ok {
			w.end()
		}
	}
}

// addTokenKeys adds the keys of one literal token with a digit. kinds are those of its bytes, maybe with more: a rule is
// asked only when the token holds what the rule needs.
func (w *keyWriter) addTokenKeys(token []byte, kinds byteKind) {
	rules := &w.ix.rules
	marked := kinds&(kindLetter|kindPoint|kindJoin|kindApart) != 0
	if marked && rules.has(ruleIDPart) {
		w.addIDParts(token, kinds)
		if kinds&kindJoin != 0 {
			w.addJoined(token)
		}
	}
	if marked && len(token) >= minHexPrefix && rules.has(ruleHex) {
		w.addHex(token)
	}
	if rules.has(ruleNumber) {
		w.addNumberKeys(token)
	}
	if kinds&(kindX|kindPoint|kindJoin|kindApart) != 0 && rules.has(ruleRange) {
		w.addRange(token)
	}
	if kinds&kindComma != 0 && rules.has(ruleList) {
		w.addListed(token)
	}
	if rules.has(ruleDate) {
		w.addDayKeys(token)
	}
	if kinds&kindJoin != 0 && kinds&kindLetter == 0 && rules.has(ruleGroups) {
		w.addUngrouped(token)
	}
}

// noteField tells what the next leaf of a value is: a JSON number of a field for ids, or a day, has keys as well.
func (w *keyWriter) noteField(raw []byte, t servedjson.Token) {
	if t.IsKey() {
		w.field, w.kind = raw[t.Start+1:t.End-1], fieldUnknown
		return
	}
	if t.Kind != servedjson.Number {
		return
	}
	number := raw[t.Start:t.End]
	if digitsEnd(number, 0) == len(number) && w.ix.rules.has(ruleIDPart) && w.inIDField() {
		w.addKey(ruleIDPart, idFieldKind, number)
	}
	if len(number) == len("20240520") && w.ix.rules.has(ruleDate) {
		w.addDayKeys(number)
	}
}
