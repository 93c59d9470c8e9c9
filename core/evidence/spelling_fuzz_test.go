package evidence

import (
	"reflect"
	"slices"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// spellings are what the fuzz targets begin with.
var spellings = []string{
	"", " ", "($4,200.50)", "( 4200 )", "-0", "0.0000001", "-0.000000123", "007", "1234567890123456", "000000000000.001",
	"+1,234", "1,23", "1,,2", "2024,2025", "ΑΣ. ΣΑΣ\u0301x İ \u212A", "\xff1\xe2\x82", "\uFEFF1\u0085", "0xBEEF 0xef0101",
	"1007us 12-ab/cd 1007 3/4 fc1/34", "61.0% of 1,526.3 TB, 5 MB/s and 5mb/sec", "8 am, 8:40 p.m., 20:05, 24:00, 13 pm",
	"2031-04-05T06:07:08Z -2031-04-05 2031-13-01", "a.b:c_d-e/f%g+h@i#j$k", "**Stor-07**, \"id\":4417, id:4417",
}

// FuzzNormalize holds that a value is spelled like its plain twin does, and once and for all: spelling a spelling changes
// nothing unless the stripping laid bare white space at an end, which a second trim would take.
func FuzzNormalize(f *testing.F) {
	for _, s := range spellings {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := NormalizeToken(s)
		if want := twinNormalize(s); got != want {
			t.Fatalf("NormalizeToken(%q) = %q, its twin %q", s, got, want)
		}
		if !utf8.ValidString(got) {
			t.Fatalf("NormalizeToken(%q) = %q is not valid UTF-8", s, got)
		}
		if bare := string(servedjson.TrimJS([]byte(got))); bare == got && NormalizeToken(got) != got {
			t.Fatalf("%q is spelled %q, which is spelled %q", s, got, NormalizeToken(got))
		}
	})
}

// FuzzTokenize holds that the tokens of two texts with a space between are those of the one, then those of the other, and
// that a token is the spelling of the bytes that it is said to stand at.
func FuzzTokenize(f *testing.F) {
	for i, s := range spellings {
		f.Add(s, spellings[len(spellings)-1-i])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		tokens := Tokenize(a)
		if want := twinTokenize(a); !slices.Equal(tokens, want) {
			t.Fatalf("Tokenize(%q) = %q, its twin %q", a, tokens, want)
		}
		if got, want := Tokenize(a+" "+b), append(tokens, Tokenize(b)...); !slices.Equal(got, want) {
			t.Fatalf("%q and %q: together %q, apart %q", a, b, got, want)
		}
		end := 0
		z := NewTokenizer([]byte(a))
		for token, low, high, ok := z.Next(); ok; token, low, high, ok = z.Next() {
			if low < end || high <= low || NormalizeToken(a[low:high]) != string(token) {
				t.Fatalf("%q: token %q at [%d, %d)", a, token, low, high)
			}
			end = high
		}
	})
}

// FuzzExtract holds that candidates are the twin's, distinct, and that each span is spelled as a token that asserts the
// value; and that a cut reads like the two parts around it.
func FuzzExtract(f *testing.F) {
	for i, s := range spellings {
		f.Add(s, i, i+3)
	}
	f.Fuzz(func(t *testing.T, s string, from, to int) {
		for _, figures := range []bool{false, true} {
			g := newGate(t, GateConfig{Figures: figures})
			got := g.Extract(s, nil)
			set := map[string]bool{}
			if figures {
				for _, number := range FigureNumbers(s) {
					set[number] = true
				}
			}
			checkCandidates(t, g, s, got, set)
			checkTwin(t, s, got, set)
			checkCut(t, g, s, from, to)
		}
	})
}

// checkCandidates holds what is so of every list of candidates of a text.
func checkCandidates(t *testing.T, g *Gate, text string, got []Candidate, figures map[string]bool) {
	t.Helper()
	seen := map[string]bool{}
	first := -1
	for _, c := range got {
		if seen[c.Value] || len(c.Spans) == 0 || c.Spans[0][0] <= first {
			t.Fatalf("%q: %v is repeated, stands nowhere or is out of order", text, c)
		}
		seen[c.Value], first = true, c.Spans[0][0]
		for i, span := range c.Spans {
			token := NormalizeToken(text[span[0]:span[1]])
			at, ok := g.Classify(token, figures)
			if !ok || at.Value != c.Value || i == 0 && (at.Token != c.Token || at.Shape != c.Shape) {
				t.Fatalf("%q: span %v is %q, not %v", text, span, token, c)
			}
		}
	}
}

func checkTwin(t *testing.T, text string, got []Candidate, figures map[string]bool) {
	t.Helper()
	bare := []Candidate{}
	for _, c := range got {
		c.Spans = nil
		bare = append(bare, c)
	}
	if want := twinExtract(text, figures); !reflect.DeepEqual(bare, want) {
		t.Fatalf("%q: %v, its twin %v", text, bare, want)
	}
}

// checkCut holds that cutting a range out is reading a text that has line feeds in its place.
func checkCut(t *testing.T, g *Gate, text string, from, to int) {
	t.Helper()
	from, to = max(0, min(from, len(text))), max(0, min(to, len(text)))
	if from >= to || len(text) > 1<<12 {
		return
	}
	blank := []byte(text)
	for i := from; i < to; i++ {
		blank[i] = '\n'
	}
	// One line feed between a number and its unit is a space that a figure may have, so the blank is two at least.
	if to-from == 1 && g.Figures() {
		return
	}
	got, want := g.Extract(text, []event.Span{{from, to}}), g.Extract(string(blank), nil)
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%q without [%d, %d): %v, blanked %v", text, from, to, got, want)
	}
}

// FuzzReadingsOfText holds the dates, clock times and figures of a text against their twins.
func FuzzReadingsOfText(f *testing.F) {
	for _, s := range spellings {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := FigureNumbers(s), twinFigures(s); !slices.Equal(got, want) {
			t.Fatalf("FigureNumbers(%q) = %q, its twin %q", s, got, want)
		}
		if got, want := DateAndClockForms(s), twinDatesClocks(s); !slices.Equal(got, want) {
			t.Fatalf("DateAndClockForms(%q) = %q, its twin %q", s, got, want)
		}
	})
}

// hostileBytes is how long hostile texts are.
const hostileBytes = 256 << 10

// TestReadersAreLinear holds that anything is read in a fraction of the time that one quadratic step takes: at a nanosecond
// a step that would be more than a minute.
func TestReadersAreLinear(t *testing.T) {
	g := newGate(t, GateConfig{Figures: true})
	readers := map[string]func(string){
		"NormalizeToken":    func(s string) { NormalizeToken(s) },
		"Tokenizer":         func(s string) { Tokenize(s) },
		"FigureNumbers":     func(s string) { FigureNumbers(s) },
		"DateAndClockForms": func(s string) { DateAndClockForms(s) },
		"Extract":           func(s string) { g.Extract(s, nil) },
	}
	for unit, text := range hostile() {
		for name, read := range readers {
			start := time.Now()
			read(text)
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("%s of %d bytes of %q took %s", name, len(text), unit, took)
			}
		}
	}
}
