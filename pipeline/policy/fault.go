package policy

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"go.yaml.in/yaml/v3"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/plumbline-dev/plumbline/schemas"
)

// Error is one fault of a policy file.
type Error struct {
	File   string
	Line   int    // from 1, 0 when it is about no line
	Field  string // dotted path, such as tools.search.rowsAt
	Reason string
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		b.WriteString(":" + strconv.Itoa(e.Line))
	}
	b.WriteString(": ")
	if e.Field != "" {
		b.WriteString(e.Field + ": ")
	}
	b.WriteString(e.Reason)
	return b.String()
}

func (d *document) errorAt(line int, path []string, reason string) *Error {
	return &Error{File: d.name, Line: line, Field: strings.Join(path, "."), Reason: reason}
}

// validate holds the data against the schema; every fault has the line of its field.
func (d *document) validate(instance any) error {
	schema, err := schemas.PolicySchema()
	if err != nil {
		return err
	}
	err = schema.Validate(instance)
	invalid, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return err
	}
	var faults []*Error
	for _, leaf := range leaves(invalid) {
		faults = append(faults, d.faults(schema, leaf)...)
	}
	slices.SortStableFunc(faults, func(a, b *Error) int { return a.Line - b.Line })
	joined := make([]error, len(faults))
	for i, fault := range faults {
		joined[i] = fault
	}
	return errors.Join(joined...)
}

func leaves(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	var all []*jsonschema.ValidationError
	for _, cause := range e.Causes {
		all = append(all, leaves(cause)...)
	}
	return all
}

// faults says what one leaf of the validation means: of unknown keys one error each, with the key that was meant.
func (d *document) faults(schema *jsonschema.Schema, e *jsonschema.ValidationError) []*Error {
	unknown, ok := e.ErrorKind.(*kind.AdditionalProperties)
	if !ok {
		n, line := d.find(e.InstanceLocation)
		return []*Error{d.errorAt(line, e.InstanceLocation, sentence(e.ErrorKind, n))}
	}
	known := keysAt(schema, e.InstanceLocation)
	faults := make([]*Error, len(unknown.Properties))
	for i, key := range slices.Sorted(slices.Values(unknown.Properties)) {
		path := within(e.InstanceLocation, key)
		_, line := d.find(path)
		faults[i] = d.errorAt(line, path, "is no setting: "+advice(key, known))
	}
	return faults
}

// wants are the types of JSON in the words of a policy file.
var wants = map[string]string{
	"string": "text", "integer": "a whole number", "boolean": "true or false", "array": "a list", "object": "settings, each a key and a value",
}

var english = message.NewPrinter(language.English)

// sentence says what is wanted of a field instead of what stands there.
func sentence(fault jsonschema.ErrorKind, n *yaml.Node) string {
	switch f := fault.(type) {
	case *kind.Type:
		return wrongType(f.Want[0], n)
	case *kind.Enum:
		return fmt.Sprintf("want %s, not %s", alternatives(f.Want), shown(n))
	case *kind.Minimum:
		return fmt.Sprintf("want %s or more, not %s", f.Want.RatString(), shown(n))
	case *kind.Maximum:
		return fmt.Sprintf("want %s or less, not %s", f.Want.RatString(), shown(n))
	case *kind.MinLength:
		return "may not be empty: say something or leave it out"
	case *kind.Pattern: // the schema has one: of rowsAt
		return "want one top-level key, not " + shown(n)
	case *kind.Required:
		return strings.Join(f.Missing, " and ") + " is missing"
	}
	return fault.LocalizedString(english)
}

func wrongType(want string, n *yaml.Node) string {
	switch {
	case n == nil || n.ShortTag() == "!!null":
		return "is empty: want " + wants[want] + ", or leave it out"
	case want == "string" && n.Kind == yaml.ScalarNode:
		return fmt.Sprintf("want text, not %s: put it in quotes", shown(n))
	}
	return fmt.Sprintf("want %s, not %s", wants[want], shown(n))
}

func alternatives(values []any) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprint(v)
	}
	last := len(texts) - 1
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}

// shown is a value as the file writes it, text in quotes.
func shown(n *yaml.Node) string {
	switch {
	case n == nil:
		return "nothing"
	case n.Kind == yaml.MappingNode:
		return "keys and values"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.ShortTag() == "!!str":
		return strconv.Quote(n.Value)
	}
	return n.Value
}

// blame gives the error of rules that do not compile the place of the setting that makes it: of the agent in the tenant,
// of the agent, of the tenant or of the file, whichever says the field that the error opens with.
func (d *document) blame(tenant, agent string, err error) error {
	text := strings.TrimPrefix(err.Error(), "policy: ")
	place, reason, _ := strings.Cut(text, ": ")
	field := strings.FieldsFunc(place, func(r rune) bool { return r == '[' || r == ']' || r == '.' })
	for _, above := range [][]string{{"tenants", tenant, "agents", agent}, {"agents", agent}, {"tenants", tenant}, nil} {
		path := append(slices.Clip(above), field...)
		if n, line := d.find(path); n != nil {
			return d.errorAt(line, path, reason)
		}
	}
	return d.errorAt(0, nil, text)
}
