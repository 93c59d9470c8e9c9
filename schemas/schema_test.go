package schemas_test

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas"
)

// faults are the *Errors that Validate joined.
func faults(t *testing.T, err error) (found []*schemas.Error) {
	t.Helper()
	if e, ok := errors.AsType[*schemas.Error](err); ok && errors.Unwrap(err) == error(e) {
		return []*schemas.Error{e}
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		t.Fatalf("%T joins no errors: %v", err, err)
	}
	for _, err := range joined.Unwrap() {
		e, ok := errors.AsType[*schemas.Error](err)
		if !ok {
			t.Fatalf("%T is no *Error: %v", err, err)
		}
		found = append(found, e)
	}
	return found
}

func TestExamplesAreValid(t *testing.T) {
	for _, kind := range schemas.Kinds {
		data, err := os.ReadFile("examples/" + string(kind) + ".json")
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range schemas.Kinds {
			if err := schemas.Validate(other, data); (err == nil) != (kind == other) {
				t.Errorf("the example of %s against the schema of %s: %v", kind, other, err)
			}
		}
	}
	if err := schemas.Validate("tool_start", []byte("{}")); err == nil {
		t.Error("a kind without a schema is valid")
	}
	if schemas.Schema("../go") != nil {
		t.Error("there is a schema of no kind")
	}
}

// TestExampleSpans: the example of a verdict points at the value in the example of an answer, and it is unsupported.
func TestExampleSpans(t *testing.T) {
	data, err := os.ReadFile("examples/evidence_checked.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := schemas.DecodeEvidence("", data)
	if err != nil || len(v.Unsupported) == 0 {
		t.Fatalf("%d unsupported values, %v", len(v.Unsupported), err)
	}
	if data, err = os.ReadFile("examples/answer.json"); err != nil {
		t.Fatal(err)
	}
	e, err := schemas.Decode("", data)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range v.Unsupported {
		for _, span := range u.Spans {
			if got := e.Answer.Text[span[0]:span[1]]; got != u.Value {
				t.Errorf("the span of %q holds %q", u.Value, got)
			}
		}
	}
}

func TestValidateNamesTheField(t *testing.T) {
	tests := []struct {
		kind event.Kind
		text string
		want string // the fields, in order
	}{
		{event.KindToolEnd, tool(``), "result"},
		{event.KindToolEnd, with("tool_end", `,"call":{"id":5,"tool":null}`), "call.id call.iteration call.tool result"},
		{event.KindAnswer, with("answer", `,"iteration":-1,"text":"","context":["a",1]`), "context.1 iteration"},
		{event.KindTurnStart, `[]`, ""},
		{event.KindTurnStart, with("turn_start", `,"turn":1e1000000,"v":1e-1000000`), "turn v"},
		{event.KindTurnStart, with("turn_start", `,"turn":1e99999999999,"v":1e99999999999`), "turn v"},
		{event.KindEvidenceChecked, strings.Replace(verdictText, `"reasons":[]`, `"reasons":["tired"]`, 1), "reasons.0"},
		{event.KindEvidenceChecked, strings.Replace(verdictText, `[1,5]`, `[1,5,6]`, 1), "unsupported.0.spans.0.2"},
		{event.KindEvidenceChecked, strings.Replace(verdictText, `[1,5]`, `[1]`, 1), "unsupported.0.spans.0"},
		{event.KindCoverageDeclared, strings.Replace(declarationText, `"absence"`, `"both"`, 1), "kind"},
	}
	for _, tt := range tests {
		err := schemas.Validate(tt.kind, []byte(tt.text))
		if err == nil {
			t.Errorf("%s is valid", tt.text)
			continue
		}
		var fields []string
		for _, e := range faults(t, err) {
			fields = append(fields, e.Field)
		}
		if got := strings.Join(fields, " "); got != tt.want {
			t.Errorf("%s: faults in %q, want %q: %v", tt.text, got, tt.want, err)
		}
	}
	for _, text := range []string{"", "{", "{}{}", strings.Repeat("[", 2000)} {
		if err := schemas.Validate(event.KindAnswer, []byte(text)); err == nil {
			t.Errorf("%.20q is valid", text)
		}
	}
}

// TestSchemaFields holds the schemas of what goes out against the Go types: the same fields, and the same required.
func TestSchemaFields(t *testing.T) {
	for kind, of := range map[event.Kind]reflect.Type{
		event.KindEvidenceChecked:  reflect.TypeFor[event.EvidenceChecked](),
		event.KindCoverageDeclared: reflect.TypeFor[event.CoverageDeclared](),
	} {
		var root map[string]any
		if err := json.Unmarshal(schemas.Schema(kind), &root); err != nil {
			t.Fatal(err)
		}
		checkFields(t, string(kind), root, root, of)
	}
}

// checkFields compares one object of a schema with one struct.
func checkFields(t *testing.T, at string, root, schema map[string]any, of reflect.Type) {
	t.Helper()
	schema = resolved(root, schema)
	properties, _ := schema["properties"].(map[string]any)
	required := map[string]bool{}
	for _, name := range asList(schema["required"]) {
		required[name.(string)] = true
	}
	seen := 0
	for _, field := range reflect.VisibleFields(of) {
		if field.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		seen++
		property, ok := properties[name].(map[string]any)
		if !ok {
			t.Errorf("%s.%s is in no schema", at, name)
			continue
		}
		if required[name] == strings.Contains(options, "omitempty") {
			t.Errorf("%s.%s: required is %v in the schema", at, name, required[name])
		}
		property = resolved(root, property)
		if property["description"] == nil {
			t.Errorf("%s.%s has no description", at, name)
		}
		checkValue(t, at+"."+name, root, property, field.Type)
	}
	if seen != len(properties) {
		t.Errorf("%s has %d fields, its schema %d", at, seen, len(properties))
	}
}

func checkValue(t *testing.T, at string, root, property map[string]any, of reflect.Type) {
	t.Helper()
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if of.Kind() == reflect.Struct {
		checkFields(t, at, root, property, of)
	}
	if items, ok := property["items"].(map[string]any); ok && of.Kind() == reflect.Slice && of.Elem().Kind() == reflect.Struct {
		checkFields(t, at, root, items, of.Elem())
	}
}

func resolved(root, schema map[string]any) map[string]any {
	if ref, ok := schema["$ref"].(string); ok {
		return root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	}
	return schema
}

func asList(v any) []any {
	list, _ := v.([]any)
	return list
}

// TestSchemaVocabularies holds the lists in the schemas against the constants.
func TestSchemaVocabularies(t *testing.T) {
	var schema struct {
		Properties struct {
			Reasons struct {
				Items struct{ Enum []event.Reason }
			}
			Outcome struct{ Enum []event.Outcome }
			Action  struct{ Enum []event.Action }
		}
	}
	if err := json.Unmarshal(schemas.Schema(event.KindEvidenceChecked), &schema); err != nil {
		t.Fatal(err)
	}
	p := schema.Properties
	if !reflect.DeepEqual(p.Reasons.Items.Enum, event.Reasons) {
		t.Errorf("reasons %v", p.Reasons.Items.Enum)
	}
	if want := []event.Outcome{event.Grounded, event.Unsupported, event.NothingAsserted, event.CannotTell}; !reflect.DeepEqual(p.Outcome.Enum, want) {
		t.Errorf("outcomes %v", p.Outcome.Enum)
	}
	if want := []event.Action{event.ActionGrounded, event.ActionFlagged}; !reflect.DeepEqual(p.Action.Enum, want) {
		t.Errorf("actions %v", p.Action.Enum)
	}
}
