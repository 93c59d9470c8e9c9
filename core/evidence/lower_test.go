package evidence

import (
	"strings"
	"testing"
	"unicode"
)

// TestCasedLetters holds which characters a sigma asks about. The expectations were read from the Unicode Standard 3.13
// and agree with what a JavaScript engine does.
func TestCasedLetters(t *testing.T) {
	for _, tt := range []struct {
		name  string
		r     rune
		cased bool
		skip  bool
	}{
		{"a letter", 'a', true, false},
		{"a title case letter", 'ǅ', true, false},
		{"a roman numeral", 'Ⅷ', true, false},
		{"a circled letter", 'Ⓐ', true, false},
		{"a feminine ordinal", 'ª', true, false},
		{"a letter without case", 'א', false, false},
		{"a modifier letter", 'ʰ', true, true},
		{"iota below", '\u0345', true, true},
		{"a combining acute", '\u0301', false, true},
		{"an enclosing circle", '\u20DD', false, true},
		{"a soft hyphen", '\u00AD', false, true},
		{"a joiner", '\u200D', false, true},
		{"an apostrophe", '\'', false, true},
		{"a right quote", '’', false, true},
		{"a circumflex", '^', false, true},
		{"a middle dot", '·', false, true},
		{"a digit", '1', false, false},
		{"a hyphen", '-', false, false},
		{"a comma", ',', false, false},
		{"a space", ' ', false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if cased(tt.r) != tt.cased || caseIgnorable(tt.r) != tt.skip {
				t.Errorf("%U: cased %t, skipped %t", tt.r, cased(tt.r), caseIgnorable(tt.r))
			}
			final := strings.HasSuffix(string(appendLower(nil, []byte(string(tt.r)+"Σ"))), "ς")
			if want := tt.cased && !tt.skip; final != want {
				t.Errorf("%U before a sigma: final %t, want %t", tt.r, final, want)
			}
		})
	}
}

// TestAppendLowerTakesAllOfUnicode holds that lower case is that of the tables, one character at a time, and that lower
// case text stays.
func TestAppendLowerTakesAllOfUnicode(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r == 'İ' || r >= 0xD800 && r < 0xE000 {
			continue
		}
		lower := string(appendLower(nil, []byte(string(r))))
		if want := string(unicode.ToLower(r)); lower != want {
			t.Fatalf("%U gives %q, want %q", r, lower, want)
		}
		if again := string(appendLower(nil, []byte(lower))); again != lower {
			t.Fatalf("%U gives %q, then %q", r, lower, again)
		}
	}
}
