package evidence

import (
	"sync"
	"unicode/utf8"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// RowFacts is what was noticed about a result while it was added.
type RowFacts struct {
	Row int
	// Capped tells that the result was cut before it was read.
	Capped bool
	// Placeholder tells that a redactor's placeholder stands in it, as a whole word of a key, a leaf or a text.
	Placeholder bool
}

// AddResult adds a served result as a row, in one scan of its bytes: keys whole, leaves whole and in tokens, text in
// tokens. words are the placeholders that a redactor leaves where a value was. It keeps nothing of the content.
func (ix *Index) AddResult(content []byte, words []string) RowFacts {
	w := ix.nextRow()
	defer w.done()
	ix.reserve(len(content))
	w.kept = lookFor(words, content)
	cutInside := false
	text, capped := visitResult(content, w.scan, func(part *Part) {
		w.addPart(part, false)
		if ix.keys != nil {
			cutInside = w.addInnerPart(part, 1) || cutInside
		}
		w.scan.Reset()
	})
	w.addText(text)
	if ix.keys != nil {
		w.addHTML(text)
		w.addPlain(text)
	}
	return RowFacts{Row: ix.rows - 1, Capped: capped || cutInside, Placeholder: w.kept.found}
}

// AddText adds a text that exempts as a row: its tokens, and the other spellings of its dates and clock times.
func (ix *Index) AddText(text []byte) (row int) {
	w := ix.nextRow()
	defer w.done()
	w.addSaid(text)
	return ix.rows - 1
}

// AddValue adds a value that exempts as a row: whole, and as a text.
func (ix *Index) AddValue(value []byte) (row int) {
	w := ix.nextRow()
	defer w.done()
	w.addWhole(value, marksOf(value))
	w.addSaid(value)
	return ix.rows - 1
}

// rowWriter adds the newest row of an index. Its buffers grow to the longest leaf and serve other rows afterwards, of any
// index.
type rowWriter struct {
	ix    *Index
	scan  *servedjson.Scanner
	spell normalizer
	z     Tokenizer
	leaf  []byte
	kept  placeholders
	seen  repeats
	ids   repeats // of the leaves with digits
	keyed keyWriter
}

var rowWriters = sync.Pool{New: func() any { return &rowWriter{scan: servedjson.NewScanner(leafMarks)} }}

// The largest buffers that are kept for other rows.
const (
	maxKeptBytes  = 1 << 20
	maxKeptTokens = 1 << 17
)

// nextRow opens a row in the index and in its keys.
func (ix *Index) nextRow() *rowWriter {
	ix.rows++
	if ix.keys != nil {
		ix.keys.rows++
	}
	w := rowWriters.Get().(*rowWriter)
	w.ix, w.keyed.ix = ix, ix
	return w
}

// done gives the buffers back. Nothing that was read with them may be in use any more.
func (w *rowWriter) done() {
	w.ix, w.kept = nil, placeholders{}
	w.keyed.ix, w.keyed.field, w.keyed.kind = nil, nil, fieldUnknown
	w.z.Reset(nil)
	w.scan.Reset()
	if cap(w.leaf)+cap(w.spell.buf) < maxKeptBytes && w.scan.Room() < maxKeptTokens {
		rowWriters.Put(w)
	}
}

// addPart adds a piece of a result. Words that stand in a group are a leaf of it; beside one they are text.
func (w *rowWriter) addPart(part *Part, inGroup bool) {
	switch {
	case part.Group != nil:
		for i := range part.Group {
			w.addPart(&part.Group[i], true)
		}
	case part.Words != nil && inGroup:
		w.addLeaf(part.Words, marksOf(part.Words))
	case part.Words != nil:
		w.addText(part.Words)
	case part.Cut != nil:
		servedjson.VisitPrefix(part.Cut, w.addCutLeaf)
	default:
		w.addTokensOf(part.Value.Raw(), part.tokens)
	}
}

// addTokensOf adds the keys and leaves of a value.
func (w *rowWriter) addTokensOf(raw []byte, tokens []servedjson.Token) {
	w.seen = repeats{}
	if w.ix.keys != nil {
		w.ids = repeats{}
	}
	for _, t := range tokens {
		if w.ix.keys != nil {
			w.keyed.noteField(raw, t)
			if t.Kind == servedjson.String && isShortID(t) && w.ids.knownAs(raw, t, w.keyed.inIDField()) {
				continue
			}
		}
		if mayRepeat(t) && w.seen.known(raw, t) {
			continue
		}
		switch t.Kind {
		case servedjson.String:
			text, marks := raw[t.Start+1:t.End-1], t.Marks
			if t.Escaped || marks&markWide != 0 && !utf8.Valid(text) {
				text, marks = w.unescaped(t.In(raw))
				w.kept.lookIn(text)
			}
			if t.IsKey() {
				w.addKey(text, marks)
			} else {
				w.addLeaf(text, marks)
			}
		case servedjson.Number:
			w.addNumber(t.In(raw))
		case servedjson.True, servedjson.False:
			w.addForm(raw[t.Start:t.End])
		}
	}
}

// mayRepeat tells whether it is worth asking if a token stood in the value before: keys do, and leaves that are no ids.
func mayRepeat(t servedjson.Token) bool {
	return t.IsKey() || t.Marks&markDigit == 0 && t.End-t.Start <= maxRepeated
}

// isShortID tells whether a leaf has keys, which are dear, and is short enough to be one that may repeat all the same.
func isShortID(t servedjson.Token) bool {
	return !t.IsKey() && t.Marks&markDigit != 0 && t.End-t.Start <= maxRepeated
}

// maxRepeated is how long a leaf may be, in bytes as it is written, to be one that may repeat.
const maxRepeated = 40

// lookIn looks for a placeholder in a text that was written as it reads.
func (w *rowWriter) lookIn(text []byte) {
	if w.kept.everywhere {
		w.kept.lookIn(text)
	}
}

// addCutLeaf adds a leaf of JSON text that was cut short, in which keys are not told apart.
func (w *rowWriter) addCutLeaf(leaf servedjson.Value) {
	switch leaf.Kind() {
	case servedjson.String:
		text, marks := w.unescaped(leaf)
		w.kept.lookIn(text)
		w.addLeaf(text, marks)
	case servedjson.Number:
		w.addNumber(leaf)
	default:
		w.addForm(leaf.Raw())
	}
}

// unescaped gives the text of a string that was written with escapes, and its marks.
func (w *rowWriter) unescaped(leaf servedjson.Value) (text []byte, marks byte) {
	w.leaf = leaf.AppendText(w.leaf[:0])
	return w.leaf, marksOf(w.leaf)
}

// addNumber adds a JSON number as ECMAScript prints it.
func (w *rowWriter) addNumber(number servedjson.Value) {
	raw := number.Raw()
	if whole, plain := isNumber(raw); plain && printsAsItStands(raw, whole) {
		w.addForm(raw)
		return
	}
	w.leaf = number.AppendNumber(w.leaf[:0])
	w.addForm(w.spell.spell(w.leaf, kindUpper|kindDigit))
	w.keyed.addDigits(number, w.leaf)
}

// add adds a form of the row, and what follows its 0x when it begins so.
func (w *rowWriter) add(form []byte) {
	if len(form) == 0 {
		return
	}
	w.ix.addForm(form)
	if len(form) > 2 && form[0] == '0' && form[1] == 'x' {
		w.ix.addForm(form[2:])
	}
}

// addForm adds what is one form as it stands.
func (w *rowWriter) addForm(form []byte) {
	if !w.ix.Full() {
		w.add(form)
	}
}

// addKey adds a key: whole.
func (w *rowWriter) addKey(text []byte, marks byte) {
	w.lookIn(text)
	if !w.ix.Full() {
		w.addWhole(text, marks)
		w.addKeys(text, marks)
	}
}

// addLeaf adds a leaf: whole, and in tokens unless nothing in it separates, since then it is its own token.
func (w *rowWriter) addLeaf(text []byte, marks byte) {
	w.lookIn(text)
	if w.ix.Full() {
		return
	}
	w.addWhole(text, marks)
	w.addKeys(text, marks)
	if marks&markSplit != 0 {
		w.addTokens(text)
	}
}

// addWhole adds a text as one form.
func (w *rowWriter) addWhole(text []byte, marks byte) {
	if marks&markWide != 0 {
		w.spell.buf = AppendNormalized(w.spell.buf[:0], text)
		w.add(w.spell.buf)
		return
	}
	low, high := 0, len(text)
	if marks&markSplit != 0 {
		low, high = trimBounds(text)
	}
	low, high = withoutRuns(text, low, high)
	w.add(w.spell.spell(text[low:high], byteKind(marks&(markUpper|markDigit))))
}

// addText adds a text that is no leaf: in tokens.
func (w *rowWriter) addText(text []byte) {
	w.lookIn(text)
	w.addTokens(text)
	w.addKeys(text, markDigit|markWide)
}

func (w *rowWriter) addTokens(text []byte) {
	if w.ix.Full() {
		return
	}
	w.z.Reset(text)
	for {
		token, _, _, ok := w.z.Next()
		if !ok {
			return
		}
		w.add(token)
	}
}

// addSaid adds a text that exempts: its tokens, then the other spellings of its dates and clock times.
func (w *rowWriter) addSaid(text []byte) {
	w.addText(text)
	if w.ix.Full() {
		return
	}
	for _, form := range dateAndClockForms(text) {
		w.add([]byte(form))
	}
}

// The marks of the bytes of a text: the kinds that its spelling depends on, and two more.
const (
	markUpper = byte(kindUpper)
	markDigit = byte(kindDigit)
	markSplit = byte(kindToken) // may separate two tokens: is no token's byte
	markWide  = byte(kindComma) // is not ASCII
)

var leafMarks = servedjson.NewMarks(func(c byte) (mark byte) {
	kind := byteKinds[c]
	mark = byte(kind) & (markUpper | markDigit)
	if kind&kindToken == 0 {
		mark |= markSplit
	}
	if c >= utf8.RuneSelf {
		mark |= markWide
	}
	return mark
})

func marksOf(text []byte) (marks byte) {
	for _, c := range text {
		marks |= leafMarks.Of(c)
	}
	return marks
}
