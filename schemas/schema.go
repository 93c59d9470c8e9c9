package schemas

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	broken "github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/plumbline-dev/plumbline/core/event"
)

//go:embed *.v1.json
var schemaFiles embed.FS

// Kinds lists the events that have a schema: the three that come in, then the two that go out.
var Kinds = []event.Kind{
	event.KindTurnStart, event.KindToolEnd, event.KindAnswer, event.KindCoverageDeclared, event.KindEvidenceChecked,
}

// Schema gives the JSON Schema (draft 2020-12) of an event, nil when there is none of the kind.
func Schema(of event.Kind) []byte {
	text, err := schemaFiles.ReadFile(fileOf(of))
	if err != nil {
		return nil
	}
	return text
}

func fileOf(of event.Kind) string { return string(of) + ".v1.json" }

// Validate holds one event in JSON against the schema of its kind. It is for people and tests: Decode does not use it,
// and takes and refuses the same events (README.md names the exceptions). The error joins one *Error for each fault, in
// the order of their fields.
func Validate(of event.Kind, data []byte) error {
	compiled, err := compiledSchemas()
	if err != nil {
		return err
	}
	schema := compiled[of]
	if schema == nil {
		return &Error{Reason: UnknownType, Offset: -1, Detail: "there is no schema of this kind"}
	}
	value, err := parse(data)
	if err != nil {
		return err
	}
	err = schema.Validate(value)
	if faults, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
		return joined(leaves(faults, nil))
	}
	return err
}

// compiledSchemas compiles every schema, once.
var compiledSchemas = sync.OnceValues(func() (map[event.Kind]*jsonschema.Schema, error) {
	compiled := make(map[event.Kind]*jsonschema.Schema, len(Kinds))
	compiler := jsonschema.NewCompiler()
	for _, of := range Kinds {
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema(of)))
		if err != nil {
			return nil, fmt.Errorf("schema of %s: %w", of, err)
		}
		if err := compiler.AddResource(fileOf(of), document); err != nil {
			return nil, fmt.Errorf("schema of %s: %w", of, err)
		}
		if compiled[of], err = compiler.Compile(fileOf(of)); err != nil {
			return nil, fmt.Errorf("schema of %s: %w", of, err)
		}
	}
	return compiled, nil
})

// parse reads JSON as the validator wants it, within the limits of Decode.
func parse(data []byte) (any, error) {
	if _, err := (Limits{}).open(JSON, data); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, &Error{Reason: Unreadable, Offset: int(d.InputOffset()), Detail: "not JSON"}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, &Error{Reason: Unreadable, Offset: int(d.InputOffset()), Detail: "more text follows the message"}
	}
	return value, nil
}

// leaves collects the faults that have no cause of their own.
func leaves(e *jsonschema.ValidationError, found []*Error) []*Error {
	if len(e.Causes) == 0 {
		return append(found, faultsOf(e)...)
	}
	for _, cause := range e.Causes {
		found = leaves(cause, found)
	}
	return found
}

func faultsOf(e *jsonschema.ValidationError) (faults []*Error) {
	fault := func(path []string, detail string) {
		faults = append(faults, &Error{Reason: Invalid, Field: strings.Join(path, "."), Offset: -1, Detail: detail})
	}
	at := slices.Clip(e.InstanceLocation)
	switch k := e.ErrorKind.(type) {
	case *broken.Required:
		for _, name := range k.Missing {
			fault(append(at, name), "is missing")
		}
	case *broken.Type:
		fault(at, "want "+strings.Join(k.Want, " or ")+", found "+k.Got)
	case *broken.Minimum:
		fault(at, "want at least "+k.Want.RatString())
	case *broken.Maximum:
		fault(at, "want at most "+k.Want.RatString())
	case *broken.MinLength:
		fault(at, fmt.Sprintf("want at least %d characters", k.Want))
	case *broken.Const, *broken.Enum:
		fault(at, "is none of the values that are known")
	case *broken.FalseSchema:
		fault(at, "is one too many")
	default:
		fault(at, "breaks the schema's "+strings.Join(e.ErrorKind.KeywordPath(), "."))
	}
	return faults
}

func joined(faults []*Error) error {
	slices.SortFunc(faults, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Detail, b.Detail))
	})
	all := make([]error, len(faults))
	for i, fault := range faults {
		all[i] = fault
	}
	return errors.Join(all...)
}
