package servedjson

import (
	"errors"
	"io"
	"math"
)

// Marks sorts the bytes of strings for a reader: a Token of a string carries the marks of all its bytes, joined. The
// highest bit is the scanner's own.
type Marks [256]byte

// markStop is the mark of what ends a plain run in a string: a quote, a backslash or a control character.
const markStop = 0x80

// NewMarks makes the marks out of what the reader wants to know of a byte; the highest bit of it is not used.
func NewMarks(of func(c byte) byte) *Marks {
	var m Marks
	for c := range 256 {
		m[c] = of(byte(c)) &^ markStop
		if classes[c]&classString == 0 {
			m[c] |= markStop
		}
	}
	return &m
}

// Of gives the marks of a byte.
func (m *Marks) Of(c byte) byte { return m[c] &^ markStop }

// Token is a key or a leaf of a scanned value: a String, Number, True, False or Null.
type Token struct {
	Start, End uint32 // bytes from the beginning of the value, quotes included
	Kind       Kind
	kind       tokenKind
	Marks      byte // of a string: of the bytes that stand in it as they are
	Escaped    bool // a string that holds an escape
}

// tokenKind tells keys from leaves.
type tokenKind uint8

const (
	leafToken   tokenKind = iota
	keyToken              // a key
	topKeyToken           // a key of the value itself, not of one inside it
)

// In gives the token as a value of the text that the scanned value is written in.
func (t Token) In(raw []byte) Value { return Value{raw[t.Start:t.End]} }

// IsKey tells whether the token is a key.
func (t Token) IsKey() bool { return t.kind != leafToken }

// IsTopKey tells whether the token is a key of the scanned value itself, not of one inside it.
func (t Token) IsTopKey() bool { return t.kind == topKeyToken }

// Scanned is a value that a Scanner read.
type Scanned struct {
	Value  Value
	Tokens []Token // in the order of the text, repeated keys included; valid until the scanner is reset
	End    int     // where the value ends in the text
}

// Scanner reads JSON values in one pass over their bytes and notes their tokens. It keeps no text. Its zero value notes no
// marks.
type Scanner struct {
	marks  *Marks
	tokens []Token // of all values since the last reset
	text   []byte
	start  int // of the value in the text
	open   stack
	err    error // why the last step failed
}

// NewScanner is a scanner that notes the marks of strings.
func NewScanner(marks *Marks) *Scanner { return &Scanner{marks: marks} }

var noMarks = NewMarks(func(byte) byte { return 0 })

// Reset makes the room of the tokens that were noted free for others.
func (s *Scanner) Reset() { s.tokens = s.tokens[:0] }

// Room is how many tokens there is room for.
func (s *Scanner) Room() int { return cap(s.tokens) }

// Value reads the value that begins at text[at], checks it as Parse does, and notes its tokens; unlike Parse it lets any
// text follow. The error is a *SyntaxError with an offset in the text, of the kinds that Parse gives; a value of 4 GiB or
// more is refused as well. The value keeps the text's bytes.
func (s *Scanner) Value(text []byte, at int) (Scanned, error) {
	if s.marks == nil {
		s.marks = noMarks
	}
	from := len(s.tokens)
	s.text, s.start, s.open.depth, s.err = text, at, 0, nil
	end := s.scan(at)
	s.text = nil
	if s.err == nil && uint64(end-at) > math.MaxUint32 {
		s.fail(at, errHuge)
	}
	if s.err != nil {
		s.tokens = s.tokens[:from]
		return Scanned{}, s.err
	}
	return Scanned{Value{text[at:end]}, s.tokens[from:len(s.tokens):len(s.tokens)], end}, nil
}

// scan goes through the value at i and gives its end. What is open is kept in a bit set, so that no input uses the
// stack. Like the steps it is made of, it gives failed when the text is no JSON there, and err says where and why.
func (s *Scanner) scan(i int) int {
	for i < len(s.text) {
		opened := false
		switch s.text[i] {
		case '"':
			i = s.string(i, leafToken)
		case '{', '[':
			i, opened = s.bracket(i)
		default:
			i = s.literal(i)
		}
		if i != failed && !opened {
			i = s.follow(i)
		}
		if i == failed || s.open.depth == 0 {
			return i
		}
	}
	return s.fail(i, io.ErrUnexpectedEOF)
}

var errHuge = errors.New("a value of more than 4 GiB")

// failed is what a step gives instead of an end; it is past every text's.
const failed = math.MaxInt

func (s *Scanner) fail(i int, cause error) int {
	s.err = syntaxError(i, cause)
	return failed
}

// bracket takes an empty array or object, or the opening of one with its first key.
func (s *Scanner) bracket(i int) (end int, opened bool) {
	object := s.text[i] == '{'
	if !s.open.push(object) {
		return s.fail(i, ErrTooDeep), false
	}
	i = s.space(i + 1)
	if i < len(s.text) && s.text[i] == closing(object) {
		s.open.pop()
		return i + 1, false
	}
	if object {
		return s.key(i), true
	}
	return i, true
}

// follow takes what may stand behind a value: the brackets that close, then a comma and the next key.
func (s *Scanner) follow(i int) int {
	for s.open.depth > 0 {
		i = s.space(i)
		if i >= len(s.text) {
			return s.fail(i, io.ErrUnexpectedEOF)
		}
		switch c, object := s.text[i], s.open.top(); {
		case c == ',':
			i = s.space(i + 1)
			if object {
				return s.key(i)
			}
			return i
		case c == closing(object):
			s.open.pop()
			i++
		case object:
			return s.fail(i, errObject)
		default:
			return s.fail(i, errArray)
		}
	}
	return i
}

func (s *Scanner) key(i int) int {
	if i >= len(s.text) {
		return s.fail(i, io.ErrUnexpectedEOF)
	}
	if s.text[i] != '"' {
		return s.fail(i, errKey)
	}
	kind := keyToken
	if s.open.depth == 1 {
		kind = topKeyToken
	}
	if i = s.string(i, kind); i == failed {
		return failed
	}
	if i = s.space(i); i >= len(s.text) {
		return s.fail(i, io.ErrUnexpectedEOF)
	}
	if s.text[i] != ':' {
		return s.fail(i, errColon)
	}
	return s.space(i + 1)
}

func (s *Scanner) space(i int) int {
	if i < len(s.text) && s.text[i] > ' ' {
		return i
	}
	return skipSpace(s.text, i)
}

// string takes the string that opens at i and notes it.
func (s *Scanner) string(i int, kind tokenKind) int {
	text, marks := s.text, s.marks
	start, joined, escaped := i, byte(0), false
	for i++; i < len(text); {
		mark := marks[text[i]]
		if mark&markStop == 0 {
			joined |= mark
			i++
			continue
		}
		if text[i] == '"' {
			i++
			s.note(Token{Start: uint32(start - s.start), End: uint32(i - s.start), Kind: String, kind: kind, Marks: joined, Escaped: escaped})
			return i
		}
		end, err := consumeEscape(text, i)
		if err != nil {
			return s.fail(end, err)
		}
		i, escaped = end, true
	}
	return s.fail(i, io.ErrUnexpectedEOF)
}

// literal takes a number, true, false or null and notes it.
func (s *Scanner) literal(i int) int {
	end, err := consumeLiteral(s.text, i)
	if err != nil {
		return s.fail(end, err)
	}
	s.note(Token{Start: uint32(i - s.start), End: uint32(end - s.start), Kind: kinds[s.text[i]]})
	return end
}

func (s *Scanner) note(t Token) { s.tokens = append(s.tokens, t) }
