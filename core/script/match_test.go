package script

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
)

func one(program string) Turn {
	return Turn{Programs: []Submission{{Call: "c1", Program: program}}}
}

// turnOf submits the programs as calls a, b, c and so on.
func turnOf(programs ...string) Turn {
	var turn Turn
	for i, p := range programs {
		turn.Programs = append(turn.Programs, Submission{Call: string(rune('a' + i)), Program: p})
	}
	return turn
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

// The cases are public bug reports, by their ids. sc-quadratic is in TestScanIsLinear too.
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
		{"sc-quadratic", "ls\n", strings.Repeat("`", 200_000) + "\n" + strings.Repeat("~", 200_000), "unclosed"},
	} {
		t.Run(tt.id, func(t *testing.T) {
			if got := outcomes(Match(tt.answer, one(tt.submitted))); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestMatchIsExact(t *testing.T) {
	const miss, hint = NoSubmission, NoSubmission + " " + HintLineEndings
	for _, tt := range []struct{ name, content, program, want string }{
		{"the same", "a\nb\n", "a\nb\n", Matched},
		{"without the last line ending", "a\nb\n", "a\nb", Matched},
		{"without a last CR LF", "a\r\nb\r\n", "a\r\nb", Matched},
		{"without two line endings", "a\n\n", "a", miss},
		{"with one of two", "a\n\n", "a\n", Matched},
		{"a line ending more", "a\n", "a\n\n", miss},
		{"empty", "", "", Matched},
		{"an empty line", "\n", "", Matched},
		{"a space behind", "a \n", "a\n", miss},
		{"a space in front", " a\n", "a\n", miss},
		{"a tab for spaces", "\ta\n", "    a\n", miss},
		{"composed", "\u00e9\n", "e\u0301\n", miss},
		{"case", "LS\n", "ls\n", miss},
		{"a byte order mark", "\ufeffls\n", "ls\n", miss},
		{"a part", "a\nb\n", "a\n", miss},
		{"CR LF", "a\r\nb\r\n", "a\nb\n", hint},
		{"LF", "a\nb\n", "a\r\nb\r\n", hint},
		{"CR", "a\rb\n", "a\nb\n", hint},
		{"only the last CR LF", "a\nb\n", "a\nb\r\n", hint},
		{"CR LF and no last line ending", "a\r\nb\r\n", "a\nb", hint},
		{"CR LF and another byte", "a\r\nb\r\n", "a\nc\n", miss},
		{"LF LF is not CR LF", "a\r\nb\n", "a\n\nb\n", miss},
		{"CR CR is two", "a\r\rb\n", "a\n\nb\n", hint},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := outcomes(Match("```\n"+tt.content+"```\n", one(tt.program))); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestMatchNamesTheLatest(t *testing.T) {
	turn := Turn{EarlierTurnRows: 3, Programs: []Submission{
		{Call: "a", Program: "ls\n", ExitCode: new(2)}, {Call: "b", Program: "pwd\n"}, {Call: "c", Program: "ls\n", ExitCode: new(0)},
	}}
	got := Match("```\nls\n```\n", turn).Verdict
	want := event.Scripts{EarlierTurnRows: 3, Blocks: []event.ScriptBlock{{
		Index: 1, Status: Matched, Call: "c", Dispatch: 3, Label: Succeeded, ExitCode: new(0), AlsoMatches: 1,
	}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got.Blocks[0].ExitCode == turn.Programs[2].ExitCode {
		t.Error("the verdict shares the exit code with the turn")
	}
	for _, tt := range []struct {
		name string
		turn Turn
		call string
		also int
	}{
		{"three of the same", turnOf("ls", "ls", "ls"), "c", 2},
		{"the later has no line ending", turnOf("ls\n", "ls"), "b", 0},
		{"the later has one", turnOf("ls", "ls\n", "pwd"), "b", 0},
		{"counted are those with the same bytes", turnOf("ls\n", "ls", "ls\n"), "c", 1},
	} {
		b := Match("```\nls\n```\n", tt.turn).Verdict.Blocks[0]
		if b.Call != tt.call || b.AlsoMatches != tt.also {
			t.Errorf("%s: call %s and %d others, want %s and %d", tt.name, b.Call, b.AlsoMatches, tt.call, tt.also)
		}
	}
}

func TestMatchBounds(t *testing.T) {
	big := strings.Repeat("x", MaxProgramBytes)
	var many Turn
	for i := range MaxPrograms + 2 {
		many.Programs = append(many.Programs, Submission{Call: fmt.Sprint(i), Program: fmt.Sprint(i)})
	}
	some := Turn{Programs: many.Programs[2:], Dropped: 2}
	block := func(content string) string { return "```\n" + content + "\n```\n" }
	for _, tt := range []struct {
		name, answer string
		turn         Turn
		want         string
	}{
		{"as long as may be", block(big), one(big), Matched},
		{"as long as may be, in a quote", "> ```\n> " + big + "\n> ```", one(big), Matched},
		{"with its last line ending as long", block(big[1:]), one(big[1:] + "\n"), Matched},
		{"a byte longer", block(big + "x"), one(big + "x"), OverSize},
		{"many bytes longer", block(big + big), one(big + big), OverSize},
		{"a program that is longer", block(big), one(big + "\n"), NoSubmission},
		{"over size differs in line endings", block(big + "x"), one(big + "x\r\n"), OverSize},
		{"unclosed", "```\nls\n", one("ls\n"), Unclosed},
		{"unclosed in its quote", "> ```\n> ls\n\n```\nls\n```", one("ls\n"), "unclosed, matched"},
		{"unclosed and over size", "```\n" + big + big, one("ls"), Unclosed},
		{"dropped", block("0"), many, PastTheLimit},
		{"kept", block("2"), many, Matched},
		{"never submitted, though some were dropped", block("no"), some, PastTheLimit},
		{"another line ending, though some were dropped", "```\r\n2\r\n3\r\n```", Turn{Programs: turnOf("2\n3").Programs, Dropped: 1}, PastTheLimit + " " + HintLineEndings},
		{"no program", block("ls"), Turn{EarlierTurnRows: 4}, NoSubmission},
		{"seventeen blocks", strings.Repeat(block("ls"), 17), one("ls\n"), strings.TrimSuffix(strings.Repeat("matched, ", 16), ", ")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := outcomes(Match(tt.answer, tt.turn)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	for _, turn := range []Turn{many, some} {
		if v := Match(block("2"), turn).Verdict; v.Dropped != 2 || v.Blocks[0].Dispatch != 3 || v.Blocks[0].Call != "2" {
			t.Errorf("dropped %d, dispatch %d of call %s", v.Dropped, v.Blocks[0].Dispatch, v.Blocks[0].Call)
		}
	}
}

func TestMatchWithoutBlocks(t *testing.T) {
	shown := Match("no code", turnOf("ls"))
	if shown.Verdict.Blocks == nil || len(shown.Verdict.Blocks)+len(shown.Cuts)+len(shown.Code) != 0 {
		t.Errorf("got %+v", shown)
	}
}

// Matched blocks are cut out as whole lines; misses and blocks past the bound stay in, and all of them are code.
func TestMatchSpans(t *testing.T) {
	answer := "before\n\n4417. ```\n      ls\n      ```\nafter 4417\n```\nrm\n```" + strings.Repeat("\n~~~\nls\n~~~", 16)
	shown := Match(answer, one("ls\n"))
	left, last := "", 0
	for _, cut := range shown.Cuts {
		left += answer[last:cut[0]]
		last = cut[1]
	}
	left += answer[last:]
	if want := "before\n\nafter 4417\n```\nrm\n```\n~~~\nls\n~~~\n~~~\nls\n~~~"; left != want {
		t.Errorf("what is left is %q, want %q", left, want)
	}
	if len(shown.Cuts) != 15 || len(shown.Code) != 18 || shown.Code[0] != shown.Cuts[0] {
		t.Errorf("%d cuts, %d blocks", len(shown.Cuts), len(shown.Code))
	}
}

func TestLabelOf(t *testing.T) {
	for _, tt := range []struct {
		said string
		code *int
		want string
		kept bool
	}{
		{"", nil, Unknown, false},
		{"", new(0), Succeeded, true},
		{"", new(1), Failed, true},
		{"", new(-1), Failed, true},
		{Succeeded, new(0), Succeeded, true},
		{Succeeded, nil, Unknown, false},
		{Succeeded, new(1), Failed, true},
		{Failed, new(0), Succeeded, true},
		{Failed, nil, Unknown, false},
		{TimedOut, nil, TimedOut, false},
		{TimedOut, new(124), TimedOut, false},
		{Refused, nil, Refused, false},
		{Refused, new(126), Refused, false},
		{Unknown, nil, Unknown, false},
		{Unknown, new(0), Succeeded, true},
		{"done", nil, Unknown, false},
	} {
		label, code := LabelOf(tt.said, tt.code)
		if label != tt.want || (code != nil) != tt.kept || code != nil && *code != *tt.code {
			t.Errorf("%q: %s with code %v, want %s", tt.said, label, code, tt.want)
		}
		if !exitCodeFits(label, code) {
			t.Errorf("%q: %s does not carry the code %v", tt.said, label, code)
		}
	}
}
