package policy

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plumbline-dev/plumbline/core/evidence"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/schemas"
)

func schemaOf(t *testing.T) *jsonschema.Schema {
	t.Helper()
	s, err := schemas.PolicySchema()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The schema and the Go types have the same fields of the same types.
func TestSchemaAgreesWithGo(t *testing.T) {
	agree(t, "file", schemaOf(t), reflect.TypeFor[file]())
}

func agree(t *testing.T, at string, s *jsonschema.Schema, of reflect.Type) {
	t.Helper()
	if s = referred(s); s == nil {
		t.Errorf("%s: the schema says nothing of it", at)
		return
	}
	kinds := map[reflect.Kind]string{
		reflect.Int: "[integer]", reflect.Bool: "[boolean]", reflect.String: "[string]",
		reflect.Slice: "[array]", reflect.Map: "[object]", reflect.Struct: "[object]",
	}
	switch of.Kind() {
	case reflect.Pointer:
		agree(t, at, s, of.Elem())
		return
	case reflect.Struct:
		agreeFields(t, at, s, of)
	case reflect.Map:
		agree(t, at+".*", below(s, "*"), of.Elem())
	case reflect.Slice:
		agree(t, at+"[]", s.Items2020, of.Elem())
	}
	if s.Enum != nil && of.Kind() == reflect.String {
		return
	}
	if got := fmt.Sprint(s.Types); got != kinds[of.Kind()] {
		t.Errorf("%s: %s in the schema, %s in Go", at, got, of.Kind())
	}
}

func agreeFields(t *testing.T, at string, s *jsonschema.Schema, of reflect.Type) {
	t.Helper()
	fields := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(of) {
		if f.Anonymous {
			continue
		}
		name := f.Tag.Get("yaml")
		if name == "" {
			name = strings.ToLower(f.Name)
		}
		fields[name] = f.Type
	}
	names := slices.Sorted(maps.Keys(fields))
	if got := slices.Sorted(maps.Keys(s.Properties)); !slices.Equal(got, names) {
		t.Errorf("%s: the schema has %v\nand Go has %v", at, got, names)
	}
	if s.AdditionalProperties != false {
		t.Errorf("%s: the schema takes other fields", at)
	}
	for _, name := range names {
		agree(t, at+"."+name, s.Properties[name], fields[name])
	}
}

// The schema lists the values that the readers know.
func TestSchemaAgreesWithTheReaders(t *testing.T) {
	var equivalences []string
	for _, e := range evidence.Equivalences() {
		equivalences = append(equivalences, e.ID)
	}
	settings := below(below(schemaOf(t), "agents"), "*")
	for field, want := range map[string][]string{
		"ruleset": turn.Rulesets,
		"scope":   {turn.ScopeConversation, turn.ScopeTurn},
		"scripts": {turn.ScriptsOff, turn.ScriptsMatch},
		"off":     equivalences,
	} {
		s := below(settings, field)
		if s.Items2020 != nil {
			s = s.Items2020
		}
		var got []string
		for _, v := range s.Enum.Values {
			got = append(got, v.(string))
		}
		slices.Sort(got)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("%s: the schema lists %v\nand the readers know %v", field, got, want)
		}
	}
}
