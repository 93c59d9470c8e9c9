package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/plumbline-dev/plumbline/cmd/internal/report"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
	"github.com/plumbline-dev/plumbline/schemas/adapter/formats"
)

// reader folds the events of a file. The sequence of one of Plumbline's own events is the number of its line, from 1;
// the events of another runtime's record are numbered in their order. What cannot be read is complained of, with its
// place, and left out.
type reader struct {
	into     folder
	format   string // as --format names it
	name     string // of the file, in complaints
	tenant   string // of a record that names none; empty: local
	agent    string // of a record that names none; empty: its form
	complain io.Writer
	input    report.Input
	texts    map[uint64]string // of the answers, by sequence; nil when nobody quotes them
}

// folder takes the events of the file.
type folder interface {
	Add(seq uint64, e event.Event)
}

// all reads to the end of the file. The error is of reading, of a form that cannot be told, or of ctx; what cannot be
// read is counted.
func (r *reader) all(ctx context.Context, in io.Reader) error {
	record, err := adapter.Open(in, formats.All, r.format)
	if wrong, ok := errors.AsType[*adapter.FormatError](err); ok {
		return &usageError{fmt.Errorf("--file %s: %w", r.name, wrong)}
	}
	if err != nil {
		return r.broken(ctx, err)
	}
	reader := record.Format.New(r.names(record.Format.Name))
	err = r.rows(ctx, record, reader)
	r.input.Lines, r.input.Blank = record.Lines()
	if record.Format.Name != adapter.Native.Name {
		r.input.Format, r.input.Notes = record.Format.Name, reader.Notes()
	}
	return err
}

// rows reads row after row, and the record's end.
func (r *reader) rows(ctx context.Context, record *adapter.Record, reader adapter.Reader) error {
	native := record.Format.Name == adapter.Native.Name
	for {
		row, err := record.Next()
		if ctx.Err() != nil {
			return r.interrupted(row.Line)
		}
		fault, bad := errors.AsType[adapter.RowError](err)
		var out adapter.Out
		switch {
		case errors.Is(err, io.EOF):
			reader.End(&out)
			r.take(out, 0)
			return nil
		case bad:
			out.Faults = append(out.Faults, fault)
			if gapped, ok := reader.(adapter.Gapped); ok {
				gapped.Gap(fault.Line, &out)
			}
		case err != nil:
			return r.broken(ctx, err)
		default:
			reader.Read(row, &out)
		}
		if native {
			r.take(out, uint64(row.Line))
		} else {
			r.take(out, 0)
		}
	}
}

// take folds what a row gave. Events are numbered on from the last when seq is 0.
func (r *reader) take(out adapter.Out, seq uint64) {
	for _, fault := range out.Faults {
		r.input.Bad++
		where := r.name
		if fault.Line > 0 {
			where = fmt.Sprintf("%s:%d", r.name, fault.Line)
			fault.Line = 0
		}
		fmt.Fprintf(r.complain, "%s: %v\n", where, fault)
	}
	for _, e := range out.Events {
		r.input.Events++
		at := seq
		if at == 0 {
			at = uint64(r.input.Events)
		}
		r.into.Add(at, e)
		if e.Answer != nil && r.texts != nil {
			r.texts[at] = e.Answer.Text
		}
	}
}

func (r *reader) interrupted(line int) error {
	return fmt.Errorf("interrupted at %s:%d: run it again", r.name, line)
}

func (r *reader) broken(ctx context.Context, err error) error {
	switch fault, bad := errors.AsType[adapter.RowError](err); {
	case ctx.Err() != nil:
		return r.interrupted(1)
	case bad:
		where := fmt.Sprintf("%s:%d", r.name, fault.Line)
		fault.Line = 0
		return fmt.Errorf("%s: %w", where, fault)
	}
	return fmt.Errorf("read %s: %w", r.name, err)
}

// say tells a person what form the file has, when it is not Plumbline's own, and what of it could not be seen. In a
// summary of JSON both stand in it.
func (r *reader) say(summary string) {
	if r.input.Format == "" || summary == "json" {
		return
	}
	fmt.Fprintf(r.complain, "%s is read as %s\n", r.name, r.input.Format)
	for _, note := range r.input.Notes {
		fmt.Fprintf(r.complain, "  %s\n", report.Plain(note))
	}
}

// unread is the error that some lines could not be read.
func (r *reader) unread() error {
	if r.input.Bad == 0 {
		return nil
	}
	if r.input.Format != "" {
		return fmt.Errorf("rows, or parts of rows, that could not be read: %d; what may rest on them is not accused", r.input.Bad)
	}
	return fmt.Errorf("%d of %d lines could not be read: correct them and run it again", r.input.Bad, r.input.Lines)
}
