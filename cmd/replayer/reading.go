package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/plumbline-dev/plumbline/cmd/internal/report"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas"
)

// reading folds a file line by line. The sequence of an event is the number of its line, from 1; blank lines count. A
// line that cannot be read is complained of, with its place, and left out.
type reading struct {
	into     folder
	name     string // of the file, in complaints
	complain io.Writer
	input    report.Input
	texts    map[uint64]string // of the answers, by sequence; nil when nobody quotes them
}

// folder takes the events of the file.
type folder interface {
	Add(seq uint64, e event.Event)
}

// maxLine is the longest line read, in bytes: more than any message that a server takes.
const maxLine = 64 << 20

// all reads to the end of the file. The error is of reading, or of ctx; lines that cannot be read are counted.
func (r *reading) all(ctx context.Context, in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, outBuffer), maxLine)
	for lines.Scan() {
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted at %s:%d, nothing was written: run it again", r.name, r.input.Lines+1)
		}
		r.input.Lines++
		r.line(lines.Bytes())
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("%s:%d: the line is longer than %d bytes", r.name, r.input.Lines+1, maxLine)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read %s after line %d: %w", r.name, r.input.Lines, err)
	}
	return nil
}

func (r *reading) line(line []byte) {
	if len(bytes.TrimSpace(line)) == 0 {
		r.input.Blank++
		return
	}
	e, err := schemas.Decode(schemas.JSON, line)
	if err != nil {
		r.input.Bad++
		fmt.Fprintf(r.complain, "%s:%d: %v\n", r.name, r.input.Lines, err)
		return
	}
	r.input.Events++
	seq := uint64(r.input.Lines)
	r.into.Add(seq, e)
	if e.Answer != nil && r.texts != nil {
		r.texts[seq] = e.Answer.Text
	}
}

// unread is the error that some lines could not be read.
func (r *reading) unread() error {
	if r.input.Bad == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d lines could not be read: correct them and run it again", r.input.Bad, r.input.Lines)
}
