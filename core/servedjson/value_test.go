package servedjson_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

func TestParseErrors(t *testing.T) {
	deep := strings.Repeat("[", servedjson.MaxDepth+1)
	tests := []struct {
		text  string
		want  string
		cause error
	}{
		{"", "byte 0: the text ends before the value does", io.ErrUnexpectedEOF},
		{" [", "byte 2: the text ends before the value does", io.ErrUnexpectedEOF},
		{`{"a"`, "byte 4: the text ends before the value does", io.ErrUnexpectedEOF},
		{`{"a":`, "byte 5: the text ends before the value does", io.ErrUnexpectedEOF},
		{`["a\`, "byte 4: the text ends before the value does", io.ErrUnexpectedEOF},
		{`["\u12`, "byte 6: the text ends before the value does", io.ErrUnexpectedEOF},
		{"tru", "byte 3: the text ends before the value does", io.ErrUnexpectedEOF},
		{"1.", "byte 2: the text ends before the value does", io.ErrUnexpectedEOF},
		{"1 2", "byte 2: more text after the value", nil},
		{"[1 2]", "byte 3: want a comma or ]", nil},
		{"[1}", "byte 2: want a comma or ]", nil},
		{`{"a":1 2}`, "byte 7: want a comma or }", nil},
		{"{1", "byte 1: want a key", nil},
		{`{"a" 1}`, "byte 5: want a colon after the key", nil},
		{"[1,]", "byte 3: not the beginning of a JSON value", nil},
		{"truth", "byte 0: not the beginning of a JSON value", nil},
		{"\ufeff1", "byte 0: not the beginning of a JSON value", nil},
		{"-x", "byte 1: a number lacks a digit", nil},
		{"1.e5", "byte 2: a number lacks a digit", nil},
		{"[01]", "byte 2: a number begins with a zero too many", nil},
		{"\"a\tb\"", "byte 2: a control character in a string", nil},
		{`"a\x41"`, "byte 2: an unknown escape in a string", nil},
		{`"\u12G4"`, "byte 1: an unknown escape in a string", nil},
		{deep, "byte 1000: nested deeper than 1000 levels", servedjson.ErrTooDeep},
	}
	for _, test := range tests {
		_, err := servedjson.Parse([]byte(test.text))
		if err == nil || err.Error() != test.want {
			t.Errorf("%.20q: %v, want %s", test.text, err, test.want)
			continue
		}
		for _, cause := range []error{io.ErrUnexpectedEOF, servedjson.ErrTooDeep} {
			if errors.Is(err, cause) != errors.Is(test.cause, cause) {
				t.Errorf("%.20q: the error wraps %v, want %v", test.text, cause, test.cause)
			}
		}
	}
}

func TestDepth(t *testing.T) {
	for _, pair := range [][2]string{{"[", "]"}, {`{"a":`, "}"}} {
		inner := map[string]string{"[": "", `{"a":`: "1"}[pair[0]]
		deepest := strings.Repeat(pair[0], servedjson.MaxDepth) + inner + strings.Repeat(pair[1], servedjson.MaxDepth)
		if _, err := servedjson.Parse([]byte(deepest)); err != nil {
			t.Errorf("%d levels of %s: %v", servedjson.MaxDepth, pair[0], err)
		}
		deeper := pair[0] + deepest + pair[1]
		if _, err := servedjson.Parse([]byte(deeper)); !errors.Is(err, servedjson.ErrTooDeep) {
			t.Errorf("one level more of %s: %v", pair[0], err)
		}
		if values, rest := servedjson.LeadingValues([]byte(deepest + deeper)); len(values) != 1 || string(rest) != deeper {
			t.Errorf("%d leading values", len(values))
		}
		if _, ok := servedjson.ReadPrefix([]byte(strings.Repeat(pair[0], servedjson.MaxDepth))); !ok {
			t.Errorf("%d levels of %s are JSON cut short", servedjson.MaxDepth, pair[0])
		}
		if _, ok := servedjson.ReadPrefix([]byte(deeper[:len(deeper)-1])); ok {
			t.Errorf("one level more of %s is too deep", pair[0])
		}
	}
}

func TestValue(t *testing.T) {
	v := must(servedjson.Parse([]byte(` {"n": -12.50, "s" : "a\u0062", "t":true,"f":false,"z":null,"l":[1,[],{}],"s":"last"} `)))
	if v.IsZero() || v.Kind() != servedjson.Object || v.Len() != 7 {
		t.Fatalf("%v with %d members", v.Kind(), v.Len())
	}
	want := map[string]servedjson.Kind{
		"n": servedjson.Number, "s": servedjson.String, "t": servedjson.True, "f": servedjson.False, "z": servedjson.Null, "l": servedjson.Array,
	}
	for name, kind := range want {
		if got, ok := v.Get(name); !ok || got.Kind() != kind {
			t.Errorf("%s is %v, want %v", name, got.Kind(), kind)
		}
	}
	if s, _ := v.Get("s"); !s.TextIs("last") || string(s.Raw()) != `"last"` {
		t.Errorf("of a repeated key Get gives %s", s.Raw())
	}
	if n, _ := v.Get("n"); n.Float() != -12.5 || n.NumberText() != "-12.5" || string(n.Raw()) != "-12.50" {
		t.Errorf("the number is %v, %s, %s", n.Float(), n.NumberText(), n.Raw())
	}
	if l, _ := v.Get("l"); l.Len() != 3 {
		t.Errorf("the list has %d elements", l.Len())
	}
	if missing, ok := v.Get("N"); ok || !missing.IsZero() {
		t.Errorf("there is no N, and Get gives %s", missing.Raw())
	}
}

// TestOtherKinds: what a value is not, it reads as nothing.
func TestOtherKinds(t *testing.T) {
	for _, text := range []string{"", "null", "true", "1", `"a"`, "[1]", `{"a":1}`} {
		v, _ := servedjson.Parse([]byte(text)) // the empty text gives the zero Value
		isString, isNumber := v.Kind() == servedjson.String, v.Kind() == servedjson.Number
		if (v.Text() == "a") != isString || (v.TextBytes(nil) != nil) != isString || (len(v.AppendText(nil)) > 0) != isString || v.TextIs("a") != isString {
			t.Errorf("%q as text is %q", text, v.Text())
		}
		if (v.Float() == 1) != isNumber || (v.NumberText() == "1") != isNumber {
			t.Errorf("%q as a number is %v", text, v.Float())
		}
		if want := v.Kind() == servedjson.Array || v.Kind() == servedjson.Object; (v.Len() == 1) != want {
			t.Errorf("%q has %d parts", text, v.Len())
		}
		for range v.Elements() {
			if v.Kind() != servedjson.Array {
				t.Errorf("%q has elements", text)
			}
		}
		if _, ok := v.Get("a"); ok != (v.Kind() == servedjson.Object) {
			t.Errorf("%q has an a: %t", text, ok)
		}
	}
}

// TestIterationStops: a reader may leave a list before its end.
func TestIterationStops(t *testing.T) {
	list := must(servedjson.Parse([]byte(`[1,2,3]`)))
	for v := range list.Elements() {
		if v.Float() == 2 {
			break
		}
	}
	object := must(servedjson.Parse([]byte(`{"a":1,"b":2}`)))
	for key := range object.Members() {
		if !key.TextIs("a") {
			t.Errorf("went on to %s", key.Raw())
		}
		break
	}
}

// TestNoRoomPerToken: reading makes no room for what it reads.
func TestNoRoomPerToken(t *testing.T) {
	text := rows(1, 10<<10)
	v := must(servedjson.Parse(text))
	for name, read := range map[string]func(){
		"Parse":       func() { parsed = must(servedjson.Parse(text)) },
		"Walk":        func() { servedjson.Walk(v, func(leaf servedjson.Value, _ bool) { count(leaf) }) },
		"VisitPrefix": func() { servedjson.VisitPrefix(text[:len(text)-2], count) },
		"Get":         func() { v.Get("none") },
		"Members": func() {
			for key := range v.Members() {
				count(key)
			}
		},
	} {
		if allocs := testing.AllocsPerRun(10, read); allocs != 0 {
			t.Errorf("%s makes room %v times", name, allocs)
		}
	}
}
