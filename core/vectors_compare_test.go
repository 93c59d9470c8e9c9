package core_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// number is a JSON number as a double; comparing tells 0 from -0.
type number float64

// plain decodes JSON text to plain data: maps, lists, strings, numbers, booleans, nil, undefined.
func plain(t *testing.T, raw json.RawMessage) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	must(t, dec.Decode(&v))
	return numbers(v)
}

func numbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		f, err := v.Float64()
		if err != nil {
			f = math.Inf(map[bool]int{true: -1, false: 1}[strings.HasPrefix(v.String(), "-")])
		}
		return number(f)
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case map[string]any:
		if v["undefined"] == true && len(v) == 1 {
			return undefined{}
		}
		for k := range v {
			v[k] = numbers(v[k])
		}
	}
	return v
}

// normal turns what a function gave into plain data.
func normal(t *testing.T, v any) any {
	t.Helper()
	switch v := v.(type) {
	case undefined:
		return v
	case json.RawMessage:
		return plain(t, v)
	}
	return plain(t, marshal(t, v))
}

func same(a, b any) bool {
	switch a := a.(type) {
	case number:
		b, ok := b.(number)
		return ok && a == b && math.Signbit(float64(a)) == math.Signbit(float64(b))
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, same)
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k := range a {
			if other, ok := b[k]; !ok || !same(a[k], other) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}

// set is a list whose order says nothing. It is written as an object, so that it is told apart from a list.
type set []any

func (s set) MarshalJSON() ([]byte, error) {
	sorted, err := sortedTexts(s)
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{"$set": sorted})
}

func sortedTexts(list []any) ([]string, error) {
	texts := make([]string, len(list))
	for i, item := range list {
		b, err := json.Marshal(item)
		if err != nil {
			return nil, err
		}
		texts[i] = string(b)
	}
	slices.Sort(texts)
	return texts, nil
}

// likeSets writes the lists of want that stand where got has sets as sets.
func likeSets(got, want any) any {
	gotMap, ok := got.(map[string]any)
	if !ok {
		return want
	}
	switch want := want.(type) {
	case []any:
		if gotMap["$set"] == nil {
			return want
		}
		texts, err := sortedTexts(want)
		if err != nil {
			return want
		}
		sorted := make([]any, len(texts))
		for i, text := range texts {
			sorted[i] = text
		}
		return map[string]any{"$set": sorted}
	case map[string]any:
		for k := range want {
			want[k] = likeSets(gotMap[k], want[k])
		}
	}
	return want
}

// show writes data for a failure's message, clipped.
func show(v any) string {
	s := fmt.Sprintf("%#v", v)
	if b, err := json.Marshal(v); err == nil {
		s = string(b)
	}
	if len(s) > 2000 {
		s = s[:2000] + "…"
	}
	return s
}
