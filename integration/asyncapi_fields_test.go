package integration_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline/explain"
	"github.com/plumbline-dev/plumbline/schemas"
)

// wireCase is a value of a Go type in which every field says something, and how the codec writes it.
type wireCase struct {
	value  any // a pointer
	encode func(contentType string) ([]byte, error)
}

// wholeWire gives one of each event, with no field left out. JSON fields hold plain values: what is inside of them is not
// of the contract.
func wholeWire() map[event.Kind]wireCase {
	in := func(e event.Event) wireCase {
		e.ID, e.Time, e.Turn = "e", "2026-01-05T09:00:00Z", 3
		e.Conversation = event.Conversation{Tenant: "t", Agent: "a", ID: "c"}
		return wireCase{&e, func(contentType string) ([]byte, error) { return schemas.EncodeEvent(contentType, e) }}
	}
	v, d := wholeVerdict(), wholeDeclaration()
	return map[event.Kind]wireCase{
		event.KindTurnStart: in(event.Event{TurnStart: &event.TurnStart{User: new("u"), Context: []string{"p"}, Unseen: []event.Reason{event.RowsMissing}}}),
		event.KindAnswer: in(event.Event{Answer: &event.Answer{
			Iteration: 2, Text: "x", User: new("u"), Context: []string{"p"}, Calls: []string{"k"}, Interim: true, AfterRevision: true,
			Unseen: []event.Reason{event.RowsMissing},
		}}),
		event.KindToolEnd: in(event.Event{ToolEnd: &event.ToolEnd{
			Call: event.Call{ID: "k", Tool: "s", Iteration: 1, Args: event.JSON("1")}, Result: event.JSON("1"), ModelResult: event.JSON("1"),
			Error: event.JSON("true"), Status: "ok", DurationMs: event.JSON("1.5"), Door: &event.Door{Absent: true, Bounded: true, Described: event.JSON("1")},
			Script: &event.Script{Program: "ls", Language: "sh", Label: "failed", ExitCode: new(1)},
		}}),
		event.KindEvidenceChecked:  {&v, func(contentType string) ([]byte, error) { return schemas.EncodeEvidence(contentType, v) }},
		event.KindCoverageDeclared: {&d, func(contentType string) ([]byte, error) { return schemas.EncodeCoverage(contentType, d) }},
	}
}

func wholeCommon(kind event.Kind) event.Common {
	return event.Common{V: 1, Type: kind, Tenant: "t", Agent: "a", Conversation: "c", Turn: 3, Iteration: 2}
}

func wholeBasis() event.Basis {
	return event.Basis{Ruleset: "literal-1", Policy: strings.Repeat("0", 64), Engine: "plumbline/1"}
}

func wholeVerdict() event.EvidenceChecked {
	return event.EvidenceChecked{
		Common: wholeCommon(event.KindEvidenceChecked), Outcome: event.Unsupported, Reasons: []event.Reason{event.ResultCapped},
		Action: event.ActionFlagged, Posture: "flag", Candidates: 2, LookedUp: 2, UnsupportedOmitted: 1, EvidenceTruncated: true, AfterRevision: true,
		Unsupported:  []event.UnsupportedValue{{Value: "1", Shape: "number", Region: "prose", Spans: []event.Span{{1, 5}}, Near: &event.Near{Value: "2", Call: "k", Turn: 1}}},
		Computed:     []event.ComputedValue{{Value: "3", Shape: "number", Derivation: "sum", From: "1 and 2"}},
		Grounding:    event.Grounding{FromThisTurn: 1, FromPriorTurns: 1, LatestPriorTurn: 2, CurrentTurn: 3, ToolResultsThisTurn: 1},
		CarriedBy:    []event.Carried{{Value: "4", Calls: []string{"k"}, More: true}},
		Equivalences: []string{"date"},
		Results: []event.CallResult{{
			Call: "k", Tool: "s", Emptiness: "non-empty", Rows: new(1), Source: "keys", RowsAt: "rows", Bounded: true,
			Described: &event.Described{Facts: 1, Series: 1, Edges: 1}, RowsUnread: "not-a-list", Incomplete: "has_more", Error: true,
		}},
		Scripts: &event.Scripts{EarlierTurnRows: 1, Dropped: 1, Blocks: []event.ScriptBlock{{
			Index: 1, Status: "matched", Call: "k", Dispatch: 1, Label: "failed", ExitCode: new(1), AlsoMatches: 1, Reason: "r", Hint: "h",
		}}},
		Through: 5, AnswerSeq: 4, Basis: wholeBasis(),
	}
}

func wholeDeclaration() event.CoverageDeclared {
	return event.CoverageDeclared{
		Common: wholeCommon(event.KindCoverageDeclared), Call: "k", Tool: "s", Declared: "absence", Withdrawn: true, LookedFor: event.JSON("1"),
		Checked: event.JSON("1"), NotChecked: event.JSON("1"), CannotCover: event.JSON("1"), InProgress: event.JSON("1"), Period: event.JSON("1"),
		Emptiness: "declared-absent", Basis: wholeBasis(),
	}
}

// TestAsyncAPIFields: the schema of each message takes what the codec writes, in both encodings; what the codec writes has
// the fields of the schema and no other; and each field of the Go type changes it.
func TestAsyncAPIFields(t *testing.T) {
	d := readAsyncAPI(t)
	whole, held := wholeWire(), map[event.Kind]int{}
	for name := range d.at(t, "#/components/messages") {
		ref := "#/components/messages/" + name
		message := d.at(t, ref)
		if of, _ := message["payload"].(map[string]any)["schema"].(map[string]any); of == nil {
			continue // bytes, or an envelope of another runtime
		}
		kind, contentType := kindOf(message), message["contentType"].(string)
		if message["name"] != string(kind) {
			t.Errorf("%s is called %s", name, message["name"])
		}
		held[kind]++
		data, err := whole[kind].encode(contentType)
		if err != nil {
			t.Fatal(err)
		}
		if contentType == schemas.Msgpack {
			data = unpacked(t, data)
		}
		if err := d.check(t, ref+"/payload/schema", parsed(t, data)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(schemaFields(t, kind), payloadFields(t, data)); diff != "" {
			t.Errorf("%s: the schema's fields and those that are written differ:\n%s", name, diff)
		}
	}
	for kind, c := range whole {
		if held[kind] != 2 {
			t.Errorf("%s is %d messages, want one for each encoding", kind, held[kind])
		}
		everyFieldCounts(t, kind, c)
	}
}

// TestAsyncAPIExplanations holds what is asked of the service, and what it answers, against the Go types.
func TestAsyncAPIExplanations(t *testing.T) {
	d := readAsyncAPI(t)
	for name, of := range map[string]reflect.Type{"explainRequest": reflect.TypeFor[explain.Request](), "explanation": reflect.TypeFor[explain.Explanation]()} {
		found, typed := map[string]bool{}, map[string]bool{}
		addSchemaFields(d.root, d.at(t, "#/components/schemas/"+name), "", found)
		addTypeFields(of, "", typed)
		if diff := cmp.Diff(slices.Sorted(maps.Keys(typed)), slices.Sorted(maps.Keys(found))); diff != "" {
			t.Errorf("%s: the type's fields and the schema's differ:\n%s", name, diff)
		}
	}
}

// addTypeFields adds the paths of the fields of a struct, by their names in JSON.
func addTypeFields(of reflect.Type, at string, found map[string]bool) {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct {
		return
	}
	for field := range of.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		found[at+name] = true
		addTypeFields(field.Type, at+name+".", found)
	}
}

// unpacked gives the JSON of a MessagePack message that holds no number in the extension.
func unpacked(t testing.TB, data []byte) []byte {
	t.Helper()
	var value any
	if err := msgpack.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	return asJSON(t, value)
}

// schemaFields gives the paths of the fields of an event's schema.
func schemaFields(t *testing.T, kind event.Kind) []string {
	t.Helper()
	var schema map[string]any
	if err := json.Unmarshal(schemas.Schema(kind), &schema); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	addSchemaFields(schema, schema, "", found)
	return slices.Sorted(maps.Keys(found))
}

func addSchemaFields(root, schema map[string]any, at string, found map[string]bool) {
	if ref, ok := schema["$ref"].(string); ok && !strings.HasPrefix(ref, "#/$defs/") {
		return // an event of its own
	} else if ok {
		schema = root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	}
	if items, ok := schema["items"].(map[string]any); ok {
		addSchemaFields(root, items, at, found)
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, property := range properties {
		found[at+name] = true
		addSchemaFields(root, property.(map[string]any), at+name+".", found)
	}
}

// payloadFields gives the paths of the fields of a message.
func payloadFields(t *testing.T, data []byte) []string {
	t.Helper()
	found := map[string]bool{}
	var add func(value any, at string)
	add = func(value any, at string) {
		switch v := value.(type) {
		case map[string]any:
			for name, inner := range v {
				found[at+name] = true
				add(inner, at+name+".")
			}
		case []any:
			for _, inner := range v {
				add(inner, at)
			}
		}
	}
	add(parsed(t, data), "")
	return slices.Sorted(maps.Keys(found))
}

// everyFieldCounts sets each field of the value to nothing, one after the other, and holds that other bytes are written,
// or that the codec refuses: so no field of the Go type is left out.
func everyFieldCounts(t *testing.T, kind event.Kind, c wireCase) {
	t.Helper()
	before, err := c.encode(schemas.JSON)
	if err != nil {
		t.Fatal(err)
	}
	eachField(reflect.ValueOf(c.value).Elem(), string(kind), func(path string, field reflect.Value) {
		if slices.Contains([]string{".TurnStart", ".ToolEnd", ".Answer", ".Before", ".Origin"}, strings.TrimPrefix(path, string(kind))) {
			return // which of three is set is what the event is, Before is of another runtime's envelopes, and Origin is said in headers
		}
		if field.IsZero() {
			t.Errorf("%s says nothing: give it a value in wholeWire", path)
			return
		}
		kept := reflect.New(field.Type()).Elem()
		kept.Set(field)
		field.SetZero()
		if after, err := c.encode(schemas.JSON); err == nil && string(after) == string(before) {
			t.Errorf("%s is not written", path)
		}
		field.Set(kept)
	})
}

// eachField visits the fields of a struct, those of structs inside of it too.
func eachField(v reflect.Value, path string, visit func(path string, field reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			eachField(v.Elem(), path, visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachField(v.Index(i), fmt.Sprintf("%s[%d]", path, i), visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			visit(path+"."+v.Type().Field(i).Name, v.Field(i))
			eachField(v.Field(i), path+"."+v.Type().Field(i).Name, visit)
		}
	}
}
