package emptiness

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

const (
	absence = `{"af_absent":true,"looked_for":"lun 9","checked":[{"what":"array 4"}]}`
	ref     = "art_A1b2C3d4E5f6G7h8I9j0Kz"
)

func boundary(result string) string {
	return `{"af_coverage":{"checked":[{"what":"array 4"}]},"result":` + result + `}`
}

func nested(depth int, result string) string {
	for range depth {
		result = boundary(result)
	}
	return result
}

// say writes a reading on one line, so that a table shows all of it.
func say(r Reading) string {
	parts := []string{string(r.Emptiness)}
	add := func(said bool, format string, args ...any) {
		if said {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	if r.Rows != nil {
		add(true, "%d rows at %s by %s", *r.Rows, strings.Join(r.CountedAt, "."), r.Source)
	} else {
		add(r.Source != "", "by %s", r.Source)
	}
	if r.Described != nil {
		add(true, "described %d/%d/%d", r.Described.Facts, r.Described.Series, r.Described.Edges)
	}
	add(r.HasRowsAt, "asked at %s", r.RowsAt)
	add(r.UndeclaredShape, "shape undeclared")
	add(r.RowsUnread != "", "%s", r.RowsUnread)
	add(r.Bounded, "bounded")
	add(r.Cut != "", "cut by %s", r.Cut)
	return strings.Join(parts, ", ")
}

type route struct {
	name   string
	result string // JSON; a JSON string is text
	ctx    Context
	want   string
}

func check(t *testing.T, routes []route) {
	t.Helper()
	for _, tt := range routes {
		t.Run(tt.name, func(t *testing.T) {
			if got := say(ReadResult(event.JSON(tt.result), tt.ctx)); got != tt.want {
				t.Errorf("%s\ngot  %s\nwant %s", tt.result, got, tt.want)
			}
		})
	}
}

var rowsAt = Context{RowsAt: "rows", HasRowsAt: true}

func TestLists(t *testing.T) {
	check(t, []route{
		{"a list", `[1,[2,3]]`, Context{}, "non-empty, 2 rows at  by library"},
		{"an empty list", `[]`, Context{}, "undeclared-empty, 0 rows at  by library"},
		{"a list as text", `" [1]\n"`, Context{}, "non-empty, 1 rows at  by library"},
		{"a list as text in text", `"\"[1]\""`, Context{}, "unknown"},
		{"a list and a note is text", `"[]\n\n[step 2]"`, Context{}, "unknown"},
		{"cut JSON is text", `"[{\"id\":1},{\"i"`, Context{}, "unknown"},
		{"a text in a list stays text", `["[]"]`, Context{}, "non-empty, 1 rows at  by library"},
		{"text", `"no rows"`, Context{}, "unknown"},
		{"empty text", `""`, Context{}, "unknown"},
		{"null", `null`, Context{}, "unknown"},
		{"zero", `0`, Context{}, "unknown"},
		{"an object", `{"a":1}`, Context{}, "unknown, shape undeclared"},
		{"an empty object", `{}`, Context{}, "unknown, shape undeclared"},
		{"not captured", ``, Context{}, "unknown"},
		{"nested too deep", strings.Repeat("[", servedjson.MaxDepth+1) + strings.Repeat("]", servedjson.MaxDepth+1), Context{}, "unknown"},
	})
}

func TestDeclaredRows(t *testing.T) {
	check(t, []route{
		{"rows", `{"rows":[1,2]}`, rowsAt, "non-empty, 2 rows at rows by app, asked at rows"},
		{"no rows", `{"rows":[]}`, rowsAt, "undeclared-empty, 0 rows at rows by app, asked at rows"},
		{"rows in text", `"{\"rows\":[1]}"`, rowsAt, "non-empty, 1 rows at rows by app, asked at rows"},
		{"the last of a repeated key", `{"rows":[1],"rows":[]}`, rowsAt, "undeclared-empty, 0 rows at rows by app, asked at rows"},
		{"a key that is not there", `{"items":[1]}`, rowsAt, "unknown, asked at rows, no-list"},
		{"null is no list", `{"rows":null}`, rowsAt, "unknown, asked at rows, no-list"},
		{"an object is no list", `{"rows":{"0":1}}`, rowsAt, "unknown, asked at rows, no-list"},
		{"a key is no path", `{"data":{"rows":[1]}}`, Context{RowsAt: "data.rows", HasRowsAt: true}, "unknown, asked at data.rows, no-list"},
		{"a key with a dot is a key", `{"data.rows":[1]}`, Context{RowsAt: "data.rows", HasRowsAt: true}, "non-empty, 1 rows at data.rows by app, asked at data.rows"},
		{"the empty key is a key", `{"":[1]}`, Context{HasRowsAt: true}, "non-empty, 1 rows at  by app, asked at "},
		{"a list needs no key", `[1]`, rowsAt, "non-empty, 1 rows at  by library"},
		{"a scalar has no key", `7`, rowsAt, "unknown"},
	})
}

func TestTickets(t *testing.T) {
	ticket := func(rows, source string) string {
		return `{"ref":"` + ref + `","rows":` + rows + `,"sourceField":` + source + `}`
	}
	datasets := func(ticket string) string { return `{"datasets":{"rows":` + ticket + `}}` }
	check(t, []route{
		{"counted", datasets(ticket("2", `"rows"`)), rowsAt, "non-empty, 2 rows at datasets.rows.rows by app, asked at rows"},
		{"counted none", datasets(ticket("0", `"rows"`)), rowsAt, "undeclared-empty, 0 rows at datasets.rows.rows by app, asked at rows"},
		{"without a field of its own", `{"datasets":{"rows":{"ref":"` + ref + `","rows":3}}}`, rowsAt, "non-empty, 3 rows at datasets.rows.rows by app, asked at rows"},
		{"from another field", datasets(ticket("2", `"more"`)), rowsAt, "unknown, asked at rows, no-list"},
		{"from null", datasets(ticket("2", `null`)), rowsAt, "unknown, asked at rows, no-list"},
		{"principal", `{"dataset":` + ticket("2", `"rows"`) + `}`, rowsAt, "non-empty, 2 rows at dataset.rows by app, asked at rows"},
		{"principal of no field", `{"dataset":{"ref":"` + ref + `","rows":5}}`, rowsAt, "unknown, asked at rows, no-list"},
		{"principal when the other is none", `{"datasets":{"rows":{"ref":"x"}},"dataset":` + ticket("9", `"rows"`) + `}`, rowsAt, "non-empty, 9 rows at dataset.rows by app, asked at rows"},
		{"beside rows", `{"rows":[1],"dataset":` + ticket("9", `"rows"`) + `}`, rowsAt, "non-empty, 1 rows at rows by app, asked at rows"},
		{"beside null", `{"rows":null,"dataset":` + ticket("9", `"rows"`) + `}`, rowsAt, "unknown, asked at rows, no-list"},
		{"for a key nobody declared", datasets(ticket("2", `"rows"`)), Context{}, "unknown, shape undeclared"},
		{"a fraction", datasets(ticket("2.5", `"rows"`)), rowsAt, "unknown, asked at rows, uncounted-ticket"},
		{"less than none", datasets(ticket("-1", `"rows"`)), rowsAt, "unknown, asked at rows, uncounted-ticket"},
		{"more than a double holds apart", datasets(ticket("9007199254740992", `"rows"`)), rowsAt, "unknown, asked at rows, uncounted-ticket"},
		{"as many as a double holds apart", datasets(ticket("9007199254740991", `"rows"`)), rowsAt, "non-empty, 9007199254740991 rows at datasets.rows.rows by app, asked at rows"},
		{"text", datasets(ticket(`"2"`, `"rows"`)), rowsAt, "unknown, asked at rows, uncounted-ticket"},
		{"placed whole", `{"placed":true,"ref":"x","reason":"long","rows":[1]}`, rowsAt, "unknown, uncounted-ticket"},
		{"placed, said otherwise", `{"placed":1,"ref":"x","reason":"long"}`, Context{}, "unknown, shape undeclared"},
		{"placed for no reason", `{"placed":true,"ref":"x"}`, Context{}, "unknown, shape undeclared"},
	})
	for text, want := range map[string]bool{
		ref: true, ref + "\n": false, ref[:len(ref)-1]: false, ref + "0": false, "ART" + ref[3:]: false,
		" " + ref: false, ref[:len(ref)-1] + "-": false, ref[:len(ref)-1] + "é": false, "": false,
	} {
		if IsArtifactRef(text) != want {
			t.Errorf("%q: ref %t", text, !want)
		}
	}
}

func TestBoundaries(t *testing.T) {
	check(t, []route{
		{"rows", boundary(`[1]`), Context{}, "non-empty, 1 rows at result by library, bounded"},
		{"no rows is declared", boundary(`[]`), Context{}, "declared-absent, 0 rows at result by library, bounded"},
		{"rows at a key", boundary(`{"rows":[]}`), rowsAt, "declared-absent, 0 rows at result.rows by app, asked at rows, bounded"},
		{"an object", boundary(`{"a":1}`), Context{}, "unknown, shape undeclared, bounded"},
		{"null", boundary(`null`), Context{}, "unknown, bounded"},
		{"text inside is not parsed", boundary(`"[]"`), Context{}, "unknown, bounded"},
		{"an absence", boundary(absence), Context{}, "declared-absent, bounded"},
		{"an absence deeper", boundary(boundary(absence)), Context{}, "unknown, shape undeclared, bounded"},
		{"eight deep", nested(8, `[]`), Context{}, "declared-absent, 0 rows at " + strings.Repeat("result.", 7) + "result by library, bounded"},
		{"nine deep", nested(9, `[]`), Context{}, "unknown, bounded"},
		{"nine deep with rows", nested(9, `[1]`), Context{}, "unknown, bounded"},
		{"no result", `{"af_coverage":{}}`, Context{}, "unknown, shape undeclared"},
		{"a list is no boundary", `{"af_coverage":[],"result":[]}`, Context{}, "unknown, shape undeclared"},
		{"an empty boundary is one", `{"af_coverage":{},"result":[]}`, Context{}, "declared-absent, 0 rows at result by library, bounded"},
	})
}

func TestDoor(t *testing.T) {
	none, absent := &Door{}, &Door{Absent: true}
	bounded, both := &Door{Bounded: true}, &Door{Absent: true, Bounded: true}
	described := func(json string) Context { return Context{Door: &Door{Described: event.JSON(json)}} }
	check(t, []route{
		{"absent over rows", `[1]`, Context{Door: absent}, "declared-absent"},
		{"both", `[1]`, Context{Door: both}, "declared-absent, bounded"},
		{"a marker it does not vouch for", boundary(`[]`), Context{Door: none}, "unknown, shape undeclared"},
		{"an absence it does not vouch for", absence, Context{Door: none}, "unknown, shape undeclared"},
		{"an absence it calls a boundary", absence, Context{Door: bounded}, "unknown, shape undeclared"},
		{"a boundary it vouches for", boundary(`[]`), Context{Door: bounded}, "declared-absent, 0 rows at result by library, bounded"},
		{"a boundary that is not there", `[]`, Context{Door: bounded}, "undeclared-empty, 0 rows at  by library"},
		{"no door, the value decides", absence, Context{}, "declared-absent"},
		{"no door, in text", `"` + strings.ReplaceAll(absence, `"`, `\"`) + `"`, Context{}, "declared-absent"},
		{"no door, an escaped marker", `{"\u0061f_absent":true,"checked":[1]}`, Context{}, "declared-absent"},
		{"data", `{}`, described(`{"facts":[1,2],"series":[],"edges":[1]}`), "non-empty, by library, described 2/0/1"},
		{"a question", `{}`, described(`{"clarify":{}}`), "clarify"},
		{"data and a question", `{}`, described(`{"clarify":{},"series":[1]}`), "non-empty, by library, described 0/1/0"},
		{"a question that is none", `{}`, described(`{"clarify":[]}`), "unknown, shape undeclared"},
		{"neither", `[1]`, described(`{"facts":{"0":1}}`), "non-empty, 1 rows at  by library"},
		{"absent before described", `[1]`, Context{Door: &Door{Absent: true, Described: event.JSON(`{"facts":[1]}`)}}, "declared-absent"},
		{"described before the boundary", boundary(`[]`), Context{Door: &Door{Bounded: true, Described: event.JSON(`{"facts":[1]}`)}}, "non-empty, by library, described 1/0/0"},
	})
}

func TestKeptOut(t *testing.T) {
	kept := Context{KeptOut: []string{"[REDACTED]", "REDACTED"}}
	keptRows := kept
	keptRows.RowsAt, keptRows.HasRowsAt = "rows", true
	check(t, []route{
		{"all of it", `"[REDACTED]"`, kept, "unknown, redacted"},
		{"all of it, not quite", `"[REDACTED] "`, kept, "unknown"},
		{"nobody said so", `"[REDACTED]"`, Context{}, "unknown"},
		{"the rows", `{"rows":"REDACTED"}`, keptRows, "unknown, asked at rows, redacted"},
		{"the rows, no key declared", `{"rows":"REDACTED"}`, kept, "unknown, shape undeclared"},
		{"keys", `{"[REDACTED]":"[REDACTED]","total":3}`, keptRows, "unknown, asked at rows, redacted"},
		{"a key and not its value", `{"[REDACTED]":3}`, keptRows, "unknown, asked at rows, no-list"},
		{"a value and not its key", `{"total":"[REDACTED]"}`, keptRows, "unknown, asked at rows, no-list"},
		{"keys before a ticket", `{"REDACTED":"REDACTED","datasets":{"rows":{"ref":"` + ref + `","rows":1}}}`, keptRows, "unknown, asked at rows, redacted"},
		{"keys beside rows", `{"REDACTED":"REDACTED","rows":[1]}`, keptRows, "non-empty, 1 rows at rows by app, asked at rows"},
		{"keys beside null rows", `{"REDACTED":"REDACTED","rows":null}`, keptRows, "unknown, asked at rows, no-list"},
		{"inside a boundary", boundary(`"[REDACTED]"`), kept, "unknown, redacted, bounded"},
	})
}

func TestRowsAtProblem(t *testing.T) {
	for rowsAt, want := range map[string]string{
		"rows": "", "a b": "", "строки": "", "0": "", "": "empty", "a/b": "nested", "a.b": "nested", ".": "nested", "/": "nested",
	} {
		if got := RowsAtProblem(rowsAt); got != want {
			t.Errorf("%q: %q, want %q", rowsAt, got, want)
		}
	}
}

func TestDeclaredByValue(t *testing.T) {
	tests := []struct {
		value string
		want  Declared
		ok    bool
	}{
		{absence, Declared{Absent: true}, true},
		{boundary(`1`), Declared{Bounded: true}, true},
		{boundary(absence), Declared{Absent: true, Bounded: true}, true},
		{boundary(boundary(absence)), Declared{Bounded: true}, true},
		{`{"af_coverage":{"not_checked":[1]},"result":1}`, Declared{Bounded: true, Gap: true}, true},
		{`{"af_coverage":{"not_checked":"x"},"result":1}`, Declared{Bounded: true}, true},
		{`{"af_absent":true,"checked":[1],"cannot_cover":[1]}`, Declared{Absent: true, Gap: true}, true},
		{`{"af_absent":true,"checked":[1],"cannot_cover":[]}`, Declared{Absent: true}, true},
		{`[` + absence + `]`, Declared{}, false},
		{`{"a":1}`, Declared{}, false},
		{`"{\"af_absent\":true"`, Declared{}, false},
	}
	for _, tt := range tests {
		v, err := servedjson.Parse([]byte(tt.value))
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := DeclaredByValue(v); got != tt.want || ok != tt.ok {
			t.Errorf("%s: %+v, %t", tt.value, got, ok)
		}
	}
}

// FuzzReadResult holds that no bytes break the reading, that white space between tokens changes nothing, that a text and
// the value it holds read alike, and that rows and where they were counted go together.
func FuzzReadResult(f *testing.F) {
	for _, seed := range []string{`[1]`, `{"rows":[]}`, absence, boundary(`{"rows":[1]}`), nested(9, `[]`), `"[]"`,
		`{"datasets":{"rows":{"ref":"` + ref + `","rows":0}}}`, `{"content":[],"structuredContent":{"a":1}}`} {
		f.Add(seed, "rows", false)
		f.Add(seed, "", true)
	}
	f.Fuzz(func(t *testing.T, result, rowsAt string, shapes bool) {
		ctx := Context{RowsAt: rowsAt, HasRowsAt: rowsAt != "", KeptOut: []string{"REDACTED"}, Shapes: shapes}
		v, err := servedjson.Parse([]byte(result))
		read := say(ReadResult(event.JSON(result), ctx))
		if err != nil {
			if read != "unknown" {
				t.Fatalf("what is no JSON reads as %s", read)
			}
			return
		}
		if other := say(ReadResult(spaced(v), ctx)); other != read {
			t.Fatalf("spaced: %s, compact: %s", other, read)
		}
		kind := v.Kind()
		if utf8.ValidString(result) && (kind == servedjson.Array || kind == servedjson.Object) {
			text := servedjson.AppendQuoted(nil, []byte(result))
			if other := say(ReadResult(text, ctx)); other != read {
				t.Fatalf("as text: %s, as JSON: %s", other, read)
			}
		}
		if r := Read(v, ctx); (r.Rows == nil) != (r.CountedAt == nil) {
			t.Fatalf("rows %v counted at %v", r.Rows, r.CountedAt)
		}
	})
}

// spaced writes a value with white space around every token.
func spaced(v servedjson.Value) event.JSON {
	var out []byte
	inString := false
	for raw := v.Raw(); len(raw) > 0; raw = raw[1:] {
		c := raw[0]
		switch {
		case inString && c == '\\':
			out = append(out, c)
			raw = raw[1:]
			c = raw[0]
		case c == '"':
			inString = !inString
		case !inString && slices.Contains([]byte("{}[],:"), c):
			out = append(append(out, " \t"...), c)
			c = '\n'
		}
		out = append(out, c)
	}
	return out
}
