package schemas

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
)

// reader reads the fields of one message. It keeps the first fault; what is read after it is worth nothing.
type reader struct {
	m   message
	err error
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// object is one object of the message, with the spans of its known fields. The zero object holds nothing.
type object struct {
	r      *reader
	prefix string // of its fields' paths: "" or "call."
	names  []string
	spans  []span
}

func (o object) absent() bool { return o.spans == nil }

// root opens the message.
func (r *reader) root(names []string) object {
	s, k, err := r.m.root()
	if err == nil && k != kindObject {
		err = &Error{Reason: Invalid, Offset: s.start, Detail: "want an object, found " + k.String()}
	}
	if err != nil {
		r.fail(err)
		return object{r: r}
	}
	return r.open("", s, names)
}

func (r *reader) open(prefix string, s span, names []string) object {
	spans, err := r.m.fields(s, names)
	if err != nil {
		r.fail(within(strings.TrimSuffix(prefix, "."), err))
	}
	return object{r: r, prefix: prefix, names: names, spans: spans}
}

// within names the field that an error of its value is about.
func within(field string, err error) error {
	if e, ok := errors.AsType[*Error](err); ok && e.Reason == Invalid {
		e.Field = field
	}
	return err
}

// find gives a field's span: the zero span when it is not there, or when an earlier fault makes it worth nothing.
func (o object) find(name string) span {
	if o.r.err != nil || o.spans == nil {
		return span{}
	}
	return o.spans[place(o.names, []byte(name))]
}

// take gives the span of a field whose value is of one of the kinds. A field that is not there, or null, is the zero
// span and, when it is required, a fault.
func (o object) take(name string, required bool, kinds ...kind) (s span, ok bool) {
	s = o.find(name)
	found := o.r.m.kind(s)
	if slices.Contains(kinds, found) {
		return s, true
	}
	switch {
	case found == kindNone && required:
		o.invalid(name, span{start: -1}, "is missing")
	case found == kindNone || found == kindNull && !required:
	default:
		o.invalid(name, s, "want "+kinds[0].String()+", found "+found.String())
	}
	return span{}, false
}

func (o object) invalid(name string, s span, detail string) {
	o.r.fail(&Error{Reason: Invalid, Field: o.prefix + name, Offset: s.start, Detail: detail})
}

func (o object) text(name string) string {
	if s, ok := o.take(name, true, kindText); ok {
		return o.r.m.text(s)
	}
	return ""
}

// name is a text that is not empty.
func (o object) name(name string) string {
	text := o.text(name)
	if text == "" {
		o.invalid(name, o.find(name), "is empty")
	}
	return text
}

func (o object) optionalText(name string) string {
	if s, ok := o.take(name, false, kindText); ok {
		return o.r.m.text(s)
	}
	return ""
}

func (o object) textOrNil(name string) *string {
	s, ok := o.take(name, false, kindText)
	if !ok {
		return nil
	}
	return new(o.r.m.text(s))
}

func (o object) texts(name string) []string {
	s, ok := o.take(name, false, kindArray)
	if !ok {
		return nil
	}
	texts, ok := o.r.m.texts(s)
	if !ok {
		o.invalid(name+"."+strconv.Itoa(len(texts)), s, "want a string")
	}
	return texts
}

func (o object) reasons(name string) []event.Reason {
	texts := o.texts(name)
	if texts == nil {
		return nil
	}
	reasons := make([]event.Reason, len(texts))
	for i, text := range texts {
		reasons[i] = event.Reason(text)
	}
	return reasons
}

func (o object) whole(name string, least, most int64) int {
	s, ok := o.take(name, true, kindNumber)
	if !ok {
		return 0
	}
	return o.wholeAt(name, s, least, most)
}

func (o object) wholeOrNil(name string, least, most int64) *int {
	s, ok := o.take(name, false, kindNumber)
	if !ok {
		return nil
	}
	return new(o.wholeAt(name, s, least, most))
}

func (o object) wholeAt(name string, s span, least, most int64) int {
	if text := o.r.m.number(s); text != nil {
		if n, ok := wholeNumber(text); ok && n >= least && n <= most {
			return int(n)
		}
	}
	o.invalid(name, s, fmt.Sprintf("want a whole number from %d to %d", least, most))
	return 0
}

func (o object) flag(name string, missing bool) bool {
	if s, ok := o.take(name, false, kindBool); ok {
		return o.r.m.truth(s)
	}
	return missing
}

func (o object) object(name string, required bool, names []string) object {
	s, ok := o.take(name, required, kindObject)
	if !ok {
		return object{r: o.r}
	}
	return o.r.open(o.prefix+name+".", s, names)
}

// json is an optional value of one of the kinds, of any kind when none is named.
func (o object) json(name string, kinds ...kind) event.JSON {
	if len(kinds) == 0 {
		kinds = anyKind[1:]
	}
	s, ok := o.take(name, false, kinds...)
	if !ok {
		return nil
	}
	return o.jsonAt(name, s)
}

// anyValue is a value that is there, and may be null.
func (o object) anyValue(name string) event.JSON {
	s, ok := o.take(name, true, anyKind...)
	if !ok {
		return nil
	}
	return o.jsonAt(name, s)
}

// anyKind is every kind of value; those that JSON does not know are refused where they are written as JSON.
var anyKind = []kind{
	kindNull, kindBool, kindNumber, kindText, kindArray, kindObject, kindBytes, kindExtension,
}

func (o object) jsonAt(name string, s span) event.JSON {
	j, err := o.r.m.json(s)
	if err != nil {
		o.r.fail(within(o.prefix+name, err))
	}
	return j
}
