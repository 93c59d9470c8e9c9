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

// document is a parsed file that can tell the line of each field.
type document struct {
	name string
	root *yaml.Node
}

// parse reads the file and holds it against the schema.
func parse(name string, content []byte) (file, *document, error) {
	doc := &document{name: name}
	var root yaml.Node
	if err := yaml.Unmarshal(content, &root); err != nil {
		return file{}, nil, &Error{File: name, Reason: strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	doc.root = &yaml.Node{Kind: yaml.MappingNode, Line: 1}
	if len(root.Content) > 0 {
		doc.root = root.Content[0]
	}
	instance, err := doc.plain(doc.root, nil)
	if err != nil {
		return file{}, nil, err
	}
	if err := doc.validate(instance); err != nil {
		return file{}, nil, err
	}
	var f file
	if err := doc.root.Decode(&f); err != nil {
		return file{}, nil, &Error{File: name, Reason: err.Error()}
	}
	return f, doc, nil
}

// plain gives a node as the data that the schema is held against. Anchors are refused: a policy is read by people.
func (d *document) plain(n *yaml.Node, path []string) (any, error) {
	switch n.Kind {
	case yaml.MappingNode:
		object := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i].Value
			if _, twice := object[key]; twice {
				return nil, d.errorAt(n.Content[i].Line, append(path, key), "stands here a second time")
			}
			value, err := d.plain(n.Content[i+1], append(path, key))
			if err != nil {
				return nil, err
			}
			object[key] = value
		}
		return object, nil
	case yaml.SequenceNode:
		list := []any{}
		for i, item := range n.Content {
			value, err := d.plain(item, append(path, strconv.Itoa(i)))
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case yaml.ScalarNode:
		var value any
		if err := n.Decode(&value); err != nil {
			return nil, d.errorAt(n.Line, path, err.Error())
		}
		return value, nil
	}
	return nil, d.errorAt(n.Line, path, "anchors and aliases are not read here: write the value out")
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
		faults = append(faults, d.fault(leaf)...)
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

var english = message.NewPrinter(language.English)

// fault says what one leaf of the validation means: of unknown keys one error each, with the key that was meant.
func (d *document) fault(e *jsonschema.ValidationError) []*Error {
	unknown, ok := e.ErrorKind.(*kind.AdditionalProperties)
	if !ok {
		return []*Error{d.errorAt(d.line(e.InstanceLocation), e.InstanceLocation, e.ErrorKind.LocalizedString(english))}
	}
	var faults []*Error
	for _, key := range unknown.Properties {
		path := append(slices.Clone(e.InstanceLocation), key)
		reason := "is no setting"
		if meant := spelling(key); meant != "" {
			reason += fmt.Sprintf(": did you mean %s?", meant)
		}
		faults = append(faults, d.errorAt(d.line(path), path, reason))
	}
	return faults
}

var known = []string{
	"ruleset", "minDigits", "figures", "scope", "scripts", "shapes", "exempt", "exemptPatterns", "placeholders", "off",
	"tools", "tenants", "agents", "rowsAt", "name", "pattern",
}

// spelling gives the known key that differs only in case, hyphens and underscores, empty when there is none.
func spelling(key string) string {
	bare := strings.NewReplacer("-", "", "_", "").Replace
	for _, k := range known {
		if strings.EqualFold(bare(k), bare(key)) {
			return k
		}
	}
	return ""
}

// line is where the field of a path stands: its key, or its place in a list.
func (d *document) line(path []string) int {
	n, line := d.root, d.root.Line
	for _, step := range path {
		child, at := childOf(n, step)
		if child == nil {
			return line
		}
		n, line = child, at
	}
	return line
}

func childOf(n *yaml.Node, step string) (child *yaml.Node, line int) {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == step {
				return n.Content[i+1], n.Content[i].Line
			}
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(step); err == nil && i < len(n.Content) {
			return n.Content[i], n.Content[i].Line
		}
	}
	return nil, 0
}

// blame gives the error of rules that do not compile the place of the settings that made them: the agent's, the tenant's,
// or the file's, whichever names the field that the error opens with.
func (d *document) blame(tenant, agent string, err error) error {
	text := strings.TrimPrefix(err.Error(), "policy: ")
	field, _, _ := strings.Cut(text, ":")
	field, _, _ = strings.Cut(field, " ")
	field, _, _ = strings.Cut(field, "[")
	for _, path := range [][]string{{"agents", agent, field}, {"tenants", tenant, field}, {field}} {
		if d.holds(path) {
			return d.errorAt(d.line(path), path[:len(path)-1], text)
		}
	}
	return d.errorAt(0, nil, text)
}

func (d *document) holds(path []string) bool {
	n := d.root
	for _, step := range path {
		if n, _ = childOf(n, step); n == nil {
			return false
		}
	}
	return true
}
