package evidence

import (
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// column is a field of a list's rows that holds numbers, with the rows in which it does.
type column struct {
	name string
	sum  float64 // from left to right
	n    int
}

// group is the rows of a list that say the same in a text field.
type group struct {
	label string
	rows  []servedjson.Value
}

// readColumns derives what the columns of a list add up to: a list of at least two objects, over all its rows, and for
// each text field whose values repeat, over the rows of each value.
func (b *FigureBasis) readColumns(list servedjson.Value, at string) {
	rows := b.tableRows(list)
	if len(rows) < 2 {
		return
	}
	if at == "" {
		at = "result"
	}
	b.deriveFrom(b.columnsOf(rows), at+"[]")
	for _, field := range groupFields(rows) {
		for _, g := range field {
			b.deriveFrom(b.columnsOf(g.rows), at+"["+g.label+"]")
		}
	}
}

// tableRows are the rows of a list of objects, as far as they are read; nil when an element is none.
func (b *FigureBasis) tableRows(list servedjson.Value) []servedjson.Value {
	var rows []servedjson.Value
	for element := range list.Elements() {
		if element.Kind() != servedjson.Object {
			return nil
		}
		if len(rows) == maxListRows {
			b.partial = true
			continue
		}
		rows = append(rows, element)
	}
	return rows
}

// columnsOf sums the number fields of the rows, the first fields first.
func (b *FigureBasis) columnsOf(rows []servedjson.Value) []column {
	var columns []column
	place := map[string]int{}
	for _, row := range rows {
		for key, value := range row.Members() {
			if value.Kind() != servedjson.Number {
				continue
			}
			name := key.Text()
			at, ok := place[name]
			if !ok {
				if len(columns) == maxFields {
					b.partial = true
					continue
				}
				at = len(columns)
				place[name] = at
				columns = append(columns, column{name: name})
			}
			columns[at].sum += value.Float()
			columns[at].n++
		}
	}
	return columns
}

// deriveFrom adds the sums, then the ratios and the differences of every two columns.
func (b *FigureBasis) deriveFrom(columns []column, table string) {
	for _, c := range columns {
		if c.n >= 2 {
			b.derive(c.sum, "column-sum", "sum of "+table+"."+c.name)
		}
	}
	for _, part := range columns {
		for _, whole := range columns {
			if part.name == whole.name || part.n < 2 || whole.n < 2 {
				continue
			}
			if b.Truncated && len(b.Derived) == maxDerived {
				return
			}
			if whole.sum != 0 {
				b.derive(100*part.sum/whole.sum, "column-ratio", "100 × "+table+"."+part.name+" ÷ "+table+"."+whole.name)
			}
			b.derive(whole.sum-part.sum, "column-difference", table+"."+whole.name+" − "+table+"."+part.name)
		}
	}
}

func (b *FigureBasis) derive(x float64, derivation, from string) {
	if len(b.Derived) == maxDerived {
		b.Truncated = true
		return
	}
	b.Derived = append(b.Derived, DerivedNumber{x, Derivation{derivation, from}})
}

// groupFields are the groups of the text fields whose values repeat, each with at most maxGroups values; the first
// maxGroupFields fields.
func groupFields(rows []servedjson.Value) [][]group {
	var names []string
	values := map[string][]group{}
	for _, row := range rows {
		for key, value := range row.Members() {
			if value.Kind() != servedjson.String {
				continue
			}
			name := key.Text()
			if _, ok := values[name]; !ok {
				if len(names) == maxGroupFields {
					continue
				}
				names = append(names, name)
			}
			values[name] = addToGroup(values[name], name+"="+value.Text(), row)
		}
	}
	var fields [][]group
	for _, name := range names {
		if groups := repeated(values[name]); len(values[name]) <= maxGroups && len(groups) > 0 {
			fields = append(fields, groups)
		}
	}
	return fields
}

func addToGroup(groups []group, label string, row servedjson.Value) []group {
	for i := range groups {
		if groups[i].label == label {
			groups[i].rows = append(groups[i].rows, row)
			return groups
		}
	}
	if len(groups) > maxGroups {
		return groups // too many values: the field is not grouped
	}
	return append(groups, group{label, []servedjson.Value{row}})
}

// repeated leaves out the groups of one row: what such a row carries is known as it is.
func repeated(groups []group) []group {
	var kept []group
	for _, g := range groups {
		if len(g.rows) >= 2 {
			kept = append(kept, g)
		}
	}
	return kept
}
