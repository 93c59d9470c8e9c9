package adapter

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// MaxRow is the longest row read, in bytes: more than any message that a server takes.
const MaxRow = 64 << 20

// Rows reads the rows of a text record: one a line, or, when the record is written over many lines or as an array, value
// after value. It holds one row at a time.
type Rows struct {
	next      func() (Row, error)
	documents int
	lines     int
	blank     int
}

// NewRows reads the first line of in to find out how the record is written.
func NewRows(in io.Reader) *Rows {
	buffered := bufio.NewReaderSize(in, 64<<10)
	if head, _ := buffered.Peek(3); bytes.Equal(head, []byte("\ufeff")) {
		_, _ = buffered.Discard(3) // they were peeked at
	}
	lines := &lineReader{in: buffered}
	s := &Rows{}
	first, err := lines.read()
	for err == nil && len(bytes.TrimSpace(first)) == 0 {
		s.blank++
		first, err = lines.read()
	}
	if !spreadOut(first) {
		s.lines = s.blank
		s.next = func() (Row, error) { return s.fromLine(lines) }
		lines.again(first, err)
		return s
	}
	d := newDocuments(io.MultiReader(bytes.NewReader(bytes.Clone(first)), buffered), lines.count)
	s.next = d.read
	return s
}

// spreadOut tells by the first line whether values are written over many lines, or as elements of an array.
func spreadOut(line []byte) bool {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return false
	}
	if line[0] == '[' {
		return true
	}
	_, err := servedjson.Parse(line)
	return errors.Is(err, io.ErrUnexpectedEOF) && bytes.IndexByte([]byte("{[,"), line[len(line)-1]) >= 0
}

// Next gives the next row, valid until the next call. The error is a RowError for a row that is no JSON, after which
// the reading goes on when the rows are lines; io.EOF at the end; any other is of reading.
func (s *Rows) Next() (Row, error) {
	row, err := s.next()
	if err == nil {
		if row.Value, err = servedjson.Parse(row.Data); err != nil {
			return row, unreadable(row, err)
		}
	}
	return row, err
}

// Lines is how many lines were begun so far, Blank how many of them hold nothing. Both count only rows that are lines.
func (s *Rows) Lines() int { return s.lines }

// Blank is how many lines so far hold nothing.
func (s *Rows) Blank() int { return s.blank }

func unreadable(row Row, err error) error {
	f := RowError{Line: row.Line, Detail: "not JSON"}
	at := 0
	if syntax, ok := errors.AsType[*servedjson.SyntaxError](err); ok {
		at = min(syntax.Offset, len(row.Data))
		f.Detail = fmt.Sprintf("not JSON (byte %d)", at)
	}
	switch {
	case errors.Is(err, servedjson.ErrTooDeep):
		f.Detail = "arrays and objects nest too deep"
	case errors.Is(err, io.ErrUnexpectedEOF):
		f.Detail = "not JSON: the text ends too early"
	}
	f.Line += bytes.Count(row.Data[:at], []byte("\n"))
	return f
}

// fromLine gives the next line that is not blank.
func (s *Rows) fromLine(lines *lineReader) (Row, error) {
	for {
		line, err := lines.read()
		s.lines = lines.count
		if err != nil {
			return Row{}, err
		}
		if data := bytes.TrimSpace(line); len(data) > 0 {
			s.documents++
			return Row{Line: lines.count, Document: s.documents, Data: data}, nil
		}
		s.blank++
	}
}

// lineReader reads lines of at most MaxRow bytes.
type lineReader struct {
	in    *bufio.Reader
	line  []byte
	count int
	ahead func() ([]byte, error) // what was read already, nil when nothing was
}

// again makes the next read give the same once more.
func (l *lineReader) again(line []byte, err error) {
	l.ahead = func() ([]byte, error) { return line, err }
}

// read gives the next line with its end, valid until the next call; the last one may have no end. A line that is too long
// is passed over, and is a RowError.
func (l *lineReader) read() ([]byte, error) {
	if ahead := l.ahead; ahead != nil {
		l.ahead = nil
		return ahead()
	}
	l.line = l.line[:0]
	size := 0
	for {
		part, err := l.in.ReadSlice('\n')
		if size += len(part); size <= MaxRow {
			l.line = append(l.line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case size == 0 || err != nil && !errors.Is(err, io.EOF):
			return nil, err
		}
		l.count++
		if size > MaxRow {
			return nil, RowError{Line: l.count, Detail: fmt.Sprintf("the line is longer than %d bytes", MaxRow)}
		}
		return l.line, nil
	}
}

// documents reads value after value, whatever lines they stand on; the elements of an array are each a row.
type documents struct {
	in       *measured
	d        *jsontext.Decoder
	document int
}

func newDocuments(in io.Reader, line int) *documents {
	m := &measured{in: in, line: line}
	d := jsontext.NewDecoder(m, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return &documents{in: m, d: d}
}

func (s *documents) read() (Row, error) {
	for {
		kind := s.d.PeekKind()
		top := s.d.StackDepth() == 0
		if top && kind != jsontext.KindInvalid {
			s.document++
		}
		line := s.in.lineAt(s.d.InputOffset())
		if top && kind == jsontext.KindBeginArray || !top && kind == jsontext.KindEndArray {
			if _, err := s.d.ReadToken(); err != nil {
				return Row{}, s.fault(err)
			}
			continue
		}
		value, err := s.d.ReadValue()
		if err != nil {
			return Row{}, s.fault(err)
		}
		s.in.left = MaxRow
		start := s.d.InputOffset() - int64(len(value))
		return Row{Line: max(line, s.in.lineAt(start)), Document: s.document, Element: !top, Data: value}, nil
	}
}

// fault places an error of the decoder. After it nothing can be read.
func (s *documents) fault(err error) error {
	if errors.Is(err, io.EOF) && s.d.StackDepth() == 0 {
		return io.EOF
	}
	if long, ok := errors.AsType[RowError](err); ok {
		unread := s.d.UnreadBuffer()
		before := unread[:len(unread)-len(bytes.TrimLeft(unread, ", \t\r\n"))]
		long.Line = s.in.lineAt(s.d.InputOffset()) + bytes.Count(before, []byte("\n"))
		s.d = jsontext.NewDecoder(bytes.NewReader(nil))
		return long
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		detail := "not JSON, and the rest is not read"
		if errors.Is(err, io.ErrUnexpectedEOF) {
			detail = "not JSON: the text ends too early"
		}
		s.d = jsontext.NewDecoder(bytes.NewReader(nil))
		return RowError{Line: s.in.lineAt(syntax.ByteOffset), Detail: detail}
	}
	return err
}

// measured knows which line an offset is on, and bounds how much is read for one row.
type measured struct {
	in     io.Reader
	line   int     // of the next offset asked about
	breaks []int64 // offsets of the line breaks not passed yet
	read   int64
	left   int
}

func (m *measured) Read(p []byte) (int, error) {
	if m.read == 0 && m.left == 0 {
		m.left = MaxRow
	}
	if m.left <= 0 {
		return 0, RowError{Detail: fmt.Sprintf("the value is longer than %d bytes", MaxRow)}
	}
	n, err := m.in.Read(p[:min(len(p), m.left)])
	for i, c := range p[:n] {
		if c == '\n' {
			m.breaks = append(m.breaks, m.read+int64(i))
		}
	}
	m.read += int64(n)
	m.left -= n
	return n, err
}

// lineAt is the line of an offset, which is not before one asked about earlier.
func (m *measured) lineAt(offset int64) int {
	passed := 0
	for passed < len(m.breaks) && m.breaks[passed] < offset {
		passed++
	}
	m.line += passed
	m.breaks = m.breaks[passed:]
	return m.line
}
