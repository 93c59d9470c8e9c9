package policy

import (
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// keysAt gives the keys that the schema has at a place of a file, sorted.
func keysAt(s *jsonschema.Schema, path []string) []string {
	for _, step := range path {
		s = below(s, step)
	}
	if s = referred(s); s == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(s.Properties))
}

// below is the schema of a key or a place in a list, nil when there is none.
func below(s *jsonschema.Schema, step string) *jsonschema.Schema {
	if s = referred(s); s == nil {
		return nil
	}
	if property, ok := s.Properties[step]; ok {
		return property
	}
	if other, ok := s.AdditionalProperties.(*jsonschema.Schema); ok {
		return other
	}
	return s.Items2020
}

func referred(s *jsonschema.Schema) *jsonschema.Schema {
	for s != nil && s.Ref != nil {
		s = s.Ref
	}
	return s
}

// advice names the key that an unknown one was meant to be, or all that there are.
func advice(key string, known []string) string {
	for _, k := range known {
		if bare(k) == bare(key) {
			return "did you mean " + k + "?"
		}
	}
	for _, k := range known {
		if oneSlip(bare(k), bare(key)) {
			return "did you mean " + k + "?"
		}
	}
	return "want one of " + strings.Join(known, ", ")
}

// bare is a key without what people write differently: case, hyphens and underscores.
func bare(key string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(key))
}

// oneSlip tells whether two keys differ by one byte that is missing, added or another, or by two that changed places.
func oneSlip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	switch {
	case len(b) == len(a)+1:
		return a == b[1:]
	case len(b) != len(a) || len(a) == 0:
		return false
	case a[1:] == b[1:]:
		return true
	}
	return len(a) > 1 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
}
