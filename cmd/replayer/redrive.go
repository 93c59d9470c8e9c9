package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// redriveFlags is the command line of redrive.
type redriveFlags struct {
	NatsURL []string `name:"nats-url" placeholder:"URL" required:"" env:"PLUMBLINE_NATS_URL,NATS_URL" help:"NATS servers."`
	cli.Access

	Prefix string        `default:"agent" help:"First part of every subject."`
	Reason string        `placeholder:"R" help:"Only letters with this reason."`
	Seq    uint64        `placeholder:"N" help:"Only the letter of this event sequence, as its subject ends."`
	DryRun bool          `help:"Say what would be put back, and put nothing back."`
	Wait   time.Duration `default:"3s" help:"How long to watch whether a message becomes a dead letter again."`
}

// check refuses what cannot be done. Each error names the flag and says what to do.
func (f redriveFlags) check() error {
	switch {
	case f.Reason != "" && !slices.Contains(pipeline.Reasons, f.Reason):
		return fmt.Errorf("--reason %q: want one of %s", f.Reason, strings.Join(pipeline.Reasons, ", "))
	case f.Wait < 0:
		return fmt.Errorf("--wait %s: want 0 or more; 0 does not watch", f.Wait)
	}
	if err := f.Check(); err != nil {
		return err
	}
	return reachable(f.NATS("redriver", f.NatsURL), f.Prefix)
}

// redrive puts dead letters back and says of each what became of it. The code is Unfinished when one was left, or became
// a dead letter again.
func redrive(ctx context.Context, f redriveFlags, stdout, stderr io.Writer) int {
	if err := f.check(); err != nil {
		return program.Fail(stderr, cli.Usage, err)
	}
	nc, err := jet.Connect(f.NATS("redriver", f.NatsURL))
	if err != nil {
		return program.Fail(stderr, cli.Usage, err)
	}
	defer nc.Close()
	d := &redriving{flags: f, subjects: event.Subjects{Prefix: f.Prefix}, stdout: stdout, stderr: stderr}
	if err := d.run(ctx, nc); err != nil {
		return program.Fail(stderr, cli.Unfinished, err)
	}
	return cli.Done
}

// redriving is one run of redrive.
type redriving struct {
	flags          redriveFlags
	subjects       event.Subjects
	stdout, stderr io.Writer

	redriver     *jet.Redriver
	back         []uint64 // where the messages that were put back stand now
	before, left int
}

// connectWait is how long a server may take to answer.
const connectWait = 15 * time.Second

// answers waits until the server does.
func answers(ctx context.Context, nc *nats.Conn) error {
	bounded, cancel := context.WithTimeout(ctx, connectWait)
	defer cancel()
	err := jet.WaitReady(bounded, nc)
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w (waited %s)", err, connectWait)
	}
	return err
}

func (d *redriving) run(ctx context.Context, nc *nats.Conn) error {
	if err := answers(ctx, nc); err != nil {
		return err
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	if d.redriver, err = jet.NewRedriver(ctx, js, d.subjects); err != nil {
		return err
	}
	err = jet.Letters(ctx, js, d.subjects, d.flags.Reason, d.flags.Seq, func(l jet.StoredLetter) error { return d.one(ctx, l) })
	if err != nil {
		return fmt.Errorf("%w; run it again: what was put back is not put back twice", err)
	}
	again, err := d.watch(ctx)
	if err != nil {
		return err
	}
	return d.sum(again)
}

func (d *redriving) one(ctx context.Context, l jet.StoredLetter) error {
	done, err := d.redriver.Redrive(ctx, l, d.flags.DryRun)
	if err != nil {
		return err
	}
	var said string
	switch {
	case done.Left != "":
		d.left++
		said = "left: " + done.Left
	case done.Before:
		d.before++
		said = fmt.Sprintf("was put back before, as sequence %d", done.Seq)
	case d.flags.DryRun:
		said = "would be put back"
	default:
		d.back = append(d.back, done.Seq)
		said = fmt.Sprintf("put back as sequence %d", done.Seq)
	}
	_, err = fmt.Fprintf(d.stdout, "%s: %s\n", d.subjects.Dead(l.Reason, l.Seq), said)
	return err
}

// watch waits a little and says which of the messages that were put back became dead letters again.
func (d *redriving) watch(ctx context.Context) (again int, err error) {
	if len(d.back) == 0 || d.flags.Wait == 0 {
		return 0, nil
	}
	timer := time.NewTimer(d.flags.Wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return 0, errors.New("interrupted: what was put back stays, and whether it became a dead letter again was not watched")
	}
	letters, err := d.redriver.Returned(ctx, d.back)
	for _, l := range letters {
		if _, err := fmt.Fprintf(d.stdout, "%s: sequence %d is a dead letter again, its cause still holds: %s\n",
			d.subjects.Dead(l.Reason, l.Seq), l.Seq, opening(l.Detail)); err != nil {
			return 0, err
		}
	}
	return len(letters), err
}

// opening is a detail's first words: that of a reader that broke goes on with where it did.
func opening(detail string) string {
	const most = 160
	if len(detail) <= most {
		return detail
	}
	return strings.ToValidUTF8(detail[:most], "") + " …"
}

func (d *redriving) sum(again int) error {
	if _, err := fmt.Fprintf(d.stderr, "%d put back, %d put back before, %d left, %d became a dead letter again\n",
		len(d.back), d.before, d.left, again); err != nil {
		return err
	}
	if d.left+again > 0 {
		return fmt.Errorf("%d dead letters need something else: the lines above say what", d.left+again)
	}
	return nil
}
