package script

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// perByte bounds what a scan looks at for a byte of the answer: each open container, and the byte itself a few times.
const perByte = maxContainers + 16

// hostile are texts of about n bytes that cost their length squared where a scan goes back over what it saw.
var hostile = map[string]func(n int) string{
	"sc-quadratic":             func(n int) string { return strings.Repeat("`", n/2) + "\n" + strings.Repeat("~", n/2) },
	"fences that open":         func(n int) string { return strings.Repeat("```\n", n/4) },
	"fences and no fences":     func(n int) string { return strings.Repeat("``` `\n", n/6) },
	"quotes":                   func(n int) string { return strings.Repeat(">", n/2) + strings.Repeat("\n>", n/4) },
	"quotes in every line":     func(n int) string { return strings.Repeat(strings.Repeat("> ", 100)+"a\n", n/202) },
	"lists":                    func(n int) string { return strings.Repeat("- ", n/2) + "a" },
	"lists and blank lines":    func(n int) string { return strings.Repeat("- ", n/4) + "a" + strings.Repeat("\n", n/2) },
	"lists and spaces":         func(n int) string { return strings.Repeat("1. ", n/6) + "a\n" + strings.Repeat(" ", n/2) + "a" },
	"lists and tabs":           func(n int) string { return strings.Repeat("-\t", n/4) + "a\n" + strings.Repeat("\t", n/2) + "a" },
	"almost thematic breaks":   func(n int) string { return strings.Repeat("* ", n/2) + "a" },
	"lists in a fence's lines": func(n int) string { return "- - - - ```\n" + strings.Repeat("        a\n", n/10) },
	"a tag":                    func(n int) string { return strings.Repeat("<a b='", n/6) },
	"attributes":               func(n int) string { return "<a" + strings.Repeat(" b=c", n/4) },
	"a comment":                func(n int) string { return "<!--" + strings.Repeat("--\n", n/3) },
	"raw HTML":                 func(n int) string { return "<pre>" + strings.Repeat("</pre\n</", n/8) },
	"definitions":              func(n int) string { return strings.Repeat("[a]: b\n", n/7) + "===\n" },
	"underlined definitions":   func(n int) string { return strings.Repeat("[a]: b\n===\n", n/11) },
	"brackets":                 func(n int) string { return strings.Repeat("[", n-4) + "\n===" },
	"one label":                func(n int) string { return "[" + strings.Repeat("a\n", n/2) + "===" },
	"one line":                 func(n int) string { return strings.Repeat("a", n) },
	"content that moves":       func(n int) string { return "- ```\n" + strings.Repeat("   a\n", n/5) },
}

// manyBlankLines are the texts whose every byte is a line that all open list items are asked about.
var manyBlankLines = map[string]bool{"lists and blank lines": true}

// No time is measured: the scan counts what it looks at. Twice the text may cost little more than twice as much, and no
// text more than 8 for a byte, or perByte where there are many blank lines.
func TestScanIsLinear(t *testing.T) {
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			once, twice := scan(text(200_000)), scan(text(400_000))
			if once.cursor.looked*5/2 < twice.cursor.looked {
				t.Errorf("looked at %d, for twice the text at %d", once.cursor.looked, twice.cursor.looked)
			}
			most := 8 * len(once.answer)
			if manyBlankLines[name] {
				most = perByte * len(once.answer)
			}
			if once.cursor.looked > most {
				t.Errorf("looked at %d of a text of %d bytes", once.cursor.looked, len(once.answer))
			}
		})
	}
}

func BenchmarkBlocks(b *testing.B) {
	texts := map[string]string{
		"prose":  strings.Repeat("some words about 4417 and what came of it, in a line of prose\n\n", 500),
		"blocks": strings.Repeat("some words about 4417\n\n> - ```sh\n>   make test\n>   ```\n\n", 500),
		"code":   "```\n" + strings.Repeat("a line of a program, plain and long enough\n", 800) + "```\n",
	}
	for name, text := range hostile {
		texts["hostile "+name] = text(100_000)
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		text := texts[name]
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				Blocks(text)
			}
		})
	}
}

func BenchmarkMatch(b *testing.B) {
	program := strings.Repeat("a line of a program, plain and long enough\n", 100)
	var turn Turn
	for i := range MaxPrograms {
		turn.Programs = append(turn.Programs, Submission{Call: "c", Program: program + strings.Repeat("x", i%2)})
	}
	for name, answer := range map[string]string{
		"matched":   strings.Repeat("```\n"+program+"```\n", MaxBlocks),
		"in quotes": strings.Repeat("> ```\n> "+strings.ReplaceAll(strings.TrimSuffix(program, "\n"), "\n", "\n> ")+"\n> ```\n", MaxBlocks),
		"missed":    strings.Repeat("```\n"+program+"y\n```\n", MaxBlocks),
		"CRLF":      strings.Repeat("```\n"+strings.ReplaceAll(program, "\n", "\r\n")+"```\n", MaxBlocks),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(answer)))
			b.ReportAllocs()
			for b.Loop() {
				Match(answer, turn)
			}
		})
	}
}
