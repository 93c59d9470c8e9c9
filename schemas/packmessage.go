package schemas

import (
	"bytes"
	"io"

	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// NumberExtension is the MessagePack extension type of a number that no MessagePack number keeps the digits of: its data
// is the number's JSON text, such as 1.50, 1e400 or 98765432109876543210.
const NumberExtension int8 = 'N'

// packMessage is a message in MessagePack. The decoder reads from in and holds no byte of its own back, so where in
// stands is where the message is read.
type packMessage struct {
	data []byte
	in   *bytes.Reader
	d    *msgpack.Decoder
}

func newPackMessage(data []byte) *packMessage {
	in := bytes.NewReader(data)
	return &packMessage{data: data, in: in, d: msgpack.NewDecoder(in)}
}

// at is the offset of the next byte.
func (m *packMessage) at() int { return len(m.data) - m.in.Len() }

// code is the byte that the next value begins with; it is false at the end of the message.
func (m *packMessage) code() (byte, bool) {
	at := m.at()
	if at >= len(m.data) {
		return 0, false
	}
	return m.data[at], true
}

// seek goes to an offset in the message.
func (m *packMessage) seek(at int) {
	m.in.Reset(m.data)
	m.advance(at)
}

// advance skips n bytes; it is false when there are fewer.
func (m *packMessage) advance(n int) bool {
	if n < 0 || n > m.in.Len() {
		return false
	}
	_, err := m.in.Seek(int64(n), io.SeekCurrent)
	return err == nil
}

// take gives the next n bytes, which are there.
func (m *packMessage) take(n int) []byte {
	at := m.at()
	m.advance(n)
	return m.data[at : at+n : at+n]
}

func (m *packMessage) unreadable(detail string) error {
	return &Error{Reason: Unreadable, Offset: m.at(), Detail: detail}
}

func (m *packMessage) cut() error { return m.unreadable("not MessagePack: the bytes end too early") }

// invalid is the error of a value that JSON has no form for.
func (m *packMessage) invalid(at int, detail string) error {
	return &Error{Reason: Invalid, Offset: at, Detail: detail}
}

func (m *packMessage) root() (span, kind, error) {
	s := span{0, len(m.data)}
	if s.end > 0 && kindsByCode[m.data[0]] == kindObject {
		return s, kindObject, nil
	}
	if err := m.skip(1); err != nil {
		return s, kindNone, err
	}
	return s, m.kind(s), m.atEnd(s)
}

// atEnd is nil when the value ended where its span does: of the root, that nothing follows it.
func (m *packMessage) atEnd(s span) error {
	if m.at() < s.end {
		return m.unreadable("more bytes follow the message")
	}
	return nil
}

func (m *packMessage) fields(object span, names []string) ([]span, error) {
	m.seek(object.start)
	n, err := m.d.DecodeMapLen()
	if err != nil {
		return nil, m.cut()
	}
	found := make([]span, len(names))
	for range n {
		key, err := m.readText("a key")
		if err != nil {
			return nil, err
		}
		start := m.at()
		if err := m.skip(2); err != nil {
			return nil, err
		}
		if at := place(names, key); at >= 0 {
			found[at] = span{start, m.at()}
		}
	}
	return found, m.atEnd(object)
}

// readText reads a string; role is what it is, in the words of the error when it is none.
func (m *packMessage) readText(role string) ([]byte, error) {
	at := m.at()
	code, ok := m.code()
	if !ok {
		return nil, m.cut()
	}
	if k := kindsByCode[code]; k != kindText {
		return nil, m.invalid(at, role+" is "+k.String()+", not a string")
	}
	n, err := m.d.DecodeBytesLen()
	if err != nil || n > m.in.Len() {
		return nil, m.cut()
	}
	return m.take(n), nil
}

// skip passes over one value and checks that it is well formed and that what it opens stays within MaxDepth; depth is
// the level of an array or map that would open here, 1 for the message itself.
func (m *packMessage) skip(depth int) error {
	at := m.at()
	code, ok := m.code()
	if !ok {
		return m.cut()
	}
	switch kindsByCode[code] {
	case kindNone:
		return m.unreadable("not MessagePack: no value begins with this byte")
	case kindArray, kindObject:
		if depth > MaxDepth {
			return tooDeep(at)
		}
		return m.skipElements(code, depth)
	}
	if !m.skipScalar(code) {
		return m.cut()
	}
	return nil
}

// skipElements passes over what an array or a map holds. Its length is only a claim: nothing is kept for it, and the
// bytes run out long before a false one does.
func (m *packMessage) skipElements(code byte, depth int) (err error) {
	var n int
	if kindsByCode[code] == kindObject {
		n, err = m.d.DecodeMapLen()
		n *= 2
	} else {
		n, err = m.d.DecodeArrayLen()
	}
	if err != nil {
		return m.cut()
	}
	for range n {
		if err := m.skip(depth + 1); err != nil {
			return err
		}
	}
	return nil
}

// skipScalar passes over a value that holds no other; it is false when the bytes end inside it.
func (m *packMessage) skipScalar(code byte) bool {
	switch kindsByCode[code] {
	case kindText, kindBytes:
		n, err := m.d.DecodeBytesLen()
		return err == nil && m.advance(n)
	case kindExtension:
		_, n, err := m.d.DecodeExtHeader()
		return err == nil && m.advance(n)
	}
	return m.advance(1 + int(numberWidths[code]))
}

// numberWidths is how many bytes of a number follow its code.
var numberWidths [256]uint8

// kindsByCode is the kind of the value that begins with a code, kindNone when none does. A number that is written as an
// extension is still an extension here.
var kindsByCode [256]kind

func init() {
	for code, width := range map[byte]uint8{
		msgpcode.Uint8: 1, msgpcode.Int8: 1, msgpcode.Uint16: 2, msgpcode.Int16: 2, msgpcode.Uint32: 4,
		msgpcode.Int32: 4, msgpcode.Float: 4, msgpcode.Uint64: 8, msgpcode.Int64: 8, msgpcode.Double: 8,
	} {
		numberWidths[code] = width
	}
	for i := range kindsByCode {
		kindsByCode[i] = kindOfCode(byte(i))
	}
}

func kindOfCode(code byte) kind {
	switch {
	case msgpcode.IsFixedNum(code) || numberWidths[code] > 0:
		return kindNumber
	case msgpcode.IsString(code):
		return kindText
	case msgpcode.IsFixedMap(code) || code == msgpcode.Map16 || code == msgpcode.Map32:
		return kindObject
	case msgpcode.IsFixedArray(code) || code == msgpcode.Array16 || code == msgpcode.Array32:
		return kindArray
	case code == msgpcode.Nil:
		return kindNull
	case code == msgpcode.True || code == msgpcode.False:
		return kindBool
	case msgpcode.IsBin(code):
		return kindBytes
	case msgpcode.IsExt(code):
		return kindExtension
	}
	return kindNone
}
