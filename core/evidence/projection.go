package evidence

import (
	"github.com/plumbline-dev/plumbline/core/coverage"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// itemLists are the keys of the lists whose items may carry a short name or a kind for the record alone.
var itemLists = map[string]bool{"checked": true, "not_checked": true, "cannot_cover": true, "in_progress": true}

// ProjectAbsence gives what of a value is evidence when the value is an absence or a boundary: everything the tool said
// but looked_for, which quotes the request, and the short names and kinds of the items, which the model is not served
// (literal-1, "Absence projection"). A boundary around an absence gives a list of the boundary's own lists and the
// projected absence. ok is false when the value is evidence as it is. The bytes are new ones.
func ProjectAbsence(v servedjson.Value) (projected servedjson.Value, ok bool) {
	if absence, ok := coverage.ReadAbsence(v); ok {
		raw, _ := appendItemsProjected(nil, absence.Value, "looked_for")
		return checked(raw)
	}
	ledger, ok := coverage.ReadLedger(v)
	if !ok {
		return servedjson.Value{}, false
	}
	boundary, changed := appendItemsProjected(nil, ledger.Coverage, "")
	if absence, ok := coverage.ReadAbsence(ledger.Result); ok {
		raw := append(append([]byte{'['}, boundary...), ',')
		raw, _ = appendItemsProjected(raw, absence.Value, "looked_for")
		return checked(append(raw, ']'))
	}
	if !changed {
		return servedjson.Value{}, false
	}
	return checked(replaceMember(v, "af_coverage", boundary))
}

// checked reads back bytes that were put together from checked values.
func checked(raw []byte) (servedjson.Value, bool) {
	v, err := servedjson.Parse(raw)
	return v, err == nil
}

// appendItemsProjected writes an object without the key to drop and without the record-only keys of its items; changed
// tells whether an item lost one.
func appendItemsProjected(dst []byte, object servedjson.Value, drop string) (out []byte, changed bool) {
	members := memberWriter{dst: append(dst, '{')}
	for key, value := range object.Members() {
		name := key.Text()
		if drop != "" && name == drop {
			continue
		}
		members.key(key)
		if !itemLists[name] || value.Kind() != servedjson.Array {
			members.dst = append(members.dst, value.Raw()...)
			continue
		}
		var lost bool
		members.dst, lost = appendItems(members.dst, value)
		changed = changed || lost
	}
	return append(members.dst, '}'), changed
}

// appendItems writes a list of items without their short names and kinds; null ones stay.
func appendItems(dst []byte, list servedjson.Value) (out []byte, changed bool) {
	dst = append(dst, '[')
	first := true
	for item := range list.Elements() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		if item.Kind() != servedjson.Object {
			dst = append(dst, item.Raw()...)
			continue
		}
		members := memberWriter{dst: append(dst, '{')}
		for key, value := range item.Members() {
			if (key.TextIs("short") || key.TextIs("kind")) && value.Kind() != servedjson.Null {
				changed = true
				continue
			}
			members.key(key)
			members.dst = append(members.dst, value.Raw()...)
		}
		dst = append(members.dst, '}')
	}
	return append(dst, ']'), changed
}

// replaceMember writes an object with another value under one key.
func replaceMember(object servedjson.Value, name string, with []byte) []byte {
	members := memberWriter{dst: []byte{'{'}}
	for key, value := range object.Members() {
		members.key(key)
		if key.TextIs(name) {
			members.dst = append(members.dst, with...)
		} else {
			members.dst = append(members.dst, value.Raw()...)
		}
	}
	return append(members.dst, '}')
}

// memberWriter writes the members of an object.
type memberWriter struct {
	dst   []byte
	after bool // a member was written
}

func (w *memberWriter) key(key servedjson.Value) {
	if w.after {
		w.dst = append(w.dst, ',')
	}
	w.after = true
	w.dst = append(append(w.dst, key.Raw()...), ':')
}
