package servedjson_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// addSeeds gives a fuzz target the texts of the reference pairs, and some that are hostile.
func addSeeds(f *testing.F) {
	f.Helper()
	for _, text := range append(vectorTexts(f), hostile(64)...) {
		f.Add([]byte(text))
	}
}

// bounded keeps a text short enough for laws that read each of its beginnings.
func bounded(text []byte) []byte { return text[:min(len(text), 1<<11)] }

// vectorTexts are the arguments of the pairs in served_json.jsonl.
func vectorTexts(tb testing.TB) []string {
	tb.Helper()
	file, err := os.Open(filepath.Join("..", "testdata", "vectors", "served_json.jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	var texts []string
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var pair struct{ Args []json.RawMessage }
		if err := json.Unmarshal(lines.Bytes(), &pair); err != nil {
			tb.Fatal(err)
		}
		var text string
		if json.Unmarshal(pair.Args[0], &text) == nil { // what is built is no string
			texts = append(texts, text)
		}
	}
	if err := lines.Err(); err != nil {
		tb.Fatal(err)
	}
	return texts
}

// hostile writes texts of some n bytes that a careless reader would go over again and again, or down and down.
func hostile(n int) []string {
	times := func(s string) string { return strings.Repeat(s, n/len(s)) }
	return []string{
		times("["), times("{"), times(`{"a":`), times("[[]"), times("[1]"), times("{} "), times(`{"a":[`) + times("]}"),
		times(`"`), times(`\`), times(" "), times("1"), times("-"), times(","), times("null"),
		"[" + times(`"`), "[" + times(","), "[" + times("1"), "[" + times("1,"), "[" + times("true "), "[" + times("[]"), "[" + times("null,"),
		`["` + times(" "), `["` + times(`\`), `["` + times(`\u0041`), `["` + times(`\ud800`), `["` + times("x") + `\q`, `["` + times(`\q `),
		`["` + times("\x00 "), `["` + times("\xff"), `["` + times(" \u00a0") + " x", "[" + times(`"\n"`), "{" + times(`"a":{},`),
	}
}

// TestHostileInputEnds reads megabytes of each hostile text. It measures nothing: a reader that is not linear would not
// come to an end.
func TestHostileInputEnds(t *testing.T) {
	for _, text := range hostile(512 << 10) {
		readEverything([]byte(text))
	}
}
