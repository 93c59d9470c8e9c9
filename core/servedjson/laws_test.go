package servedjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"testing"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// readEverything puts a text through every reader.
func readEverything(text []byte) {
	servedjson.LeadingValues(text)
	servedjson.ReadPrefix(text)
	servedjson.TrimJS(text)
	servedjson.AppendQuoted(nil, text)
	v, err := servedjson.Parse(text)
	if err != nil {
		return
	}
	servedjson.Walk(v, func(leaf servedjson.Value, _ bool) { count(leaf) })
	v.Len()
	v.Get("a")
}

// FuzzParse: Parse takes what encoding/json takes, but for nesting too deep; the error's place is in the text, and a
// text that ends too early is told from one that is wrong.
func FuzzParse(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		text = bounded(text)
		v, err := servedjson.Parse(text)
		if errors.Is(err, servedjson.ErrTooDeep) {
			if deepest(text) <= servedjson.MaxDepth {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if valid := json.Valid(text); valid != (err == nil) {
			t.Fatalf("%q: encoding/json says %t, Parse says %v", text, valid, err)
		}
		if err == nil {
			holdValue(t, v)
			return
		}
		s, ok := errors.AsType[*servedjson.SyntaxError](err)
		if !ok || s.Offset < 0 || s.Offset > len(text) || errors.Is(err, io.ErrUnexpectedEOF) != (s.Reason == "the text ends before the value does") {
			t.Fatalf("%q: %#v", text, err)
		}
		if errors.Is(err, io.ErrUnexpectedEOF) && s.Offset != len(text) {
			t.Fatalf("%q of %d bytes ends at %d", text, len(text), s.Offset)
		}
	})
}

// holdValue holds a value of Parse to what encoding/json reads.
func holdValue(t *testing.T, v servedjson.Value) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(v.Raw()))
	dec.UseNumber()
	var want any
	if err := dec.Decode(&want); err != nil {
		t.Fatal(err)
	}
	if got := plain(v); !reflect.DeepEqual(got, want) {
		t.Fatalf("%s: got %#v, want %#v", v.Raw(), got, want)
	}
	compact := must(servedjson.Parse(servedjson.AppendCompact(nil, v)))
	if !reflect.DeepEqual(plain(compact), want) || !bytes.Equal(servedjson.AppendCompact(nil, compact), compact.Raw()) {
		t.Fatalf("%s is not compact as %s", v.Raw(), compact.Raw())
	}
	if _, ok := servedjson.ReadPrefix(v.Raw()); ok {
		t.Fatalf("%s is complete and reads as cut", v.Raw())
	}
}

// plain is a value as encoding/json gives it, made through every way into a Value.
func plain(v servedjson.Value) any {
	switch v.Kind() {
	case servedjson.True, servedjson.False:
		return v.Kind() == servedjson.True
	case servedjson.Number:
		return json.Number(v.Raw())
	case servedjson.String:
		return v.Text()
	case servedjson.Array:
		list := make([]any, 0, v.Len())
		for element := range v.Elements() {
			list = append(list, plain(element))
		}
		return list
	case servedjson.Object:
		object := map[string]any{}
		for key := range v.Members() {
			last, _ := v.Get(key.Text())
			object[key.Text()] = plain(last)
		}
		return object
	}
	return nil
}

// deepest counts how many brackets are open at once, strings left out.
func deepest(text []byte) (most int) {
	depth, inString := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
			most = max(most, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return most
}

// FuzzWalk: Walk gives the keys and leaves that a plain decode through encoding/json gives, in the same order.
func FuzzWalk(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		text = bounded(text)
		v, err := servedjson.Parse(text)
		if err != nil {
			return
		}
		var got []token
		servedjson.Walk(v, func(leaf servedjson.Value, isKey bool) { got = append(got, token{plain(leaf), isKey}) })
		if want := tokens(t, v.Raw()); !slices.Equal(got, want) {
			t.Fatalf("%s: got %v, want %v", text, got, want)
		}
	})
}

type token struct {
	leaf  any
	isKey bool
}

// tokens are the keys and leaves of a text as encoding/json reads them.
func tokens(t *testing.T, text []byte) (all []token) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	open := []level{{}}
	for {
		read, err := dec.Token()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		switch read {
		case json.Delim('{'), json.Delim('['):
			isObject := read == json.Delim('{')
			open = append(open, level{isObject, isObject})
			continue
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
		}
		top := &open[len(open)-1]
		isKey := false
		if _, closed := read.(json.Delim); !closed {
			isKey = top.keyNext
			all = append(all, token{read, isKey})
		}
		top.keyNext = top.isObject && !isKey
	}
}

// level is an open bracket.
type level struct {
	isObject, keyNext bool
}
