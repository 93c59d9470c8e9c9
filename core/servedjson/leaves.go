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

// ReadPrefix reads JSON text that was cut short; see VisitPrefix, which it collects. It keeps nothing of the text; the
// leaves share one string.
func ReadPrefix(text []byte) (Prefix, bool) {
	all := make([]byte, 0, len(text))
	ends := make([]int, 0, bytes.Count(text, []byte{'"'})/2)
	words, ok := VisitPrefix(text, func(leaf Value) {
		all = leaf.AppendLeaf(all)
		ends = append(ends, len(all))
	})
	if !ok {
		return Prefix{}, false
	}
	return Prefix{Leaves: split(string(all), ends), Words: string(words), HasWords: words != nil}, true
}

// split cuts a string at the places where its pieces end.
func split(all string, ends []int) []string {
	pieces := make([]string, len(ends))
	start := 0
	for i, end := range ends {
		pieces[i], start = all[start:end], end
	}
	return pieces
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
