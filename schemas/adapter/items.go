package adapter

import (
	"iter"
	"strconv"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// Items visits the elements of a list in their order, each with its field: the list's own and its place, from 0. What is no
// list has none.
func Items(list servedjson.Value, field string) iter.Seq2[string, servedjson.Value] {
	return func(yield func(string, servedjson.Value) bool) {
		i := 0
		for item := range list.Elements() {
			if !yield(Path(field, strconv.Itoa(i)), item) {
				return
			}
			i++
		}
	}
}
