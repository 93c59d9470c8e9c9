package evidence

import (
	"bytes"
)

// placeholders looks for what a redactor leaves where a value was, as whole words. What a text is written with tells
// nearly always that there is none: only when a placeholder stands in the bytes of the result somewhere is every text of
// it looked at, else only those that were written with escapes.
type placeholders struct {
	words      []string
	everywhere bool // a text that was written without escapes may hold one
	found      bool
}

func lookFor(words []string, content []byte) placeholders {
	p := placeholders{words: words}
	for _, word := range words {
		p.everywhere = p.everywhere || bytes.Contains(content, []byte(word))
	}
	return p
}

// lookIn looks at a text.
func (p *placeholders) lookIn(text []byte) {
	for _, word := range p.words {
		p.found = p.found || holdsWord(text, []byte(word))
	}
}

// holdsWord tells whether a word stands in a text and touches no letter, digit or underscore on either side.
func holdsWord(text, word []byte) bool {
	for from := 0; ; {
		i := bytes.Index(text[from:], word)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(word)
		if (start == 0 || !isWord(text[start-1])) && (end == len(text) || !isWord(text[end])) {
			return true
		}
		from = start + 1
	}
}
