package script

import (
	"strings"
	"unicode/utf8"
)

// Link reference definitions (CommonMark 0.31, section 4.7) matter for one reason: a line of = or - below nothing but
// definitions does not end their paragraph, and then a list item that does not begin with 1 is no list item.

// maxLabel is how many characters a link label may have.
const maxLabel = 999

// onlyDefinitions tells whether the text of a paragraph is link reference definitions and nothing else.
func onlyDefinitions(text string) bool {
	for text != "" {
		n := consumeDefinition(text)
		if n == 0 {
			return false
		}
		text = text[n:]
	}
	return true
}

// consumeDefinition gives the width of the definition that the text begins with, its line ending included; 0 for none.
func consumeDefinition(text string) int {
	i := consumeLabel(text)
	if i == 0 || !strings.HasPrefix(text[i:], ":") {
		return 0
	}
	i++
	i += consumeGap(text[i:])
	destination := consumeDestination(text[i:])
	if destination == 0 {
		return 0
	}
	i += destination
	if gap := consumeGap(text[i:]); gap > 0 {
		if title := consumeTitle(text[i+gap:]); title > 0 {
			if rest := consumeLineEnd(text[i+gap+title:]); rest >= 0 {
				return i + gap + title + rest
			}
		}
	}
	if rest := consumeLineEnd(text[i:]); rest >= 0 {
		return i + rest
	}
	return 0
}

// consumeLabel gives the width of the link label that the text begins with, 0 for none.
func consumeLabel(text string) int {
	if !strings.HasPrefix(text, "[") {
		return 0
	}
	filled := false
	for i, n := 1, 0; i < len(text) && n <= maxLabel; n++ {
		switch c := text[i]; {
		case c == ']' && filled:
			return i + 1
		case c == ']' || c == '[':
			return 0
		case escapes(text, i):
			filled = true
			n++
			i += 2
			continue
		case !isSpace(c) && c != '\n':
			filled = true
		}
		_, width := utf8.DecodeRuneInString(text[i:])
		i += width
	}
	return 0
}

// escapes tells whether a backslash at i takes the meaning from the byte behind it.
func escapes(text string, i int) bool {
	return text[i] == '\\' && i+1 < len(text) && isPunctuation(text[i+1])
}

func isPunctuation(c byte) bool { return c > ' ' && c < 0x7f && !isDigit(c) && !isLetter(c) }

// consumeGap gives the width of spaces and tabs with at most one line ending among them.
func consumeGap(text string) int {
	i, endings := 0, 0
	for i < len(text) && (isSpace(text[i]) || text[i] == '\n' && endings == 0) {
		if text[i] == '\n' {
			endings++
		}
		i++
	}
	return i
}

// consumeLineEnd gives the width of spaces and tabs up to the end of the line and of its ending, -1 when something else
// stands there.
func consumeLineEnd(text string) int {
	i := 0
	for i < len(text) && isSpace(text[i]) {
		i++
	}
	switch {
	case i == len(text):
		return i
	case text[i] == '\n':
		return i + 1
	}
	return -1
}

// consumeDestination gives the width of the link destination that the text begins with, 0 for none.
func consumeDestination(text string) int {
	if strings.HasPrefix(text, "<") {
		return consumeDelimited(text, '>', "<\n")
	}
	open := 0
	i := 0
	for i < len(text) && text[i] > ' ' && text[i] != 0x7f && open >= 0 {
		switch {
		case escapes(text, i):
			i++
		case text[i] == '(':
			open++
		case text[i] == ')':
			open--
		}
		i++
	}
	if open != 0 {
		return 0
	}
	return i
}

// consumeTitle gives the width of the link title that the text begins with, 0 for none.
func consumeTitle(text string) int {
	switch {
	case text == "":
		return 0
	case text[0] == '"' || text[0] == '\'':
		return consumeDelimited(text, text[0], "")
	case text[0] == '(':
		return consumeDelimited(text, ')', "(")
	}
	return 0
}

// consumeDelimited gives the width from the first byte to the closing one, escaped ones not counted; 0 when one of the
// bytes that may not stand between comes first.
func consumeDelimited(text string, closing byte, never string) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == closing:
			return i + 1
		case strings.IndexByte(never, text[i]) >= 0:
			return 0
		case escapes(text, i):
			i++
		}
	}
	return 0
}
