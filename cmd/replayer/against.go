package main

import (
	"context"
	"errors"
	"io"

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
	o, err := openOutFile(c, stdout, false, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.close()) }()
	for _, ch := range changes {
		if err := o.change(ch); err != nil {
			return err
		}
	}
	return nil
}
