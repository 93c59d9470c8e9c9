package report

import (
	"strings"
	"unicode/utf8"

	"github.com/plumbline-dev/plumbline/core/event"
)

// quote is a piece of an answer with a value in its middle.
type quote struct {
	before, mark, after string
}

// minQuote is the fewest columns that a quote is worth showing in, its quotation marks included.
const minQuote = 30

// around is how many bytes on each side of a value are looked at: more than a line of any script holds.
const around = 600

// quoteOf takes the value's first occurrence out of the answer with as many whole words on both sides as fit the
// columns. It is empty when the answer is not at hand or is not the text that the spans are of.
func quoteOf(answer string, u event.UnsupportedValue, room int) quote {
	if len(u.Spans) == 0 {
		return quote{}
	}
	start, end := u.Spans[0][0], u.Spans[0][1]
	if start < 0 || start >= end || end > len(answer) {
		return quote{}
	}
	from, to := runeStart(answer, max(0, start-around)), max(end, runeStart(answer, min(len(answer), end+around)))
	mark := Plain(answer[start:end])
	before := joint(answer[from:start], mark, true)
	after := joint(answer[end:to], mark, false)
	return fit(quote{before, clip(mark, max(room-2, 1)), after}, room-2)
}

// joint is the plain text on one side of the value, with one space next to it where the answer has white space.
func joint(side, mark string, left bool) string {
	text := Plain(side)
	if text == "" || mark == "" {
		return text
	}
	if left && strings.TrimRight(side, " \t\r\n") != side {
		return text + " "
	}
	if !left && strings.TrimLeft(side, " \t\r\n") != side {
		return " " + text
	}
	return text
}

// fit cuts both sides to the columns. A side that needs less than half leaves the rest to the other.
func fit(q quote, room int) quote {
	room -= columns(q.mark)
	left, right := columns(q.before), columns(q.after)
	if left+right <= room {
		return q
	}
	half := max(room/2, 0)
	switch {
	case left <= half:
		q.after = cutRight(q.after, room-left)
	case right <= room-half:
		q.before = cutLeft(q.before, room-right)
	default:
		q.before, q.after = cutLeft(q.before, half), cutRight(q.after, room-half)
	}
	return q
}

// cutLeft keeps the end of a text, from the beginning of a word on, behind a … . Without a column it keeps nothing.
func cutLeft(s string, most int) string {
	if columns(s) <= most {
		return s
	}
	if most < 1 {
		return ""
	}
	kept := tail(s, most-1)
	if cut := strings.IndexByte(kept, ' '); cut >= 0 && cut < len(kept)-1 && s[len(s)-len(kept)-1] != ' ' {
		kept = kept[cut+1:]
	}
	return "…" + kept
}

// cutRight keeps the beginning of a text, up to the end of a word, before a … . Without a column it keeps nothing.
func cutRight(s string, most int) string {
	if columns(s) <= most {
		return s
	}
	if most < 1 {
		return ""
	}
	kept := head(s, most-1)
	if cut := strings.LastIndexByte(kept, ' '); cut > 0 && s[len(kept)] != ' ' {
		kept = kept[:cut]
	}
	return kept + "…"
}

// runeStart moves an offset to the left until it stands at the beginning of a character, if there is one near.
func runeStart(s string, at int) int {
	for near := at; near > at-utf8.UTFMax && near > 0 && near < len(s); near-- {
		if utf8.RuneStart(s[near]) {
			return near
		}
	}
	return at
}
