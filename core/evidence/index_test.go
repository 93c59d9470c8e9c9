package evidence

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// plainIndex lists the forms of a result in the order in which they come, the plain way: by Walk, NormalizeToken and
// Tokenize. It is the twin of the scan that an Index makes.
type plainIndex struct {
	forms []string
}

func (p *plainIndex) add(form string) {
	if form == "" {
		return
	}
	for _, form := range LookupForms(form) {
		if !slices.Contains(p.forms, form) {
			p.forms = append(p.forms, form)
		}
	}
}

func (p *plainIndex) addTokens(text string) {
	for _, token := range Tokenize(text) {
		p.add(token)
	}
}

func (p *plainIndex) addPart(part Part, inGroup bool) {
	switch {
	case part.Group != nil:
		for _, inner := range part.Group {
			p.addPart(inner, true)
		}
	case part.Words != nil:
		if inGroup {
			p.add(NormalizeToken(string(part.Words)))
		}
		p.addTokens(string(part.Words))
	case part.Cut != nil:
		servedjson.VisitPrefix(part.Cut, func(leaf servedjson.Value) { p.addLeaf(leaf, false) })
	default:
		servedjson.Walk(part.Value, p.addLeaf)
	}
}

func (p *plainIndex) addLeaf(leaf servedjson.Value, isKey bool) {
	if leaf.Kind() == servedjson.Null {
		return
	}
	p.add(NormalizeToken(leaf.LeafText()))
	if !isKey {
		p.addTokens(leaf.LeafText())
	}
}

func FuzzIndexIsPlainReading(f *testing.F) {
	addSeeds(f, false)
	f.Add([]byte(`{"a":["x y","x y","X","x",true,"true"],"x y":1,"b":{"a":"41,200 TB","c":"(A,b)"},"long key of eight":"0xAB,0xAB"}`))
	f.Add(shipments(1, 2_000))
	f.Fuzz(func(t *testing.T, content []byte) {
		reading := ReadResult(content)
		var plain plainIndex
		for _, part := range reading.Parts {
			plain.addPart(part, false)
		}
		plain.addTokens(string(reading.Text))
		ix := NewIndex()
		facts := ix.AddResult(content, nil)
		if got := ix.Forms(); !slices.Equal(got, plain.forms) {
			t.Fatalf("forms %q\nplain %q", got, plain.forms)
		}
		if facts.Capped != reading.Capped {
			t.Fatalf("capped is %v, the reading says %v", facts.Capped, reading.Capped)
		}
	})
}

func TestKeysInTextOrderAndEveryRepeatedValue(t *testing.T) {
	ix := indexOf([]byte(`{"b":1,"10":"gone","9":3,"10":"kept"}`))
	if got, want := strings.Join(ix.Forms(), " "), "b 1 10 gone 9 3 kept"; got != want {
		t.Errorf("forms %q, want %q", got, want)
	}
}

func TestResultIsCapped(t *testing.T) {
	deep := strings.Repeat("[", servedjson.MaxDepth+1) + `"srv-1204"` + strings.Repeat("]", servedjson.MaxDepth+1)
	for _, tt := range []struct {
		name, content string
		capped        bool
	}{
		{"whole", `{"a":1}`, false},
		{"text", `srv-1204 is up`, false},
		{"text after a value", `{"a":1} srv-1204`, false},
		{"a log line", `[INFO] srv-1204`, false},
		{"cut", `{"a":"srv-1204","b`, true},
		{"cut after a value", `{"a":1}` + "\n" + `{"b":"srv-1204",`, true},
		{"capped", `{"truncated":true,"reason":"size"}`, true},
		{"capped, the key escaped", `{"trunc\u0061ted":true,"reason":"size"}`, true},
		{"capped after a value", `[1] {"truncated":true,"reason":"size","head":"srv-1204"}`, true},
		{"says only that it was cut", `{"truncated":true}`, false},
		{"a capped result inside another", `{"a":{"truncated":true,"reason":"size"}}`, false},
		{"too deep", deep, true},
		{"too deep and cut", deep[:len(deep)-9], true},
		{"too deep after a value", `{"a":1} ` + deep, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ix := NewIndex()
			if facts := ix.AddResult([]byte(tt.content), nil); facts.Capped != tt.capped {
				t.Errorf("capped is %v, want %v", facts.Capped, tt.capped)
			}
			if _, held := ix.Turn("srv-1204", everyRow(ix)); held != strings.Contains(tt.content, "srv-1204") {
				t.Errorf("srv-1204 held: %v", held)
			}
		})
	}
}

func TestPlaceholderIsAWholeWord(t *testing.T) {
	for _, tt := range []struct {
		content string
		found   bool
	}{
		{`{"a":"[REDACTED]"}`, true},
		{`{"a":"REDACTED"}`, true},
		{`{"a":"was REDACTED."}`, true},
		{`{"a":"line\nREDACTED"}`, true},
		{`{"a":"\u0052EDACTED"}`, true},
		{`{"REDACTED":1}`, true},
		{`the name is [REDACTED] here`, true},
		{`{"a":1} [REDACTED]`, true},
		{`{"a":["x","REDACTED`, false}, // the word is cut, so it is not read
		{`{"a":["REDACTED",1`, true},
		{`{"a":"REDACTED_BY"}`, false},
		{`{"a":"UNREDACTED"}`, false},
		{`{"a":"REDACTED\u0041"}`, false},
		{`{"a":"redacted"}`, false},
		{`{"truncated":true,"reason":"r","head":"{\"a\":\"x\\nREDACTED\"}"}`, true},
		{`{"a":"x"}`, false},
	} {
		facts := NewIndex().AddResult([]byte(tt.content), []string{"[REDACTED]", "REDACTED"})
		if facts.Placeholder != tt.found {
			t.Errorf("%s: placeholder is %v, want %v", tt.content, facts.Placeholder, tt.found)
		}
	}
}

func TestFullIndexIsLeftAsItIs(t *testing.T) {
	ix := NewIndex()
	ix.AddResult(fmt.Appendf(nil, "[%s]", manyForms(MaxForms)), nil)
	if !ix.Full() || ix.Len() != MaxForms {
		t.Fatalf("%d forms, full %v", ix.Len(), ix.Full())
	}
	before := ix.Bytes()
	ix.AddResult([]byte(`["k5","new-1"]`), nil)
	ix.AddText([]byte("k5 and new-1"))
	if turn, ok := ix.Turn("k5", everyRow(ix)); !ok || turn != 1 {
		t.Errorf("k5 stands in turn %d, want 1", turn)
	}
	if _, ok := ix.Turn("new-1", everyRow(ix)); ok || ix.Bytes() != before {
		t.Errorf("new-1 held: %v, %d bytes after %d", ok, ix.Bytes(), before)
	}
}

// manyForms writes n different strings as the elements of a JSON list.
func manyForms(n int) []byte {
	var b []byte
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `"k%d"`, i)
	}
	return b
}

func TestIndexKeepsItsMemoryLow(t *testing.T) {
	ix := indexOf(fmt.Appendf(nil, "[%s]", manyForms(150_000)))
	text := 0
	for _, form := range ix.Forms() {
		text += len(form)
	}
	if each := float64(ix.Bytes()-text) / float64(ix.Len()); each > 40 {
		t.Errorf("%.1f bytes a form beside its text", each)
	}
}

func TestCarriers(t *testing.T) {
	for _, tt := range []struct {
		calls string // of the rows, in order
		want  string
		more  bool
	}{
		{"", "", false},
		{"a", "a", false},
		{"a b a", "a b", false},
		{"b a a b c", "b a c", false},
		{"a b c d e f g h", "a b c d e f g h", false},
		{"a b c d e f g h i", "a b c d e f g h", true},
		{"a b c d e f g h i a i", "a b c d e f g h", true},
		{"i b c d e f g h a j i", "i b c d e f g h", true},
	} {
		ix, v := NewIndex(), View{Current: 3}
		for call := range strings.FieldsSeq(tt.calls) {
			ix.AddResult([]byte("[4417]"), nil)
			v.Turns, v.Calls = append(v.Turns, 3), append(v.Calls, call)
		}
		calls, more := ix.Carriers("4417", v)
		if strings.Join(calls, " ") != tt.want || more != tt.more {
			t.Errorf("rows of %q: %q and more %v, want %q and %v", tt.calls, calls, more, tt.want, tt.more)
		}
	}
}

// A result of many small values takes no room for each.
func TestManyValuesTakeNoRoom(t *testing.T) {
	content := []byte(strings.Repeat(`[] {"a":1} `, 20_000))
	ix := NewIndex()
	if allocs := testing.AllocsPerRun(5, func() { ix.AddResult(content, nil) }); allocs > 100 {
		t.Errorf("%v allocations", allocs)
	}
}
