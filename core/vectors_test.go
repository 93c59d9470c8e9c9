package core_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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
	if folder == "" { // a name is seen from this package's folder
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
	args := v.built(t)
	problem := v.problem(t, args)
	if problem == "" {
		return
	}
	if other, differ := asFirstLibrary(t, args); differ && v.problem(t, other) == "" {
		t.Log("held with its keys as the first library orders them (readers.md, last section)")
		return
	}
	t.Fatal(problem)
}

// built writes out the pair's arguments.
func (v vector) built(t *testing.T) Args {
	t.Helper()
	args := make(Args, len(v.Args))
	for i, raw := range v.Args {
		args[i] = build(t, raw)
	}
	return args
}

// problem runs the pair's function and says what is wrong with what it gives, nothing when nothing is.
func (v vector) problem(t *testing.T, args Args) string {
	t.Helper()
	f := functions[v.Fn]
	if f == nil {
		return fmt.Sprintf("nothing runs the function %q", v.Fn)
	}
	switch got := f(t, args).(type) {
	case unheld:
		t.Logf("held by its refusal: %v", got.reason)
		return ""
	case refused:
		if v.Throws {
			return ""
		}
		return fmt.Sprintf("refused: %v", got.err)
	default:
		if v.Throws {
			return fmt.Sprintf("got %s, want a refusal", show(got))
		}
		return difference(t, got, v.Want)
	}
}

// difference shows what a function gave and what it should have given, nothing when they are the same.
func difference(t *testing.T, got any, wantText json.RawMessage) string {
	t.Helper()
	want := plain(t, build(t, wantText))
	if got = normal(t, got); same(got, likeSets(got, want)) {
		return ""
	}
	return fmt.Sprintf("got  %s\nwant %s", show(got), show(want))
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
