package core_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/plumbline-dev/plumbline/core/coverage"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

func init() {
	register("readAbsence", func(t *testing.T, a Args) any {
		if _, ok := coverage.ReadAbsence(parsed(t, a, 0)); !ok {
			return undefined{}
		}
		return a.JSON(0)
	})
	register("readCoverageLedger", func(t *testing.T, a Args) any {
		if _, ok := coverage.ReadLedger(parsed(t, a, 0)); !ok {
			return undefined{}
		}
		return a.JSON(0)
	})
	register("readCoverageResult", func(t *testing.T, a Args) any {
		return coverageResult(coverage.Facts(parsed(t, a, 0)))
	})
	register("coverageOfAbsence", func(t *testing.T, a Args) any {
		absence, _ := coverage.ReadAbsence(parsed(t, a, 0))
		return lists(absence.Lists())
	})
	register("coverageOfLedger", func(t *testing.T, a Args) any {
		ledger, _ := coverage.ReadLedger(parsed(t, a, 0))
		return lists(ledger.Lists())
	})
	register("mergeItems", func(t *testing.T, a Args) any {
		var all []event.JSON
		a.Into(t, 0, &all)
		return json.RawMessage(coverage.MergeItems(all...))
	})
	register("absent", func(t *testing.T, a Args) any {
		return minted(t)(coverage.AbsentJSON(a.JSON(0)))
	})
	register("coverage", func(t *testing.T, a Args) any {
		return minted(t)(coverage.CoveredJSON(a.JSON(0), a.JSON(1)))
	})
	register("periodProblem", func(t *testing.T, a Args) any {
		_, err := coverage.ReadPeriod(parsed(t, a, 0), spelling(t, a, 1))
		if field, ok := errors.AsType[*coverage.FieldError](err); ok {
			return map[string]string{"field": field.Field}
		}
		return undefined{}
	})
	register("periodVerdict", func(t *testing.T, a Args) any {
		p, err := coverage.ReadPeriod(parsed(t, a, 0), coverage.Author)
		if err != nil {
			return refused{err}
		}
		return p.Verdict()
	})
	register("leastHeld", func(t *testing.T, a Args) any {
		var verdicts []coverage.Verdict
		a.Into(t, 0, &verdicts)
		if least, ok := coverage.LeastHeld(verdicts); ok {
			return least
		}
		return undefined{}
	})
	register("instantOf", instantOf)
}

// parsed is a JSON argument as the readers take it; an argument that is not there is no value.
func parsed(t *testing.T, a Args, i int) servedjson.Value {
	t.Helper()
	if !a.Has(i) {
		return servedjson.Value{}
	}
	v, err := servedjson.Parse(a.JSON(i))
	must(t, err)
	return v
}

func spelling(t *testing.T, a Args, i int) coverage.Spelling {
	t.Helper()
	switch name := a.String(t, i); name {
	case "wire":
		return coverage.Wire
	case "camel":
		return coverage.Author
	default:
		t.Fatalf("unknown spelling %q", name)
		return 0
	}
}

func instantOf(t *testing.T, a Args) any {
	profiles := map[string]coverage.Profile{"lenient": coverage.Lenient, "strict": coverage.Strict}
	profile, ok := profiles[a.String(t, 1)]
	if !ok {
		t.Fatalf("unknown profile %q", a.String(t, 1))
	}
	at, ok := coverage.ParseInstant(parsed(t, a, 0).TextBytes(nil), profile)
	if !ok {
		return undefined{}
	}
	return map[string]any{
		"ms": at.Seconds*1000 + int64(at.Nanos/1e6), "nanos": at.Nanos % 1e6,
		"offsetMinutes": at.OffsetMinutes, "precision": at.Precision,
	}
}

func lists(l coverage.Lists) map[string]event.JSON {
	return map[string]event.JSON{"checked": l.Checked, "notChecked": l.NotChecked, "cannotCover": l.CannotCover}
}

// coverageResult writes facts the way the first library hands them over.
func coverageResult(facts []coverage.Fact) any {
	if facts == nil {
		return undefined{}
	}
	out := map[string]any{}
	var declared []map[string]any
	for _, f := range facts {
		if f.Kind == coverage.KindAbsence {
			out["status"] = "absent"
		}
		one := map[string]any{"kind": f.Kind, "coverage": lists(f.Lists)}
		for name, part := range map[string]event.JSON{
			"lookedFor": f.LookedFor, "provenance": f.Provenance, "period": f.Period, "inProgress": f.InProgress,
		} {
			if part != nil {
				one[name] = part
			}
		}
		if f.TryInstead != "" {
			one["tryInstead"] = f.TryInstead
		}
		if f.TryInsteadTool != nil {
			one["tryInsteadTool"] = f.TryInsteadTool
		}
		declared = append(declared, one)
	}
	out["declared"] = declared
	return out
}

// minted gives what a mint gave. The pairs leave every note out: its sentences are each library's own.
func minted(t *testing.T) func(event.JSON, error) any {
	return func(envelope event.JSON, err error) any {
		if err != nil {
			return refused{err}
		}
		v := plain(t, json.RawMessage(envelope))
		dropNotes(v)
		return v
	}
}

func dropNotes(v any) {
	object, ok := v.(map[string]any)
	if !ok {
		return
	}
	delete(object, "note")
	for _, inner := range object {
		dropNotes(inner)
	}
}
