package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline/fleet"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/pipeline/policy"
)

// chaos is the command that kills.
type chaos struct {
	Answers    int           `default:"100000" help:"How many answers are published."`
	Seed       uint64        `default:"1" help:"Of the events and of what is killed when."`
	Consumers  int           `default:"4" help:"Consumer processes."`
	Servers    int           `default:"3" help:"NATS server processes, each with a copy of every stream."`
	Partitions int           `default:"16" help:"Partitions of the event stream."`
	For        time.Duration `help:"Publish no longer than this, also when there are fewer answers then; none: as long as it takes."`
	Ahead      int64         `default:"5000" help:"Answers that are published and not judged, at most."`
	Open       int           `default:"1000" help:"Conversations that are open at a time."`
	Grace      time.Duration `default:"500ms" help:"The consumers' --grace."`
	Pause      time.Duration `default:"20s" help:"Between two faults of one consumer, on average; twice that between two of the servers."`
	Faults     int           `default:"1" help:"Trouble goes on until at least so many faults were made."`
	Settle     time.Duration `default:"5m" help:"How long the consumers may take for the rest once nothing is killed any more."`
	Dir        string        `placeholder:"DIR" help:"Where logs and streams are kept; none: a temporary folder, which stays only when something is wrong."`
	Consumer   string        `placeholder:"FILE" help:"The consumer program; none: it is built."`
}

// Run does it all and prints what was found.
func (c *chaos) Run(ctx context.Context, out io.Writer, holds *verdict) (err error) {
	f, err := newField(c.Dir, c.Consumer)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.clear(bool(*holds))) }()
	if err := f.open(ctx, c.Servers); err != nil {
		return err
	}
	fmt.Fprintf(out, "chaos: %d answers, seed %d, %d consumers, %d servers, %d partitions; logs and streams in %s\n",
		c.Answers, c.Seed, c.Consumers, c.Servers, c.Partitions, f.dir)
	if err := f.consumers(ctx, c.Consumers, c.consumerArgs()...); err != nil {
		return err
	}
	r := &round{chaos: c, field: f, out: out}
	if err := r.run(ctx); err != nil {
		return err
	}
	fmt.Fprintln(out, "comparing every verdict with the fold over the events ...")
	if err := r.judge(ctx); err != nil {
		return err
	}
	*holds = verdict(r.print())
	return nil
}

func (c *chaos) consumerArgs() []string {
	return []string{
		"--provision", fmt.Sprint("--partitions=", c.Partitions), fmt.Sprint("--replicas=", c.Servers),
		fmt.Sprint("--grace=", c.Grace), "--http=127.0.0.1:0",
	}
}

// round is one run of chaos.
type round struct {
	*chaos
	field    *field
	out      io.Writer
	producer *producer
	trouble  *trouble
	began    time.Time
	took     time.Duration // until the last event was finished
	settled  bool
	ledger   *ledger
	oracle   *oracle
}

// run publishes while trouble is made, and then waits until everything that is published was worked on.
func (r *round) run(ctx context.Context) error {
	f := r.field
	r.producer = &producer{js: f.cluster.js, ahead: r.Ahead, accepted: map[event.Conversation]int{}}
	r.trouble = &trouble{
		seed: r.Seed, pause: r.Pause, cluster: f.cluster, consumers: f.running, servers: r.Servers > 2,
	}
	troubled, calm := context.WithCancel(ctx)
	defer calm()
	var beside sync.WaitGroup
	var trouble error
	beside.Go(func() { trouble = r.trouble.run(troubled) })
	watched, unwatch := context.WithCancel(ctx)
	defer unwatch()
	beside.Go(func() { r.watch(watched) })

	r.began = time.Now()
	made := fleet.New(fleet.Config{Seed: r.Seed, PromptBytes: 400, Disorder: fleet.Rough})
	err := r.producer.run(ctx, until(r.ends(), answers(made.Traffic(r.Open), r.Answers)))
	if err == nil {
		r.goOnWithTrouble(ctx)
	}
	calm()
	if err == nil {
		r.settled = eventually(ctx, r.Settle, func() bool { return f.idle(ctx, r.Partitions) })
		r.took = time.Since(r.began)
	}
	unwatch()
	beside.Wait()
	return errors.Join(err, trouble, ctx.Err())
}

// ends is when publishing ends at the latest.
func (r *round) ends() time.Time {
	if r.For == 0 {
		return r.began.AddDate(1, 0, 0)
	}
	return r.began.Add(r.For)
}

// goOnWithTrouble waits until half of what is left was judged under trouble, too.
func (r *round) goOnWithTrouble(ctx context.Context) {
	left := func() int64 { return r.producer.answers.Load() - r.producer.judged.Load() }
	half := left() / 2
	eventually(ctx, r.Settle, func() bool { return left() <= half && len(r.trouble.made()) >= r.Faults })
}

// watch tells the producer how many answers have a verdict, and a person how far it is.
func (r *round) watch(ctx context.Context) {
	said := time.Now()
	for wait(ctx, 200*time.Millisecond) {
		stream, err := r.field.cluster.js.Stream(ctx, jet.AuditStream)
		if err != nil {
			continue // no leader now
		}
		r.producer.judged.Store(int64(stream.CachedInfo().State.Msgs))
		if time.Since(said) >= 10*time.Second {
			said = time.Now()
			fmt.Fprintf(r.out, "%6.0f s  %d events and %d answers published, %d records stored, %d faults\n", time.Since(r.began).Seconds(),
				r.producer.events.Load(), r.producer.answers.Load(), stream.CachedInfo().State.Msgs, len(r.trouble.made()))
		}
	}
}

// judge ends the consumers and compares.
func (r *round) judge(ctx context.Context) (err error) {
	if err := r.field.stop(); err != nil {
		return err
	}
	if r.ledger, err = readLedger(ctx, r.field.cluster); err != nil {
		return err
	}
	rules, err := policy.Load("rules", nil, turn.Rulesets[0])
	if err != nil {
		return err
	}
	if r.oracle, err = consult(ctx, r.field.cluster, rules, r.ledger); err != nil {
		return err
	}
	for conversation, accepted := range r.producer.accepted {
		if kept := r.oracle.stored[conversation]; kept < accepted {
			r.ledger.note(isGone, "%v: %d accepted, %d kept", conversation, accepted, kept)
		}
	}
	return nil
}
