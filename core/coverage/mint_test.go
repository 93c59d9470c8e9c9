package coverage

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// want checks what a mint gave: the envelope without its note, or the field that it refused.
func want(t *testing.T, name string, got event.JSON, err error, note, want string) {
	t.Helper()
	if field, refused := strings.CutPrefix(want, "refused: "); refused {
		found, ok := errors.AsType[*FieldError](err)
		if !ok || found.Field != field || !strings.HasPrefix(err.Error(), "refused: ") {
			t.Errorf("%s: %s, %v; want %s refused", name, got, err, field)
		}
		return
	}
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	bare := strings.Replace(string(got), `,"note":`+string(quoted(note)), "", 1)
	if bare != want || bare == string(got) {
		t.Errorf("%s:\ngot  %s\nwant %s and its note", name, got, want)
	}
}

func TestAbsentJSON(t *testing.T) {
	envelope := func(checked, more, after string) string {
		return `{"af_absent":true,"outcome":"nothing_found","looked_for":"x","checked":` + checked + more +
			`,"retry_returns_the_same":true` + after + `}`
	}
	declare := func(more string) string { return `{"what":"x","checked":["y"]` + more + `}` }
	items := func(item string) string { return `{"what":"x","checked":[` + item + `]}` }
	plain := envelope(`[{"what":"y"}]`, ``, ``)
	long := strings.Repeat("y", 90)
	tests := []struct{ name, declared, want string }{
		{"the least", declare(``), plain},
		{"null fields", declare(`,"notChecked":null,"cannotCover":null,"provenance":null,"period":null,"tryInstead":null,"tryInsteadTool":null`), plain},
		{"empty lists", declare(`,"notChecked":[],"cannotCover":[]`), plain},
		{"all of it", `{"tryInsteadTool":{"why":"w","tool":" t "},"tryInstead":" go ","period":` + period("10-20", "", `,"readAt":"2031-09-26T10:00Z"`) +
			`,"provenance":{"source":"s","measuredAt":"t","ageSeconds":1.5,"sourceExportDate":"d"},"cannotCover":[{"what":"c","why":"d","kind":"scope"}],"notChecked":["b"],"checked":["y"],"what":"x"}`,
			envelope(`[{"what":"y"}]`, `,"not_checked":[{"what":"b"}],"cannot_cover":[{"what":"c","why":"d","kind":"scope"}],`+
				`"provenance":{"source":"s","measured_at":"t","age_seconds":1.5,"source_export_date":"d"},"period":`+period("10-20", "", `,"read_at":"2031-09-26T10:00Z"`),
				`,"try_instead":"go","try_instead_tool":{"tool":"t","why":"w"}`)},

		{"no JSON", `{`, "refused: the declaration"},
		{"null", `null`, "refused: the declaration"},
		{"a list", `[]`, "refused: the declaration"},
		{"nothing", `{}`, "refused: what"},
		{"an unknown key before all", `{"because":1}`, "refused: because"},
		{"a key of another library", `{"__proto__":1}`, "refused: __proto__"},
		{"snake case", declare(`,"not_checked":["z"]`), "refused: not_checked"},
		{"blank what", `{"what":" \ufeff","checked":["y"]}`, "refused: what"},
		{"what is a number", `{"what":5,"checked":["y"]}`, "refused: what"},
		{"nothing checked", `{"what":"x"}`, "refused: checked"},
		{"an empty list checked", `{"what":"x","checked":[]}`, "refused: checked"},
		{"checked is text", `{"what":"x","checked":"y"}`, "refused: checked"},
		{"not checked is text", declare(`,"notChecked":"z"`), "refused: notChecked"},
		{"a blank item", items(`" "`), "refused: checked[0]"},
		{"the second item is a number", items(`"y",5`), "refused: checked[1]"},
		{"an item without what", items(`{"why":"z"}`), "refused: checked[0]"},
		{"an item and another key", items(`{"what":"y","reason":"z"}`), "refused: checked[0].reason"},
		{"an item and another case", items(`{"What":"y"}`), "refused: checked[0].What"},
		{"why", items(`{"what":"y","why":"z"}`), envelope(`[{"what":"y","why":"z"}]`, ``, ``)},
		{"blank why", items(`{"what":"y","why":" "}`), "refused: checked[0].why"},
		{"null why", items(`{"what":"y","why":null}`), "refused: checked[0].why"},
		{"null short and kind", items(`{"what":"y","short":null,"kind":null}`), plain},
		{"short", items(`{"what":"yyyy","short":"\tab "}`), envelope(`[{"what":"yyyy","short":"ab"}]`, ``, ``)},
		{"short, a no-break space", items(`{"what":"yyyy","short":"a\u00a0b"}`), envelope(`[{"what":"yyyy","short":"a`+"\u00a0"+`b"}]`, ``, ``)},
		{"short, as long as what", items(`{"what":"yy","short":"ab"}`), envelope(`[{"what":"yy","short":"ab"}]`, ``, ``)},
		{"short, longer than what", items(`{"what":"yy","short":"abc"}`), "refused: checked[0].short"},
		{"short, longer in UTF-16", items(`{"what":"yyy","short":"😀😀"}`), "refused: checked[0].short"},
		{"short, 80 units", items(`{"what":"` + long + `","short":"` + long[:80] + `"}`), envelope(`[{"what":"`+long+`","short":"`+long[:80]+`"}]`, ``, ``)},
		{"short, 81 units", items(`{"what":"` + long + `","short":"` + long[:81] + `"}`), "refused: checked[0].short"},
		{"short, blank", items(`{"what":"yyyy","short":" "}`), "refused: checked[0].short"},
		{"short, a number", items(`{"what":"yyyy","short":1}`), "refused: checked[0].short"},
		{"short, a tab", items(`{"what":"yyyy","short":"a\tb"}`), "refused: checked[0].short"},
		{"short, a line separator", items(`{"what":"yyyy","short":"a\u2028b"}`), "refused: checked[0].short"},
		{"short, a paragraph separator", items(`{"what":"yyyy","short":"a\u2029b"}`), "refused: checked[0].short"},
		{"short, a joiner", items(`{"what":"yyyy","short":"a\u200db"}`), "refused: checked[0].short"},
		{"short, an astral tag", items(`{"what":"yyyyyy","short":"a\udb40\udc41b"}`), "refused: checked[0].short"},
		{"kind on checked", items(`{"what":"y","kind":"scope"}`), "refused: checked[0].kind"},
		{"kind", declare(`,"notChecked":[{"what":"z","kind":"existence"}]`), envelope(`[{"what":"y"}]`, `,"not_checked":[{"what":"z","kind":"existence"}]`, ``)},
		{"a kind there is not", declare(`,"notChecked":[{"what":"z","kind":"time"}]`), "refused: notChecked[0].kind"},
		{"count on checked", items(`{"what":"y","count":2}`), "refused: checked[0].count"},
		{"never covered, as text", declare(`,"cannotCover":["z"]`), "refused: cannotCover[0]"},
		{"never covered, no why", declare(`,"cannotCover":[{"what":"z"}]`), "refused: cannotCover[0]"},

		{"provenance is text", declare(`,"provenance":"t"`), "refused: provenance"},
		{"provenance in snake case", declare(`,"provenance":{"measured_at":"t","source":"s"}`), "refused: provenance.measured_at"},
		{"provenance, no time", declare(`,"provenance":{"source":"s"}`), "refused: provenance.measuredAt"},
		{"provenance, blank source", declare(`,"provenance":{"measuredAt":"t","source":" "}`), "refused: provenance.source"},
		{"provenance, age as text", declare(`,"provenance":{"measuredAt":"t","source":"s","ageSeconds":"3"}`), "refused: provenance.ageSeconds"},
		{"provenance, blank export date", declare(`,"provenance":{"measuredAt":"t","source":"s","sourceExportDate":""}`), "refused: provenance.sourceExportDate"},
		{"period, a word", declare(`,"period":{"queried":{"from":"2031-09-26T09:00Z","to":"2031-09-26T09:00Z"},"held":"all"}`), "refused: period.held"},
		{"period, the wire's key", declare(`,"period":` + period("10-20", "", `,"read_at":"2031-09-26T10:00Z"`)), "refused: period.read_at"},
		{"no sentence", declare(`,"tryInstead":false`), plain},
		{"a blank sentence", declare(`,"tryInstead":" "`), plain},
		{"tool is text", declare(`,"tryInsteadTool":"t"`), "refused: tryInsteadTool"},
		{"tools", declare(`,"tryInsteadTool":[{"tool":"t"}]`), "refused: tryInsteadTool"},
		{"tool, another case", declare(`,"tryInsteadTool":{"tool":"t","Why":"w"}`), "refused: tryInsteadTool.Why"},
		{"tool, blank", declare(`,"tryInsteadTool":{"tool":" "}`), "refused: tryInsteadTool.tool"},
		{"tool, blank why", declare(`,"tryInsteadTool":{"tool":"t","why":""}`), "refused: tryInsteadTool.why"},
	}
	for _, tt := range tests {
		got, err := AbsentJSON([]byte(tt.declared))
		want(t, tt.name, got, err, absenceNote, tt.want)
	}
}

func TestCoveredJSON(t *testing.T) {
	deep := strings.Repeat("[", servedjson.MaxDepth) + strings.Repeat("]", servedjson.MaxDepth)
	tests := []struct{ name, result, declared, want string }{
		{"all of it", ` [1, "a b"]`, `{"period":` + periodText + `,"inProgress":["e",{"what":"f","count":3.0}],"cannotCover":[{"what":"c","why":"d"}],"notChecked":["b"],"checked":["a"]}`,
			`{"af_coverage":{"checked":[{"what":"a"}],"not_checked":[{"what":"b"}],"cannot_cover":[{"what":"c","why":"d"}],"in_progress":[{"what":"e"},{"what":"f","count":3}],"period":` + periodText + `},"result":[1,"a b"]}`},
		{"a period alone", `1`, `{"period":` + periodText + `}`, `{"af_coverage":{"period":` + periodText + `},"result":1}`},
		{"not checked alone", `null`, `{"notChecked":["b"],"inProgress":null}`, `{"af_coverage":{"not_checked":[{"what":"b"}]},"result":null}`},
		{"nothing in progress", `1`, `{"checked":["a"],"inProgress":[]}`, `{"af_coverage":{"checked":[{"what":"a"}]},"result":1}`},
		{"declares nothing", `1`, `{}`, "refused: the declaration"},
		{"declares empty lists", `1`, `{"checked":[],"notChecked":[],"cannotCover":null}`, "refused: the declaration"},
		{"null", `1`, `null`, "refused: the declaration"},
		{"a list", `1`, `[]`, "refused: the declaration"},
		{"snake case", `1`, `{"checked":["a"],"not_checked":["b"]}`, "refused: not_checked"},
		{"provenance", `1`, `{"checked":["a"],"provenance":{"measuredAt":"t","source":"s"}}`, "refused: provenance"},
		{"in progress alone", `1`, `{"inProgress":["x"]}`, "refused: inProgress"},
		{"in progress without checked", `1`, `{"inProgress":[],"notChecked":["b"]}`, "refused: inProgress"},
		{"in progress, a kind", `1`, `{"checked":["a"],"inProgress":[{"what":"b","kind":"scope"}]}`, "refused: inProgress[0].kind"},
		{"in progress, another key", `1`, `{"checked":["a"],"inProgress":[{"what":"b","counts":1}]}`, "refused: inProgress[0].counts"},
		{"in progress, below one", `1`, `{"checked":["a"],"inProgress":[{"what":"b","count":-1}]}`, "refused: inProgress[0].count"},
		{"in progress, no whole number", `1`, `{"checked":["a"],"inProgress":[{"what":"b","count":1.5}]}`, "refused: inProgress[0].count"},
		{"no JSON inside", `{`, `{"checked":["a"]}`, "refused: the result"},
		{"too deep inside", deep, `{"checked":["a"]}`, "refused: the result"},
	}
	for _, tt := range tests {
		got, err := CoveredJSON([]byte(tt.result), []byte(tt.declared))
		want(t, tt.name, got, err, ledgerNote, tt.want)
	}
}

func TestRefusalsSayWhatToDo(t *testing.T) {
	tests := []struct{ declared, want string }{
		{`{"what":"x","checked":["y"],"not_checked":["z"]}`, "refused: not_checked is not a key here; write notChecked"},
		{`{"what":"x","checked":["y"],"try-instead":"z"}`, "refused: try-instead is not a key here; write tryInstead"},
		{`{"what":"x","checked":["y"],"bécause\n":1}`, `refused: "bécause\n" is not a key here; the keys are what, checked, notChecked, cannotCover, provenance, period, tryInstead, tryInsteadTool`},
		{`{"checked":["y"]}`, "refused: what must say what was looked for (it is missing)"},
		{`{"what":"x","checked":["y"],"period":{"queried":{"from":"` + strings.Repeat("z", 99) + `"}}}`,
			`refused: period.queried.from must be an ISO 8601 instant with a zone, such as 2031-09-26T09:00:00Z (it is "` + strings.Repeat("z", 56) + `…)`},
	}
	for _, tt := range tests {
		if _, err := AbsentJSON([]byte(tt.declared)); err == nil || err.Error() != tt.want {
			t.Errorf("%s:\ngot  %v\nwant %s", tt.declared, err, tt.want)
		}
	}
}

func TestMintFromGo(t *testing.T) {
	age := 3600.0
	from := time.Date(2031, 9, 26, 9, 0, 0, 1, time.UTC)
	held := &TimeHeld{Queried: TimeRange{from, from.Add(time.Hour)}, Held: &TimeRange{from.Add(-time.Hour), from}}
	got, err := Absent(AbsentDeclaration{
		What: "<x>", Checked: []Item{{What: "y"}}, CannotCover: []Item{{What: "c", Why: "d", Kind: Existence}},
		Provenance: &Provenance{MeasuredAt: "noon", Source: "s", AgeSeconds: &age}, Period: held,
		TryInsteadTool: &ToolHint{Tool: "t"},
	})
	want(t, "absence", got, err, absenceNote, `{"af_absent":true,"outcome":"nothing_found","looked_for":"<x>","checked":[{"what":"y"}],`+
		`"cannot_cover":[{"what":"c","why":"d","kind":"existence"}],"provenance":{"measured_at":"noon","source":"s","age_seconds":3600},`+
		`"period":{"queried":{"from":"2031-09-26T09:00:00.000000001Z","to":"2031-09-26T10:00:00.000000001Z"},`+
		`"held":{"from":"2031-09-26T08:00:00.000000001Z","to":"2031-09-26T09:00:00.000000001Z"}},"retry_returns_the_same":true,"try_instead_tool":{"tool":"t"}}`)

	got, err = Covered(nil, LedgerDeclaration{
		Checked: []Item{{What: "a"}}, InProgress: []Running{{What: "b", Count: 2}},
		Period: &TimeHeld{Queried: TimeRange{from, from}, ReadAt: from},
	})
	want(t, "boundary", got, err, ledgerNote, `{"af_coverage":{"checked":[{"what":"a"}],"in_progress":[{"what":"b","count":2}],`+
		`"period":{"queried":{"from":"2031-09-26T09:00:00.000000001Z","to":"2031-09-26T09:00:00.000000001Z"},"held":"unknown",`+
		`"read_at":"2031-09-26T09:00:00.000000001Z"}},"result":null}`)

	_, err = Absent(AbsentDeclaration{What: "x"})
	want(t, "nothing checked", nil, err, "", "refused: checked")
	_, err = Covered(nil, LedgerDeclaration{Checked: []Item{{What: "a", Kind: Scope}}})
	want(t, "a kind on checked", nil, err, "", "refused: checked[0].kind")

	nan := math.NaN()
	_, err = Absent(AbsentDeclaration{What: "x", Checked: []Item{{What: "y"}}, Provenance: &Provenance{AgeSeconds: &nan}})
	if unsupported, ok := errors.AsType[*json.UnsupportedValueError](err); !ok || !strings.HasPrefix(err.Error(), "refused: ") {
		t.Errorf("an age that is no number: %v (%v)", err, unsupported)
	}
}

// FuzzMint holds that whatever an author declares is either refused or minted so that it is recognised, and that reading
// gives back what was declared.
func FuzzMint(f *testing.F) {
	f.Add("lun 9", "array 4", "the API timed out", "arr 4", "ask the peer", []byte(`[1,{"a":null}]`), int64(0), int64(5), 3)
	f.Add(" ", "\xff", "", "\u200d", "\ud7ff", []byte(`{`), int64(-1<<62), int64(1<<62), -1)
	f.Fuzz(func(t *testing.T, what, ground, why, short, try string, result []byte, from, length int64, count int) {
		times := TimeRange{From: time.Unix(from%2e11, from%1e9).UTC()}
		times.To = times.From.Add(time.Duration(length))
		items := []Item{{What: ground, Why: why, Short: short}}
		absent, err := Absent(AbsentDeclaration{
			What: what, Checked: items, NotChecked: items, TryInstead: try, Period: &TimeHeld{Queried: times},
		})
		if err == nil {
			facts := Facts(parse(t, string(absent)))
			if len(facts) != 1 || facts[0].Kind != KindAbsence || parse(t, string(facts[0].LookedFor)).Text() != valid(what) ||
				facts[0].TryInstead != trimmedText(try) {
				t.Fatalf("declared %q, try %q\nread %+v", what, try, facts)
			}
			readsBack(t, facts[0].Checked, items[0])
			readsBack(t, facts[0].NotChecked, items[0])
			readsPeriod(t, facts[0].Period, times)
		} else if !strings.HasPrefix(err.Error(), "refused: ") {
			t.Fatal(err)
		}
		covered, err := Covered(result, LedgerDeclaration{
			Checked: items, InProgress: []Running{{What: ground, Why: why, Count: count}}, Period: &TimeHeld{Queried: times, Held: &times},
		})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "refused: ") {
				t.Fatal(err)
			}
			return
		}
		ledger, ok := ReadLedger(parse(t, string(covered)))
		if !ok {
			t.Fatalf("not recognised: %s", covered)
		}
		if inside, err := servedjson.Parse(result); err == nil && string(compact(inside)) != string(ledger.Result.Raw()) {
			t.Fatalf("around %s: %s", result, ledger.Result.Raw())
		}
		fact := ledger.Fact()
		readsBack(t, fact.Checked, items[0])
		readsBack(t, fact.InProgress, Item{What: ground, Why: why})
		readsPeriod(t, fact.Period, times)
	})
}

// valid is a text as JSON carries it: each byte that is not UTF-8 is U+FFFD.
func valid(s string) string { return string([]rune(s)) }

func trimmedText(s string) string { return string(servedjson.TrimJS([]byte(valid(s)))) }

func readsBack(t *testing.T, list event.JSON, declared Item) {
	t.Helper()
	var items []Item
	if err := json.Unmarshal(list, &items); err != nil {
		t.Fatal(err)
	}
	if len(items) != 1 || items[0].What != valid(declared.What) || items[0].Why != valid(declared.Why) ||
		items[0].Short != trimmedText(declared.Short) {
		t.Fatalf("declared %+q\nread %+q", declared, items)
	}
}

func readsPeriod(t *testing.T, period event.JSON, queried TimeRange) {
	t.Helper()
	p, err := ReadPeriod(parse(t, string(period)), Author)
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range []struct {
		read     Instant
		declared time.Time
	}{{p.Queried.From, queried.From}, {p.Queried.To, queried.To}} {
		if pair.read.Seconds != pair.declared.Unix() || pair.read.Nanos != pair.declared.Nanosecond() {
			t.Fatalf("declared %s, read %+v", pair.declared, pair.read)
		}
	}
}

// FuzzFacts holds that no bytes break the readers and the mints' doors, that white space between tokens changes nothing,
// and that what the cheap look denies declares nothing.
func FuzzFacts(f *testing.F) {
	f.Add([]byte(`{"af_absent":true,"checked":[1],"provenance":{"measured_at":"t","source":"s"},"try_instead_tool":{"tool":"x"}}`))
	f.Add([]byte(`{"af_coverage":{"checked":[{"what":"b"}],"in_progress":["c"],"period":` + period("10-20", "15-20", `,"verdict":"partly-held"`) + `},"result":{"af_absent":true,"checked":[{}]}}`))
	f.Add([]byte(`{"af_semantics":true,"edges":[1],"coverage":{"checked":["b"]}}`))
	f.Add([]byte(`{"what":"x","checked":["y"],"notChecked":[{"what":"z","short":"z"}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, door := range []func() (event.JSON, error){
			func() (event.JSON, error) { return AbsentJSON(b) },
			func() (event.JSON, error) { return CoveredJSON([]byte("1"), b) },
			func() (event.JSON, error) { return CoveredJSON(b, []byte(`{"checked":["a"]}`)) },
		} {
			if minted, err := door(); err == nil && len(Facts(parse(t, string(minted)))) == 0 {
				t.Fatalf("not recognised: %s", minted)
			}
		}
		v, err := servedjson.Parse(b)
		if err != nil {
			return
		}
		said := sayAll(v)
		if said != "" && !MayDeclare(b) {
			t.Fatalf("declares, and MayDeclare denies it: %s", said)
		}
		if other := sayAll(parse(t, string(compact(v)))); other != said {
			t.Fatalf("spaced  %s\ncompact %s", said, other)
		}
	})
}
