package servedjson

import (
	"bytes"
	"errors"
	"io"
)

// VisitPrefix reads an array or object whose text ends before it closes, token by token: commas and colons are skipped
// like space, keys and values are not told apart. Each complete string, number and boolean is visited in order; null is
// no leaf. The token that the text ends in is never a leaf, since it may be cut; of a string it ends in, words gives the
// text up to the last space, nil when there is none (seed 000; literal-1.md, "served_json").
//
// ok is false when the text is not JSON cut short: it does not open with a bracket, holds what is no JSON token, nests
// deeper than MaxDepth, a bracket does not match, or the value closes; what was visited by then counts for nothing. A
// longer text only adds leaves, and what is not JSON cut short stays so (only text of nothing but space may become it).
// It keeps nothing of the text, and makes no room but for words.
func VisitPrefix(text []byte, visit func(leaf Value)) (words []byte, ok bool) {
	i := skipSpace(text, 0)
	if !opens(text, i) {
		return nil, false
	}
	var open stack
	for i < len(text) {
		switch c := text[i]; c {
		case '"':
			end, err := consumeString(text, i)
			if err != nil {
				return cutString(text, i, err)
			}
			visit(Value{text[i:end]})
			i = afterToken(text, end)
		case ',', ':', ' ', '\n', '\r', '\t':
			i++
		case '{', '[', '}', ']':
			if !open.bracket(c) {
				return nil, false
			}
			i++
		default:
			end, err := consumeLiteral(text, i)
			if err != nil || end == len(text) || classes[text[end]]&classStop == 0 {
				return nil, cutLiteral(text, i)
			}
			if c != 'n' {
				visit(Value{text[i:end]})
			}
			i = afterToken(text, end)
		}
	}
	return nil, true
}

// bracket opens or closes a bracket; it is false when that is one level too many, when it does not match, and when it
// closes the last one.
func (s *stack) bracket(c byte) bool {
	if c == '{' || c == '[' {
		return s.push(c == '{')
	}
	if s.top() != (c == '}') || s.depth == 1 {
		return false
	}
	s.pop()
	return true
}

// afterToken gives the place after the comma or colon at b[i], else i. It only spares the reader's loop a turn, where
// most tokens are followed by one.
func afterToken(b []byte, i int) int {
	if i < len(b) && (b[i] == ',' || b[i] == ':') {
		return i + 1
	}
	return i
}

// cutString reads the string that opens at text[i] and cannot be consumed: when the text ends in it, whatever it holds,
// its words count; when it closes, this is not JSON.
func cutString(text []byte, i int, err error) (words []byte, ok bool) {
	if errors.Is(err, io.ErrUnexpectedEOF) || stringEnd(text, i) < 0 {
		return wholeWords(text[i+1:]), true
	}
	return nil, false
}

// wholeWords is the text of a cut string's body up to its last space; nil when that is no JSON or blank.
func wholeWords(body []byte) []byte {
	space := bytes.LastIndexByte(body, ' ')
	if space < 0 {
		return nil
	}
	body = body[:space]
	for i := skipPlain(body, 0); i < len(body); i = skipPlain(body, i) {
		var err error
		if i, err = consumeEscape(body, i); err != nil {
			return nil
		}
	}
	words := appendUnescaped(nil, body)
	if len(TrimJS(words)) == 0 {
		return nil
	}
	return words
}

// cutLiteral tells whether the literal at text[i], which is not followed by anything that ends it or is none, may be one
// that the text ends in.
func cutLiteral(text []byte, i int) bool {
	return literalEnd(text, i) == len(text) && beginsLiteral(text[i:])
}

// beginsLiteral tells whether b can be the beginning of a literal. It is looser than the grammar, as the first library
// is: a number may begin with zeros and end anywhere.
func beginsLiteral(b []byte) bool {
	if end, err := consumeWord(b, 0); err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
		return end == len(b)
	}
	i := 0
	if b[i] == '-' {
		i++
	}
	whole := i
	if i = skipDigits(b, i); i == whole {
		return i == len(b)
	}
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
