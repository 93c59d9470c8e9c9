package schemas

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/vmihailenco/msgpack/v5/msgpcode"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

func (m *packMessage) kind(s span) kind {
	if s.start >= s.end {
		return kindNone
	}
	k := kindsByCode[m.data[s.start]]
	if k == kindExtension {
		m.seek(s.start)
		if id, _, err := m.d.DecodeExtHeader(); err == nil && id == NumberExtension {
			return kindNumber
		}
	}
	return k
}

func (m *packMessage) truth(s span) bool { return m.data[s.start] == msgpcode.True }

func (m *packMessage) text(s span) string {
	m.seek(s.start)
	text, err := m.readText("a value")
	if err != nil {
		return ""
	}
	return validText(text)
}

// validText gives U+FFFD for every byte that is not UTF-8, as the JSON decoder does.
func validText(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	return string(bytes.Runes(text))
}

func (m *packMessage) texts(array span) (texts []string, ok bool) {
	m.seek(array.start)
	n, err := m.d.DecodeArrayLen()
	if err != nil {
		return nil, false
	}
	texts = make([]string, 0, n) // each of them was seen by skip
	for range n {
		text, err := m.readText("a value")
		if err != nil {
			return texts, false
		}
		texts = append(texts, validText(text))
	}
	return texts, true
}

func (m *packMessage) number(s span) []byte {
	m.seek(s.start)
	text, err := m.appendNumber(nil)
	if err != nil {
		return nil
	}
	return text
}

// appendNumber appends the number that is read next as JSON text: a whole number in decimal digits, a float in the
// fewest digits that read back in its own precision, an extension as it stands.
func (m *packMessage) appendNumber(dst []byte) ([]byte, error) {
	at := m.at()
	switch code := m.data[at]; {
	case kindsByCode[code] == kindExtension:
		return m.appendExtension(dst)
	case code == msgpcode.Float:
		f, err := m.d.DecodeFloat32()
		if err != nil {
			return dst, m.cut()
		}
		return m.appendFloat(dst, at, float64(f), 32)
	case code == msgpcode.Double:
		f, err := m.d.DecodeFloat64()
		if err != nil {
			return dst, m.cut()
		}
		return m.appendFloat(dst, at, f, 64)
	case code == msgpcode.Uint64:
		n, err := m.d.DecodeUint64()
		if err != nil {
			return dst, m.cut()
		}
		return strconv.AppendUint(dst, n, 10), nil
	}
	n, err := m.d.DecodeInt64()
	if err != nil {
		return dst, m.cut()
	}
	return strconv.AppendInt(dst, n, 10), nil
}

func (m *packMessage) appendFloat(dst []byte, at int, f float64, bits int) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return dst, m.invalid(at, "a number is NaN or infinite")
	}
	return jsontext.AppendFloat(dst, f, bits), nil
}

func (m *packMessage) appendExtension(dst []byte) ([]byte, error) {
	at := m.at()
	id, n, err := m.d.DecodeExtHeader()
	if err != nil || n > m.in.Len() {
		return dst, m.cut()
	}
	if id != NumberExtension {
		return dst, m.invalid(at, "an extension of type "+strconv.Itoa(int(id))+" is no value of an event")
	}
	text := m.take(n)
	if v, err := servedjson.Parse(text); err != nil || v.Kind() != servedjson.Number || len(v.Raw()) != n {
		return dst, m.invalid(at, "an extension for a number does not hold a JSON number")
	}
	return append(dst, text...), nil
}

func (m *packMessage) json(s span) (event.JSON, error) {
	m.seek(s.start)
	text, err := m.appendJSON(make([]byte, 0, s.end-s.start))
	if err != nil {
		return nil, err
	}
	return slices.Clip(text), nil
}

// appendJSON appends the value that is read next, which skip has checked, as JSON in its one form: the order and the
// repeats of keys as they stand. It calls itself no deeper than skip let the value nest.
func (m *packMessage) appendJSON(dst []byte) ([]byte, error) {
	at := m.at()
	code, ok := m.code()
	if !ok {
		return dst, m.cut()
	}
	switch kindsByCode[code] {
	case kindNumber, kindExtension:
		return m.appendNumber(dst)
	case kindText:
		text, err := m.readText("a value")
		return appendQuoted(dst, text), err
	case kindArray:
		return m.appendArray(dst)
	case kindObject:
		return m.appendObject(dst)
	case kindBytes:
		return dst, m.invalid(at, "bytes are no value of an event")
	}
	m.advance(1)
	return append(dst, literal(code)...), nil
}

func literal(code byte) string {
	switch code {
	case msgpcode.True:
		return "true"
	case msgpcode.False:
		return "false"
	}
	return "null"
}

func (m *packMessage) appendArray(dst []byte) ([]byte, error) {
	n, err := m.d.DecodeArrayLen()
	if err != nil {
		return dst, m.cut()
	}
	dst = append(dst, '[')
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = m.appendJSON(dst); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func (m *packMessage) appendObject(dst []byte) ([]byte, error) {
	n, err := m.d.DecodeMapLen()
	if err != nil {
		return dst, m.cut()
	}
	dst = append(dst, '{')
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		key, err := m.readText("a key")
		if err != nil {
			return dst, err
		}
		dst = append(appendQuoted(dst, key), ':')
		if dst, err = m.appendJSON(dst); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}
