package schemas

import (
	"fmt"
	"math"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// object reads the fields of a JSON object. The first thing that is wrong stays in err, and what is read afterwards is
// empty. Of a repeated field the last value counts; unknown fields are left aside.
type object struct {
	path   string // with a point at the end, empty for the message itself
	value  servedjson.Value
	fields map[string]servedjson.Value
	err    *Error
}

func newObject(v servedjson.Value, path string) *object {
	o := &object{path: path, value: v, fields: make(map[string]servedjson.Value, 16)}
	for key, value := range v.Members() {
		o.fields[key.Text()] = value
	}
	return o
}

// take keeps the error of an object inside this one.
func (o *object) take(inner *object) {
	if o.err == nil {
		o.err = inner.err
	}
}

func (o *object) fail(name string, at servedjson.Value, want string) {
	if o.err == nil {
		o.err = &Error{Reason: Invalid, Field: o.path + name, Offset: -1, Detail: fmt.Sprintf("want %s, not %s", want, articled(at))}
	}
}

func (o *object) failMissing(name, want string) {
	if o.err == nil {
		o.err = &Error{Reason: Invalid, Field: o.path + name, Offset: -1, Detail: "missing: want " + want}
	}
}

// articled names a value's kind without its content.
func articled(v servedjson.Value) string {
	switch v.Kind() {
	case servedjson.None:
		return "nothing"
	case servedjson.Null:
		return "null"
	case servedjson.True, servedjson.False:
		return "a boolean"
	case servedjson.Array, servedjson.Object:
		return "an " + v.Kind().String()
	}
	return "a " + v.Kind().String()
}

// present gives an optional field: null is not there.
func (o *object) present(name string) (servedjson.Value, bool) {
	v, ok := o.fields[name]
	return v, ok && v.Kind() != servedjson.Null
}

// required gives a field that must be there.
func (o *object) required(name, want string) (servedjson.Value, bool) {
	v, ok := o.fields[name]
	if !ok {
		o.failMissing(name, want)
	}
	return v, ok
}

func (o *object) text(name string) string {
	v, ok := o.required(name, "a text")
	if !ok {
		return ""
	}
	return o.textOf(name, v)
}

func (o *object) textOf(name string, v servedjson.Value) string {
	if v.Kind() != servedjson.String {
		o.fail(name, v, "a text")
		return ""
	}
	return v.Text()
}

func (o *object) optionalText(name string) string {
	if v, ok := o.present(name); ok {
		return o.textOf(name, v)
	}
	return ""
}

func (o *object) maybeText(name string) *string {
	if v, ok := o.present(name); ok {
		s := o.textOf(name, v)
		return &s
	}
	return nil
}

// texts is an optional list of texts.
func (o *object) texts(name string) []string {
	v, ok := o.present(name)
	if !ok {
		return nil
	}
	if v.Kind() != servedjson.Array {
		o.fail(name, v, "a list of texts")
		return nil
	}
	list := []string{}
	for element := range v.Elements() {
		list = append(list, o.textOf(fmt.Sprintf("%s[%d]", name, len(list)), element))
	}
	return list
}

func (o *object) flag(name string, otherwise bool) bool {
	v, ok := o.present(name)
	if !ok {
		return otherwise
	}
	if v.Kind() != servedjson.True && v.Kind() != servedjson.False {
		o.fail(name, v, "true or false")
	}
	return v.Kind() == servedjson.True
}

// maxWhole is the largest turn or iteration.
const maxWhole = math.MaxInt32

// number is a whole number of at least the minimum; 1.0 and 1e0 are whole, as JSON Schema has it.
func (o *object) number(name string, least int) int {
	want := fmt.Sprintf("a whole number from %d to %d", least, maxWhole)
	v, ok := o.required(name, want)
	if !ok {
		return 0
	}
	f := v.Float()
	if v.Kind() != servedjson.Number || f != math.Trunc(f) || f < float64(least) || f > maxWhole {
		o.fail(name, v, want)
		return 0
	}
	return int(f)
}

func (o *object) optionalInt(name string) *int {
	v, ok := o.present(name)
	if !ok {
		return nil
	}
	f := v.Float()
	if v.Kind() != servedjson.Number || f != math.Trunc(f) || math.Abs(f) > maxWhole {
		o.fail(name, v, "a whole number")
		return nil
	}
	n := int(f)
	return &n
}

func (o *object) optionalNumber(name string) event.JSON {
	v, ok := o.present(name)
	if ok && v.Kind() != servedjson.Number {
		o.fail(name, v, "a number")
		return nil
	}
	return o.optionalJSON(name)
}

// json is any value, null too, that must be there.
func (o *object) json(name string) event.JSON {
	v, ok := o.required(name, "any value")
	if !ok {
		return nil
	}
	return servedjson.AppendCompact(make([]byte, 0, len(v.Raw())), v)
}

func (o *object) optionalJSON(name string) event.JSON {
	if v, ok := o.present(name); ok {
		return servedjson.AppendCompact(make([]byte, 0, len(v.Raw())), v)
	}
	return nil
}

// child is an object that must be there.
func (o *object) child(name string) *object {
	v, ok := o.required(name, "an object")
	if ok && v.Kind() != servedjson.Object {
		o.fail(name, v, "an object")
	}
	return newObject(v, o.path+name+".")
}

// optionalChild is nil when it is not there.
func (o *object) optionalChild(name string) *object {
	v, ok := o.present(name)
	if !ok {
		return nil
	}
	if v.Kind() != servedjson.Object {
		o.fail(name, v, "an object")
		return nil
	}
	return newObject(v, o.path+name+".")
}
