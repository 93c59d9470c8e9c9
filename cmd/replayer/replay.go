package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/plumbline-dev/plumbline/cmd/internal/report"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
	"github.com/plumbline-dev/plumbline/schemas"
)

// outBuffer is how many bytes of output are collected before they are written.
const outBuffer = 256 << 10

// replayFile folds the file, writes what stands at its end and the summary. The error says how many lines could not be
// read; the verdicts of the others are written all the same.
func replayFile(ctx context.Context, c Config, stdin io.Reader, stdout, stderr io.Writer) error {
	in, name, closeIn, err := openIn(ctx, c.File, stdin)
	if err != nil {
		return err
	}
	defer closeIn()
	history := replay.New(c.Rules)
	r := &reader{into: history, format: c.Format, name: name, complain: stderr}
	if c.Text || c.HTML != "" {
		r.texts = map[uint64]string{}
	}
	if err := r.all(ctx, in); err != nil {
		return err
	}
	r.say(c.Summary)
	var page *report.Page
	if c.HTML != "" {
		page = report.NewPage(name)
	}
	tally, err := writeAll(ctx, c, history, r.texts, page, stdout)
	if err != nil {
		return err
	}
	if err := writePage(c.HTML, page, tally, r.input); err != nil {
		return err
	}
	if err := summarize(c, tally, r.input, stderr); err != nil {
		return err
	}
	if page != nil && c.Summary != "json" {
		fmt.Fprintf(stderr, "the page is in %s: open it in a browser\n", report.Plain(c.HTML))
	}
	return r.unread()
}

// writeAll writes what stands, to all that want it, and counts it.
func writeAll(ctx context.Context, c Config, history *replay.History, texts map[uint64]string, page *report.Page, stdout io.Writer) (tally report.Tally, err error) {
	o, err := openOutFile(c, stdout, false, 0)
	if err != nil {
		return tally, err
	}
	defer func() { err = errors.Join(err, o.close()) }()
	for out := range history.Outputs() {
		if ctx.Err() != nil {
			return tally, errors.New("interrupted before every verdict was written: run it again")
		}
		payload, err := encode(out)
		if err != nil {
			return tally, err
		}
		if err := o.verdict(out, payload, texts[out.Seq]); err != nil {
			return tally, err
		}
		count(out, &tally)
		show(out, page, texts)
	}
	return tally, nil
}

// show puts one output on the page, when one is wanted.
func show(out replay.Output, page *report.Page, texts map[uint64]string) {
	switch {
	case page == nil:
	case out.Evidence != nil:
		page.Verdict(*out.Evidence, texts[out.Evidence.AnswerSeq])
	default:
		page.Declared(*out.Coverage)
	}
}

// writePage writes the page to the file, when one is wanted.
func writePage(file string, page *report.Page, tally report.Tally, input report.Input) error {
	if page == nil {
		return nil
	}
	f, err := os.Create(file)
	if err != nil {
		return &usageError{fmt.Errorf("--html: %w", err)}
	}
	s := tally.Summary()
	s.Input = &input
	buffered := bufio.NewWriterSize(f, outBuffer)
	if err := errors.Join(page.Write(buffered, s), buffered.Flush(), f.Close()); err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	return nil
}

func count(out replay.Output, tally *report.Tally) {
	if out.Evidence != nil {
		tally.Verdict(*out.Evidence)
		return
	}
	tally.Declared(*out.Coverage)
}

func encode(out replay.Output) ([]byte, error) {
	if out.Evidence != nil {
		return schemas.EncodeEvidence(schemas.JSON, *out.Evidence)
	}
	return schemas.EncodeCoverage(schemas.JSON, *out.Coverage)
}

func summarize(c Config, tally report.Tally, input report.Input, stderr io.Writer) error {
	s := tally.Summary()
	s.Input = &input
	if c.Summary == "json" {
		return s.WriteJSON(stderr)
	}
	text := report.NewText(stderr, report.Colours(stderr))
	text.Summary(s)
	return text.Err()
}
