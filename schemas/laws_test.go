package schemas_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas"
)

// seeds are events in JSON: the examples, and some that are odd.
func seeds(t testing.TB) [][]byte {
	t.Helper()
	names, err := filepath.Glob("examples/*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	var all [][]byte
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data)
	}
	for _, text := range []string{
		tool(`,"result":[98765432109876543210,1e400,1.50,-0,0.1e1,1e-400,18446744073709551616]`),
		tool(`,"result":{"a":"\ud800\u0000\/` + "\xff" + `","a":{"":[]}},"error":"\u0065","script":{"program":"","exitCode":-0}`),
		tool(`,"result":null,"door":{"absent":null,"described":[1,{"x":null}]},"durationMs":1e-7`),
		with("answer", `,"iteration":1e0,"text":"é","context":[],"calls":["",""],"user":"","final":false`),
		tool(`,"result":` + strings.Repeat("[", 990) + strings.Repeat("]", 990)),
		tool(`,"result":` + strings.Repeat("[", 2000)),
	} {
		all = append(all, []byte(text))
	}
	return all
}

// FuzzJSON holds every text to the laws of decoding.
func FuzzJSON(f *testing.F) {
	for _, seed := range seeds(f) {
		f.Add(seed)
		f.Add(seed[:len(seed)/2])
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkLaws(t, schemas.JSON, data) })
}

// FuzzMsgpack holds all bytes to the laws of decoding.
func FuzzMsgpack(f *testing.F) {
	for _, seed := range seeds(f) {
		if data, err := schemas.Transcode(seed); err == nil {
			f.Add(data)
			f.Add(data[:len(data)/2])
		}
	}
	f.Add(packTool(f, "result", raw("\xdd\xff\xff\xff\xff")))
	f.Fuzz(func(t *testing.T, data []byte) { checkLaws(t, schemas.Msgpack, data) })
}

// checkLaws: bytes are an event or a *Error and cost memory in proportion; an event that is written in either encoding
// reads back as itself.
func checkLaws(t *testing.T, contentType string, data []byte) {
	t.Helper()
	before := bytes.Clone(data)
	var e event.Event
	var err error
	if cost, limit := allocated(func() { e, err = schemas.Decode(contentType, data) }), allowance(len(data)); cost > limit {
		t.Errorf("%d bytes allocated for %d", cost, len(data))
	}
	if !bytes.Equal(before, data) {
		t.Error("decoding changed its input")
	}
	if err != nil {
		checkRefusal(t, err, len(data))
		return
	}
	first := roundTrip(t, schemas.JSON, e)
	again := roundTrip(t, schemas.JSON, e)
	if !bytes.Equal(first, again) {
		t.Errorf("written twice, not the same:\n%.500s\n%.500s", first, again)
	}
	roundTrip(t, schemas.Msgpack, e)
	if e.ToolEnd != nil {
		for _, value := range []event.JSON{e.ToolEnd.Result, e.ToolEnd.ModelResult, e.ToolEnd.Error, e.ToolEnd.Call.Args, e.ToolEnd.DurationMs} {
			checkOneForm(t, value)
		}
	}
}

func checkRefusal(t *testing.T, err error, size int) {
	t.Helper()
	e, ok := errors.AsType[*schemas.Error](err)
	switch {
	case !ok:
		t.Errorf("%T is no *Error: %v", err, err)
	case !slices.Contains(schemas.Reasons, e.Reason):
		t.Errorf("%q is no reason", e.Reason)
	case e.Offset < -1 || e.Offset > size:
		t.Errorf("offset %d of %d bytes: %v", e.Offset, size, err)
	case e.Detail == "":
		t.Errorf("no detail: %v", err)
	}
}

// roundTrip writes an event, reads it back and gives its bytes.
func roundTrip(t *testing.T, contentType string, e event.Event) []byte {
	t.Helper()
	data, err := schemas.EncodeEvent(contentType, e)
	if err != nil {
		t.Fatalf("write as %s: %v", contentType, err)
	}
	back, err := schemas.Decode(contentType, data)
	if err != nil {
		t.Fatalf("read %s back: %v", contentType, err)
	}
	if !reflect.DeepEqual(e, back) {
		t.Fatalf("by %s:\n%.800v\n%.800v", contentType, e, back)
	}
	return data
}

// checkOneForm: a kept value is JSON, and compact.
func checkOneForm(t *testing.T, value event.JSON) {
	t.Helper()
	if value == nil {
		return
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, value); err != nil || !bytes.Equal(compact.Bytes(), value) {
		t.Errorf("not compact JSON (%v): %.500s", err, value)
	}
}

// FuzzResult holds what becomes of a result in JSON against encoding/json: the same tree, with the digits of its numbers.
func FuzzResult(f *testing.F) {
	for _, seed := range seeds(f) {
		f.Add(seed)
	}
	f.Add([]byte(` { "a" : [ 1.0 , "\u0061\\\"\ud83d\ude00" , [ ] , { } ] , "\\" : null } `))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := schemas.Decode("", []byte(tool(`,"result":`+string(data))))
		if want, ok := treeOf(data); ok && err == nil {
			if got, _ := treeOf(e.ToolEnd.Result); !reflect.DeepEqual(got, want) {
				t.Errorf("%.500s is read as %.500s", data, e.ToolEnd.Result)
			}
		} else if ok {
			if e, _ := errors.AsType[*schemas.Error](err); e.Reason != schemas.TooDeep {
				t.Errorf("%.500s: %v", data, err)
			}
		}
	})
}

func treeOf(data []byte) (tree any, ok bool) {
	if !json.Valid(data) {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return tree, d.Decode(&tree) == nil
}

func TestEncodeEventRefuses(t *testing.T) {
	tests := []struct {
		name  string
		e     event.Event
		field string
	}{
		{"no kind", base(), "type"},
		{"no id", event.Event{Turn: 1, TurnStart: &event.TurnStart{}}, "id"},
		{"no turn", event.Event{ID: "e", TurnStart: &event.TurnStart{}}, "turn"},
		{"no result", toolEnd(func(r *event.ToolEnd) { r.Result = nil }), "result"},
		{"a result that is no JSON", toolEnd(func(r *event.ToolEnd) { r.Result = event.JSON(`{`) }), "result"},
		{"a result and more", toolEnd(func(r *event.ToolEnd) { r.Result = event.JSON(`1,"id":"x"`) }), "result"},
		{"an empty result", toolEnd(func(r *event.ToolEnd) { r.Result = event.JSON(``) }), "result"},
		{"an error of another kind", toolEnd(func(r *event.ToolEnd) { r.Error = event.JSON(`5`) }), "error"},
		{"an iteration below 0", answer(func(a *event.Answer) { a.Iteration = -1 }), "iteration"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, contentType := range []string{schemas.JSON, schemas.Msgpack} {
				_, err := schemas.EncodeEvent(contentType, tt.e)
				e, ok := errors.AsType[*schemas.Error](err)
				if !ok || e.Field != tt.field {
					t.Errorf("error %v, want one of field %q", err, tt.field)
				}
			}
		})
	}
	_, err := schemas.EncodeEvent("text/plain", toolEnd(func(*event.ToolEnd) {}))
	checkError(t, err, schemas.UnknownEncoding, "", -1)
	e := toolEnd(func(r *event.ToolEnd) {
		r.Result = event.JSON(strings.Repeat("[", schemas.MaxDepth) + strings.Repeat("]", schemas.MaxDepth))
	})
	_, err = schemas.EncodeEvent(schemas.JSON, e)
	checkError(t, err, schemas.TooDeep, "", -1)
}

// TestEncodeEvent holds the order of the fields and the spelling.
func TestEncodeEvent(t *testing.T) {
	e := toolEnd(func(r *event.ToolEnd) {
		r.Call.Args = event.JSON(` { "q" : "<\u0041&>" } `)
		r.Error, r.Status, r.DurationMs = event.JSON("false"), "ok", event.JSON("1.50")
		r.Door = &event.Door{Bounded: true}
		r.Script = &event.Script{Program: "a\xff", ExitCode: new(0)}
	})
	want := `{"v":1,"type":"tool_end","id":"e1","tenant":"t","agent":"a","conversation":"c","turn":3,` +
		`"call":{"id":"k","tool":"search","iteration":0,"args":{"q":"<A&>"}},"result":1,"error":false,"status":"ok",` +
		`"durationMs":1.50,"door":{"absent":false,"bounded":true},"script":{"program":"a` + "�" + `","exitCode":0}}`
	got, err := schemas.EncodeEvent("", e)
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}
