package evidence

import "bytes"

// The structure rule: what orders a text asserts nothing: the marker that opens a line of a list, the number behind
// section, step or §. A number of 4 digits or more marks a list only beside the marker before or after it.

// isStructure tells whether the token text[start:end] orders the text it stands in.
func isStructure(text []byte, start, end int) bool {
	return isListMarker(text, start, end) || digitsAndPoints(text[start:end]) && followsSectionWord(text, start)
}

// isListMarker tells whether a token is a number that opens its line and is followed by ) or a point and a space.
func isListMarker(text []byte, start, end int) bool {
	line := start // no further back than what may stand before a marker: a long line is not looked over for each token
	for line > 0 && opensLine(text[line-1]) {
		line--
	}
	if line > 0 && text[line-1] != '\n' || digitsEnd(text, start) != end {
		return false
	}
	n, at := marker(text, line)
	if at != start {
		return false
	}
	return end-start < 4 || n > 1 && markerNear(text[max(0, line-maxItem):line], n-1, true) ||
		markerNear(text[end:min(len(text), end+maxItem)], n+1, false)
}

// maxItem is how many bytes of a list's item are looked over for the next marker.
const maxItem = 1000

// opensLine tells whether a byte may stand before the marker of a list's item.
func opensLine(c byte) bool { return bytes.IndexByte([]byte(" \t>#*("), c) >= 0 }

// marker reads the number that opens a line as a marker of a list; at is -1 when none does.
func marker(text []byte, line int) (n, at int) {
	i := line
	for i < len(text) && opensLine(text[i]) {
		i++
	}
	end := digitsEnd(text, i)
	if end == i || end-i > 9 || end+1 >= len(text) || text[end] != '.' && text[end] != ')' || text[end+1] != ' ' {
		return 0, -1
	}
	return digitsValue(text[i:end]), i
}

// markerNear tells whether the nearest line with a marker, from the end of the text or from its beginning, has the number.
func markerNear(text []byte, n int, fromEnd bool) bool {
	for len(text) > 0 {
		var at int
		if fromEnd {
			at = bytes.LastIndexByte(text[:len(text)-1], '\n')
		} else {
			at = bytes.IndexByte(text, '\n')
		}
		if at < 0 && !fromEnd {
			return false
		}
		if found, place := marker(text, at+1); place >= 0 {
			return found == n
		}
		if fromEnd {
			text = text[:at+1]
		} else {
			text = text[at+1:]
		}
	}
	return false
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
	"section": true, "sections": true, "sec": true, "subsection": true, "step": true, "steps": true,
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
