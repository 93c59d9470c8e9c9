package evidence

import (
	"bytes"
	"testing"
	"unicode/utf8"
)

// What looks at eight bytes at a time gives what looking at each gives.
func FuzzWordsAreBytes(f *testing.F) {
	for _, text := range []string{"", "AZaz@[`{09", "Disk 7 FULL on Host-Z", "naïve ABCDEFGHIJ", "/0123456789:;", "\xff\x80\x7f\x00ABCDEFGH", "at 8:40, or 12:5"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for i := range len(text) + 1 {
			digit, wide := i, i
			for digit < len(text) && !isDigit(text[digit]) {
				digit++
			}
			for wide < len(text) && text[wide] < utf8.RuneSelf {
				wide++
			}
			if got := nextDigit(text, i); got != digit {
				t.Fatalf("the next digit of %q from %d is at %d, want %d", text, i, got, digit)
			}
			if got := asciiEnd(text, i); got != wide {
				t.Fatalf("ASCII of %q from %d ends at %d, want %d", text, i, got, wide)
			}
		}
		ascii := text[:asciiEnd(text, 0)]
		lower := bytes.Map(func(r rune) rune { return rune(lowerByte(byte(r))) }, ascii)
		if got := appendLowerASCII([]byte("K"), ascii); string(got) != "K"+string(lower) {
			t.Fatalf("%q in lower case is %q, want %q", ascii, got[1:], lower)
		}
		z := NewTokenizer(text)
		for token, _, _, ok := z.Next(); ok; token, _, _, ok = z.Next() {
			if _, _, isClock := readClock(token); isClock && !mayHoldClock(text) {
				t.Fatalf("%q holds the time %q and was passed over", text, token)
			}
		}
	})
}
