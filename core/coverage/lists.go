package coverage

import (
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// Lists are the three lists of a declaration: what was searched, what was not, and what no search of the tool can reach.
// A list is empty when it is missing or null; what is no list stands here as it was found.
type Lists struct {
	Checked, NotChecked, CannotCover event.JSON
}

// Lists are the absence's lists.
func (a Absence) Lists() Lists { return listsOf(a.Value) }

// Lists are the boundary's lists.
func (l Ledger) Lists() Lists { return listsOf(l.Coverage) }

func listsOf(v servedjson.Value) Lists {
	of := func(l list) event.JSON {
		found, _ := v.Get(l.wire)
		if missing(found) {
			return event.JSON("[]")
		}
		return compact(found)
	}
	return Lists{of(checkedList), of(notCheckedList), of(cannotCoverList)}
}

// MergeItems joins lists of items and drops repeats: items of the same what and the same why, where an empty why is none.
// The first place is kept. What is no list adds nothing.
func MergeItems(lists ...event.JSON) event.JSON {
	seen := map[ground]bool{}
	out := event.JSON{'['}
	for _, raw := range lists {
		list, err := servedjson.Parse(raw)
		if err != nil {
			continue // no JSON is no list
		}
		for it := range list.Elements() {
			if g := groundOf(it); !seen[g] {
				seen[g] = true
				if len(out) > 1 {
					out = append(out, ',')
				}
				out = append(out, compact(it)...)
			}
		}
	}
	return append(out, ']')
}

// ground is what makes two items the same.
type ground struct{ what, why string }

func groundOf(it servedjson.Value) ground {
	if it.Kind() != servedjson.Object {
		return ground{what: identity(it)}
	}
	what, _ := it.Get("what")
	why, _ := it.Get("why")
	return ground{identity(what), identity(why)}
}

// identity is the text of a string and the JSON of anything else, null and nothing being the same.
func identity(v servedjson.Value) string {
	switch {
	case missing(v):
		return ""
	case v.Kind() == servedjson.String:
		return v.Text()
	}
	return string(compact(v))
}
