package policy

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// document is a parsed file that can tell the line of each field.
type document struct {
	name string
	root *yaml.Node
}

// parse reads the file and holds it against the schema. An empty file says nothing, and is whole.
func parse(name string, content []byte) (file, *document, error) {
	doc := &document{name: name}
	if err := doc.read(content); err != nil {
		return file{}, nil, err
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
		return file{}, nil, doc.syntax(err)
	}
	return f, doc, nil
}

// read takes the one YAML document of the file.
func (d *document) read(content []byte) error {
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	var first, second yaml.Node
	d.root = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: 1}
	switch err := decoder.Decode(&first); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return d.syntax(err)
	}
	if first.Content[0].ShortTag() != "!!null" {
		d.root = first.Content[0]
	}
	switch err := decoder.Decode(&second); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return d.syntax(err)
	}
	return d.errorAt(second.Line, nil, "a second document begins here: a policy file holds one")
}

// syntax gives the error of the YAML library, which opens with the line when it knows it.
func (d *document) syntax(err error) *Error {
	reason := strings.TrimPrefix(err.Error(), "yaml: ")
	if after, ok := strings.CutPrefix(reason, "line "); ok {
		number, what, _ := strings.Cut(after, ": ")
		if line, err := strconv.Atoi(number); err == nil {
			return d.errorAt(line, nil, "is not YAML: "+what)
		}
	}
	return d.errorAt(0, nil, "is not YAML: "+reason)
}

// plain gives a node as the data that the schema is held against. Aliases are refused: a policy is read by people.
func (d *document) plain(n *yaml.Node, path []string) (any, error) {
	switch n.Kind {
	case yaml.MappingNode:
		return d.plainObject(n, path)
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			value, err := d.plain(item, within(path, strconv.Itoa(i)))
			if err != nil {
				return nil, err
			}
			list[i] = value
		}
		return list, nil
	case yaml.ScalarNode:
		return d.plainScalar(n, path)
	}
	return nil, d.errorAt(n.Line, path, "an alias is not read here: write the value out")
}

func (d *document) plainObject(n *yaml.Node, path []string) (any, error) {
	object := map[string]any{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode || key.ShortTag() == "!!merge" {
			return nil, d.errorAt(key.Line, path, "want a plain word before the colon")
		}
		at := within(path, key.Value)
		if _, twice := object[key.Value]; twice {
			return nil, d.errorAt(key.Line, at, "stands here a second time: leave one of them out")
		}
		value, err := d.plain(n.Content[i+1], at)
		if err != nil {
			return nil, err
		}
		object[key.Value] = value
	}
	return object, nil
}

// plainScalar gives a date as the text that it is written as: no setting is a date.
func (d *document) plainScalar(n *yaml.Node, path []string) (any, error) {
	if n.ShortTag() == "!!timestamp" {
		return n.Value, nil
	}
	var value any
	if err := n.Decode(&value); err != nil {
		return nil, d.errorAt(n.Line, path, d.syntax(err).Reason)
	}
	return value, nil
}

// within is the path of a field inside another; it shares nothing with the other's.
func within(path []string, step string) []string {
	return append(slices.Clip(path), step)
}

// find is the node of a path, and the line that its key stands on, or its place in a list; nil when there is none, and
// the line of what is there of the path.
func (d *document) find(path []string) (n *yaml.Node, line int) {
	n, line = d.root, d.root.Line
	for _, step := range path {
		child, at := childOf(n, step)
		if child == nil {
			return nil, line
		}
		n, line = child, at
	}
	return n, line
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
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i], n.Content[i].Line
		}
	}
	return nil, 0
}
