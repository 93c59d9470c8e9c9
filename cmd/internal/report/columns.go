package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Plain makes a text safe and quiet for one line of a terminal: control and formatting characters go, white space of
// any length is one space, invalid UTF-8 is U+FFFD.
func Plain(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return ' '
		case unicode.In(r, unicode.Cf, unicode.Co):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, string(utf8.RuneError)))
	return strings.Join(strings.Fields(s), " ")
}

// columns is how many columns a text takes in a terminal.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// clip shortens a text to so many columns, the last of them … when something was cut.
func clip(s string, most int) string {
	if columns(s) <= most {
		return s
	}
	return head(s, most-1) + "…"
}

// head is the longest beginning of s that fits so many columns.
func head(s string, most int) string {
	for i, r := range s {
		if most -= runeColumns(r); most < 0 {
			return s[:i]
		}
	}
	return s
}

// tail is the longest end of s that fits so many columns.
func tail(s string, most int) string {
	for i := len(s); i > 0; {
		r, size := utf8.DecodeLastRuneInString(s[:i])
		if most -= runeColumns(r); most < 0 {
			return s[i:]
		}
		i -= size
	}
	return s
}

// pad fills a text up with spaces to so many columns.
func pad(s string, to int) string { return s + strings.Repeat(" ", max(0, to-columns(s))) }

// wrap breaks a line at its spaces so that each part fits so many columns; a word that does not fit is broken. It
// returns at least one part.
func wrap(s string, most int) []string {
	most = max(most, 20)
	var lines []string
	for columns(s) > most {
		line := head(s, most+1)
		cut := strings.LastIndexByte(line, ' ')
		if cut <= 0 {
			line = head(s, most)
			cut = len(line)
		}
		lines = append(lines, s[:cut])
		s = strings.TrimLeft(s[cut:], " ")
	}
	return append(lines, s)
}
