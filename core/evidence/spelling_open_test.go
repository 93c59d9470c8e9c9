package evidence

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// plainFind is speller.find without the questions that spare work.
func plainFind(s *speller) *spelling {
	for i := s.next; i < len(s.text); i++ {
		if !beginsSpelling(s.text, i) {
			continue
		}
		if sp := s.read(i); sp != nil {
			s.next = sp.end
			return sp
		}
		if isDigit(s.text[i]) {
			i = digitsEnd(s.text, i) - 1
		}
	}
	s.next = len(s.text)
	return nil
}

// checkOpens holds what is found with the questions of spelling_open.go against what every rule reads when it is asked.
func checkOpens(t *testing.T, text []byte) {
	t.Helper()
	rules, err := AllRules()
	if err != nil {
		t.Fatal(err)
	}
	folded := rules.fold(text).text
	got, want := speller{rules: &rules, text: folded}, speller{rules: &rules, text: folded}
	for {
		a, b := got.find(), plainFind(&want)
		if a == nil && b == nil {
			return
		}
		if a == nil || b == nil || a.rule != b.rule || a.start != b.start || a.end != b.end || !bytes.Equal(got.keys.bytes, want.keys.bytes) {
			t.Fatalf("in %q found %+v, want %+v", folded, a, b)
		}
	}
}

// TestOpensIsNoRule runs over every pair of pieces that a spelling may be made of, with each of some behind it.
func TestOpensIsNoRule(t *testing.T) {
	pieces := []string{
		"1", "12", "123", "030", "0049", "2024", "12345", "4444", "20240520", "May", "sept", "T", "Z", "h", "am", "p.m.", "Uhr", "st", "of ", "x", "e",
		" ", "  ", "-", "/", ".", ",", ":", "+", "(", ")", "'", "’", "×", "·", "⋅", "*", "\\times", "\\cdot", "^", "{", "\x01", "\n", "_", "%", "#", "DE", "ab", "\x0e", "\x1a",
	}
	var text []byte
	for _, a := range pieces {
		for _, b := range pieces {
			for _, c := range []string{"12", "May", "am", " ", "-", ":", "x", "×"} {
				text = append(append(append(text[:0], a...), b...), c...)
				checkOpens(t, append(text, "15:30 10^5 123 456"...))
			}
		}
	}
}

func FuzzOpens(f *testing.F) {
	for _, seed := range []string{
		"call +49 (0)30 1234567 on 20th of May 2024 at 19.45 Uhr", "2024-05-20T12:33:00.120+02:00 DE89 3704 0044 0532 0130 00",
		"6.022 × 10^23, 1 234 567,50 and 1'234.50; kl. 19.45 4111 1111 1111 1111 12:30–14:00",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(checkOpens)
}

// TestOpensOnRealText runs over the dialogues of the demo.
func TestOpensOnRealText(t *testing.T) {
	files, err := filepath.Glob("../../cmd/internal/demo/airline/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(content) {
			checkOpens(t, line)
		}
	}
}
