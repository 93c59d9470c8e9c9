package core_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// TestHarness shows the harness pairs that hold and pairs that do not.
func TestHarness(t *testing.T) {
	for name, f := range map[string]function{
		"harness/echo":    func(_ *testing.T, a Args) any { return a.JSON(0) },
		"harness/refuse":  func(_ *testing.T, _ Args) any { return refused{errors.New("no")} },
		"harness/nothing": func(_ *testing.T, _ Args) any { return undefined{} },
		"harness/has":     func(_ *testing.T, a Args) any { return a.Has(0) },
	} {
		register(name, f)
		t.Cleanup(func() { delete(functions, name) })
	}
	tests := []struct{ name, pair, problem string }{
		{"the same", `{"fn":"harness/echo","args":[{"a":1,"b":[1,"x",null,true]}],"want":{"b":[1.0,"x",null,true],"a":1}}`, ""},
		{"another number", `{"fn":"harness/echo","args":[1],"want":2}`, "got  1"},
		{"another order", `{"fn":"harness/echo","args":[[1,2]],"want":[2,1]}`, "got"},
		{"a key too many", `{"fn":"harness/echo","args":[{"a":1,"b":2}],"want":{"a":1}}`, "got"},
		{"a key too few", `{"fn":"harness/echo","args":[{"a":1}],"want":{"a":1,"b":2}}`, "got"},
		{"null is not nothing", `{"fn":"harness/echo","args":[null],"want":{"undefined":true}}`, "got"},
		{"nothing", `{"fn":"harness/nothing","args":[],"want":{"undefined":true}}`, ""},
		{"nothing is not null", `{"fn":"harness/nothing","args":[],"want":null}`, "got"},
		{"negative zero", `{"fn":"harness/echo","args":[{"$num":"-0"}],"want":{"$num":"-0"}}`, ""},
		{"zero is not negative", `{"fn":"harness/echo","args":[0],"want":{"$num":"-0"}}`, "got"},
		{"infinity", `{"fn":"harness/echo","args":[[1e400,-1e400]],"want":[{"$num":"Infinity"},{"$num":"-Infinity"}]}`, ""},
		{"not a number", `{"fn":"harness/echo","args":[[{"$num":"NaN"}]],"want":[null]}`, ""},
		{"a lone surrogate", `{"fn":"harness/echo","args":["\ud800"],"want":"\udfff"}`, ""},
		{"built texts", `{"fn":"harness/echo","args":[{"$build":["a",{"$repeat":["bc",2]},{"$seq":["%d,",9,11]}]}],"want":"abcbc9,10,11,"}`, ""},
		{"a built want", `{"fn":"harness/echo","args":[["aaa"]],"want":[{"$build":{"$repeat":["a",3]}}]}`, ""},
		{"no argument", `{"fn":"harness/has","args":[{"$undefined":true}],"want":false}`, ""},
		{"no member", `{"fn":"harness/echo","args":[{"a":{"$undefined":true},"b":1}],"want":{"b":1}}`, ""},
		{"an argument", `{"fn":"harness/has","args":[null],"want":true}`, ""},
		{"a pattern", `{"fn":"harness/echo","args":[{"$re":"a+","$flags":"i"}],"want":{"$re":"a+","$flags":"i"}}`, ""},
		{"refused", `{"fn":"harness/refuse","args":[],"throws":true}`, ""},
		{"refused and should not be", `{"fn":"harness/refuse","args":[],"want":1}`, "refused: no"},
		{"should be refused", `{"fn":"harness/echo","args":[1],"throws":true}`, "want a refusal"},
		{"an unknown function", `{"fn":"harness/none","args":[],"want":1}`, `nothing runs the function "harness/none"`},
	}
	for _, test := range tests {
		var v vector
		must(t, json.Unmarshal([]byte(test.pair), &v))
		got := v.problem(t, v.built(t))
		if (got == "") != (test.problem == "") || !strings.Contains(got, test.problem) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.problem)
		}
	}
}

// TestArgsAreText: a reader is given an argument's own text, its order and its digits.
func TestArgsAreText(t *testing.T) {
	v := vector{Args: []json.RawMessage{json.RawMessage(`{"b": 1.50, "a": {"$num": "-0"}, "b": 12345678901234567890}`)}}
	if got := string(v.built(t).JSON(0)); got != `{"b":1.50,"a":-0,"b":12345678901234567890}` {
		t.Errorf("got %s", got)
	}
}
