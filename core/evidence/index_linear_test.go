package evidence

import (
	"strings"
	"testing"
)

// TestIndexIsLinear holds that what an index keeps of a result grows with the result, whatever one token is made of.
func TestIndexIsLinear(t *testing.T) {
	gate := newGate(t, GateConfig{Calibrated: true})
	const words = 20_000
	for _, separator := range []string{"-", "_", "/", ":", "#"} {
		ix := NewIndexFor(gate)
		content := strings.Repeat("a"+separator, words) + "1234"
		ix.AddResult([]byte(content), nil)
		if most := 60 * len(content); ix.Bytes() > most {
			t.Errorf("an id of %d words joined by %q takes %d bytes, want at most %d", words, separator, ix.Bytes(), most)
		}
		if separator != ":" && ix.keys.find(string([]byte{byte(ruleIDPart), idPartKind})+"1234") < 0 {
			t.Errorf("the last component of an id of %d words joined by %q is not held", words, separator)
		}
	}
}
