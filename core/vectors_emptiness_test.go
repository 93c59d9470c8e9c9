package core_test

import (
	"encoding/json"
	"testing"

	"github.com/plumbline-dev/plumbline/core/emptiness"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

func init() {
	register("readEmptiness", func(t *testing.T, a Args) any {
		return emptinessReading(emptiness.Read(parsed(t, a, 0), emptinessContext(t, a, 1)))
	})
	register("declaredByValue", func(t *testing.T, a Args) any {
		d, ok := emptiness.DeclaredByValue(parsed(t, a, 0))
		if !ok {
			return undefined{}
		}
		return map[string]bool{"absent": d.Absent, "bounded": d.Bounded, "gap": d.Gap}
	})
	register("parseMaybeJson", func(t *testing.T, a Args) any {
		return json.RawMessage(emptiness.ParseMaybeJSON(parsed(t, a, 0)).Raw())
	})
	register("rowsAtProblem", func(t *testing.T, a Args) any {
		rowsAt := parsed(t, a, 0).Text() // what is no string is no key, as an empty one is
		if problem := emptiness.RowsAtProblem(rowsAt); problem != "" {
			return problem
		}
		return undefined{}
	})
	register("isArtifactRef", func(t *testing.T, a Args) any {
		v := parsed(t, a, 0)
		return v.Kind() == servedjson.String && emptiness.IsArtifactRef(v.Text())
	})
	register("isPlacedToolResult", func(t *testing.T, a Args) any {
		return emptiness.IsPlacedToolResult(parsed(t, a, 0))
	})
}

func emptinessContext(t *testing.T, a Args, i int) emptiness.Context {
	t.Helper()
	var given struct {
		RowsAt *string `json:"rowsAt"`
		Door   *struct {
			Absent    bool       `json:"absent"`
			Bounded   bool       `json:"bounded"`
			Described event.JSON `json:"described"`
		} `json:"door"`
		KeptOut struct {
			Equals []string `json:"equals"`
		} `json:"keptOut"`
	}
	if a.Has(i) {
		a.Into(t, i, &given)
	}
	ctx := emptiness.Context{KeptOut: given.KeptOut.Equals, HasRowsAt: given.RowsAt != nil}
	if given.RowsAt != nil {
		ctx.RowsAt = *given.RowsAt
	}
	if d := given.Door; d != nil {
		ctx.Door = &emptiness.Door{Absent: d.Absent, Bounded: d.Bounded, Described: d.Described}
	}
	return ctx
}

// emptinessReading writes a reading the way the first library hands it over.
func emptinessReading(r emptiness.Reading) any {
	out := map[string]any{"emptiness": r.Emptiness, "undeclaredShape": r.UndeclaredShape}
	if r.Rows != nil {
		out["rows"] = *r.Rows
	}
	if r.MinusZero {
		out["rows"] = json.RawMessage("-0")
	}
	if r.Source != "" {
		out["source"] = r.Source
	}
	if r.HasRowsAt {
		out["rowsAt"] = r.RowsAt
	}
	if r.CountedAt != nil {
		out["countedAt"] = r.CountedAt
	}
	if r.Bounded {
		out["bounded"] = true
	}
	if r.Described != nil {
		out["described"] = r.Described
	}
	if r.RowsUnread != "" {
		out["rowsUnread"] = r.RowsUnread
	}
	return out
}
