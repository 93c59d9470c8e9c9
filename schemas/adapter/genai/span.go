package genai

import (
	"cmp"
	"slices"
	"strings"

	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// Span is one finished span. A span that is given to a Converter is kept and must not change.
type Span struct {
	Trace, ID string // lower-case hexadecimal
	Parent    string // empty: a root
	Name      string
	Remote    bool   // the kind is client: what it tells of runs elsewhere
	Start     uint64 // nanoseconds since 1970, as End
	End       uint64
	Failed    bool   // the status is an error
	Message   string // the status's
	Service   string // the resource's service.name
	// Attributes hold JSON; of a name that is written twice the last value.
	Attributes map[string]servedjson.Value
	Events     []SpanEvent
	Dropped    int // attributes and events that the producer left out for their number
	Line       int // of the record, from 1; 0 when it has none
}

// SpanEvent is something that happened while a span ran.
type SpanEvent struct {
	Name       string
	Attributes map[string]servedjson.Value
}

// Fault is why a span, or a part of it, could not be read.
type Fault struct {
	Line   int    // of the record, from 1; 0 when it has none
	Span   string // its name, as the producer chose it
	Field  string // the attribute, with the path in it; empty when it is about the whole span
	Detail string // a plain sentence without its full stop, without content
}

// faultError is a Fault on its way up, before its span is known.
type faultError struct{ field, detail string }

func (f *faultError) Error() string { return f.field + ": " + f.detail }

func wrong(field, want string, found servedjson.Value) *faultError {
	return &faultError{field, "want " + want + ", found " + adapter.KindWord(found.Kind())}
}

// redacted is what OpenInference writes in the place of what it was told to hide.
const redacted = "__REDACTED__"

// has tells whether the span has an attribute with a value that was not hidden.
func (s *Span) has(name string) bool {
	v, ok := s.Attributes[name]
	return ok && v.Kind() != servedjson.Null && !v.TextIs(redacted)
}

// text gives the first of the attributes that is there, "" when none is. Another kind than a string is a fault.
func (s *Span) text(names ...string) (string, *faultError) {
	for _, name := range names {
		if !s.has(name) {
			continue
		}
		v := s.Attributes[name]
		if v.Kind() != servedjson.String {
			return "", wrong(name, "a string", v)
		}
		return v.Text(), nil
	}
	return "", nil
}

// word is text where another kind is as good as nothing: what is asked decides only what the span is, not what it says.
func (s *Span) word(name string) string {
	if v := s.Attributes[name]; v.Kind() == servedjson.String {
		return v.Text()
	}
	return ""
}

// value gives the first of the attributes that is there and was not hidden.
func (s *Span) value(names ...string) (v servedjson.Value, name string) {
	for _, name := range names {
		if s.has(name) {
			return s.Attributes[name], name
		}
	}
	return servedjson.Value{}, ""
}

// names lists the span's attributes in order.
func (s *Span) names() []string {
	names := make([]string, 0, len(s.Attributes))
	for name := range s.Attributes {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// before orders the spans of a trace. Producers write spans as they end, so the order of the record says nothing.
func (s *Span) before(t *Span) int {
	return cmp.Or(cmp.Compare(s.Start, t.Start), cmp.Compare(s.End, t.End), strings.Compare(s.ID, t.ID))
}
