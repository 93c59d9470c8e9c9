package servedjson_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// rows writes a tool's result of at least size bytes, always the same one for a seed: an object with a list of records,
// as the APIs of machines, shops and airlines give them.
func rows(seed uint64, size int) []byte {
	r := rand.New(rand.NewPCG(seed, seed))
	words := []string{"disk", "full", "on", "host-7", "retry", "naïve", "link down", "seat 14C", "ok", `\"quoted\"`}
	var b bytes.Buffer
	b.WriteString(`{"rows":[`)
	for n := 0; b.Len() < size; n++ {
		if n > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"name":"host-%d","zone":"eu-west-%d","cpu_pct":%.2f,"up":%t,"ip":"10.%d.%d.%d"`,
			r.IntN(1e6), r.IntN(1000), r.IntN(4), r.Float64()*100, r.IntN(2) == 0, r.IntN(256), r.IntN(256), r.IntN(256))
		b.WriteString(`,"note":"`)
		for range 3 + r.IntN(9) {
			b.WriteString(words[r.IntN(len(words))])
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, `","tags":["a%d","bb","prod"],"parent":null,"at":"2031-04-%02dT%02d:00:00Z"}`,
			r.IntN(100), 1+r.IntN(28), r.IntN(24))
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

// blocks writes results of 4 KB after each other, a line each, as the text of an MCP result has them.
func blocks(size int) []byte {
	var all []byte
	for seed := uint64(1); len(all) < size; seed++ {
		all = append(append(all, rows(seed, 4<<10)...), '\n')
	}
	return all
}

// measure runs a reading of the text beside encoding/json's own check of the same bytes, in one run on one machine.
func measure(b *testing.B, text []byte, read func(text []byte)) {
	for _, m := range []struct {
		name string
		read func(text []byte)
	}{
		{"servedjson", read},
		{"json.Valid", func(text []byte) { json.Valid(text) }},
	} {
		b.Run(m.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				m.read(text)
			}
		})
	}
}

func BenchmarkParse100KB(b *testing.B) {
	measure(b, rows(1, 100<<10), func(text []byte) { parsed = must(servedjson.Parse(text)) })
}

func BenchmarkWalk100KB(b *testing.B) {
	v := must(servedjson.Parse(rows(1, 100<<10)))
	measure(b, v.Raw(), func([]byte) { servedjson.Walk(v, func(leaf servedjson.Value, _ bool) { count(leaf) }) })
}

func BenchmarkVisitPrefix1MB(b *testing.B) {
	measure(b, cut(rows(1, 1<<20)), func(text []byte) { servedjson.VisitPrefix(text, count) })
}

func BenchmarkReadPrefix1MB(b *testing.B) {
	measure(b, cut(rows(1, 1<<20)), func(text []byte) { servedjson.ReadPrefix(text) })
}

// json.Valid stops at the second value, so what it is given is one list of the same values.
func BenchmarkLeadingValues1MB(b *testing.B) {
	text := blocks(1 << 20)
	list := bytes.TrimSpace(text)
	list = append(append([]byte{'['}, bytes.ReplaceAll(list, []byte{'\n'}, []byte{','})...), ']')
	if !json.Valid(list) {
		b.Fatal("the list is no JSON")
	}
	measure(b, list, func([]byte) { servedjson.LeadingValues(text) })
}

// cut takes a result's last bytes, so that it ends inside a string.
func cut(text []byte) []byte { return text[:len(text)-7] }

// What a benchmark reads goes here, so that it is read.
var (
	parsed    servedjson.Value
	bytesRead int
)

func count(leaf servedjson.Value) { bytesRead += len(leaf.Raw()) }

func must(v servedjson.Value, err error) servedjson.Value {
	if err != nil {
		panic(err)
	}
	return v
}
