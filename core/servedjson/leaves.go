package servedjson

import "bytes"

// Prefix is what JSON text cut short holds.
type Prefix struct {
	// Leaves are the complete strings (keys and values), numbers and booleans, in order, each as its text (see
	// LeafText); null is none.
	Leaves []string
	// Words are the whole words of the string that the text ends in; HasWords tells whether there are any.
	Words    string
	HasWords bool
}

// ReadPrefix reads JSON text that was cut short; see VisitPrefix, which it collects. It copies the text once: leaves that
// are written as they read are parts of the copy.
func ReadPrefix(text []byte) (Prefix, bool) {
	whole := string(text)
	leaves := make([]string, 0, bytes.Count(text, []byte{'"'})/2)
	words, ok := VisitPrefix(text, func(leaf Value) {
		if from, to, same := leaf.asWritten(); same {
			at := offset(text, leaf.raw)
			leaves = append(leaves, whole[at+from:at+to])
		} else {
			leaves = append(leaves, leaf.LeafText())
		}
	})
	if !ok {
		return Prefix{}, false
	}
	return Prefix{Leaves: leaves, Words: string(words), HasWords: words != nil}, true
}

// offset is where a part of a text begins in it: a part shares the end of the text's room.
func offset(text, part []byte) int { return cap(text) - cap(part) }

// asWritten tells whether the text of a leaf stands in it just so, and where.
func (v Value) asWritten() (from, to int, same bool) {
	switch v.Kind() {
	case String:
		return 1, len(v.raw) - 1, readsAsWritten(v.body())
	case Number:
		return 0, len(v.raw), printsAsWritten(v.raw)
	}
	return 0, len(v.raw), true
}

// LeafText is the text that a leaf is looked up by: a String's text, a Number as ECMAScript prints it, true, false or
// null. Of an Array or Object it is what is written.
func (v Value) LeafText() string {
	if v.Kind() == String {
		return v.Text()
	}
	return string(v.AppendLeaf(nil))
}

// AppendLeaf appends the text that a leaf is looked up by; see LeafText.
func (v Value) AppendLeaf(dst []byte) []byte {
	switch v.Kind() {
	case String:
		return v.AppendText(dst)
	case Number:
		return v.AppendNumber(dst)
	}
	return append(dst, v.raw...)
}
