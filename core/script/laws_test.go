package script

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// checkBlocks holds what is true of the blocks of every text.
func checkBlocks(t *testing.T, answer string) {
	t.Helper()
	s := scan(answer)
	if most := perByte * (len(answer) + 1); s.cursor.looked > most {
		t.Fatalf("looked at %d bytes, want at most %d", s.cursor.looked, most)
	}
	last := 0
	for _, b := range s.blocks {
		if b.Start < last || b.End <= b.Start || b.End > len(answer) {
			t.Fatalf("block [%d, %d) after %d in a text of %d bytes", b.Start, b.End, last, len(answer))
		}
		if !lineStart(answer, b.Start) || !lineStart(answer, b.End) && b.End != len(answer) {
			t.Fatalf("block [%d, %d) is not whole lines", b.Start, b.End)
		}
		if n := len(b.Content()); n != b.Size() {
			t.Fatalf("a content of %d bytes has size %d", n, b.Size())
		}
		last = b.End
	}
}

func lineStart(s string, i int) bool {
	return i == 0 || s[i-1] == '\n' || s[i-1] == '\r' && (i == len(s) || s[i] != '\n')
}

// checkPrefix holds that more lines change no closed block.
func checkPrefix(t *testing.T, answer string, cut int) {
	t.Helper()
	if !lineStart(answer, cut) || cut < len(answer) && cut > 0 && answer[cut-1] == '\r' {
		return
	}
	whole := Blocks(answer)
	for i, b := range Blocks(answer[:cut]) {
		if b.Closed && (b.Start != whole[i].Start || b.End != whole[i].End || b.Content() != whole[i].Content()) {
			t.Fatalf("block %d of the first %d bytes is another in the whole text", i+1, cut)
		}
	}
}

func FuzzBlocks(f *testing.F) {
	for _, seed := range []string{
		"```\na\n```", "> - ~~~\n>   x\n", "1. ```\n\tb\n", "<div>\n```\n", "\r\n~~~\r", "[a]: b\n===\n2. ```\n", "- \n\n  ```\n  \n",
		"<x y='\n```\n", ">\t```\n>\t\tx\n", "* * *\n```",
	} {
		f.Add(seed, uint16(len(seed)/2))
	}
	f.Fuzz(func(t *testing.T, answer string, cut uint16) {
		checkBlocks(t, answer)
		checkPrefix(t, answer, int(cut)%(len(answer)+1))
	})
}

// prefixes are what a wrapper may put in front of a block's first line, and of its others.
var prefixes = [...][2]string{
	{"> ", "> "}, {"- ", "  "}, {"* ", "  "}, {"+   ", "    "}, {"1. ", "   "}, {"23)  ", "     "}, {" - ", "   "}, {" > ", " > "},
	{"123456789. ", "           "},
}

// wrap shows a program the way an answer does: in a fence longer than any in it, in quotes and list items. Each byte of
// the style opens another of those; its first says what the fence is like.
func wrap(program string, style []byte) string {
	var look byte
	if len(style) > 0 {
		look, style = style[0], style[1:min(len(style), 12)]
	}
	first, others := "", ""
	for _, s := range style {
		p := prefixes[int(s)%len(prefixes)]
		first, others = first+p[0], others+p[1]
	}
	if first == "" || strings.HasSuffix(first, "> ") { // behind a list marker it would be the marker's
		indent := strings.Repeat(" ", int(look>>3&3))
		first, others = first+indent, others+indent
	}
	char := []string{"`", "~"}[look&1]
	fence := strings.Repeat(char, max(3, longestRun(program, char[0])+1)+int(look>>1&3))
	ending := []string{"\n", "\r\n"}[look>>5&1]

	var out strings.Builder
	out.WriteString(first + fence + " info" + ending)
	for program != "" {
		line, after, ended := cutLine(program)
		out.WriteString(others + line)
		if !ended {
			out.WriteString(ending)
		}
		program = after
	}
	out.WriteString(others + fence)
	return out.String()
}

// cutLine cuts a text behind its first line ending; ended is false when it has none.
func cutLine(s string) (line, rest string, ended bool) {
	i := strings.IndexAny(s, "\r\n")
	if i < 0 {
		return s, "", false
	}
	end := lineEnd(s, i)
	return s[:end], s[end:], true
}

func longestRun(s string, c byte) int {
	longest, n := 0, 0
	for i := range len(s) {
		if n++; s[i] != c {
			n = 0
		}
		longest = max(longest, n)
	}
	return longest
}

func FuzzWrapped(f *testing.F) {
	f.Add("ls\n", []byte{0}, uint(0), byte(1))
	f.Add("a\n  \n\tb ```` \r\nc", []byte{0x2b, 0, 1, 4}, uint(2), byte(9))
	f.Add("\n\n", []byte{9, 8, 7, 6, 5}, uint(1), byte('\r'))
	f.Add("x\r", []byte{1, 2}, uint(1), byte('\n'))
	f.Fuzz(func(t *testing.T, program string, style []byte, at uint, to byte) {
		if len(program) > MaxProgramBytes {
			return
		}
		answer := wrap(program, style)
		checkBlocks(t, answer)
		if got := outcomes(Match(answer, one(program))); got != Matched {
			t.Fatalf("%q shown as %q: %s", program, answer, got)
		}
		if program == "" {
			return
		}
		changed := []byte(program)
		if i := at % uint(len(program)); changed[i] != to {
			changed[i] = to
			answer = wrap(string(changed), style)
			if got := outcomes(Match(answer, one(program))); strings.Contains(got, Matched) {
				t.Fatalf("%q shown as %q: %s", program, answer, got)
			}
		}
	})
}

// FuzzMatch holds that a verdict reads back as it was written, and that a match has the program's bytes.
func FuzzMatch(f *testing.F) {
	f.Add("```\nls\n```\n```\nrm\n```\n~~~\nx", "ls\x00rm\n\x00x", uint16(0b100111))
	f.Add("```\r\na\r\nb\r\n```", "a\nb\x00a\nb\n", uint16(3))
	f.Fuzz(func(t *testing.T, answer, programs string, codes uint16) {
		var turn Turn
		for i, p := range strings.Split(programs, "\x00") {
			s := Submission{Call: fmt.Sprint("c", i), Program: p, Label: []string{"", TimedOut}[codes>>4&1]}
			if codes>>(i%4)&1 != 0 {
				s.ExitCode = new(int(codes >> 5))
			}
			turn.Programs = append(turn.Programs, s)
		}
		shown := Match(answer, turn)
		checkShown(t, answer, turn, shown)
		checkReadBack(t, shown.Verdict)
	})
}

func checkShown(t *testing.T, answer string, turn Turn, shown Shown) {
	t.Helper()
	blocks := Blocks(answer)
	if len(shown.Verdict.Blocks) != min(len(blocks), MaxBlocks) || len(shown.Code) != len(blocks) {
		t.Fatalf("%d verdicts on %d blocks", len(shown.Verdict.Blocks), len(blocks))
	}
	cuts := 0
	for i, v := range shown.Verdict.Blocks {
		if v.Status != Matched {
			continue
		}
		program := turn.Programs[v.Dispatch-1].Program
		if content := blocks[i].Content(); program != content && program != withoutLastEnding(content) {
			t.Fatalf("block %d, %q, matches the program %q", i+1, content, program)
		}
		if !slices.Contains(shown.Cuts, shown.Code[i]) {
			t.Fatalf("block %d matches and is not cut out", i+1)
		}
		cuts++
	}
	if cuts != len(shown.Cuts) {
		t.Fatalf("%d matches, %d cuts", cuts, len(shown.Cuts))
	}
}

func checkReadBack(t *testing.T, written event.Scripts) {
	t.Helper()
	b, err := json.Marshal(written)
	if err != nil {
		t.Fatal(err)
	}
	v, err := servedjson.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	read, unread, ok := ReadRecorded(v)
	if !ok || unread != 0 || len(read) != len(written.Blocks) {
		t.Fatalf("%s: %d of %d read back, %d unread", b, len(read), len(written.Blocks), unread)
	}
	for i, r := range read {
		if r.Place != i || !reflect.DeepEqual(r.Verdict, written.Blocks[i]) {
			t.Fatalf("%+v reads back as %+v", written.Blocks[i], r)
		}
	}
	if !reflect.DeepEqual(Copy(written), written) {
		t.Fatalf("the copy of %+v is another", written)
	}
}

// FuzzReadBlock holds that what reads back is what a writer files: written again it reads the same.
func FuzzReadBlock(f *testing.F) {
	f.Add([]byte(`{"index":1,"status":"matched","call":"c","dispatch":2,"label":"failed","exitCode":3,"alsoMatches":1}`))
	f.Add([]byte(`{"index":2,"status":"unmatched","reason":"no-submission-of-this-turn","hint":"line-endings"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := servedjson.Parse(b)
		if err != nil {
			return
		}
		ReadRecorded(v)
		if block, ok := ReadBlock(v); ok {
			checkReadBack(t, event.Scripts{Blocks: []event.ScriptBlock{block}})
		}
	})
}
