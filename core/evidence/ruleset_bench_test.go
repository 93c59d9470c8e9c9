package evidence

import (
	"encoding/json"
	"runtime"
	"testing"
)

// BenchmarkRulesets does the whole work of one answer under each ruleset.
func BenchmarkRulesets(b *testing.B) {
	result := shipments(1, 100_000)
	answer, said := reply(2, 2_000, result), prompt(3, 2_000)
	for _, ruleset := range []struct {
		name string
		GateConfig
	}{{"literal-1", GateConfig{}}, {"calibrated-1", GateConfig{Calibrated: true}}} {
		b.Run(ruleset.name, func(b *testing.B) {
			gate, err := NewGate(ruleset.GateConfig)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.SetBytes(int64(len(result)))
			for b.Loop() {
				served, exempt := NewIndexFor(gate), NewIndexFor(gate)
				served.AddResult(result, nil)
				exempt.AddText(said)
				Check(gate.Extract(answer, nil), Record{
					Served: served, ServedView: everyRow(served), Exempt: exempt, ExemptView: everyRow(exempt),
				})
			}
		})
	}
	b.Run("json.Valid", func(b *testing.B) {
		b.SetBytes(int64(len(result)))
		for b.Loop() {
			json.Valid(result)
		}
	})
}

// BenchmarkForms counts what the index of a result costs for each distinct form beyond the form's own bytes, and how
// often it allocates for a thousand of them.
func BenchmarkForms(b *testing.B) {
	result := shipments(1, 1_000_000)
	var before, after runtime.MemStats
	ix := NewIndex()
	runs := 0
	runtime.ReadMemStats(&before)
	for b.Loop() {
		ix = NewIndex()
		ix.AddResult(result, nil)
		runs++
	}
	runtime.ReadMemStats(&after)
	text := 0
	for _, form := range ix.Forms() {
		text += len(form)
	}
	forms := float64(ix.Len())
	b.ReportMetric(float64(ix.Bytes()-text)/forms, "B/form")
	b.ReportMetric(1000*float64(after.Mallocs-before.Mallocs)/float64(runs)/forms, "allocs/kiloform")
}
