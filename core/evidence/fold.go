package evidence

import (
	"unicode"
	"unicode/utf8"
)

// noBreak stands in a folded text where a space stood that does not break a line: it separates tokens, and may group the
// digits of one number.
const noBreak = 0x01

// folded is a text with the characters that only look different made equal: hyphens and minus signs are '-', digits of
// any script are ASCII, the spaces that do not break a line are noBreak. Its offsets lead back to the text.
type folded struct {
	text []byte
	at   []int32 // for each byte of text, and for its end, the offset in the text it came from; nil when nothing changed
}

// fold folds a text, by the number rule. A text without such characters is folded as it is, without a copy.
func (s *RuleSet) fold(text []byte) folded {
	if !s.has(ruleNumber) || firstFoldable(text) < 0 {
		return folded{text: text}
	}
	f := folded{text: make([]byte, 0, len(text)), at: make([]int32, 0, len(text)+1)}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if c := foldRune(r); c != 0 {
			f.text, f.at = append(f.text, c), append(f.at, int32(i))
		} else {
			for j := i; j < i+n; j++ {
				f.text, f.at = append(f.text, text[j]), append(f.at, int32(j))
			}
		}
		i += n
	}
	f.at = append(f.at, int32(len(text)))
	return f
}

// offset is where in the text a byte of the folded text came from.
func (f *folded) offset(i int) int {
	if f.at == nil {
		return i
	}
	return int(f.at[i])
}

func firstFoldable(text []byte) int {
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if foldRune(r) != 0 {
			return i
		}
		i += n
	}
	return -1
}

// foldRune is what a character becomes, 0 when it stays.
func foldRune(r rune) byte {
	switch {
	case r < utf8.RuneSelf:
		return 0
	case r == 0x2010 || r == 0x2011 || r == 0x2212 || r == 0xFE63 || r == 0xFF0D:
		return '-'
	case r == 0xA0 || r == 0x202F || r == 0x2007 || r == 0x2009:
		return noBreak
	case r == 0xFF1A:
		return ':'
	case r == 0xFF0C || r == 0x066C:
		return ','
	case r == 0xFF0E || r == 0x066B:
		return '.'
	case unicode.Is(unicode.Nd, r):
		return '0' + digitOf(r)
	}
	return 0
}

// digitOf is the value of a decimal digit of any script: Unicode keeps the ten of a script together, the zero first.
func digitOf(r rune) byte {
	for _, block := range unicode.Nd.R16 {
		if r >= rune(block.Lo) && r <= rune(block.Hi) {
			return byte((r - rune(block.Lo)) % 10)
		}
	}
	for _, block := range unicode.Nd.R32 {
		if r >= rune(block.Lo) && r <= rune(block.Hi) {
			return byte((r - rune(block.Lo)) % 10)
		}
	}
	return 0
}
