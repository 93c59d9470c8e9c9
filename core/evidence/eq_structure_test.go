package evidence

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestListMarkerOfItsLine holds isListMarker to its definition, which reads the line from its beginning: looking back only
// as far as a marker can reach finds the same.
func TestListMarkerOfItsLine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const alphabet = " >(1.) a\n"
	markers := 0
	for range 400_000 {
		text := make([]byte, 1+r.IntN(24))
		for i := range text {
			text[i] = alphabet[r.IntN(len(alphabet))]
		}
		start := r.IntN(len(text))
		end := digitsEnd(text, start)
		if end == start {
			continue
		}
		_, at := marker(text, bytes.LastIndexByte(text[:start], '\n')+1)
		want := at == start && end-start < 4
		if got := isListMarker(text, start, end); got != want && end-start < 4 {
			t.Fatalf("%q[%d:%d]: %v, want %v", text, start, end, got, want)
		}
		if want {
			markers++
		}
	}
	if markers < 500 {
		t.Errorf("only %d markers were tried", markers)
	}
}
