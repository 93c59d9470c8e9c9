package coverage

import (
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

func parse(t *testing.T, text string) servedjson.Value {
	t.Helper()
	v, err := servedjson.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func TestRecognise(t *testing.T) {
	tests := []struct {
		value           string
		absence, ledger bool
	}{
		{`{"af_absent":true,"checked":[null]}`, true, false},
		{`{"af_absent":false,"af_absent":true,"checked":[1]}`, true, false},
		{`{"af_absent":true,"af_absent":false,"checked":[1]}`, false, false},
		{`{"\u0061f_absent":true,"checked":[1]}`, true, false},
		{`{"af_absent":true,"checked":[]}`, false, false},
		{`{"af_absent":true,"checked":{"0":1}}`, false, false},
		{`{"af_absent":true,"checked":"x"}`, false, false},
		{`{"af_absent":true}`, false, false},
		{`{"af_absent":1,"checked":[1]}`, false, false},
		{`{"af_absent":"true","checked":[1]}`, false, false},
		{`[{"af_absent":true,"checked":[1]}]`, false, false},
		{`{"result":{"af_absent":true,"checked":[1]}}`, false, false},
		{`{"af_coverage":{},"result":null}`, false, true},
		{`{"result":1,"af_coverage":{"checked":[1]},"more":1}`, false, true},
		{`{"af_coverage":{}}`, false, false},
		{`{"af_coverage":[],"result":1}`, false, false},
		{`{"af_coverage":null,"result":1}`, false, false},
		{`[{"af_coverage":{},"result":1}]`, false, false},
		{`{"af_absent":true,"checked":[1],"af_coverage":{},"result":1}`, true, true},
		{`"{\"af_absent\":true,\"checked\":[1]}"`, false, false},
		{`null`, false, false},
	}
	for _, tt := range tests {
		v := parse(t, tt.value)
		if _, ok := ReadAbsence(v); ok != tt.absence {
			t.Errorf("%s: absence %t", tt.value, ok)
		}
		if _, ok := ReadLedger(v); ok != tt.ledger {
			t.Errorf("%s: boundary %t", tt.value, ok)
		}
		if (tt.absence || tt.ledger) && !MayDeclare(v.Raw()) {
			t.Errorf("%s: declares, and MayDeclare denies it", tt.value)
		}
	}
	if MayDeclare([]byte(`{"rows":[1,2,"absent"]}`)) {
		t.Error("MayDeclare takes any result")
	}
}

func TestLists(t *testing.T) {
	tests := []struct {
		name, boundary                   string
		checked, notChecked, cannotCover string
	}{
		{"missing", `{}`, `[]`, `[]`, `[]`},
		{"null", `{"checked":null,"not_checked":null,"cannot_cover":null}`, `[]`, `[]`, `[]`},
		{"lists", `{"checked":[1, {"what": "a"}],"not_checked":[],"cannot_cover":["b"]}`, `[1,{"what":"a"}]`, `[]`, `["b"]`},
		{"no lists", `{"checked":"x","not_checked":0,"cannot_cover":false}`, `"x"`, `0`, `false`},
	}
	for _, tt := range tests {
		ledger, ok := ReadLedger(parse(t, `{"af_coverage":`+tt.boundary+`,"result":1}`))
		if got := ledger.Lists(); !ok || string(got.Checked) != tt.checked || string(got.NotChecked) != tt.notChecked ||
			string(got.CannotCover) != tt.cannotCover {
			t.Errorf("%s: %s %s %s", tt.name, got.Checked, got.NotChecked, got.CannotCover)
		}
	}
	absence, _ := ReadAbsence(parse(t, `{"af_absent":true,"checked":["a"],"cannot_cover":0}`))
	if got := absence.Lists(); string(got.Checked) != `["a"]` || string(got.NotChecked) != `[]` || string(got.CannotCover) != `0` {
		t.Errorf("absence: %+v", got)
	}
}

func TestMergeItems(t *testing.T) {
	got := MergeItems(
		event.JSON(`[{"what":"a"},{"what":"a","why":""},{"what":"b","short":"x"},"c"]`),
		event.JSON(`"no list"`), nil, event.JSON(`{"0":{"what":"z"}}`),
		event.JSON(`[{"what":"a","why":"w"},{"what":"b","kind":"scope"},{"what":"\u0061","why":null},"c","d",{"what":"d"}]`),
	)
	want := `[{"what":"a"},{"what":"b","short":"x"},"c",{"what":"a","why":"w"},"d"]`
	if string(got) != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := MergeItems(); string(got) != `[]` {
		t.Errorf("nothing: %s", got)
	}
}

// say writes a fact on one line, so that a table shows all of it.
func say(f Fact) string {
	parts := []string{string(f.Kind), string(f.Checked), string(f.NotChecked), string(f.CannotCover)}
	for _, part := range []struct {
		name string
		json event.JSON
	}{{"lookedFor", f.LookedFor}, {"provenance", f.Provenance}, {"period", f.Period}, {"inProgress", f.InProgress}} {
		if part.json != nil {
			parts = append(parts, part.name+"="+string(part.json))
		}
	}
	if f.TryInstead != "" {
		parts = append(parts, "try="+f.TryInstead)
	}
	if f.TryInsteadTool != nil {
		parts = append(parts, "tool="+f.TryInsteadTool.Tool+"/"+f.TryInsteadTool.Why)
	}
	return strings.Join(parts, " ")
}

func sayAll(v servedjson.Value) string {
	var all []string
	for _, f := range Facts(v) {
		all = append(all, say(f))
	}
	return strings.Join(all, "\n")
}

func TestFacts(t *testing.T) {
	absent := func(more string) string { return `{"af_absent":true,"checked":["a"]` + more + `}` }
	ledger := func(more, result string) string {
		return `{"af_coverage":{"checked":["b"]` + more + `},"result":` + result + `}`
	}
	const plainAbsence, plainLedger = `absence ["a"] [] []`, `ledger ["b"] [] []`
	tests := []struct{ name, value, want string }{
		{"data", `{"rows":[]}`, ``},
		{"text", `"{\"af_absent\":true,\"checked\":[1]}"`, ``},
		{"absence", absent(``), plainAbsence},
		{"boundary", ledger(``, `1`), plainLedger},
		{"boundary, then the absence in it", ledger(``, absent(``)), plainLedger + "\n" + plainAbsence},
		{"an absence deeper is not read", ledger(``, ledger(``, absent(``))), plainLedger},
		{"both on one object", absent(`,"af_coverage":{},"result":1`), plainAbsence},

		{"looked for", absent(`,"looked_for":"lun 9"`), plainAbsence + ` lookedFor="lun 9"`},
		{"looked for a number", absent(`,"looked_for":5`), plainAbsence + ` lookedFor=5`},
		{"looked for null", absent(`,"looked_for":null`), plainAbsence + ` lookedFor=null`},

		{"a sentence", absent(`,"try_instead":"  ask the peer  "`), plainAbsence + ` try=ask the peer`},
		{"a blank sentence", absent(`,"try_instead":" \u00a0\ufeff"`), plainAbsence},
		{"an object for a sentence", absent(`,"try_instead":{"tool":"x"}`), plainAbsence},
		{"a tool", absent(`,"try_instead_tool":{"tool":" x ","why":" y "}`), plainAbsence + ` tool=x/y`},
		{"a tool and a null why", absent(`,"try_instead_tool":{"tool":"x","why":null}`), plainAbsence + ` tool=x/`},
		{"a tool and a blank why", absent(`,"try_instead_tool":{"tool":"x","why":" "}`), plainAbsence},
		{"a tool and more", absent(`,"try_instead_tool":{"tool":"x","reason":"y"}`), plainAbsence},
		{"no tool", absent(`,"try_instead_tool":{"why":"y"}`), plainAbsence},

		{"provenance", absent(`,"provenance":{"source":"s","age_seconds":0,"measured_at":"noon"}`),
			plainAbsence + ` provenance={"source":"s","ageSeconds":0,"measuredAt":"noon"}`},
		{"provenance of an export", absent(`,"provenance":{"measured_at":"t","source":"s","source_export_date":"d"}`),
			plainAbsence + ` provenance={"measuredAt":"t","source":"s","sourceExportDate":"d"}`},
		{"provenance, no source", absent(`,"provenance":{"measured_at":"t"}`), plainAbsence},
		{"provenance, blank source", absent(`,"provenance":{"measured_at":"t","source":" "}`), plainAbsence},
		{"provenance, null age", absent(`,"provenance":{"measured_at":"t","source":"s","age_seconds":null}`), plainAbsence},
		{"provenance, an age below none", absent(`,"provenance":{"measured_at":"t","source":"s","age_seconds":-1}`), plainAbsence},
		{"provenance, an age past all numbers", absent(`,"provenance":{"measured_at":"t","source":"s","age_seconds":1e400}`), plainAbsence},
		{"provenance, as an author writes it", absent(`,"provenance":{"measuredAt":"t","source":"s"}`), plainAbsence},
		{"a boundary has no provenance", ledger(`,"provenance":{"measured_at":"t","source":"s"}`, `1`), plainLedger},

		{"in progress", ledger(`,"in_progress":["x",{"what":"y","count":96,"why":"w","short":"y"}]`, `1`),
			plainLedger + ` inProgress=[{"what":"x"},{"what":"y","why":"w","short":"y","count":96}]`},
		{"in progress, keys that items do not have", ledger(`,"in_progress":[{"what":"x","kind":"scope","x":1}]`, `1`), plainLedger + ` inProgress=[{"what":"x"}]`},
		{"in progress, null count and short", ledger(`,"in_progress":[{"what":"x","count":null,"short":null}]`, `1`), plainLedger + ` inProgress=[{"what":"x"}]`},
		{"in progress, one bad", ledger(`,"in_progress":["x",5]`, `1`), plainLedger},
		{"in progress, none", ledger(`,"in_progress":[]`, `1`), plainLedger},
		{"in progress, no list", ledger(`,"in_progress":"x"`, `1`), plainLedger},
		{"in progress, no whole count", ledger(`,"in_progress":[{"what":"x","count":1.5}]`, `1`), plainLedger},
		{"in progress, zero of it", ledger(`,"in_progress":[{"what":"x","count":0}]`, `1`), plainLedger},
		{"in progress, short is longer", ledger(`,"in_progress":[{"what":"x","short":"xy"}]`, `1`), plainLedger},

		{"described, with its lists", `{"af_semantics":true,"edges":[1],"coverage":{"checked":["b"]}}`, plainLedger},
		{"described, with its period", `{"af_semantics":true,"edges":[1],"period":` + periodText + `}`, `ledger [] [] [] period=` + periodText},
		{"described, with neither", `{"af_semantics":true,"edges":[1],"af_coverage":{},"result":1}`, ``},
		{"described, measured", `{"af_semantics":true,"facts":[1],"provenance":{"measured_at":"t","source":"s"},"coverage":{"checked":["b"]}}`, plainLedger},
		{"described, measured nowhere", `{"af_semantics":true,"facts":[1],"coverage":{"checked":["b"]}}`, ``},
		{"described, a question", `{"af_semantics":true,"clarify":{},"coverage":{"checked":["b"]}}`, plainLedger},
		{"described, no data", `{"af_semantics":true,"edges":[],"coverage":{"checked":["b"]}}`, ``},
		{"described, in a way", `{"af_semantics":1,"edges":[1],"coverage":{"checked":["b"]}}`, ``},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := sayAll(parse(t, tt.value)); got != tt.want {
				t.Errorf("%s\ngot  %s\nwant %s", tt.value, got, tt.want)
			}
		})
	}
}
