package script

import (
	"bufio"
	"encoding/json"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// example is a Markdown text with the fenced code blocks that reference implementations find in it.
type example struct {
	Example  int         `json:"example"`
	Markdown string      `json:"markdown"`
	HTML     string      `json:"html"`
	Blocks   []reference `json:"blocks"`
}

type reference struct {
	Info    string `json:"info"`
	Content string `json:"content"`
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

// plain writes an info string and a content the way a reference does: every line ending as LF. A reference ends each
// text with a line ending of its own, so those at the end of an unclosed block do not count.
func plain(info, content string, closed bool) reference {
	content = lineFeeds.Replace(content)
	if !closed {
		content = strings.TrimRight(content, "\n")
	}
	if strings.ContainsAny(info, `\&`) { // references give what an escape stands for
		info = ""
	}
	return reference{info, content}
}

func checkExample(t *testing.T, e example) {
	t.Helper()
	blocks := Blocks(e.Markdown)
	if len(blocks) != len(e.Blocks) {
		t.Errorf("%q: %d blocks, want %d", e.Markdown, len(blocks), len(e.Blocks))
		return
	}
	for i, b := range blocks {
		got := plain(b.Info, b.Content(), b.Closed)
		want := plain(e.Blocks[i].Info, e.Blocks[i].Content, b.Closed)
		if got.Info == "" {
			want.Info = ""
		}
		if got != want {
			t.Errorf("%q: block %d is %q, want %q", e.Markdown, i+1, got, want)
		}
	}
}

// The generated texts put the pieces of Markdown together at random; see testdata/README.md.
func TestGeneratedMarkdown(t *testing.T) {
	for _, e := range readExamples(t, "generated.jsonl") {
		checkExample(t, e)
	}
}

func TestCommonMarkExamples(t *testing.T) {
	examples := readExamples(t, "commonmark-0.31-fences.jsonl")
	if len(examples) != 40 {
		t.Fatalf("%d examples, want 40", len(examples))
	}
	for _, e := range examples {
		checkExample(t, e)
		checkHTML(t, e)
	}
}

var codeElement = regexp.MustCompile(`(?s)<pre><code(?: class="language-([^"]*)")?>(.*?)</code></pre>`)

// indentedCode is the indented code in the examples: their HTML looks like that of fences.
var indentedCode = map[int]string{134: "```\naaa\n```\n", 278: "baz\n"}

// checkHTML holds our blocks against the example's HTML alone.
func checkHTML(t *testing.T, e example) {
	t.Helper()
	var want []reference
	for _, element := range codeElement.FindAllStringSubmatch(e.HTML, -1) {
		if content := html.UnescapeString(element[2]); content != indentedCode[e.Example] || content == "" {
			want = append(want, reference{html.UnescapeString(element[1]), content})
		}
	}
	var got []reference
	for _, b := range Blocks(e.Markdown) {
		language := html.UnescapeString(strings.ReplaceAll(b.Info, `\+`, "+"))
		language, _, _ = strings.Cut(language, " ")
		got = append(got, reference{language, b.Content()})
	}
	if !slices.Equal(got, want) {
		t.Errorf("example %d, %q: blocks %q, the HTML has %q", e.Example, e.Markdown, got, want)
	}
}

// shape writes the blocks of a text in short: the content quoted, an open end as "…".
func shape(answer string) string {
	var all []string
	for _, b := range Blocks(answer) {
		end := ""
		if !b.Closed {
			end = "…"
		}
		all = append(all, b.Content()+end)
	}
	return strings.Join(all, "|")
}

func TestBlocks(t *testing.T) {
	for _, tt := range []struct{ name, answer, want string }{
		{"nothing", "", ""},
		{"no fence", "a\n\n    ```\n    b\n", ""},
		{"three of each", "```\na\n```\n~~~\nb\n~~~\n", "a\n|b\n"},
		{"the other does not close", "```\na\n~~~\n", "a\n~~~\n…"},
		{"a shorter does not close", "````\n```\n````", "```\n"},
		{"a longer closes", "```\na\n``````\n", "a\n"},
		{"a closing fence has no info", "```\na\n``` x\n```", "a\n``` x\n"},
		{"spaces behind a closing fence", "```\na\n``` \t \nb", "a\n"},
		{"a closing fence behind four spaces", "```\na\n    ```\n", "a\n    ```\n…"},
		{"a closing fence behind three", "```\na\n   ```\n", "a\n"},
		{"empty", "```\n```", ""},
		{"an empty line", "```\n\n```", "\n"},
		{"unclosed", "```\na", "a…"},
		{"nothing behind", "a\n```", "…"},
		{"a backtick in the info", "``` a`b\nc\n```", "…"},
		{"a backtick behind tildes", "~~~ a`b ~~~\nc\n~~~", "c\n"},
		{"in a line", "Use ```ls``` here\n", ""},
		{"a code span over lines", "a ```\nb ``` c\n", ""},
		{"ends a paragraph", "a\n```\nb\n```\nc", "b\n"},
		{"two backticks", "``\na\n``\n", ""},
		{"indentation as deep as the fence's", "  ```\na\n  b\n   c\n  ```", "a\nb\n c\n"},
		{"CRLF", "```\r\na\r\nb\r\n```\r\n", "a\r\nb\r\n"},
		{"CR", "```\ra\rb\r```\r", "a\rb\r"},
		{"mixed", "```\ra\r\nb\n\r```", "a\r\nb\n\r"},
		{"CR LF that the indentation parts", " ```\na\r \nb\n ```", "a\r\nb\n"},
		{"other spaces are text", "```\na\u2028b\u0085c\vd\fe\n\u00a0```\n```", "a\u2028b\u0085c\vd\fe\n\u00a0```\n"},
		{"NUL and broken UTF-8 stay", "```\n\x00\xff\n```", "\x00\xff\n"},

		{"a quote", "> ```\n> a\n>  b\n>\n> ```", "a\n b\n\n"},
		{"a quote ends", "> ```\n> a\nb\n", "a\n…"},
		{"no lazy line", "> ```\na\n> ```\n", "…|…"},
		{"a lazy paragraph", "> a\nb\n```\nc\n```\n", "c\n"},
		{"a fence is no lazy line", "> a\n```\nc\n```\n", "c\n"},
		{"a blank line ends a quote's paragraph", "> a\n\n<x-y>\n```\n", ""},
		{"quotes in quotes", ">> ```\n> > a\n>> ```\n", "a\n"},
		{"a quote of less depth", ">> ```\n> a\n", "…"},
		{"a quote's tab", ">\t```\n>\t a\n>\t```\n", " a\n"},
		{"a tab that a quote takes in part", ">\t\ta\n>\n> ```\n>\ta\n> ```", "  a\n"},
		{"a fence behind part of a tab", ">\t```\n>\t- a\n> ```\n", "- a\n"},
		{"a bullet", "- ```\n  a\n    b\n\n  c\n  ```\n", "a\n  b\n\nc\n"},
		{"a bullet ends", "- ```\n  a\n b\n", "a\n…"},
		{"white space beyond the item's", "- ```\n  a\n    \n \n  ```", "a\n  \n\n"},
		{"a wide bullet", "-   ```\n    a\n    ```\n", "a\n"},
		{"five spaces are indented code", "-     ```\n  ```\n  a\n  ```\n", "a\n"},
		{"a number", "10) ```\n    a\n    ```\n", "a\n"},
		{"ten digits", "1234567890. ```\n", ""},
		{"below a number", "1. Run:\n\n   ```sh\n   a\n   ```\n", "a\n"},
		{"below a number, too far left", "1. Run:\n\n  ```sh\n   a\n  ```\n", " a\n"},
		{"list, quote, list", "1. > - ```\n   >   a\n   >   ```\n", "a\n"},
		{"an item that begins empty", "-\n  ```\n  a\n  ```\n", "a\n"},
		{"an item that stays empty", "-\n\n  ```\n  a\n  ```\n", "a\n"},
		{"an item of white space stays empty", "-\n   \n  ```\n  a\n  ```\nb", "a\n"},
		{"an item in a paragraph", "a\n- ```\n  b\n  ```\n", "b\n"},
		{"a 2 in a paragraph", "a\n2. ```\n   b\n   ```\n", "…"},
		{"a 2 below a lazy paragraph", "> a\n2. ```\n   b\n   ```\n", "b\n"},
		{"a thematic break is no list", "- - -\n  ```\n  a\n  ```", "a\n"},
		{"a tab in an item", "-\t```\n\ta\n\t  b\n\t```\n", "a\n  b\n"},
		{"a tab that the content takes in part", "- ```\n\ta\n  ```\n", "  a\n"},

		{"an HTML block hides it", "<div>\n```\na\n```\n</div>\n", ""},
		{"until a blank line", "<div>\n\n```\na\n```\n", "a\n"},
		{"a comment hides it", "<!--\n\n```\na\n```\n\n-->\n```\nb\n```\n", "b\n"},
		{"a comment on one line", "<!-- x -->\n```\nb\n```\n", "b\n"},
		{"pre hides it", "<pre>\n\n```\n\n</PRE>\n```\nb\n```\n", "b\n"},
		{"a whole tag hides it", "<x-y a='1' b>\n```\na\n```\n", ""},
		{"a whole tag ends no paragraph", "a\n<x-y>\n```\nb\n```\n", "b\n"},
		{"half a tag is text", "<x-y a=>\n```\nb\n```\n", "b\n"},
		{"pre that closes itself is text", "<pre/>\n```\nb\n```\n", "b\n"},
		{"a declaration", "<!X\n```\n>\n```\nb\n```\n", "b\n"},
		{"CDATA", "<![CDATA[\n```\n]]>\n```\nb\n```\n", "b\n"},
		{"an instruction", "<?php\n```\n?>\n```\nb\n```\n", "b\n"},
		{"HTML ends with its quote", "> <div>\n```\nb\n```\n", "b\n"},
		{"HTML in the block is content", "```\n<!--\n```\na\n", "<!--\n"},

		{"a definition's title is no shelter", "[a]: /b '\n```\nc\n```\n'\n", "c\n"},
		{"underlined definitions", "[a]: /b\n===\n2. ```\n   c\n   ```\n", "…"},
		{"underlined text", "[a]: /b\nc\n===\n2. ```\n   d\n   ```\n", "d\n"},
		{"a definition over three lines", "[a\nb]:\n<c d>\n'e'\n===\n2. ```\n", ""},
		{"no destination", "[a]:\n===\n2. ```\n   b\n   ```\n", "b\n"},
		{"definitions underlined twice", "[a]: /b\n===\n===\n2. ```\n   c\n   ```\n", "c\n"},
		{"a heading", "a\n---\n2. ```\n   b\n   ```\n", "b\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := shape(tt.answer); got != tt.want {
				t.Errorf("%q: %q, want %q", tt.answer, got, tt.want)
			}
		})
	}
}

func TestDefinitions(t *testing.T) {
	long := strings.Repeat("a", maxLabel)
	for _, tt := range []struct {
		text string
		want int // width of the definition, 0 for none
	}{
		{"[a]: b", 6},
		{"[a]: b  \nc", 9},
		{"[a]:\n b\n", 8},
		{"[a]:\n\nb", 0},
		{"[a]: b 'c'\nd", 11},
		{"[a]: b\n'c'\nd", 11},
		{"[a]: b\n'c' d", 7},
		{"[a]: b 'c' d", 0},
		{"[a]: b\"c\"", 9},
		{"[a]: <b>'c'", 0},
		{"[a]: b (c\nd)", 12},
		{"[a]: b (c(d)", 0},
		{"[a]: b 'c\\' d'", 14},
		{"[a]: <>", 7},
		{"[a]: <b\nc>", 0},
		{"[a]: <b<c>", 0},
		{"[a]: b(c(d))", 12},
		{"[a]: b(c", 0},
		{"[a]: b)", 0},
		{"[a]: b\\(", 8},
		{"[a]: \x01", 0},
		{"[a]:", 0},
		{"[a] : b", 0},
		{"[]: b", 0},
		{"[ \n]: b", 0},
		{"[a[]: b", 0},
		{"[a\\]]: b", 8},
		{"[a", 0},
		{"[" + long + "]: b", maxLabel + 5},
		{"[" + long + "a]: b", 0},
		{"a", 0},
	} {
		if got := consumeDefinition(tt.text); got != tt.want {
			t.Errorf("%.40q: width %d, want %d", tt.text, got, tt.want)
		}
	}
}

func TestBlockInfoAndSpan(t *testing.T) {
	const answer = "one\n\n> 1. ~~~~ \tc++ title=\"a ` b\" \t\r\n>    x\r\n>    ~~~~~\r\nafter\n  ```\nopen"
	blocks := Blocks(answer)
	if len(blocks) != 2 {
		t.Fatalf("%d blocks, want 2", len(blocks))
	}
	if got, want := blocks[0].Info, "c++ title=\"a ` b\""; got != want {
		t.Errorf("info %q, want %q", got, want)
	}
	for i, want := range []string{"> 1. ~~~~ \tc++ title=\"a ` b\" \t\r\n>    x\r\n>    ~~~~~\r\n", "  ```\nopen"} {
		if got := answer[blocks[i].Start:blocks[i].End]; got != want {
			t.Errorf("block %d is %q, want %q", i+1, got, want)
		}
	}
}

// A block's content is part of the answer when nothing stands in front of its lines.
func TestContentIsNotCopied(t *testing.T) {
	b := Blocks("1.\n```\n" + strings.Repeat("some line\r\n", 1000) + "```\n")[0]
	if n := testing.AllocsPerRun(10, func() { _ = b.Content() }); n != 0 || b.Size() != 11_000 {
		t.Errorf("%v allocations for a content of %d bytes", n, b.Size())
	}
}

func TestContainersAreBounded(t *testing.T) {
	inside := func(depth int) string { return strings.Repeat(">", depth) + "```\n" }
	if n := len(Blocks(inside(maxContainers))); n != 1 {
		t.Errorf("%d blocks inside as many quotes as may be", n)
	}
	if n := len(Blocks(inside(maxContainers + 1))); n != 0 {
		t.Errorf("%d blocks inside one quote more", n)
	}
}
