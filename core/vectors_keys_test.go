package core_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// The first library holds an object as ECMAScript does: whole-number keys first, in their order as numbers, and of a
// repeated key the last value in the first one's place. This project keeps the order of the text, and every value of a
// repeated key is evidence (readers.md, last section, points 3 and 4). A pair that comes out otherwise for one of these
// two reasons alone comes out right once its arguments are written the way the first library holds them, and that is
// how it is held.

// asFirstLibrary writes arguments the way the first library holds them; differ tells whether that changes any.
func asFirstLibrary(t *testing.T, args Args) (other Args, differ bool) {
	t.Helper()
	other = make(Args, len(args))
	for i, raw := range args {
		v, err := servedjson.Parse(raw)
		must(t, err)
		other[i] = appendReordered(nil, v)
		differ = differ || !bytes.Equal(other[i], raw)
	}
	return other, differ
}

// appendReordered appends a value with its objects' members, and those of the JSON that its strings open with, the way
// the first library holds them.
func appendReordered(dst []byte, v servedjson.Value) []byte {
	switch v.Kind() {
	case servedjson.String:
		return appendReorderedText(dst, v)
	case servedjson.Array:
		dst = append(dst, '[')
		for element := range v.Elements() {
			dst = append(appendReordered(dst, element), ',')
		}
		return closed(dst, ']')
	case servedjson.Object:
		dst = append(dst, '{')
		for _, m := range reordered(v) {
			dst = append(append(dst, m.key.Raw()...), ':')
			dst = append(appendReordered(dst, m.value), ',')
		}
		return closed(dst, '}')
	}
	return append(dst, v.Raw()...)
}

// closed takes the comma after the last item away and closes the bracket.
func closed(dst []byte, bracket byte) []byte {
	return append(bytes.TrimSuffix(dst, []byte{','}), bracket)
}

// appendReorderedText appends a string; the JSON values that it opens with are rewritten, and what follows them stays.
func appendReorderedText(dst []byte, v servedjson.Value) []byte {
	values, rest := servedjson.LeadingValues(servedjson.TrimJS(v.TextBytes(nil)))
	var text []byte
	same := true
	for _, inner := range values {
		start := len(text)
		text = appendReordered(text, inner)
		same = same && bytes.Equal(text[start:], inner.Raw())
		text = append(text, '\n')
	}
	if same {
		return append(dst, v.Raw()...)
	}
	return servedjson.AppendQuoted(dst, append(text, rest...))
}

type heldMember struct {
	key, value servedjson.Value
	index      uint64 // the key as a whole number, past the last one when it is none
}

// reordered gives an object's members the way the first library holds them.
func reordered(v servedjson.Value) (held []heldMember) {
	for key, value := range v.Members() {
		repeated := slices.IndexFunc(held, func(m heldMember) bool { return m.key.TextIs(key.Text()) })
		if repeated >= 0 {
			held[repeated].value = value
			continue
		}
		held = append(held, heldMember{key, value, wholeNumber(key.Text())})
	}
	slices.SortStableFunc(held, func(a, b heldMember) int { return int(int64(a.index) - int64(b.index)) })
	return held
}

// wholeNumber gives the number of a key that ECMAScript orders as one (an array index, up to 2^32-2), else 2^32-1.
func wholeNumber(key string) uint64 {
	const none = 1<<32 - 1
	n, err := strconv.ParseUint(key, 10, 32)
	if err != nil || n == none || strconv.FormatUint(n, 10) != key {
		return none
	}
	return n
}

func TestAsFirstLibrary(t *testing.T) {
	tests := []struct{ name, arg, want string }{
		{"nothing to order", `{"b":1,"a":[2,{"c":null}]}`, `{"b":1,"a":[2,{"c":null}]}`},
		{"whole-number keys", `{"b":1,"10":2,"2":3,"01":4,"-1":5,"4294967295":6,"4294967294":7}`,
			`{"2":3,"10":2,"4294967294":7,"b":1,"01":4,"-1":5,"4294967295":6}`},
		{"a repeated key", `{"a":1,"b":2,"\u0061":3}`, `{"a":3,"b":2}`},
		{"inside lists", `[[{"b":1,"1":2}],{}]`, `[[{"1":2,"b":1}],{}]`},
		{"inside text", `"{\"b\":1,\"1\":{\"k\":1,\"k\":2}} [3] and {\"b\":1,\"1\":2}"`,
			`"{\"1\":{\"k\":2},\"b\":1}\n[3]\nand {\"b\":1,\"1\":2}"`},
		{"text that stays", `" [1] \u0041 {\"a\":1} "`, `" [1] \u0041 {\"a\":1} "`},
	}
	for _, test := range tests {
		got, differ := asFirstLibrary(t, Args{json.RawMessage(test.arg)})
		if string(got[0]) != test.want || differ != (test.arg != test.want) {
			t.Errorf("%s: got %s %t, want %s", test.name, got[0], differ, test.want)
		}
	}
}
