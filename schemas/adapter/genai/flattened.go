package genai

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// tree is what attributes say whose names are paths, as in llm.input_messages.0.message.role: OpenInference and OpenLLMetry
// write lists that way.
type tree struct {
	leaf   servedjson.Value
	under  map[string]*tree
	listed bool // every name under it is a number
}

// unflattened gives the list that the attributes below a prefix spell; ok is false when there are none.
func (s *Span) unflattened(prefix string) (list servedjson.Value, ok bool) {
	root := &tree{}
	for _, name := range s.names() {
		if path, below := strings.CutPrefix(name, prefix+"."); below && startsWithNumber(path) {
			root.add(strings.Split(path, "."), s.Attributes[name])
		}
	}
	if len(root.under) == 0 {
		return servedjson.Value{}, false
	}
	list, err := servedjson.Parse(root.appendJSON(nil))
	return list, err == nil
}

func startsWithNumber(path string) bool {
	first, _, _ := strings.Cut(path, ".")
	_, ok := number(first)
	return ok
}

func number(name string) (n int, ok bool) {
	n, err := strconv.Atoi(name)
	return n, err == nil && n >= 0
}

func (t *tree) add(path []string, leaf servedjson.Value) {
	if len(path) == 0 {
		t.leaf = leaf
		return
	}
	if t.under == nil {
		t.under, t.listed = map[string]*tree{}, true
	}
	if _, ok := number(path[0]); !ok {
		t.listed = false
	}
	next := t.under[path[0]]
	if next == nil {
		next = &tree{}
		t.under[path[0]] = next
	}
	next.add(path[1:], leaf)
}

// appendJSON writes lists in the order of their numbers, whatever is missing between them.
func (t *tree) appendJSON(dst []byte) []byte {
	if len(t.under) == 0 {
		return append(dst, t.leaf.Raw()...)
	}
	names := slices.Collect(maps.Keys(t.under))
	slices.SortFunc(names, compareNames)
	opening, closing := byte('{'), byte('}')
	if t.listed {
		opening, closing = '[', ']'
	}
	dst = append(dst, opening)
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		if !t.listed {
			dst = append(servedjson.AppendQuoted(dst, []byte(name)), ':')
		}
		dst = t.under[name].appendJSON(dst)
	}
	return append(dst, closing)
}

func compareNames(a, b string) int {
	n, isNumber := number(a)
	m, areNumbers := number(b)
	if isNumber && areNumbers {
		return n - m
	}
	return strings.Compare(a, b)
}
