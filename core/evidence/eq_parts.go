package evidence

import "bytes"

// The range rule: 1112-1478 and 10.0.0.1/10.0.0.9 are two values, each of which must be held. The list rule: 2031,2032 is
// two values. Both are asked only when the token itself is not held; a real negative keeps its sign.

// piece is a part of a token, as a range of it.
type piece struct{ start, end int }

// split splits a token that may be a list of values, or a range of two identifiers, and names the rule that says so.
func (s *RuleSet) split(token []byte, shape string) (parts []piece, r rule) {
	if s.has(ruleList) {
		if parts, ok := listParts(token); ok {
			return parts, ruleList
		}
	}
	if s.has(ruleRange) && shape == ShapeIdentifier {
		if parts, ok := rangeParts(token); ok {
			return parts, ruleRange
		}
	}
	return nil, 0
}

// rangeParts splits a token at its one hyphen or slash, when both sides hold a digit and one stands right beside it.
func rangeParts(token []byte) (parts []piece, ok bool) {
	at := -1
	for i := 1; i < len(token)-1; i++ {
		if token[i] != '-' && token[i] != '/' {
			continue
		}
		if at >= 0 {
			return nil, false
		}
		at = i
	}
	if at < 0 || !isDigit(token[at-1]) && !isDigit(token[at+1]) || !holdsDigit(token[:at]) || !holdsDigit(token[at+1:]) {
		return nil, false
	}
	return []piece{{0, at}, {at + 1, len(token)}}, true
}

func holdsDigit(b []byte) bool { return countDigits(b) > 0 }

// listParts splits a token at its commas.
func listParts(token []byte) (parts []piece, ok bool) {
	if bytes.IndexByte(token, ',') < 0 {
		return nil, false
	}
	start := 0
	for i := 0; i <= len(token); i++ {
		if i == len(token) || token[i] == ',' {
			parts = append(parts, piece{start, i})
			start = i + 1
		}
	}
	return parts, true
}

// The structure rule: what orders a text asserts nothing: the marker that opens a line of a list, the number behind
// section, chapter, appendix, step or §.

// isStructure tells whether the token text[start:end] orders the text it stands in.
func isStructure(text []byte, start, end int) bool {
	return isListMarker(text, start, end) || digitsAndPoints(text[start:end]) && followsSectionWord(text, start)
}

// isListMarker tells whether a token is a number that opens its line and is followed by ) or a point and a space.
func isListMarker(text []byte, start, end int) bool {
	if digitsEnd(text, start) != end || end-start > 9 || end+1 >= len(text) {
		return false
	}
	if text[end] != '.' && text[end] != ')' || text[end+1] != ' ' {
		return false
	}
	for i := start - 1; i >= 0 && text[i] != '\n'; i-- {
		if c := text[i]; c != ' ' && c != '\t' && c != '>' && c != '#' && c != '*' && c != '(' {
			return false
		}
	}
	return true
}

// digitsAndPoints tells whether a token is numbers of at most 4 digits between points.
func digitsAndPoints(token []byte) bool {
	for i := 0; i < len(token); {
		end := digitsEnd(token, i)
		if end == i || end-i > 4 {
			return false
		}
		if end == len(token) {
			return true
		}
		if token[end] != '.' {
			return false
		}
		i = end + 1
	}
	return len(token) > 0
}

var sectionWords = map[string]bool{
	"section": true, "sections": true, "sec": true, "step": true, "steps": true, "chapter": true, "appendix": true,
	"clause": true, "subsection": true,
}

// followsSectionWord tells whether one of the words that name a part of a text, or §, stands right before.
func followsSectionWord(text []byte, start int) bool {
	i := start
	for i > 0 && (text[i-1] == ' ' || text[i-1] == noBreak) {
		i--
	}
	if i >= 2 && text[i-2] == 0xC2 && text[i-1] == 0xA7 { // §
		return true
	}
	if i > 0 && text[i-1] == '.' {
		i--
	}
	end := i
	for i > 0 && isLetter(text[i-1]) {
		i--
	}
	return i < start && sectionWords[string(appendLowerASCII(nil, text[i:end]))]
}
