package servedjson

import (
	"bytes"
)

// Prefix is what JSON text cut short holds.
type Prefix struct {
	// Leaves are the complete strings (keys and values), numbers and booleans, in order, each as its text; null is none.
	Leaves []string
	// Words are the whole words of the string that the text ends in; HasWords tells whether there are any.
	Words    string
	HasWords bool
}

// ReadPrefix reads JSON text that was cut short; see VisitPrefix.
func ReadPrefix(text []byte) (Prefix, bool) {
	p := Prefix{Leaves: []string{}}
	words, ok := VisitPrefix(text, func(leaf Value) {
		p.Leaves = append(p.Leaves, leaf.LeafText())
	})
	if !ok {
		return Prefix{}, false
	}
	if words != nil {
		p.Words, p.HasWords = string(words), true
	}
	return p, true
}

// LeafText is the text that a leaf is looked up by: a String's text, a Number as ECMAScript prints it, true or false.
func (v Value) LeafText() string {
	switch v.Kind() {
	case String:
		return v.Text()
	case Number:
		return v.NumberText()
	}
	return string(v.raw)
}

// VisitPrefix reads an array or object whose text ends before it closes, token by token: commas and colons are skipped
// like space, keys and values are not told apart. Each complete string, number and boolean is visited in order. The
// token that the text ends in is never a leaf, since it may be cut; of a string it ends in, words gives the text up to
// the last space, nil when there is none (seed 000, literal-1 "served_json").
//
// ok is false when the text is not JSON cut short: it does not open with a bracket, holds what is no JSON token, a
// bracket does not match, or the value closes; what was visited by then counts for nothing. A longer text only adds
// leaves. It keeps nothing of the text.
func VisitPrefix(text []byte, visit func(leaf Value)) (words []byte, ok bool) {
	var open stack
	i := skipSpace(text, 0)
	if i >= len(text) || text[i] != '{' && text[i] != '[' {
		return nil, false
	}
	for i < len(text) {
		switch c := text[i]; c {
		case ' ', '\n', '\r', '\t', ',', ':':
			i++
		case '{', '[':
			if !open.push(c == '{') {
				return nil, false
			}
			i++
		case '}', ']':
			if open.top() != (c == '}') || open.depth == 1 {
				return nil, false
			}
			open.pop()
			i++
		case '"':
			end, cut, good := consumeString(text, i)
			if cut || !good && stringEnd(text, i) < 0 {
				return wholeWords(text[i+1:]), true
			}
			if !good {
				return nil, false
			}
			visit(Value{text[i:end]})
			i = end
		default:
			end := literalEnd(text, i)
			if end == len(text) {
				return nil, beginsLiteral(text[i:])
			}
			leaf := Value{text[i:end]}
			if !isLiteral(leaf.raw) {
				return nil, false
			}
			if leaf.Kind() != Null {
				visit(leaf)
			}
			i = end
		}
	}
	return nil, true
}

func literalEnd(b []byte, i int) int {
	for i < len(b) && classes[b[i]]&classStop == 0 {
		i++
	}
	return i
}

// isLiteral tells whether b is true, false, null or a number of the JSON grammar.
func isLiteral(b []byte) bool {
	return consumeWord(b, 0) == len(b) || consumeNumber(b, 0) == len(b)
}

// beginsLiteral tells whether b can be the beginning of a literal. It is looser than the grammar, as the first library
// is: a number may begin with zeros and end anywhere.
func beginsLiteral(b []byte) bool {
	for _, word := range [...]string{"true", "false", "null"} {
		if len(b) <= len(word) && string(b) == word[:len(b)] {
			return true
		}
	}
	i := 0
	if b[i] == '-' {
		i++
	}
	digits := skipDigits(b, i)
	if digits == i {
		return digits == len(b)
	}
	i = digits
	if i < len(b) && b[i] == '.' {
		i = skipDigits(b, i+1)
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		i = skipDigits(b, i)
	}
	return i == len(b)
}

// wholeWords is the text of a cut string's body up to its last space; nil when that is no JSON or blank.
func wholeWords(body []byte) []byte {
	space := bytes.LastIndexByte(body, ' ')
	if space < 0 {
		return nil
	}
	body = body[:space]
	for i := 0; i < len(body); {
		if i = plainRun(body, i); i >= len(body) {
			break
		}
		if body[i] != '\\' {
			return nil
		}
		width, cut, ok := consumeEscape(body[i:])
		if cut || !ok {
			return nil
		}
		i += width
	}
	words := appendUnescaped(nil, body)
	if len(TrimJS(words)) == 0 {
		return nil
	}
	return words
}
