// Package demo holds the real conversations that the programs bring along: airline dialogues of a public benchmark, as
// events in the order in which they are published. It answers "what is there to audit when nobody has published
// anything yet?". The notice that belongs to them lies beside them, in the folder airline.
package demo

import (
	"bytes"
	_ "embed"
	"iter"
)

//go:embed airline/events.jsonl
var airline []byte

// Events gives the events in order, each as one JSON payload, which must not be changed.
func Events() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for line := range bytes.Lines(airline) {
			if !yield(bytes.TrimSuffix(line, []byte("\n"))) {
				return
			}
		}
	}
}
