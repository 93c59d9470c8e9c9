package evidence

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
)

// shown writes candidates as value/shape/token [the text of each span].
func shown(text string, candidates []Candidate) string {
	var all []string
	for _, c := range candidates {
		var spans []string
		for _, s := range c.Spans {
			spans = append(spans, fmt.Sprintf("%d:%s", s[0], text[s[0]:s[1]]))
		}
		all = append(all, fmt.Sprintf("%s/%s/%s %v", c.Value, c.Shape, c.Token, spans))
	}
	return strings.Join(all, "; ")
}

func TestExtract(t *testing.T) {
	for _, tt := range []struct {
		name, text, want string
		figures          bool
		cuts             []event.Span
	}{
		{name: "nothing", text: "all is well", want: ""},
		{name: "in the order of the text", text: "Stor-07 has 4200", want: "stor-07/identifier/ [0:Stor-07]; 4200/number/ [12:4200]"},
		{name: "every occurrence", text: "q1234, (Q1234) and q1234.", want: "q1234/identifier/ [0:q1234 8:Q1234 19:q1234]"},
		{name: "spans are bytes of the stripped piece", text: "é „$4,200.“ \xff #4200", want: "4200/number/ [7:4,200 20:4200]"},
		{name: "the first appearance has the token", text: "1007us and 1007", want: "1007/number/1007us [0:1007us 11:1007]"},
		{name: "the first appearance has none", text: "1007 and 1007us", want: "1007/number/ [0:1007 9:1007us]"},
		{name: "the span of a tail is the stripped token", text: "(1007gb/s)", want: "1007/number/1007gb/s [1:1007gb/s]"},
		{name: "another spelling of one value", text: "1,500.50 1500.5 1500.50gb", want: "1500.5/number/ [0:1,500.50 9:1500.5 16:1500.50gb]"},

		{name: "figures off", text: "61.0% of 9 GB", want: ""},
		{name: "figures", text: "61.0% of 9 GB, not 10", figures: true, want: "61/figure/ [0:61.0]; 9/figure/ [9:9]"},
		{name: "a figure's value counts everywhere", text: "7 of them, 7 GB", figures: true, want: "7/figure/ [0:7 11:7]"},
		{name: "a figure with its unit", text: "9gb/s", figures: true, want: "9/figure/9gb/s [0:9gb/s]"},

		{name: "a cut", text: "q1234\n```\nq1234 z9999\n```\nq1234", cuts: []event.Span{{6, 26}}, want: "q1234/identifier/ [0:q1234 26:q1234]"},
		{name: "cuts at both ends", text: "q1234\nz9999\nk1234", cuts: []event.Span{{0, 6}, {11, 17}}, want: "z9999/identifier/ [6:z9999]"},
		{name: "cuts that touch", text: "q1234\nz9999\nk1234", cuts: []event.Span{{0, 6}, {6, 12}}, want: "k1234/identifier/ [12:k1234]"},
		{name: "all cut", text: "q1234", cuts: []event.Span{{0, 5}}, want: ""},
		{name: "no token reaches over a cut", text: "q12xx34", cuts: []event.Span{{3, 5}}, want: ""},
		{name: "no figure reaches over a cut", text: "61\n%", cuts: []event.Span{{2, 3}}, figures: true, want: ""},
		{name: "a figure that is cut out", text: "7 q\n7 GB\n", cuts: []event.Span{{4, 9}}, figures: true, want: ""},
		{name: "cuts past the end", text: "q1234", cuts: []event.Span{{5, 7}, {9, 12}}, want: "q1234/identifier/ [0:q1234]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newGate(t, GateConfig{Figures: tt.figures})
			if got := shown(tt.text, g.Extract(tt.text, tt.cuts)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestExtractStopsAtTheTokenLimit holds that the limit counts the tokens that survive, over all parts of an answer.
func TestExtractStopsAtTheTokenLimit(t *testing.T) {
	g := newGate(t, GateConfig{})
	filler := strings.Repeat("... a ", maxAnswerTokens-1) // each piece of points strips to nothing
	if got := len(g.Extract(filler+"q1234 z9999 q1234", nil)); got != 1 {
		t.Errorf("%d candidates, want the one of the last token that is read", got)
	}
	got := g.Extract(filler+"\nq1234 z9999", []event.Span{{len(filler), len(filler) + 1}})
	if len(got) != 1 || got[0].Value != "q1234" {
		t.Errorf("after a cut: %v", got)
	}
	got = g.Extract("q1234 "+strings.Repeat("a ", maxAnswerTokens-2)+"q1234 q1234", nil)
	if len(got) != 1 || len(got[0].Spans) != 2 {
		t.Errorf("occurrences past the limit: %v", got)
	}
}

func TestCandidateForms(t *testing.T) {
	for _, tt := range []struct {
		c    Candidate
		want string
	}{
		{Candidate{Value: "q1234"}, "q1234"},
		{Candidate{Value: "0xef0101"}, "0xef0101 ef0101"},
		{Candidate{Value: "1007", Token: "1007us"}, "1007 1007us"},
		{Candidate{Value: "q1234", Token: "q1234"}, "q1234"},
	} {
		if got := strings.Join(tt.c.Forms(), " "); got != tt.want {
			t.Errorf("forms of %v: %q, want %q", tt.c, got, tt.want)
		}
	}
}

// TestExtractAllocatesPerCandidateOnly holds that tokens that are no data cost no allocation, whatever they look like.
func TestExtractAllocatesPerCandidateOnly(t *testing.T) {
	config := GateConfig{
		Shapes: []Shape{{"port", `fc\d+`}}, Exempt: []string{"q1234"}, ExemptPatterns: []string{`srv-\d+`},
	}
	if raceDetector {
		t.Log("patterns are left out: under the race detector regexp allocates at random")
		config.Shapes, config.ExemptPatterns, config.Exempt = nil, nil, []string{"q1234", "srv-12"}
	}
	g := newGate(t, config)
	const words = "Nothing of q1234, SRV-12, 420us, +42gb/s, 3/4, 007 or 1.50 is data; 2024,2025 neither.\n"
	allocs := func(n int) float64 {
		text := strings.Repeat(words, n)
		if got := g.Extract(text, nil); len(got) != 0 {
			t.Fatalf("candidates: %v", got)
		}
		return testing.AllocsPerRun(10, func() { g.Extract(text, nil) })
	}
	if few, many := allocs(1), allocs(200); many > few {
		t.Errorf("%v allocations for one sentence, %v for 200", few, many)
	}
}
