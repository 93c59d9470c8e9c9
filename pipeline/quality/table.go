package quality

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WriteTables writes the rows and the marginals as two Markdown tables, the first of which ReadRows reads back.
func WriteTables(w io.Writer, rows []Row, marginals []Marginal) error {
	var out strings.Builder
	out.WriteString("| corpus | ruleset | answers | asserting | flagged | cannot tell | planted | caught |\n|---|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(&out, "| %s | %s | %d | %d | %d (%s) | %d | %d | %d (%s) |\n", r.Corpus, r.Ruleset, r.Answers, r.Asserting,
			r.Flagged, percent(r.Flagged, r.Asserting), r.CannotTell, r.Planted, r.Caught, percent(r.Caught, r.Planted))
	}
	out.WriteString("\n| corpus | equivalence | accusations saved | inventions lost |\n|---|---|---|---|\n")
	for _, m := range marginals {
		fmt.Fprintf(&out, "| %s | %s | %d | %d |\n", m.Corpus, m.Equivalence, m.Saved, m.Lost)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func percent(n, of int) string {
	if of == 0 {
		return "–"
	}
	return strconv.FormatFloat(100*float64(n)/float64(of), 'f', 1, 64) + " %"
}

// ReadRows reads the rows back from a Markdown text that WriteTables wrote into. Other lines are passed over.
func ReadRows(text string) ([]Row, error) {
	var rows []Row
	for n, line := range strings.Split(text, "\n") {
		cells := strings.Split(strings.Trim(line, "| "), "|")
		if len(cells) != 8 || strings.HasPrefix(line, "|---") || strings.HasPrefix(line, "| corpus") {
			continue
		}
		row := Row{Corpus: strings.TrimSpace(cells[0]), Ruleset: strings.TrimSpace(cells[1])}
		for i, into := range []*int{&row.Answers, &row.Asserting, &row.Flagged, &row.CannotTell, &row.Planted, &row.Caught} {
			number, _, _ := strings.Cut(strings.TrimSpace(cells[2+i]), " ")
			value, err := strconv.Atoi(number)
			if err != nil {
				return nil, fmt.Errorf("line %d: %q is no count", n+1, number)
			}
			*into = value
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// Worse says in what a measured row is worse than the one that was written down, empty when in nothing.
func (r Row) Worse(written Row) string {
	switch {
	case r.Flagged*written.Asserting > written.Flagged*r.Asserting:
		return fmt.Sprintf("%d of %d asserting answers flagged, %d of %d written down", r.Flagged, r.Asserting, written.Flagged, written.Asserting)
	case r.Caught*written.Planted < written.Caught*r.Planted:
		return fmt.Sprintf("%d of %d inventions caught, %d of %d written down", r.Caught, r.Planted, written.Caught, written.Planted)
	case r.CannotTell > written.CannotTell:
		return fmt.Sprintf("%d answers cannot be told, %d written down", r.CannotTell, written.CannotTell)
	}
	return ""
}
