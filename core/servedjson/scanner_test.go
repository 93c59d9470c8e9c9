package servedjson_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// upper and other are the marks of the tests.
const (
	upper = 1 << iota
	other
)

func markOf(c byte) byte {
	switch {
	case c >= 'A' && c <= 'Z':
		return upper
	case c >= 'a' && c <= 'z':
		return 0
	}
	return other
}

var marks = servedjson.NewMarks(markOf)

type noted struct {
	text     string
	key, top bool
}

// walked lists what Walk visits, with the keys of the value itself told apart.
func walked(v servedjson.Value) []noted {
	var all []noted
	servedjson.Walk(v, func(leaf servedjson.Value, isKey bool) {
		all = append(all, noted{text: string(leaf.Raw()), key: isKey})
	})
	if v.Kind() != servedjson.Object {
		return all
	}
	at := 0
	for key, value := range v.Members() {
		all[at].top = string(key.Raw()) == all[at].text
		at++
		servedjson.Walk(value, func(servedjson.Value, bool) { at++ })
	}
	return all
}

// A scanner takes what Parse takes, refuses the rest for the same reason at the same place, and notes what Walk visits.
func FuzzScannerIsParseAndWalk(f *testing.F) {
	for _, text := range []string{
		`{"id":4417,"Up":true,"x":{"y":[1,null,"aB\n\u00e9"]},"id":-0.5e3}`, "[]", " {} ", `[{"a":"é"}]`, `"text"`, `[1,]`, `{"a" : 1 , "b":2}x`,
		`{"a":01}`, "[\"\x01\"]", `["\x"]`, `[tru`, `["a`, `{"a"`, `{1:2}`, "", "[[[[[[[[[[", `{"a":{"b":1},"c":"d"}`, `["0123456789abcdefABCDEF\\0123"]`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		start := 0
		for start < len(text) && servedjson.IsSpace(text[start]) {
			start++
		}
		s := servedjson.NewScanner(marks)
		got, err := s.Value(text, start)
		end := got.End
		for err == nil && end < len(text) && servedjson.IsSpace(text[end]) {
			end++
		}
		v, want := servedjson.Parse(text)
		if err == nil && end < len(text) {
			if want == nil {
				t.Fatalf("the value ends at %d, Parse goes on", got.End)
			}
			return // Parse refuses what follows the value
		}
		if (err == nil) != (want == nil) {
			t.Fatalf("scanner: %v, Parse: %v", err, want)
		}
		if err != nil {
			sameRefusal(t, err, want)
			return
		}
		if !bytes.Equal(got.Value.Raw(), v.Raw()) {
			t.Fatalf("scanned %q, parsed %q", got.Value.Raw(), v.Raw())
		}
		sameTokens(t, got, walked(v))
	})
}

func sameRefusal(t *testing.T, got, want error) {
	t.Helper()
	a, _ := errors.AsType[*servedjson.SyntaxError](got)
	b, _ := errors.AsType[*servedjson.SyntaxError](want)
	if a == nil || b == nil || a.Offset != b.Offset || a.Reason != b.Reason ||
		errors.Is(got, io.ErrUnexpectedEOF) != errors.Is(want, io.ErrUnexpectedEOF) ||
		errors.Is(got, servedjson.ErrTooDeep) != errors.Is(want, servedjson.ErrTooDeep) {
		t.Fatalf("scanner: %v, Parse: %v", got, want)
	}
}

func sameTokens(t *testing.T, got servedjson.Scanned, want []noted) {
	t.Helper()
	if len(got.Tokens) != len(want) {
		t.Fatalf("%d tokens, Walk visits %d", len(got.Tokens), len(want))
	}
	for i, token := range got.Tokens {
		leaf := token.In(got.Value.Raw())
		if now := (noted{string(leaf.Raw()), token.IsKey(), token.IsTopKey()}); now != want[i] {
			t.Fatalf("token %d is %+v, want %+v", i, now, want[i])
		}
		if token.Kind != leaf.Kind() {
			t.Fatalf("token %d is of kind %v, want %v", i, token.Kind, leaf.Kind())
		}
		if token.Kind != servedjson.String {
			continue
		}
		if escaped := bytes.IndexByte(leaf.Raw(), '\\') >= 0; token.Escaped != escaped {
			t.Fatalf("token %d: escaped is %v", i, token.Escaped)
		}
		var joined byte
		for _, c := range leaf.Raw()[1 : len(leaf.Raw())-1] {
			joined |= marks.Of(c)
		}
		if !token.Escaped && token.Marks != joined {
			t.Fatalf("token %d has marks %b, its bytes %b", i, token.Marks, joined)
		}
	}
}

// Values that are scanned one after another keep their tokens until the scanner is reset.
func TestScannerKeepsTokens(t *testing.T) {
	s := servedjson.NewScanner(marks)
	text := []byte(`{"a":1} {"b":[2,3]}`)
	first, err := s.Value(text, 0)
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.Value(text, first.End+1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Value([]byte(`[4,5,`), 0); err == nil {
		t.Error("a cut value was read")
	}
	if _, err := s.Value([]byte(`["c"]`), 0); err != nil {
		t.Fatal(err)
	}
	sameTokens(t, first, walked(first.Value))
	sameTokens(t, second, walked(second.Value))
}
