package schemas

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/vmihailenco/msgpack/v5"
)

// packWriter turns one JSON value into MessagePack, token by token, so that packMessage reads the same JSON back. A map
// or an array says first how much it holds, so the text is read twice: first to count.
type packWriter struct {
	out    *bytes.Buffer
	to     *msgpack.Encoder
	counts []int // of what opens next: its elements, or its members
}

// appendPack appends a JSON value as MessagePack.
func appendPack(dst, text []byte) ([]byte, error) {
	counts, err := countElements(text)
	if err != nil {
		return nil, err
	}
	out := bytes.NewBuffer(dst)
	w := &packWriter{out: out, to: msgpack.NewEncoder(out), counts: counts}
	d := jsontext.NewDecoder(bytes.NewBuffer(text), lenient...)
	for {
		err := w.token(d)
		if errors.Is(err, io.EOF) {
			return out.Bytes(), nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// countElements counts what each array and object holds, in the order they open.
func countElements(text []byte) (counts []int, err error) {
	var open []int
	d := jsontext.NewDecoder(bytes.NewBuffer(text), lenient...)
	for {
		switch d.PeekKind() {
		case jsontext.KindBeginArray, jsontext.KindBeginObject:
			open = append(open, len(counts))
			counts = append(counts, 0)
		case jsontext.KindEndArray, jsontext.KindEndObject:
			k, n := d.StackIndex(d.StackDepth())
			if k == jsontext.KindBeginObject {
				n /= 2
			}
			counts[open[len(open)-1]] = int(n)
			open = open[:len(open)-1]
		}
		if _, err := d.ReadToken(); errors.Is(err, io.EOF) {
			return counts, nil
		} else if err != nil {
			return nil, err
		}
	}
}

// token writes what the decoder reads next; io.EOF is the end of the text.
func (w *packWriter) token(d *jsontext.Decoder) error {
	switch k := d.PeekKind(); k {
	case jsontext.KindBeginArray, jsontext.KindBeginObject:
		n := w.counts[0]
		w.counts = w.counts[1:]
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		if k == jsontext.KindBeginObject {
			return w.to.EncodeMapLen(n)
		}
		return w.to.EncodeArrayLen(n)
	case jsontext.KindEndArray, jsontext.KindEndObject:
		_, err := d.ReadToken()
		return err
	default:
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		return w.scalar(k, value)
	}
}

func (w *packWriter) scalar(k jsontext.Kind, value []byte) error {
	switch k {
	case jsontext.KindString:
		return w.to.EncodeString(string(unquote(value)))
	case jsontext.KindNumber:
		return w.number(value)
	case jsontext.KindNull:
		return w.to.EncodeNil()
	}
	return w.to.EncodeBool(k == jsontext.KindTrue)
}

// number writes a number as an integer or a float when that reads back as the same text, else as NumberExtension.
func (w *packWriter) number(text []byte) error {
	var room [32]byte
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil && string(strconv.AppendInt(room[:0], n, 10)) == string(text) {
		return w.to.EncodeInt(n)
	}
	if n, err := strconv.ParseUint(string(text), 10, 64); err == nil && string(strconv.AppendUint(room[:0], n, 10)) == string(text) {
		return w.to.EncodeUint(n)
	}
	if f, err := strconv.ParseFloat(string(text), 64); err == nil && string(jsontext.AppendFloat(room[:0], f, 64)) == string(text) {
		return w.to.EncodeFloat64(f)
	}
	if err := w.to.EncodeExtHeader(NumberExtension, len(text)); err != nil {
		return err
	}
	_, err := w.out.Write(text)
	return err
}
