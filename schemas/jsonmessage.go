package schemas

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// lenient takes what JSON.parse takes: repeated keys, and text that is not UTF-8, which reads as U+FFFD.
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// jsonMessage is a message in JSON (RFC 8259).
type jsonMessage struct {
	data    []byte
	scratch []byte // where json builds a value before it knows how long it gets
}

// newJSONMessage refuses text that nests too deep, before anything else reads it.
func newJSONMessage(data []byte) (*jsonMessage, error) {
	if at := tooDeepAt(data, MaxDepth); at >= 0 {
		return nil, tooDeep(at)
	}
	return &jsonMessage{data: data}, nil
}

func tooDeep(at int) error {
	return &Error{Reason: TooDeep, Offset: at, Detail: "arrays and objects nest deeper than 8000 levels"}
}

// tooDeepAt gives the offset of the bracket that opens one level too many, -1 when none does. In text that is not JSON
// it may be wrong either way.
func tooDeepAt(data []byte, limit int) int {
	if bytes.Count(data, []byte("{"))+bytes.Count(data, []byte("[")) <= limit {
		return -1
	}
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			i = stringEnd(data, i) - 1
		case '{', '[':
			if depth++; depth > limit {
				return i
			}
		case '}', ']':
			depth--
		}
	}
	return -1
}

// stringEnd gives the end of the string that opens at data[i], the end of the data when it has none. A quote ends a string
// when an even number of backslashes stands before it.
func stringEnd(data []byte, i int) int {
	for at := i + 1; ; {
		next := bytes.IndexByte(data[at:], '"')
		if next < 0 {
			return len(data)
		}
		at += next
		slashes := 0
		for data[at-1-slashes] == '\\' { // stops at the opening quote at the latest
			slashes++
		}
		at++
		if slashes%2 == 0 {
			return at
		}
	}
}

func (m *jsonMessage) root() (span, kind, error) {
	start := len(m.data) - len(bytes.TrimLeft(m.data, " \n\r\t"))
	s := span{start, len(m.data)}
	if s.start < s.end && m.data[start] == '{' {
		return s, kindObject, nil
	}
	d := m.decoder(s)
	if _, err := d.ReadValue(); err != nil {
		return s, kindNone, m.unreadable(s, err)
	}
	return s, m.kind(s), m.atEnd(d, s)
}

func (m *jsonMessage) decoder(s span) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(m.data[s.start:s.end:s.end]), lenient...)
}

// fields reads with servedjson, which checks a message about four times as fast. What servedjson refuses, because it is no
// JSON or nests deeper than it reads, is read by the library, which says where it breaks.
func (m *jsonMessage) fields(object span, names []string) ([]span, error) {
	v, err := servedjson.Parse(m.data[object.start:object.end])
	if err != nil {
		return m.strictFields(object, names)
	}
	found := make([]span, len(names))
	for key, value := range v.Members() {
		if at := place(names, keyText(key.Raw())); at >= 0 {
			start := object.start + v.Offset(value)
			found[at] = span{start, start + len(value.Raw())}
		}
	}
	return found, nil
}

func (m *jsonMessage) strictFields(object span, names []string) ([]span, error) {
	d := m.decoder(object)
	if _, err := d.ReadToken(); err != nil {
		return nil, m.unreadable(object, err)
	}
	found := make([]span, len(names))
	for d.PeekKind() == jsontext.KindString {
		key, err := d.ReadValue()
		if err != nil {
			return nil, m.unreadable(object, err)
		}
		at := place(names, keyText(key))
		value, err := d.ReadValue()
		if err != nil {
			return nil, m.unreadable(object, err)
		}
		if at >= 0 {
			end := object.start + int(d.InputOffset())
			found[at] = span{end - len(value), end}
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, m.unreadable(object, err)
	}
	return found, m.atEnd(d, object)
}

// keyText is the text of a key; one that is written with escapes is another spelling of the same name.
func keyText(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	return unquote(quoted)
}

// unquote resolves a string that was checked. The library reports text that is not UTF-8 and gives U+FFFD for it, which
// is what we want of it.
func unquote(quoted []byte) []byte {
	text, _ := jsontext.AppendUnquote(nil, quoted)
	return text
}

// atEnd is nil when nothing follows the value.
func (m *jsonMessage) atEnd(d *jsontext.Decoder, s span) error {
	at := s.start + int(d.InputOffset())
	if _, err := d.ReadToken(); errors.Is(err, io.EOF) {
		return nil
	}
	return &Error{Reason: Unreadable, Offset: at, Detail: "more text follows the message"}
}

// unreadable keeps the place of the library's error and drops its words, which quote the text.
func (m *jsonMessage) unreadable(s span, err error) error {
	e := &Error{Reason: Unreadable, Offset: len(m.data), Detail: "not JSON"}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		e.Offset = s.start + int(syntax.ByteOffset)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		e.Detail = "not JSON: the text ends too early"
	}
	return e
}

func (m *jsonMessage) kind(s span) kind {
	if s.start >= s.end {
		return kindNone
	}
	switch m.data[s.start] {
	case '{':
		return kindObject
	case '[':
		return kindArray
	case '"':
		return kindText
	case 't', 'f':
		return kindBool
	case 'n':
		return kindNull
	}
	return kindNumber
}

func (m *jsonMessage) truth(s span) bool { return m.data[s.start] == 't' }

func (m *jsonMessage) text(s span) string {
	quoted := m.data[s.start:s.end]
	if _, spelt := scanString(quoted, 0); spelt == asItReads {
		return string(quoted[1 : len(quoted)-1])
	}
	return string(unquote(quoted))
}

// spelt tells how a string is written.
type spelt uint8

const (
	asItReads spelt = iota // no escape, and valid UTF-8
	inOneForm              // only the short escapes, which are needed where they stand
	otherwise              // in another form
)

// scanString gives the end of the string that opens at b[i], which was checked, and how it is written.
func scanString(b []byte, i int) (end int, how spelt) {
	ascii := true
	for end = i + 1; b[end] != '"'; end++ {
		switch c := b[end]; {
		case c == '\\':
			end++
			how = max(how, escapes[b[end]])
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	end++
	if !ascii && !utf8.Valid(b[i:end]) {
		how = otherwise
	}
	return end, how
}

// escapes tells of what stands behind a backslash: the short escapes but the one of the slash are needed.
var escapes = func() (t [256]spelt) {
	for c := range t {
		t[c] = otherwise
	}
	for _, c := range []byte(`"\bfnrt`) {
		t[c] = inOneForm
	}
	return t
}()

func (m *jsonMessage) texts(array span) (texts []string, ok bool) {
	texts = []string{}
	d := m.decoder(array)
	if _, err := d.ReadToken(); err != nil {
		return texts, false
	}
	for d.PeekKind() == jsontext.KindString {
		value, err := d.ReadValue()
		if err != nil {
			return texts, false
		}
		end := array.start + int(d.InputOffset())
		texts = append(texts, m.text(span{end - len(value), end}))
	}
	return texts, d.PeekKind() == jsontext.KindEndArray
}

func (m *jsonMessage) number(s span) []byte { return m.data[s.start:s.end] }

func (m *jsonMessage) json(s span) (event.JSON, error) {
	value := m.data[s.start:s.end]
	if value[0] == '"' {
		if _, how := scanString(value, 0); how != otherwise {
			return bytes.Clone(value), nil
		}
	}
	m.scratch = appendCompact(slices.Grow(m.scratch[:0], len(value)), value)
	return bytes.Clone(m.scratch), nil
}

// appendCompact appends a value that was checked in its one form: no space between tokens, no escape in a string that is
// not needed, U+FFFD for what is not text; numbers, keys, their order and repeats as they stand.
func appendCompact(dst, value []byte) []byte {
	start := 0 // of what is not appended yet
	for i := 0; i < len(value); {
		switch c := value[i]; {
		case c == '"':
			end, how := scanString(value, i)
			if how == otherwise {
				dst = appendQuoted(append(dst, value[start:i]...), unquote(value[i:end]))
				start = end
			}
			i = end
		case c <= ' ':
			dst = append(dst, value[start:i]...)
			i++
			start = i
		default:
			i++
		}
	}
	return append(dst, value[start:]...)
}

// appendQuoted appends text as a JSON string with no escape that is not needed (RFC 8785, section 3.2.2.2). The library
// reports text that is not UTF-8 and gives U+FFFD for it, which is what we want of it.
func appendQuoted[Text ~[]byte | ~string](dst []byte, text Text) []byte {
	dst, _ = jsontext.AppendQuote(dst, text)
	return dst
}
