package evidence

import (
	"slices"
	"testing"
)

// plainTokens is keyWriter.addTokens as if every token held everything, so that each rule is asked.
func (w *keyWriter) plainTokens(text []byte) {
	z := NewTokenizer(text)
	for {
		token, _, _, ok := z.Next()
		if !ok {
			return
		}
		if countDigits(token) > 0 {
			w.addTokenKeys(token, ^byteKind(0))
			w.addDressed(token)
			w.addUngrouped(token)
		}
	}
}

// checkTokenKeys holds that asking a rule only when a token holds what it needs gives the keys that asking always gives.
func checkTokenKeys(t *testing.T, text []byte) {
	t.Helper()
	rules, err := AllRules()
	if err != nil {
		t.Fatal(err)
	}
	keys := func(add func(w *keyWriter)) (all, forms []string) {
		ix := NewIndex()
		ix.rules, ix.keys = rules, NewIndex()
		ix.rows, ix.keys.rows = 1, 1
		add(&keyWriter{ix: ix})
		all, forms = ix.keys.Forms(), ix.Forms()
		slices.Sort(all)
		slices.Sort(forms)
		return all, forms
	}
	asked := func(w *keyWriter) {
		w.z.Reset(text)
		for {
			token, start, end, ok := w.z.Next()
			if !ok {
				return
			}
			if kinds := w.z.kindsOf(token, end-start); kinds&kindDigit != 0 {
				w.addTokenKeys(token, kinds)
			}
		}
	}
	got, forms := keys(asked)
	want, wantForms := keys(func(w *keyWriter) { w.plainTokens(text) })
	if !slices.Equal(got, want) || !slices.Equal(forms, wantForms) {
		t.Errorf("keys of %q:\n%q %q\nwant\n%q %q", text, got, forms, want, wantForms)
	}
}

// tokenPieces are what the rules of tokens look for.
var tokenPieces = []string{
	"1", "12", "0", "417", "2024", "20240520", "00004417", "7f3a2b1", "ab", "GH", "usd", "us$", "x", "e", "v", "pt", "w21", "h", "fy", "id", "utc",
	"-", "_", "/", ":", "#", "@", ".", ",", "+", "$", "%", "..", "0.0000001", "550e8400-e29b-41d4-a716-446655440000", "urn:uuid:", "ms", "-calorie",
}

func TestTokenKeysAreThoseOfEveryRule(t *testing.T) {
	var text []byte
	for _, a := range tokenPieces {
		for _, b := range tokenPieces {
			for _, c := range []string{"1", "2024", "7f3a2b1", "x", "-", ":", ".", "ms"} {
				text = append(append(append(text[:0], a...), b...), c...)
				checkTokenKeys(t, append(text, "42 x"...))
			}
		}
	}
}

func FuzzTokenKeys(f *testing.F) {
	for _, seed := range append(spellings, tokenPieces...) {
		f.Add([]byte(seed))
	}
	f.Fuzz(checkTokenKeys)
}
