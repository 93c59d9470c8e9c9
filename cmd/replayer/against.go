package main

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/plumbline-dev/plumbline/cmd/internal/report"
	"github.com/plumbline-dev/plumbline/pipeline/whatif"
)

// errDiffer says that verdicts differ and that the caller asked to be told.
var errDiffer = errors.New("verdicts differ")

// compareFile judges the file under both policies and shows which verdicts the second changes, and the totals. The error
// says how many lines could not be read; the changes of the others are shown all the same.
func compareFile(ctx context.Context, c Config, stdin io.Reader, stdout, stderr io.Writer) error {
	in, name, closeIn, err := openIn(ctx, c.File, stdin)
	if err != nil {
		return err
	}
	defer closeIn()
	comparison := whatif.New(c.Rules, c.Against)
	r := &reader{into: comparison, format: c.Format, name: name, complain: stderr}
	if err := r.all(ctx, in); err != nil {
		return err
	}
	r.say(c.Summary)
	changes, answers, err := comparison.Changes()
	if err != nil {
		return err
	}
	if err := writeChanges(c, changes, stdout); err != nil {
		return err
	}
	if err := writeTotals(c, totalsOf(answers, changes), stderr); err != nil {
		return err
	}
	if err := r.unread(); err != nil {
		return err
	}
	if c.ExitCode && len(changes) > 0 {
		return errDiffer
	}
	return nil
}

// writeChanges writes the changes as lines of JSON and as text, where they are wanted.
func writeChanges(c Config, changes []whatif.Change, stdout io.Writer) (err error) {
	lines, finish, err := openOut("--out", c.Out, stdout)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, finish()) }()
	if lines != nil {
		for _, ch := range changes {
			if err := writeChangeLine(lines, ch); err != nil {
				return err
			}
		}
	}
	if !c.Text {
		return nil
	}
	buffered := bufio.NewWriterSize(stdout, outBuffer)
	defer func() { err = errors.Join(err, buffered.Flush()) }()
	text := report.NewText(buffered, report.Colours(stdout))
	text.Say(report.Limits)
	for _, ch := range changes {
		text.Say("")
		for _, line := range changeWords(ch) {
			text.Say(line)
		}
	}
	return text.Err()
}
