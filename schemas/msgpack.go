package schemas

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// NumberExt is the MessagePack extension type of a JSON number that no integer or double of MessagePack writes back as
// it was: its content is the number's JSON text, in ASCII. 20-digit serials, 1.50 and 1e400 travel so.
const NumberExt int8 = 0x4E

// msgpackToJSON writes a MessagePack message over as compact JSON text. Maps keep their order. What JSON has no form for
// is invalid: binary, other extensions, keys that are no text, NaN and infinities.
func msgpackToJSON(data []byte) ([]byte, error) {
	r := bytes.NewReader(data)
	t := transcoder{dec: msgpack.NewDecoder(r), out: make([]byte, 0, len(data)+len(data)/4)}
	if err := t.value(0); err != nil {
		return nil, asError(err, len(data)-r.Len())
	}
	if r.Len() > 0 {
		return nil, &Error{Reason: Unreadable, Offset: len(data) - r.Len(), Detail: "more bytes after the message"}
	}
	return t.out, nil
}

// asError says what stopped a MessagePack message and where.
func asError(err error, offset int) error {
	if e, ok := errors.AsType[*Error](err); ok {
		if e.Offset < 0 {
			e.Offset = offset
		}
		return e
	}
	return &Error{Reason: Unreadable, Offset: offset, Detail: "not MessagePack"}
}

// transcoder writes one message over.
type transcoder struct {
	dec *msgpack.Decoder
	out []byte
}

func (t *transcoder) value(depth int) error {
	code, err := t.dec.PeekCode()
	if err != nil {
		return err
	}
	switch {
	case msgpcode.IsString(code):
		return t.text()
	case msgpcode.IsFixedMap(code), code == msgpcode.Map16, code == msgpcode.Map32:
		return t.object(depth)
	case msgpcode.IsFixedArray(code), code == msgpcode.Array16, code == msgpcode.Array32:
		return t.list(depth)
	case msgpcode.IsExt(code):
		return t.number()
	case msgpcode.IsBin(code):
		return noForm("binary")
	}
	return t.scalar(code)
}

func noForm(what string) error {
	return &Error{Reason: Invalid, Offset: -1, Detail: what + " has no form in JSON"}
}

func (t *transcoder) scalar(code byte) error {
	switch code {
	case msgpcode.Nil:
		t.out = append(t.out, "null"...)
		return t.dec.DecodeNil()
	case msgpcode.True, msgpcode.False:
		b, err := t.dec.DecodeBool()
		t.out = strconv.AppendBool(t.out, b)
		return err
	case msgpcode.Float:
		f, err := t.dec.DecodeFloat32()
		if err != nil {
			return err
		}
		short, err := strconv.ParseFloat(strconv.FormatFloat(float64(f), 'g', -1, 32), 64)
		return errors.Join(err, t.double(short))
	case msgpcode.Double:
		f, err := t.dec.DecodeFloat64()
		return errors.Join(err, t.double(f))
	case msgpcode.Uint64:
		n, err := t.dec.DecodeUint64()
		t.out = strconv.AppendUint(t.out, n, 10)
		return err
	}
	n, err := t.dec.DecodeInt64()
	t.out = strconv.AppendInt(t.out, n, 10)
	return err
}

func (t *transcoder) double(f float64) error {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return noForm("a number that is not finite")
	}
	t.out = servedjson.AppendJSNumber(t.out, f)
	return nil
}

func (t *transcoder) text() error {
	s, err := t.dec.DecodeString()
	t.out = servedjson.AppendQuoted(t.out, []byte(s))
	return err
}

// number reads a number that travels as an extension.
func (t *transcoder) number() error {
	id, size, err := t.dec.DecodeExtHeader()
	if err != nil {
		return err
	}
	if id != NumberExt || size > maxNumberText {
		return noForm("this extension")
	}
	text := make([]byte, size)
	if err := t.dec.ReadFull(text); err != nil {
		return err
	}
	if v, err := servedjson.Parse(text); err != nil || v.Kind() != servedjson.Number || len(v.Raw()) != size {
		return &Error{Reason: Invalid, Offset: -1, Detail: "the number extension holds no JSON number"}
	}
	t.out = append(t.out, text...)
	return nil
}

// maxNumberText bounds the text of a number that travels as an extension.
const maxNumberText = 1 << 20

func (t *transcoder) list(depth int) error {
	n, err := t.dec.DecodeArrayLen()
	if err != nil {
		return err
	}
	if depth >= servedjson.MaxDepth {
		return tooDeep()
	}
	t.out = append(t.out, '[')
	for i := range n {
		if i > 0 {
			t.out = append(t.out, ',')
		}
		if err := t.value(depth + 1); err != nil {
			return err
		}
	}
	t.out = append(t.out, ']')
	return nil
}

func tooDeep() error {
	return &Error{Reason: TooDeep, Offset: -1, Detail: "nested deeper than 1000 levels"}
}

func (t *transcoder) object(depth int) error {
	n, err := t.dec.DecodeMapLen()
	if err != nil {
		return err
	}
	if depth >= servedjson.MaxDepth {
		return tooDeep()
	}
	t.out = append(t.out, '{')
	for i := range n {
		if i > 0 {
			t.out = append(t.out, ',')
		}
		if err := t.member(depth); err != nil {
			return err
		}
	}
	t.out = append(t.out, '}')
	return nil
}

func (t *transcoder) member(depth int) error {
	code, err := t.dec.PeekCode()
	if err != nil {
		return err
	}
	if !msgpcode.IsString(code) {
		return &Error{Reason: Invalid, Offset: -1, Detail: "a key of a map is no text"}
	}
	start := len(t.out)
	if err := t.text(); err != nil {
		return err
	}
	name := string(t.out[start:])
	t.out = append(t.out, ':')
	err = t.value(depth + 1)
	if e, ok := errors.AsType[*Error](err); ok && depth == 0 {
		e.Field = knownField(name)
	}
	return err
}

// knownField is a field's name when it is one that an event can have, else empty: other names are payload.
func knownField(quoted string) string {
	fields := []string{"call", "result", "modelResult", "error", "door", "script", "text", "user", "context", "calls", "durationMs"}
	if len(quoted) > 2 && slices.Contains(fields, quoted[1:len(quoted)-1]) {
		return quoted[1 : len(quoted)-1]
	}
	return ""
}

// appendMsgpack writes a JSON value as MessagePack. Numbers that an integer or a double writes back as they are travel
// so, others as an extension.
func appendMsgpack(enc *msgpack.Encoder, v servedjson.Value) error {
	switch v.Kind() {
	case servedjson.Null:
		return enc.EncodeNil()
	case servedjson.True, servedjson.False:
		return enc.EncodeBool(v.Kind() == servedjson.True)
	case servedjson.String:
		return enc.EncodeString(v.Text())
	case servedjson.Number:
		return encodeNumber(enc, v)
	case servedjson.Array:
		err := enc.EncodeArrayLen(v.Len())
		for element := range v.Elements() {
			err = errors.Join(err, appendMsgpack(enc, element))
		}
		return err
	}
	err := enc.EncodeMapLen(v.Len())
	for key, value := range v.Members() {
		err = errors.Join(err, enc.EncodeString(key.Text()), appendMsgpack(enc, value))
	}
	return err
}

func encodeNumber(enc *msgpack.Encoder, v servedjson.Value) error {
	text := string(v.Raw())
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && strconv.FormatInt(n, 10) == text {
		return enc.EncodeInt(n)
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil && strconv.FormatUint(n, 10) == text {
		return enc.EncodeUint(n)
	}
	if v.NumberText() == text && !math.IsInf(v.Float(), 0) {
		return enc.EncodeFloat64(v.Float())
	}
	if err := enc.EncodeExtHeader(NumberExt, len(text)); err != nil {
		return err
	}
	_, err := enc.Writer().Write([]byte(text))
	return err
}

// toMsgpack writes JSON text as MessagePack.
func toMsgpack(text []byte) ([]byte, error) {
	v, err := servedjson.Parse(text)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = appendMsgpack(msgpack.NewEncoder(&out), v)
	return out.Bytes(), err
}
