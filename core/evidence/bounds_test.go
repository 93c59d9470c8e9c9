package evidence

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// A policy that switches every equivalence off leaves literal-1's extraction, and the reading rules of calibrated-1.
func TestReadingRulesHangOnTheRuleset(t *testing.T) {
	var off []string
	for _, e := range Equivalences() {
		off = append(off, e.ID)
	}
	bare := GateConfig{Calibrated: true, Off: off}
	for _, result := range []string{
		`{"content":[{"type":"text","text":"{\"build\":20440}"}]}`,
		`{"body":"{\"build\":20440}"}`,
		`<td>2<b></b>1</td><td>&#50;0440</td>`,
	} {
		if unsupported, _ := held(t, bare, []string{result}, nil, "Build 20440"); unsupported != "" {
			t.Errorf("%s: unsupported %q", result, unsupported)
		}
	}
	plain, calibrated := newGate(t, GateConfig{}), newGate(t, bare)
	for _, c := range domainCases(t) {
		for _, answer := range []string{c.Honest, c.Invented} {
			got, want := calibrated.Extract(answer, nil), plain.Extract(answer, nil)
			for i := range got {
				got[i].more = nil
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%q: %v, literally %v", answer, got, want)
			}
		}
	}
}

// The memory of an index counts the hashes that it keeps.
func TestBytesCountHashes(t *testing.T) {
	gate := newGate(t, GateConfig{Calibrated: true})
	ix := NewIndexFor(gate)
	ix.AddResult(fmt.Appendf(nil, `["%040x"]`, 1<<60), nil)
	before := ix.Bytes()
	for i := range 1000 {
		ix.keys.noteHash(fmt.Appendf(nil, "%08x%056x", i*7919, i))
	}
	if grown := ix.Bytes() - before; grown < 1000*(64+hashRoom) {
		t.Errorf("1000 hashes of 64 bytes make an index %d bytes larger", grown)
	}
}

// A bound of the figures that was reached means that a number cannot be refuted.
func TestFiguresTellThatTheyAreCapped(t *testing.T) {
	many := "[" + strings.Repeat("1,", maxCarried) + "1]"
	rows := "[" + strings.Repeat(`{"a":1},`, maxListRows) + `{"a":1}]`
	var fields strings.Builder
	fields.WriteString("{")
	for i := range maxFields + 1 {
		fields.WriteString(fmt.Sprintf(`"f%d":1,`, i))
	}
	fields.WriteString(`"z":1}`)
	for _, tt := range []struct {
		name, result string
		capped       bool
	}{
		{"few", `[{"a":1},{"a":2}]`, false},
		{"many numbers", many, true},
		{"many rows", rows, true},
		{"many fields", "[" + fields.String() + "," + fields.String() + "]", true},
	} {
		if got := NewFigureBasis([][]byte{[]byte(tt.result)}).Capped(); got != tt.capped {
			t.Errorf("%s: capped %t", tt.name, got)
		}
	}
	if (*FigureBasis)(nil).Capped() {
		t.Error("figures that are off are capped")
	}
}

// The values of a list count against the bound of an answer's tokens.
func TestListValuesAreTokens(t *testing.T) {
	gate := newGate(t, GateConfig{Calibrated: true})
	var list strings.Builder
	for i := range maxAnswerTokens + 5000 {
		fmt.Fprintf(&list, "%d,", 100000+i)
	}
	found := gate.Extract(strings.TrimSuffix(list.String(), ",")+" and 7654321", nil)
	if len(found) != 1 || len(found[0].more.parts) != maxAnswerTokens {
		t.Errorf("%d candidates, the first of %d values; want one of %d", len(found), len(found[0].more.parts), maxAnswerTokens)
	}
}
