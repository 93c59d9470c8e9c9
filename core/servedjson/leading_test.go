package servedjson_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// FuzzLeading: LeadingValues gives what its plain twin gives, and of a text's first bytes the first of its values.
func FuzzLeading(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		text = bounded(text)
		values, rest := servedjson.LeadingValues(text)
		want, wantRest := plainLeading(text)
		if !sameValues(values, want) || !bytes.Equal(rest, wantRest) {
			t.Fatalf("%q: got %d values and %q, its twin %d and %q", text, len(values), rest, len(want), wantRest)
		}
		for at := range text {
			short, _ := servedjson.LeadingValues(text[:at])
			if len(short) > len(values) || !sameValues(short, want[:len(short)]) {
				t.Fatalf("%q gives %d values, its first %d bytes %d", text, len(values), at, len(short))
			}
		}
	})
}

func sameValues(values []servedjson.Value, want [][]byte) bool {
	if len(values) != len(want) {
		return false
	}
	for i, v := range values {
		if !bytes.Equal(v.Raw(), want[i]) {
			return false
		}
	}
	return true
}

// plainLeading is the plain twin of LeadingValues: it finds the end of a value by counting brackets of either kind
// outside strings, then asks encoding/json whether the span is JSON.
func plainLeading(text []byte) (values [][]byte, rest []byte) {
	for rest = bytes.TrimLeft(text, " \n\r\t"); ; rest = bytes.TrimLeft(rest, " \n\r\t") {
		end := plainEnd(rest)
		if end < 0 || !json.Valid(rest[:end]) || deepest(rest[:end]) > servedjson.MaxDepth {
			return values, rest
		}
		values, rest = append(values, rest[:end]), rest[end:]
	}
}

func plainEnd(text []byte) int {
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return -1
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			end := plainStringEnd(string(text[i:]))
			if end < 0 {
				return -1
			}
			i += end - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}
