package evidence

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// shipments is a tool's result of about the given size in bytes: one JSON object with a list of records that hold ids,
// names, numbers, stamps and a little text. The same seed gives the same bytes.
func shipments(seed uint64, size int) []byte {
	r := rand.New(rand.NewPCG(seed, 20))
	words := strings.Fields("delayed at the hub since a strike, customs asked for form again driver left note signed by neighbour Ümlaut")
	b := []byte(`{"status":"ok","page":1,"shipments":[`)
	for i := 0; len(b) < size-2; i++ {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"id":"SHP-%06d","order":%d,"weight_kg":%.2f,"express":%t,"eta":"2031-%02d-%02dT%02d:%02d:00Z","hub":{"code":"HUB/%s%d","lane":%d},`,
			r.IntN(1e6), 1e6+r.IntN(9e6), r.Float64()*80, r.IntN(2) == 0, 1+r.IntN(12), 1+r.IntN(28), r.IntN(24), r.IntN(60), "ABCD"[r.IntN(4):][:1], r.IntN(90), r.IntN(9))
		b = fmt.Appendf(b, `"tracking":"%016x","note":"%s %s %s\n%s","tags":["t%d",null]}`,
			r.Uint64(), words[r.IntN(len(words))], words[r.IntN(len(words))], words[r.IntN(len(words))], words[r.IntN(len(words))], r.IntN(40))
	}
	return append(b, "]}"...)
}

// reply is an answer of about the given size in bytes over a result: values that it holds between words, and every
// eighth value made up.
func reply(seed uint64, size int, result []byte) string {
	r := rand.New(rand.NewPCG(seed, 21))
	tokens := Tokenize(string(result))
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteString("The parcel is listed as ")
		if i%8 == 7 {
			fmt.Fprintf(&b, "SHP-9%06d, which is on its way. ", r.IntN(1e6))
			continue
		}
		b.WriteString(tokens[r.IntN(len(tokens))] + ", as you asked. ")
	}
	return b.String()
}

// prompt is what the person and the app said.
func prompt(seed uint64, size int) []byte {
	return []byte(reply(seed, size, []byte("where is parcel 7741203 of 2031-05-20, due 8:40 pm, sent from HUB/A12? be brief and polite")))
}

// BenchmarkResult sets the work of one answer beside encoding/json.Valid of the same result: the time of one is to be
// read as a multiple of the other's. "index" makes a new index each time, "index again" adds to one that knows the forms.
func BenchmarkResult(b *testing.B) {
	result := shipments(1, 100_000)
	answer, said := reply(2, 2_000, result), prompt(3, 2_000)
	gate := defaultGate(b)
	served := indexOf(result)
	view := everyRow(served)

	run := func(name string, f func()) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(result)))
			for b.Loop() {
				f()
			}
		})
	}
	run("json.Valid", func() { json.Valid(result) })
	run("index", func() { indexOf(result) })
	run("judge", func() { judged(gate.Extract(answer, nil), served, view) })
	run("index and judge", func() {
		served, exempt := NewIndex(), NewIndex()
		served.AddResult(result, []string{"[REDACTED]", "REDACTED"})
		exempt.AddText(said)
		Check(gate.Extract(answer, nil), Record{
			Served: served, ServedView: view, Exempt: exempt, ExemptView: View{Turns: []int32{1}},
		})
	})
	b.Run("index again", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(result)))
		ix := indexOf(result)
		for b.Loop() {
			ix.AddResult(result, nil)
		}
	})
}

// BenchmarkCalibrated is the work of calibrated-1 on the result and the answer of BenchmarkResult, whose times it is to
// be read beside.
func BenchmarkCalibrated(b *testing.B) {
	result := shipments(1, 100_000)
	answer := reply(2, 2_000, result)
	gate, err := NewGate(GateConfig{Calibrated: true})
	if err != nil {
		b.Fatal(err)
	}
	served := NewIndexFor(gate)
	served.AddResult(result, nil)
	record := Record{Served: served, ServedView: View{Turns: []int32{1}, Current: 1}, Exempt: NewIndexFor(gate)}
	for name, f := range map[string]func(){
		"index": func() { NewIndexFor(gate).AddResult(result, nil) },
		"judge": func() { Check(gate.Extract(answer, nil), record) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(result)))
			for b.Loop() {
				f()
			}
		})
	}
}
