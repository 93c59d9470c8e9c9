package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/plumbline-dev/plumbline/cmd/internal/report"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
)

// outFile is what judge writes to: lines of JSON or Parquet to --out, text to stdout. It is used by one goroutine at a
// time. The nil one writes nothing.
type outFile struct {
	buffered *bufio.Writer // of the lines; nil when none are wanted
	file     *os.File      // behind them; nil for stdout
	regular  bool          // the file is one on a disk
	size     int64         // bytes that were written to the file
	rows     *parquetRows  // nil: no Parquet
	screen   *bufio.Writer // of the text
	text     *report.Text  // nil: no text
}

// openOutFile opens what the flags name. A file that is gone on with is cut to the bytes that are known to be done.
func openOutFile(c Config, stdout io.Writer, resumed bool, done int64) (*outFile, error) {
	o := &outFile{}
	if c.Text {
		o.screen = bufio.NewWriterSize(stdout, outBuffer)
		o.text = report.NewText(o.screen, report.Colours(stdout))
		o.text.Say(report.Limits)
		o.text.Say("")
	}
	switch {
	case c.Out == "":
		return o, nil
	case c.Out == "-":
		o.buffered = bufio.NewWriterSize(stdout, outBuffer)
		return o, nil
	}
	var err error
	if o.file, err = openAt(c.Out, resumed, done); err != nil {
		return nil, err
	}
	info, err := o.file.Stat()
	o.regular, o.size = err == nil && info.Mode().IsRegular(), done
	o.buffered = bufio.NewWriterSize(o.file, outBuffer)
	if parquetFile(c.Out) {
		o.rows = newParquetRows(o.buffered)
	}
	return o, nil
}

func openAt(name string, resumed bool, done int64) (*os.File, error) {
	if !resumed {
		f, err := os.Create(name)
		if err != nil {
			return nil, &usageError{fmt.Errorf("--out: %w", err)}
		}
		return f, nil
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, &usageError{fmt.Errorf("--out: %w; it is what the replay goes on with", err)}
	}
	info, err := f.Stat()
	if err == nil && info.Size() < done {
		err = fmt.Errorf("%s has %d bytes, and %d were written: it is another file; choose another --resume id", name, info.Size(), done)
	}
	if err == nil {
		err = f.Truncate(done)
	}
	if err == nil {
		_, err = f.Seek(done, io.SeekStart)
	}
	if err != nil {
		return nil, &usageError{errors.Join(fmt.Errorf("--out: %w", err), f.Close())}
	}
	return f, nil
}

// line writes a line of JSON.
func (o *outFile) line(b []byte) error {
	if o.buffered == nil || o.rows != nil {
		return nil
	}
	o.size += int64(len(b)) + 1
	_, err := o.buffered.Write(b)
	if err == nil {
		err = o.buffered.WriteByte('\n')
	}
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}

// json writes a value as a line of JSON, where lines are wanted.
func (o *outFile) json(v any) error {
	if o.buffered == nil {
		return nil
	}
	line, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return o.line(line)
}

// verdict writes what is published about an answer or a call: its payload, and as text, where answer is what the verdict
// is about.
func (o *outFile) verdict(out replay.Output, payload []byte, answer string) error {
	if o.rows != nil {
		return o.rows.add(out, payload)
	}
	if err := o.line(payload); err != nil || o.text == nil {
		return err
	}
	if out.Evidence != nil {
		o.text.Verdict(*out.Evidence, 0, answer)
	} else {
		o.text.Declared(*out.Coverage)
	}
	return o.text.Err()
}

// say writes lines of text, for a person.
func (o *outFile) say(lines ...string) error {
	if o.text == nil {
		return nil
	}
	for _, line := range lines {
		o.text.Say(line)
	}
	return o.text.Err()
}

// flush hands on what is buffered, and gives how many bytes the file of lines has.
func (o *outFile) flush() (size int64, err error) {
	if o == nil {
		return 0, nil
	}
	for _, w := range []*bufio.Writer{o.screen, o.buffered} {
		if w != nil {
			err = errors.Join(err, w.Flush())
		}
	}
	if err == nil && o.regular && o.rows == nil {
		err = o.file.Sync()
	}
	if err != nil {
		err = fmt.Errorf("--out: %w", err)
	}
	return o.size, err
}

// close writes what is left.
func (o *outFile) close() error {
	if o == nil {
		return nil
	}
	var err error
	if o.rows != nil {
		err = o.rows.close()
	}
	_, flushed := o.flush()
	err = errors.Join(err, flushed)
	if o.file != nil {
		err = errors.Join(err, o.file.Close())
	}
	return err
}
