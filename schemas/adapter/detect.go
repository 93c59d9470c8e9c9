package adapter

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// HeadBytes is how many bytes of a record a binary form is recognised by.
const HeadBytes = 512

// The rows that a form is recognised by: so many, of so many bytes together.
const (
	sampleRows  = 200
	sampleBytes = 4 << 20
)

// Record is a record whose form is known, ready to be read.
type Record struct {
	Format Format
	rows   *Rows
	sample []Row
	faults []error // in the sample, by place; nil where the row is sound
	whole  []byte  // of a binary form
	given  int
}

// FormatError says that the form of a record cannot be told, or that no form has the name.
type FormatError struct{ Detail string }

func (e *FormatError) Error() string { return e.Detail }

// Named finds the form of a name. The error is a *FormatError that lists the names.
func Named(formats []Format, name string) (Format, error) {
	for _, f := range formats {
		if f.Name == name {
			return f, nil
		}
	}
	return Format{}, &FormatError{fmt.Sprintf("%q is no format that is known here: want auto, %s", name, Names(formats))}
}

// Names lists the names of the forms, for a sentence.
func Names(formats []Format) string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.Name
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// Open begins to read a record in the form of the name, or finds the form by the first rows when the name is "auto". The
// error is a *FormatError when the form cannot be told or named, else of reading. formats holds at least one that is read by
// rows.
func Open(in io.Reader, formats []Format, name string) (*Record, error) {
	head, in, err := peek(in)
	if err != nil {
		return nil, err
	}
	named := Format{}
	if name != "auto" {
		if named, err = Named(formats, name); err != nil {
			return nil, err
		}
	}
	for _, f := range formats {
		if f.isWhole(name, head) {
			return openWhole(in, f)
		}
	}
	r := &Record{Format: named, rows: NewRows(in)}
	if name != "auto" {
		return r, nil
	}
	r.Format, err = r.detect(formats)
	return r, err
}

// isWhole tells whether a record that is named name, or auto, and begins with head is one of the form's that are no text.
func (f Format) isWhole(name string, head []byte) bool {
	switch {
	case len(servedjson.TrimJS(head)) == 0 && len(head) > 0: // blank lines are a text
		return false
	case f.RecogniseBytes == nil || name != "auto" && name != f.Name:
		return false
	case f.Recognise == nil && name == f.Name:
		return true
	}
	return f.RecogniseBytes(head)
}

func peek(in io.Reader) (head []byte, rest io.Reader, err error) {
	head = make([]byte, HeadBytes)
	n, err := io.ReadFull(in, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, nil, err
	}
	return head[:n], io.MultiReader(strings.NewReader(string(head[:n])), in), nil
}

func openWhole(in io.Reader, f Format) (*Record, error) {
	whole, err := io.ReadAll(io.LimitReader(in, MaxRow+1))
	if err != nil {
		return nil, err
	}
	if len(whole) > MaxRow {
		return nil, RowError{Detail: fmt.Sprintf("the record is longer than %d bytes", MaxRow)}
	}
	return &Record{Format: f, whole: whole}, nil
}

// detect asks every form about the first rows: the first row that only one form has decides. When there is none, the one
// form that may have had them all is taken.
func (r *Record) detect(formats []Format) (Format, error) {
	maybe := slices.DeleteFunc(slices.Clone(formats), func(f Format) bool { return f.Recognise == nil })
	sound := 0
	for size := 0; len(r.sample) < sampleRows && size < sampleBytes; {
		row, err := r.rows.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if _, bad := errors.AsType[RowError](err); err != nil && !bad {
			return Format{}, err
		}
		r.keep(row, err)
		size += len(row.Data)
		if err != nil {
			continue
		}
		sound++
		var sure []Format
		if sure, maybe = ask(formats, maybe, row); len(sure) == 1 {
			return sure[0], nil
		} else if len(sure) > 1 {
			return Format{}, ambiguous(sure)
		}
	}
	if len(r.sample) == 0 {
		return formats[0], nil // an empty record is of any form
	}
	if sound == 0 {
		return Format{}, r.unreadable(formats)
	}
	return decide(formats, maybe)
}

// unreadable says why the form of a record is not known of which no row could be read.
func (r *Record) unreadable(formats []Format) error {
	line, why := r.sample[0].Line, r.faults[0].Error()
	if bad, ok := errors.AsType[RowError](r.faults[0]); ok {
		line, why = bad.Line, bad.Detail
	}
	why = "the first, on line " + strconv.Itoa(line) + ": " + why
	switch head := r.sample[0].Data; {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return &FormatError{"it is compressed with gzip: unpack it first"}
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return &FormatError{"it is written in UTF-16: write it in UTF-8 first"}
	}
	return &FormatError{"no row of it is JSON (" + why + "), so its format cannot be told: name it with --format " + Names(formats)}
}

// ask gives the forms that are sure of the row, and those of maybe that may have it.
func ask(formats, maybe []Format, row Row) (sure, still []Format) {
	for _, f := range formats {
		if f.Recognise == nil {
			continue
		}
		match := f.Recognise(row.Value)
		if match == Yes {
			sure = append(sure, f)
		}
		if match == Maybe && slices.ContainsFunc(maybe, func(m Format) bool { return m.Name == f.Name }) {
			still = append(still, f)
		}
	}
	return sure, still
}

func decide(formats, maybe []Format) (Format, error) {
	switch {
	case len(maybe) == 1:
		return maybe[0], nil
	case len(maybe) > 1:
		return Format{}, ambiguous(maybe)
	}
	return Format{}, &FormatError{"its rows are of no format that is known here: name it with --format " + Names(formats)}
}

func ambiguous(formats []Format) error {
	return &FormatError{"its format cannot be told: it may be " + Names(formats) + "; name it with --format"}
}

// keep puts a row of the sample aside.
func (r *Record) keep(row Row, err error) {
	row.Data = slices.Clone(row.Data)
	if err == nil {
		row.Value, err = servedjson.Parse(row.Data)
	}
	r.sample, r.faults = append(r.sample, row), append(r.faults, err)
}

// Next gives the next row, as Rows.Next does.
func (r *Record) Next() (Row, error) {
	if r.rows == nil {
		if r.given++; r.given > 1 {
			return Row{}, io.EOF
		}
		return Row{Document: 1, Data: r.whole}, nil
	}
	if r.given < len(r.sample) {
		row, err := r.sample[r.given], r.faults[r.given]
		r.sample[r.given] = Row{}
		r.given++
		return row, err
	}
	return r.rows.Next()
}

// Lines tells how many lines were read so far, and how many of them hold nothing. A record that is not written in lines
// counts its rows.
func (r *Record) Lines() (lines, blank int) {
	if r.rows == nil || r.rows.lines == 0 {
		return r.given, 0
	}
	return r.rows.lines, r.rows.blank
}
