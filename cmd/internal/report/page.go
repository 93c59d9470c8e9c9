package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/plumbline-dev/plumbline/core/event"
)

// Page collects verdicts and writes them as one HTML page that needs nothing else: no script, no font, no picture, no
// address. Everything that comes out of a record is escaped, and nothing of it steers the reading direction.
type Page struct {
	file     string
	answers  []pageAnswer
	declared []pageDeclared
}

// NewPage is a page about a file.
func NewPage(file string) *Page { return &Page{file: Plain(file)} }

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"plain": Plain, "count": count}).Parse(pageText))

// pageAnswer is one verdict, in words.
type pageAnswer struct {
	Class, Sign, Said, Where string
	Parts                    []pagePart
	Values                   []pageValue
	Omitted                  int
	Notes                    []string
}

// pagePart is a piece of an answer; one that is marked stands in no result.
type pagePart struct {
	Text string
	Mark bool
}

type pageValue struct{ Value, Near string }

type pageDeclared struct{ Said, Where string }

var pageClasses = map[event.Outcome]string{
	event.Unsupported: "bad", event.CannotTell: "note", event.Grounded: "good", event.NothingAsserted: "quiet",
}

// Verdict adds a verdict, with the answer's text.
func (p *Page) Verdict(v event.EvidenceChecked, answer string) {
	a := pageAnswer{
		Class: pageClasses[v.Outcome], Sign: looks[v.Outcome].sign, Said: headlineOf(v), Where: whereOf(v.Common),
		Parts: partsOf(answer, v.Unsupported), Omitted: v.UnsupportedOmitted, Notes: callNotes(v.Results),
	}
	for _, u := range v.Unsupported {
		value := pageValue{Value: valueOf(u)}
		if u.Near != nil {
			value.Near = nearWords(u.Near, v.Results)
		}
		a.Values = append(a.Values, value)
	}
	if v.Outcome == event.Unsupported && len(v.Reasons) > 0 {
		a.Notes = append([]string{"not all was seen: " + reasons(v.Reasons)}, a.Notes...)
	}
	p.answers = append(p.answers, a)
}

// Declared adds what a call declared.
func (p *Page) Declared(c event.CoverageDeclared) {
	p.declared = append(p.declared, pageDeclared{coverageWords(c), whereOf(c.Common)})
}

func whereOf(c event.Common) string {
	return fmt.Sprintf("%s/%s, turn %d", Plain(c.Agent), Plain(c.Conversation), c.Turn)
}

// partsOf cuts an answer at the spans of the values that stand nowhere. Spans that are not of this text are passed over.
func partsOf(answer string, values []event.UnsupportedValue) []pagePart {
	if answer == "" {
		return nil
	}
	var spans []event.Span
	for _, u := range values {
		spans = append(spans, u.Spans...)
	}
	slices.SortFunc(spans, func(a, b event.Span) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	var parts []pagePart
	at := 0
	for _, span := range spans {
		if span[0] < at || span[0] >= span[1] || span[1] > len(answer) {
			continue
		}
		parts = append(parts, pagePart{Text: visible(answer[at:span[0]])}, pagePart{visible(answer[span[0]:span[1]]), true})
		at = span[1]
	}
	return append(parts, pagePart{Text: visible(answer[at:])})
}

// visible makes a text of several lines safe to show: what is no text and no line is left out.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Co) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, string(utf8.RuneError)))
}

// pageTile is one number at the top of the page.
type pageTile struct {
	Name, Class string
	Count       int
}

// pageTool is one row of the table of tools.
type pageTool struct {
	Name  string
	Cells []int
}

// Write writes the page with the summary of the same verdicts.
func (p *Page) Write(w io.Writer, s Summary) error {
	page := struct {
		File, Limits string
		Summary      Summary
		Tiles        []pageTile
		Columns      []string
		Tools        []pageTool
		Answers      []pageAnswer
		Declared     []pageDeclared
	}{File: p.file, Limits: Limits, Summary: s, Answers: p.answers, Declared: p.declared}
	for _, o := range []event.Outcome{event.Unsupported, event.CannotTell, event.Grounded, event.NothingAsserted} {
		page.Tiles = append(page.Tiles, pageTile{outcomeNames[o], pageClasses[o], s.Outcomes[o]})
	}
	for _, column := range toolColumns {
		page.Columns = append(page.Columns, column.title)
	}
	for _, tool := range s.Tools {
		row := pageTool{Name: Plain(tool.Tool)}
		for _, column := range toolColumns {
			row.Cells = append(row.Cells, column.of(tool))
		}
		page.Tools = append(page.Tools, row)
	}
	return pageTemplate.Execute(w, page)
}
