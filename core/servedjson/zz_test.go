package servedjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
)

func zzRows(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	b.WriteString(`{"rows":[`)
	for b.Len() < n {
		fmt.Fprintf(&b, `{"id":%d,"name":"host-%d","zone":"eu-west-%d","cpu_pct":%.2f,"up":%t,"ip":"10.%d.%d.%d","note":"disk full on host-%d and more \"quoted\" text","tags":["a%d","bb","prod"],"parent":null},`, r.IntN(1e6), r.IntN(1000), r.IntN(4), r.Float64()*100, r.IntN(2) == 0, r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(100), r.IntN(100))
	}
	b.Truncate(b.Len() - 1)
	b.WriteString(`]}`)
	return b.Bytes()
}

func BenchmarkZZ(b *testing.B) {
	full := zzRows(1 << 20)
	cut := full[:len(full)-7]
	var lead []byte
	for len(lead) < 1<<20 {
		lead = append(append(lead, zzRows(4000)...), '\n')
	}
	b.Run("valid", func(b *testing.B) {
		b.SetBytes(int64(len(full)))
		for b.Loop() {
			json.Valid(full)
		}
	})
	b.Run("parse", func(b *testing.B) {
		b.SetBytes(int64(len(full)))
		for b.Loop() {
			Parse(full)
		}
	})
	b.Run("prefix", func(b *testing.B) {
		b.SetBytes(int64(len(cut)))
		n := 0
		for b.Loop() {
			VisitPrefix(cut, func(v Value) { n += len(v.raw) })
		}
	})
	b.Run("readprefix", func(b *testing.B) {
		b.SetBytes(int64(len(cut)))
		for b.Loop() {
			ReadPrefix(cut)
		}
	})
	b.Run("leading", func(b *testing.B) {
		b.SetBytes(int64(len(lead)))
		for b.Loop() {
			LeadingValues(lead)
		}
	})
	b.Run("walk", func(b *testing.B) {
		b.SetBytes(int64(len(full)))
		v, _ := Parse(full)
		n := 0
		for b.Loop() {
			Walk(v, func(v Value, k bool) { n += len(v.raw) })
		}
	})
}
