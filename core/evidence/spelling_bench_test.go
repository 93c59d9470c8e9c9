package evidence

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// prose is about n bytes of what answers are made of.
func prose(n int) []byte {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "The volume Stor-%02d on host esxi-%d.lab holds %d,%03d MB (%d.%d %%), and it was last seen at "+
			"2024-05-%02dT07:%02d:00Z; nothing else on the array was touched.\n", i%97, i, i%900+100, i%1000, i%99, i%10, i%28+1, i%60)
	}
	return []byte(b.String()[:n])
}

// jsonRows is about n bytes of what tools return.
func jsonRows(n int) []byte {
	var b strings.Builder
	b.WriteString("[")
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, `{"volume":"Stor-%02d","host":"esxi-%d.lab","used_mb":%d,"share":%d.%d,"seen":"2024-05-%02dT07:%02d:00Z","note":"nothing else was touched"},`,
			i%97, i, i*7919%1000000, i%99, i%10, i%28+1, i%60)
	}
	return []byte(b.String() + "null]")
}

func BenchmarkTokenize(b *testing.B) {
	text := prose(1 << 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	var z Tokenizer
	for b.Loop() {
		z.Reset(text)
		for _, _, _, ok := z.Next(); ok; _, _, _, ok = z.Next() {
		}
	}
}

// BenchmarkJSONValid is what BenchmarkTokenize is held against.
func BenchmarkJSONValid(b *testing.B) {
	rows := jsonRows(1 << 20)
	b.SetBytes(int64(len(rows)))
	for b.Loop() {
		if !json.Valid(rows) {
			b.Fatal("not JSON")
		}
	}
}

func BenchmarkExtract(b *testing.B) {
	for _, figures := range []bool{false, true} {
		b.Run(fmt.Sprintf("figures=%t", figures), func(b *testing.B) {
			g, err := NewGate(GateConfig{Figures: figures})
			if err != nil {
				b.Fatal(err)
			}
			answer := string(prose(2 << 10))
			b.SetBytes(int64(len(answer)))
			b.ReportAllocs()
			for b.Loop() {
				g.Extract(answer, nil)
			}
		})
	}
}

func BenchmarkDateAndClockForms(b *testing.B) {
	text := string(prose(16 << 10))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		DateAndClockForms(text)
	}
}
