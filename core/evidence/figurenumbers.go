package evidence

import (
	"unicode/utf8"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// units are what a number may wear to be a figure, beside the percent sign.
var units = map[string]bool{
	"percent": true, "kb": true, "mb": true, "gb": true, "tb": true, "pb": true, "kib": true, "mib": true, "gib": true,
	"tib": true, "pib": true, "iops": true, "mbps": true, "gbps": true, "ms": true, "us": true,
}

// FigureNumbers gives the numbers of a text that wear a unit, in their one spelling, in order (literal-1, "extract").
func FigureNumbers(text string) []string {
	numbers := []string{}
	eachFigure([]byte(text), func(number []byte) { numbers = append(numbers, string(AppendNormalized(nil, number))) })
	return numbers
}

// eachFigure visits the numbers that wear a unit, as they are written.
func eachFigure(b []byte, visit func(number []byte)) {
	for i := 0; i < len(b); {
		end, n := consumeFigure(b, i)
		if n > 0 {
			visit(b[i:end])
		}
		i += max(n, 1)
	}
}

// consumeFigure reads a number and its unit at b[i] and gives the end of the number; n is 0 when none stands there.
// What stands before may not be a word character, a point or a comma.
func consumeFigure(b []byte, i int) (end, n int) {
	if i > 0 && (isWord(b[i-1]) || b[i-1] == '.' || b[i-1] == ',') {
		return 0, 0
	}
	end = consumeGroupedNumber(b, i)
	if end == i {
		return 0, 0
	}
	unit := unitEnd(b, skipOneSpaceJS(b, end))
	if unit == 0 {
		return 0, 0
	}
	return end, unit - i
}

// consumeGroupedNumber reads [-+]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)? at b[i]; it gives i when none stands there, or when
// more of a number follows.
func consumeGroupedNumber(b []byte, i int) int {
	start := i
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		i++
	}
	first := digitsEnd(b, i)
	if first == i {
		return start
	}
	end := first
	for first-i <= 3 && end < len(b) && b[end] == ',' && digitsEnd(b, end+1) >= end+4 {
		end += 4
	}
	if end+1 < len(b) && b[end] == '.' && isDigit(b[end+1]) {
		end = digitsEnd(b, end+1)
	}
	return end
}

func skipOneSpaceJS(b []byte, i int) int {
	if i >= len(b) {
		return i
	}
	if r, n := utf8.DecodeRune(b[i:]); servedjson.IsSpaceJS(r) {
		return i + n
	}
	return i
}

// unitEnd gives the end of the unit at b[i], 0 when none stands there. A rate (/s) behind it changes nothing: where the
// rule does not take it, it takes the unit alone.
func unitEnd(b []byte, i int) int {
	if i >= len(b) {
		return 0
	}
	if b[i] == '%' {
		return i + 1
	}
	end := i
	var name [8]byte
	for end < len(b) && isAlphanumeric(b[end]) {
		if end-i == len(name) {
			return 0
		}
		name[end-i] = b[end]
		if isLetter(b[end]) {
			name[end-i] |= 0x20
		}
		end++
	}
	if !units[string(name[:end-i])] {
		return 0
	}
	return end
}

func isAlphanumeric(c byte) bool { return isLetter(c) || isDigit(c) }

func isWord(c byte) bool { return isAlphanumeric(c) || c == '_' }

// figureSet is the set of the figure numbers of an answer.
func figureSet(parts []part) map[string]bool {
	set := map[string]bool{}
	for _, p := range parts {
		eachFigure(p.text, func(number []byte) { set[string(AppendNormalized(nil, number))] = true })
	}
	return set
}
