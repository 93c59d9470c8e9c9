package coverage

import "github.com/plumbline-dev/plumbline/core/servedjson"

// described is a described result: rows, points, edges or a question, with where they come from.
type described struct {
	value servedjson.Value
}

// readDescribed recognises a described result that is well formed: af_semantics is exactly true, it holds data or a
// question, and what was measured says where and when.
func readDescribed(v servedjson.Value) (described, bool) {
	if marker, _ := v.Get("af_semantics"); marker.Kind() != servedjson.True {
		return described{}, false
	}
	measured := false
	for _, name := range [...]string{"facts", "series"} {
		data, _ := v.Get(name)
		measured = measured || listed(data)
	}
	if measured {
		provenance, _ := v.Get("provenance")
		_, err := readProvenance(provenance, Wire)
		return described{v}, err == nil
	}
	edges, _ := v.Get("edges")
	clarify, _ := v.Get("clarify")
	return described{v}, listed(edges) || clarify.Kind() == servedjson.Object
}

func (d described) facts() []Fact {
	lists, _ := d.value.Get("coverage")
	period := periodOf(d.value)
	if lists.Kind() != servedjson.Object && period == nil {
		return nil
	}
	return []Fact{{Kind: KindLedger, Lists: listsOf(lists), Period: period}}
}
