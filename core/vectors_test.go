package core_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// undefined is what a function gives for "nothing", and what an absent argument is.
type undefined struct{}

// refused is what a function gives when the first library throws.
type refused struct{ err error }

// unheld is what a function gives for a pair whose outcome the project's own rules exclude, with the reason.
type unheld struct{ reason error }

// function runs one function of the vectors and gives its outcome as plain JSON data (see plain), undefined or refused.
type function func(t *testing.T, args Args) any

var functions = map[string]function{}

// register names the function that runs a vector's "fn". Each reader's own file registers its functions in init.
func register(name string, f function) {
	if functions[name] != nil {
		panic("vector function registered twice: " + name)
	}
	functions[name] = f
}

// Args are a vector's arguments as JSON text, with everything that is built ("$build", "$num", "$undefined") built.
type Args []json.RawMessage

// Has tells whether the argument is there and not undefined.
func (a Args) Has(i int) bool { return i < len(a) && !isUndefined(a[i]) }

// JSON is the argument's JSON text, null when it is not there.
func (a Args) JSON(i int) json.RawMessage {
	if i >= len(a) {
		return json.RawMessage("null")
	}
	return a[i]
}

// String is the text of a string argument.
func (a Args) String(t *testing.T, i int) string {
	t.Helper()
	var s string
	a.Into(t, i, &s)
	return s
}

// Into decodes the argument.
func (a Args) Into(t *testing.T, i int, into any) {
	t.Helper()
	if err := json.Unmarshal(a.JSON(i), into); err != nil {
		t.Fatalf("argument %d: %v", i, err)
	}
}

// vector is one input/output pair.
type vector struct {
	Name   string            `json:"name"`
	Fn     string            `json:"fn"`
	Args   []json.RawMessage `json:"args"`
	Want   json.RawMessage   `json:"want"`
	Throws bool              `json:"throws"`
}

// TestVectors runs every pair of testdata/vectors, or of the folder that CORE_VECTORS names.
func TestVectors(t *testing.T) {
	folder := os.Getenv("CORE_VECTORS")
	if folder == "" {
		folder = filepath.Join("testdata", "vectors")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	pairs := 0
	for _, file := range files {
		for _, v := range readVectors(t, file) {
			pairs++
			t.Run(v.Name, v.run)
		}
	}
	if pairs == 0 {
		t.Fatalf("no pairs in %s", folder)
	}
	t.Logf("%d pairs of %s", pairs, folder)
}

func readVectors(t *testing.T, file string) []vector {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var vectors []vector
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("%s:%d: %v", file, n, err)
		}
		vectors = append(vectors, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return vectors
}

func (v vector) run(t *testing.T) {
	f := functions[v.Fn]
	if f == nil {
		t.Fatalf("nothing runs the function %q", v.Fn)
	}
	args := make(Args, len(v.Args))
	for i, raw := range v.Args {
		args[i] = build(t, raw)
	}
	got := f(t, args)
	if r, ok := got.(refused); ok {
		if !v.Throws {
			t.Fatalf("refused: %v", r.err)
		}
		return
	}
	if u, ok := got.(unheld); ok {
		t.Logf("held by its refusal: %v", u.reason)
		return
	}
	if v.Throws {
		t.Fatalf("got %s, want a refusal", show(got))
	}
	want := plain(t, build(t, v.Want))
	if got = normal(t, got); !same(got, likeSets(got, want)) {
		t.Fatalf("got  %s\nwant %s", show(got), show(want))
	}
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

// build writes out what a vector says is to be built: long strings, and numbers that JSON has no sign for. The order of
// keys and the digits of numbers stay.
func build(t *testing.T, raw json.RawMessage) json.RawMessage {
	t.Helper()
	if len(raw) == 0 || !bytes.Contains(raw, []byte(`"$`)) {
		return raw
	}
	switch raw = bytes.TrimSpace(raw); raw[0] {
	case '[':
		var list []json.RawMessage
		must(t, json.Unmarshal(raw, &list))
		for i := range list {
			list[i] = build(t, list[i])
		}
		return marshal(t, list)
	case '{':
		return buildObject(t, raw)
	}
	return raw
}

func buildObject(t *testing.T, raw json.RawMessage) json.RawMessage {
	t.Helper()
	var special struct {
		Build json.RawMessage `json:"$build"`
		Num   string          `json:"$num"`
	}
	must(t, json.Unmarshal(raw, &special))
	switch {
	case special.Build != nil:
		return marshal(t, buildString(t, special.Build))
	case special.Num == "-0":
		return json.RawMessage("-0")
	case special.Num == "Infinity":
		return json.RawMessage("1e999")
	case special.Num == "-Infinity":
		return json.RawMessage("-1e999")
	}
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range members(t, raw) {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(marshal(t, m.key))
		out.WriteByte(':')
		out.Write(build(t, m.value))
	}
	out.WriteByte('}')
	return out.Bytes()
}

func buildString(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	switch bytes.TrimSpace(raw)[0] {
	case '"':
		var s string
		must(t, json.Unmarshal(raw, &s))
		return s
	case '[':
		var parts []json.RawMessage
		must(t, json.Unmarshal(raw, &parts))
		var all strings.Builder
		for _, part := range parts {
			all.WriteString(buildString(t, part))
		}
		return all.String()
	}
	var op struct {
		Repeat []json.RawMessage `json:"$repeat"`
		Seq    []json.RawMessage `json:"$seq"`
	}
	must(t, json.Unmarshal(raw, &op))
	var n, to int
	if op.Repeat != nil {
		must(t, json.Unmarshal(op.Repeat[1], &n))
		return strings.Repeat(buildString(t, op.Repeat[0]), n)
	}
	must(t, json.Unmarshal(op.Seq[1], &n))
	must(t, json.Unmarshal(op.Seq[2], &to))
	template := buildString(t, op.Seq[0])
	var all strings.Builder
	for ; n <= to; n++ {
		all.WriteString(strings.ReplaceAll(template, "%d", fmt.Sprint(n)))
	}
	return all.String()
}

type member struct {
	key   string
	value json.RawMessage
}

// members are an object's keys and values in the order of the text.
func members(t *testing.T, raw json.RawMessage) []member {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(raw))
	_, err := dec.Token()
	must(t, err)
	var all []member
	for dec.More() {
		key, err := dec.Token()
		must(t, err)
		m := member{key: key.(string)}
		must(t, dec.Decode(&m.value))
		all = append(all, m)
	}
	return all
}

func isUndefined(raw json.RawMessage) bool {
	var u map[string]bool
	return json.Unmarshal(raw, &u) == nil && (u["$undefined"] || u["undefined"]) && len(u) == 1
}

// number is a JSON number as a double; comparing tells 0 from -0.
type number float64

// plain decodes JSON text to plain data: maps, lists, strings, numbers, booleans, nil, undefined.
func plain(t *testing.T, raw json.RawMessage) any {
	t.Helper()
	if isUndefined(raw) {
		return undefined{}
	}
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

func marshal(t *testing.T, v any) json.RawMessage {
	t.Helper()
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	must(t, enc.Encode(v))
	return bytes.TrimSpace(out.Bytes())
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
