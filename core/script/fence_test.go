package script

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// example is a Markdown text with the fenced code blocks that a reference implementation finds in it.
type example struct {
	Example  int    `json:"example"`
	Section  string `json:"section"`
	Markdown string `json:"markdown"`
	Blocks   []struct {
		Info    string `json:"info"`
		Content string `json:"content"`
	} `json:"blocks"`
}

func readExamples(t *testing.T, name string) []example {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var examples []example
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e example
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		examples = append(examples, e)
	}
	if err := lines.Err(); err != nil || len(examples) == 0 {
		t.Fatalf("%s: %d examples, %v", name, len(examples), err)
	}
	return examples
}

// referenceContent is a content the way the reference writes it: every line ending as LF, one at the end of the last
// line.
func referenceContent(b *Block) string {
	content := lineFeeds.Replace(b.Content())
	if content != "" && !strings.HasSuffix(content, "\n") {
		content += "\n"
	}
	return content
}

func checkExample(t *testing.T, e example) {
	t.Helper()
	blocks := Blocks(e.Markdown)
	if len(blocks) != len(e.Blocks) {
		t.Errorf("%q: %d blocks, want %d", e.Markdown, len(blocks), len(e.Blocks))
		return
	}
	for i := range blocks {
		got, want := referenceContent(&blocks[i]), e.Blocks[i].Content
		if !blocks[i].Closed { // the reference ends a text with a line ending of its own
			got, want = strings.TrimRight(got, "\n"), strings.TrimRight(want, "\n")
		}
		if got != want {
			t.Errorf("%q: block %d holds %q, want %q", e.Markdown, i+1, got, want)
		}
	}
}

func TestCommonMarkExamples(t *testing.T) {
	examples := readExamples(t, "commonmark-0.31-fences.jsonl")
	t.Logf("%d examples of the CommonMark 0.31 specification hold a fence", len(examples))
	for _, e := range examples {
		checkExample(t, e)
	}
}

// The generated texts put the pieces of Markdown together at random; the expected blocks are the reference
// implementation's.
func TestGeneratedMarkdown(t *testing.T) {
	for _, e := range readExamples(t, "generated.jsonl") {
		checkExample(t, e)
	}
}
