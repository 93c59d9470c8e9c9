package report

import (
	"strings"
	"testing"
	"unicode"

	"github.com/plumbline-dev/plumbline/core/event"
)

func TestPageGolden(t *testing.T) {
	page := NewPage("session.jsonl")
	var tally Tally
	near := at(booked, "7504069", "number")
	near.Near = &event.Near{Value: "7504068", Call: "call_1", Turn: 3}
	for _, v := range []event.EvidenceChecked{
		{Common: named("task0", 1), Outcome: event.Unsupported, Candidates: 2, UnsupportedOmitted: 2,
			Reasons: []event.Reason{event.PromptNotCaptured}, Unsupported: []event.UnsupportedValue{at(booked, "7447", "number"), near},
			Results: []event.CallResult{{Call: "call_1", Tool: "find_flights", Emptiness: "undeclared-empty"}}},
		{Common: named("task0", 2), Outcome: event.Grounded, Candidates: 1},
	} {
		page.Verdict(v, booked)
		tally.Verdict(v)
	}
	page.Declared(event.CoverageDeclared{Common: named("task0", 2), Tool: "search", Declared: "ledger", Checked: event.JSON(`[{"what":"orders"}]`)})
	s := tally.Summary()
	s.Input = &Input{Lines: 3, Bad: 1, Format: "claude-code", Notes: []string{"no prompt is recorded"}}
	var b strings.Builder
	if err := page.Write(&b, s); err != nil {
		t.Fatal(err)
	}
	golden(t, "page.html", b.String())
}

// A page needs nothing but itself, and nothing of a record reaches it but as text.
func TestPageKeepsToItself(t *testing.T) {
	const bad = `<script src="http://x/y.js">&"'` + "\x1b[2J\u202e\xff {{.File}} 99177 <img src=x onerror=alert(1)>"
	page := NewPage(bad)
	v := event.EvidenceChecked{Common: event.Common{Agent: bad, Conversation: bad}, Outcome: event.Unsupported, Candidates: 1,
		Unsupported: []event.UnsupportedValue{at(bad, "99177", "number"), {Value: bad, Spans: []event.Span{{-1, 3}, {5, 2}, {0, 9999}}}},
		Results:     []event.CallResult{{Tool: bad, Emptiness: "undeclared-empty"}}, Reasons: []event.Reason{bad}}
	page.Verdict(v, bad)
	page.Declared(event.CoverageDeclared{Common: v.Common, Tool: bad})
	var tally Tally
	tally.Verdict(v)
	s := tally.Summary()
	s.Input = &Input{Format: bad, Notes: []string{bad}}
	var b strings.Builder
	if err := page.Write(&b, s); err != nil {
		t.Fatal(err)
	}
	for _, never := range []string{"<script", "<img", "src=\"", "href", "url(", "@import", "\x1b", "\u202e"} {
		if strings.Contains(b.String(), never) {
			t.Errorf("the page holds %q", never)
		}
	}
	if !strings.Contains(b.String(), "<mark>99177</mark>") {
		t.Error("the value is not marked")
	}
	for _, r := range b.String() {
		if r != '\n' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf)) {
			t.Errorf("%U reached the page", r)
		}
	}
}
