package report

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/plumbline-dev/plumbline/core/event"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file of testdata, or writes it with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("not as in %s, which -update writes anew:\n%s", file, got)
	}
}

const booked = "Your flight is booked.\n\n- Use certificate 7504069: $250\n- Remaining balance: $5 (to be charged to " +
	"your Visa card ending in 7447)\n\nPlease confirm if you would like to proceed with this booking."

func named(conversation string, turn int) event.Common {
	return event.Common{Tenant: "tau", Agent: "airline", Conversation: conversation, Turn: turn, Iteration: 1}
}

// at finds the value in the text, for its span.
func at(text, value, shape string) event.UnsupportedValue {
	start := strings.Index(text, value)
	return event.UnsupportedValue{Value: value, Shape: shape, Spans: []event.Span{{start, start + len(value)}}}
}

// showAll writes one of everything.
func showAll(t *Text) {
	t.Verdict(event.EvidenceChecked{Common: named("task0", 1), Outcome: event.NothingAsserted}, 0, "Hello.")
	t.Verdict(event.EvidenceChecked{Common: named("task0", 2), Outcome: event.Grounded, Candidates: 1}, 0, "")
	t.Verdict(event.EvidenceChecked{Common: named("task0", 3), Outcome: event.Grounded, Candidates: 2}, 1, "")
	t.Verdict(event.EvidenceChecked{Common: named("task0", 4), Outcome: event.Grounded, Candidates: 12, Results: []event.CallResult{
		{Tool: "find_flights", Emptiness: "undeclared-empty", Rows: new(0)}, {Tool: "book", Emptiness: "unknown", Error: true},
		{Tool: "find_flights", Emptiness: "undeclared-empty", Rows: new(0)}, {Tool: "find_orders", Emptiness: "declared-absent"},
		{Tool: "ask", Emptiness: "clarify"}, {Tool: "read", Emptiness: "non-empty", Rows: new(3)},
	}}, 0, "")
	t.Verdict(event.EvidenceChecked{Common: named("task0", 5), Outcome: event.Unsupported, Candidates: 2,
		Unsupported: []event.UnsupportedValue{at(booked, "7504069", "number")}}, 0, booked)
	near := at(booked, "7504069", "number")
	near.Near = &event.Near{Value: "7504068", Call: "call_1", Turn: 3}
	t.Verdict(event.EvidenceChecked{Common: named("task0", 5), Outcome: event.Unsupported, Candidates: 1,
		Unsupported: []event.UnsupportedValue{near}}, 0, booked)
	t.Verdict(event.EvidenceChecked{Common: named("a-conversation-with-a-name-that-is-far-too-long", 12), Outcome: event.Unsupported,
		Candidates: 2, Unsupported: []event.UnsupportedValue{at(booked, "7504069", "number")}}, 0, booked)
	code := at(booked, "7447", "number")
	code.Region = "code"
	code.Near = &event.Near{Value: "7441", Call: "call_oIHazX6yQrB8hUwl4cRilFKj", Turn: 2}
	t.Verdict(event.EvidenceChecked{Common: named("task0", 6), Outcome: event.Unsupported, Candidates: 20, UnsupportedOmitted: 3,
		Reasons: []event.Reason{event.PromptNotCaptured}, Unsupported: []event.UnsupportedValue{
			at(booked, "7504069", "number"), code, {Value: strings.Repeat("long-value-", 6) + "…", Shape: "identifier"}}}, 0, booked)
	t.Verdict(event.EvidenceChecked{Common: named("task0", 7), Outcome: event.CannotTell, Candidates: 2,
		Reasons:     []event.Reason{event.RowsMissing, event.ResultCapped, "another_reason"},
		Unsupported: []event.UnsupportedValue{at(booked, "7504069", "number")}}, 0, booked)
	t.Declared(event.CoverageDeclared{Common: named("task0", 8), Tool: "find_orders", Declared: "absence",
		LookedFor: event.JSON(`"order 48213"`), Checked: event.JSON(`[{"what":"orders"},{"what":"archive 2023"}]`),
		NotChecked: event.JSON(`[{"what":"vault","why":"no access was given"}]`), CannotCover: event.JSON(`"everything else"`)})
	t.Declared(event.CoverageDeclared{Common: named("task0", 9), Tool: "search", Declared: "ledger", Checked: event.JSON(`[]`)})
	t.Letter(17, "invalid_json", "at byte 12")
}

func TestTextGolden(t *testing.T) {
	for name, colour := range map[string]bool{"verdicts.txt": false, "verdicts-colour.txt": true} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			text := NewText(&b, colour)
			showAll(text)
			if err := text.Err(); err != nil {
				t.Fatal(err)
			}
			golden(t, name, b.String())
		})
	}
}

func TestTextFitsItsColumns(t *testing.T) {
	var b strings.Builder
	showAll(NewText(&b, false))
	for line := range strings.Lines(b.String()) {
		if n := columns(strings.TrimSuffix(line, "\n")); n > Width {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestSummaryGolden(t *testing.T) {
	var tally Tally
	count := func(v event.EvidenceChecked) { tally.Verdict(v) }
	value := []event.UnsupportedValue{{Value: "1234"}}
	lost := event.EvidenceChecked{Common: named("a", 1), Outcome: event.CannotTell, Candidates: 1, Unsupported: value}
	lost.Ruleset = "literal-1"
	count(lost)
	lost.Outcome, lost.UnsupportedOmitted = event.Unsupported, 2 // judged again
	lost.Results = []event.CallResult{{Call: "1", Tool: "find", Emptiness: "undeclared-empty"}, {Call: "2", Tool: "a tool with quite a long name, really", Emptiness: "non-empty"}}
	count(lost)
	count(lost)
	fine := event.EvidenceChecked{Common: named("a", 2), Outcome: event.Grounded, Candidates: 1}
	fine.Ruleset, fine.Results = "literal-1", []event.CallResult{{Call: "1", Tool: "find", Emptiness: "unknown", Error: true}}
	count(fine)
	tally.Declared(event.CoverageDeclared{Common: named("a", 2), Call: "1", Declared: "absence"})
	tally.Declared(event.CoverageDeclared{Common: named("a", 2), Call: "1", Declared: "ledger"})
	tally.Dead("bad\x1b[31m")
	tally.Dead("invalid_json")
	if tally.Answers() != 2 || tally.DeadLetters() != 2 {
		t.Errorf("%d answers and %d dead letters, want 2 and 2", tally.Answers(), tally.DeadLetters())
	}
	var b strings.Builder
	text := NewText(&b, false)
	text.Summary(tally.Summary())
	s := tally.Summary()
	s.Input = &Input{Lines: 9, Blank: 2, Bad: 3, Events: 4}
	text.Summary(s)
	if err := s.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "summary.txt", b.String())
}

func TestEmptySummary(t *testing.T) {
	var tally Tally
	var b strings.Builder
	if err := tally.Summary().WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	want := `{"rulesets":[],"answers":0,"asserting":0,"outcomes":{"cannot_tell":0,"grounded":0,"nothing_asserted":0,` +
		`"unsupported":0},"unsupported":0,"tools":[],"absences":0,"boundaries":0,"deadLetters":{}}` + "\n"
	if b.String() != want {
		t.Errorf("got  %swant %s", b.String(), want)
	}
}

func TestNothingOfAPayloadSteersTheTerminal(t *testing.T) {
	const bad = "a\x1b[2J\u009b31m\u202eb\x00\r\nc\xff"
	v := event.EvidenceChecked{Common: event.Common{Agent: bad, Conversation: bad}, Outcome: event.Unsupported, Candidates: 2,
		Unsupported: []event.UnsupportedValue{{Value: bad, Spans: []event.Span{{0, 3}}}, {Value: bad, Spans: []event.Span{{1, 2}}}},
		Results:     []event.CallResult{{Tool: bad, Emptiness: "undeclared-empty"}}, Reasons: []event.Reason{bad}}
	var b strings.Builder
	text := NewText(&b, false)
	text.Verdict(v, 0, bad)
	v.Outcome, v.Unsupported = event.CannotTell, v.Unsupported[:1]
	text.Verdict(v, 0, bad)
	text.Declared(event.CoverageDeclared{Common: v.Common, Tool: bad, Checked: event.JSON(`[{"what":"\u001b[2J","why":"\u0007"}]`)})
	text.Letter(1, bad, bad)
	var tally Tally
	tally.Verdict(v)
	tally.Dead(bad)
	text.Summary(tally.Summary())
	for _, r := range b.String() {
		if r != '\n' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf)) {
			t.Errorf("%U reached the screen", r)
		}
	}
}

func TestQuote(t *testing.T) {
	tests := []struct {
		name, answer string
		span         event.Span
		room         int
		want         string
	}{
		{"whole", "It is 1234 now.", event.Span{6, 10}, 40, "It is [1234] now."},
		{"cut on both sides", "one two three four 1234 five six seven eight", event.Span{19, 23}, 26, "…four [1234] five six…"},
		{"room left over goes right", "1234 five six seven eight nine ten", event.Span{0, 4}, 22, "[1234] five six seven…"},
		{"room left over goes left", "one two three four five 1234", event.Span{24, 28}, 22, "…four five [1234]"},
		{"lines become one", "a\n\n- 1234:\t$5", event.Span{5, 9}, 40, "a - [1234]: $5"},
		{"no space where none was", "(id=1234)", event.Span{4, 8}, 40, "(id=[1234])"},
		{"wide characters", "日本語日本語 1234 日本語日本語", event.Span{19, 23}, 20, "…本語 [1234] 日本…"},
		{"a value longer than the room", strings.Repeat("x", 50), event.Span{0, 50}, 12, "[xxxxxxxxx…]"},
		{"a span beyond the text", "abc", event.Span{1, 9}, 40, ""},
		{"a span the wrong way round", "abc", event.Span{2, 1}, 40, ""},
		{"the text is not at hand", "", event.Span{0, 4}, 40, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := quoteOf(tt.answer, event.UnsupportedValue{Spans: []event.Span{tt.span}}, tt.room)
			got := ""
			if q.mark != "" {
				got = q.before + "[" + q.mark + "]" + q.after
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// FuzzQuote holds that a quote fits its room and is fit for a terminal, whatever the answer and the span.
func FuzzQuote(f *testing.F) {
	f.Add(booked, 42, 49, 40)
	f.Add("日本語 1234 日本語", 10, 14, 12)
	f.Add("\xff\xfe 12\x1b[0m", 1, 5, 30)
	f.Fuzz(func(t *testing.T, answer string, start, end, room int) {
		room = 12 + (room&0xff+0xff)&0xff
		q := quoteOf(answer, event.UnsupportedValue{Spans: []event.Span{{start, end}}}, room)
		all := q.before + q.mark + q.after
		if n := columns(all); n > room-2 {
			t.Errorf("%d columns in %d: %q", n, room-2, all)
		}
		if strings.ContainsFunc(all, func(r rune) bool { return unicode.IsControl(r) || unicode.In(r, unicode.Cf) }) {
			t.Errorf("not fit for a terminal: %q", all)
		}
	})
}

func TestWrap(t *testing.T) {
	tests := []struct {
		line string
		want string
	}{
		{"", ""},
		{"short", "short"},
		{"one two three four five six", "one two three four|five six"},
		{strings.Repeat("x", 45), strings.Repeat("x", 20) + "|" + strings.Repeat("x", 20) + "|xxxxx"},
		{"exactly twenty chars", "exactly twenty chars"},
	}
	for _, tt := range tests {
		if got := strings.Join(wrap(tt.line, 20), "|"); got != tt.want {
			t.Errorf("wrap(%q) = %q, want %q", tt.line, got, tt.want)
		}
	}
}

// brokenWriter fails after some bytes.
type brokenWriter struct{ room int }

var errBroken = errors.New("the pipe is broken")

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.room -= len(p); w.room < 0 {
		return 0, errBroken
	}
	return len(p), nil
}

func TestTextKeepsTheFirstError(t *testing.T) {
	text := NewText(&brokenWriter{room: 100}, false)
	showAll(text)
	if !errors.Is(text.Err(), errBroken) {
		t.Errorf("Err() = %v, want that of the writer", text.Err())
	}
}

func TestColours(t *testing.T) {
	var b strings.Builder
	if Colours(&b) || Terminal(&b) {
		t.Error("a buffer is no terminal")
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if Colours(file) || Terminal(file) {
		t.Error("a file is no terminal")
	}
}
