package script

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

func one(program string) Turn {
	return Turn{Programs: []Submission{{Call: "c1", Program: program}}}
}

// outcomes writes the verdicts of an answer in short: matched, or the reason of a miss and its hint.
func outcomes(s Shown) string {
	var all []string
	for _, b := range s.Verdict.Blocks {
		word := b.Status
		if b.Status == Unmatched {
			word = strings.TrimSpace(b.Reason + " " + b.Hint)
		}
		all = append(all, word)
	}
	return strings.Join(all, ", ")
}

// The cases are public bug reports, by their ids.
func TestMatchPublicReports(t *testing.T) {
	for _, tt := range []struct{ id, submitted, answer, want string }{
		{"sc-tilde", "echo ```\n", "~~~sh\necho ```\n~~~\n", "matched"},
		{"sc-info-string", "int main(){return 0;}\n", "```c++ title=\"a.cpp\"\nint main(){return 0;}\n```", "matched"},
		{"sc-crlf", "a = 1\nb = 2\n", "```python\r\na = 1\r\nb = 2\r\n```\r\n", "no-submission-of-this-turn line-endings"},
		{"sc-list-indent", "make test\n", "1. Run:\n\n   ```sh\n   make test\n   ```\n", "matched"},
		{"sc-inline", "ls\n", "Use ```ls``` to list.", ""},
		{"sc-eof-newline", "print(1)", "```python\nprint(1)\n```", "matched"},
		{"sc-double-escaped", `def f():\n\treturn 1`, "```python\ndef f():\n\treturn 1\n```", "no-submission-of-this-turn"},
		{"sc-not-run", "SELECT 1", "I executed:\n```sql\nDROP INDEX i1;\n```", "no-submission-of-this-turn"},
	} {
		t.Run(tt.id, func(t *testing.T) {
			if got := outcomes(Match(tt.answer, one(tt.submitted))); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestMatchIsExact(t *testing.T) {
	program := "x = \"a  b\"\n\ty = 1 \n"
	wrapped := func(p string) string { return "> - ~~~~\n" + indent(p, ">   ") + ">   ~~~~\n" }
	if got := outcomes(Match(wrapped(program), one(program))); got != Matched {
		t.Errorf("the program in a list in a quote: %q", got)
	}
	for i := range program {
		changed := []byte(program)
		changed[i] ^= 1
		if got := outcomes(Match(wrapped(string(changed)), one(program))); got == Matched {
			t.Errorf("matches with byte %d changed", i)
		}
	}
}

func indent(s, by string) string {
	var out strings.Builder
	for line := range strings.SplitAfterSeq(s, "\n") {
		if line != "" {
			out.WriteString(by + line)
		}
	}
	return out.String()
}

func TestMatchNamesTheLatest(t *testing.T) {
	zero, two := 0, 2
	turn := Turn{EarlierTurnRows: 3, Programs: []Submission{
		{Call: "a", Program: "ls\n", ExitCode: &two}, {Call: "b", Program: "pwd\n"}, {Call: "c", Program: "ls\n", ExitCode: &zero},
	}}
	got := Match("```\nls\n```\n", turn).Verdict
	want := event.Scripts{EarlierTurnRows: 3, Blocks: []event.ScriptBlock{{
		Index: 1, Status: Matched, Call: "c", Dispatch: 3, Label: Succeeded, ExitCode: &zero, AlsoMatches: 1,
	}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestMatchBounds(t *testing.T) {
	big := strings.Repeat("x", MaxProgramBytes)
	var many Turn
	for i := range MaxPrograms + 2 {
		many.Programs = append(many.Programs, Submission{Call: fmt.Sprint(i), Program: fmt.Sprint(i)})
	}
	for _, tt := range []struct {
		name, answer string
		turn         Turn
		want         string
	}{
		{"as long as may be", "```\n" + big + "\n```", one(big), Matched},
		{"a byte longer", "```\n" + big + "x\n```", one(big + "x"), OverSize},
		{"unclosed", "```\nls\n", one("ls\n"), Unclosed},
		{"dropped", "```\n0\n```", many, PastTheLimit},
		{"kept", "```\n2\n```", many, Matched},
		{"seventeen blocks", strings.Repeat("```\nls\n```\n", 17), one("ls\n"), strings.TrimSuffix(strings.Repeat("matched, ", 16), ", ")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := outcomes(Match(tt.answer, tt.turn)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if v := Match("```\n2\n```", many).Verdict; v.Dropped != 2 || v.Blocks[0].Dispatch != 3 {
		t.Errorf("dropped %d, dispatch %d, want 2 and 3", v.Dropped, v.Blocks[0].Dispatch)
	}
}

// Hostile texts cost no more than their length. No time is asserted: a scan that is quadratic in any of them does not end
// within the test's own limit.
func TestBlocksLinear(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("`", 200_000) + "\n" + strings.Repeat("~", 200_000),
		strings.Repeat(">", 200_000) + strings.Repeat("\n>", 100_000),
		strings.Repeat("- ", 100_000) + strings.Repeat("\n", 200_000),
		strings.Repeat("```\n", 100_000),
		strings.Repeat("<a b='", 60_000),
		strings.Repeat("1. ", 60_000) + "\n" + strings.Repeat(" ", 200_000),
	} {
		began := time.Now()
		Blocks(text)
		t.Logf("%.20q… of %d bytes took %v", text, len(text), time.Since(began))
	}
}

func TestSpansCutWholeBlocks(t *testing.T) {
	answer := "before\n\n- ```\n  ls\n  ```\nafter 4417\n"
	shown := Match(answer, one("ls\n"))
	if len(shown.Cuts) != 1 {
		t.Fatalf("cuts %v", shown.Cuts)
	}
	cut := shown.Cuts[0]
	if got := answer[:cut[0]] + answer[cut[1]:]; got != "before\n\n- after 4417\n" {
		t.Errorf("what is left is %q", got)
	}
}

func TestReadBlock(t *testing.T) {
	for _, tt := range []struct {
		json string
		ok   bool
	}{
		{`{"index":1,"status":"matched","call":"c","dispatch":2,"label":"failed","exitCode":3,"alsoMatches":1}`, true},
		{`{"index":1,"status":"matched","call":"","dispatch":1,"label":"unknown","turn":4}`, true},
		{`{"index":2,"status":"unmatched","reason":"unclosed"}`, true},
		{`{"index":2,"status":"unmatched","reason":"no-submission-of-this-turn","hint":"line-endings"}`, true},
		{`{"index":0,"status":"unmatched","reason":"unclosed"}`, false},
		{`{"index":1.5,"status":"unmatched","reason":"unclosed"}`, false},
		{`{"index":1,"status":"unmatched","reason":"bored"}`, false},
		{`{"index":1,"status":"unmatched","reason":"unclosed","call":"c"}`, false},
		{`{"index":1,"status":"matched","dispatch":1,"label":"unknown"}`, false},
		{`{"index":1,"status":"matched","call":"c","dispatch":0,"label":"unknown"}`, false},
		{`{"index":1,"status":"matched","call":"c","dispatch":1,"label":"succeeded"}`, false},
		{`{"index":1,"status":"matched","call":"c","dispatch":1,"label":"succeeded","exitCode":1}`, false},
		{`{"index":1,"status":"matched","call":"c","dispatch":1,"label":"timed-out","exitCode":1}`, false},
		{`{"index":1,"status":"matched","call":"c","dispatch":1,"label":"done"}`, false},
		{`[]`, false},
		{`null`, false},
	} {
		if _, ok := ReadBlock(parse(t, tt.json)); ok != tt.ok {
			t.Errorf("%s: readable %v, want %v", tt.json, ok, tt.ok)
		}
	}
}

func TestReadRecorded(t *testing.T) {
	good, bad := `{"index":1,"status":"unmatched","reason":"unclosed"}`, `{}`
	blocks, unread, ok := ReadRecorded(parse(t, `{"blocks":[`+bad+","+good+strings.Repeat(","+good, 20)+`]}`))
	if !ok || len(blocks) != 15 || unread != 1+6 || blocks[0].Place != 1 {
		t.Errorf("%d blocks, %d unread, %v", len(blocks), unread, ok)
	}
	if _, unread, ok := ReadRecorded(parse(t, `{"blocks":{}}`)); !ok || unread != 1 {
		t.Errorf("what is no list: %d unread, %v", unread, ok)
	}
	if _, _, ok := ReadRecorded(servedjson.Value{}); ok {
		t.Error("no value reads as scripts")
	}
}

func parse(t *testing.T, json string) servedjson.Value {
	t.Helper()
	v, err := servedjson.Parse([]byte(json))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestCopySharesNothing(t *testing.T) {
	code := 1
	original := event.Scripts{Blocks: []event.ScriptBlock{{ExitCode: &code}}}
	copied := Copy(original)
	*copied.Blocks[0].ExitCode = 2
	copied.Blocks[0].Call = "x"
	if code != 1 || original.Blocks[0].Call != "" {
		t.Error("the copy shares data with the original")
	}
}

func FuzzBlocks(f *testing.F) {
	for _, seed := range []string{"```\na\n```", "> - ~~~\n>   x\n", "1. ```\n\tb\n", "<div>\n```\n", "\r\n~~~\r"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		last := 0
		for _, b := range Blocks(answer) {
			if b.Start < last || b.End < b.Start || b.End > len(answer) {
				t.Fatalf("block [%d, %d) after %d in a text of %d bytes", b.Start, b.End, last, len(answer))
			}
			last = b.End
			if b.Closed && len(b.Content()) <= MaxProgramBytes && outcomes(Match(answer, one(b.Content())))+"x" == "x" {
				t.Fatal("a block that has no verdict")
			}
		}
	})
}

func BenchmarkMatch(b *testing.B) {
	answer := strings.Repeat("some words about 4417\n\n> - ```sh\n>   make test\n>   ```\n\n", 40)
	b.SetBytes(int64(len(answer)))
	for b.Loop() {
		Match(answer, one("make test\n"))
	}
}
