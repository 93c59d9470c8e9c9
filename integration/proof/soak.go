package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/plumbline-dev/plumbline/pipeline/fleet"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

const mebibyte = 1 << 20

// soak is the command that watches memory.
type soak struct {
	For        time.Duration `default:"10m" help:"How long."`
	Open       int           `default:"1000000" help:"Conversations that are open at a time."`
	Cache      int           `default:"128" help:"The consumer's --cache-bytes, in MiB."`
	Above      int           `default:"160" help:"How far above the cache the resident memory of the consumer may go, in MiB."`
	Partitions int           `default:"16" help:"Partitions of the event stream, all of them the one consumer's."`
	Every      time.Duration `default:"30s" help:"Between two lines of the table."`
	Seed       uint64        `default:"1" help:"Of the events."`
	Backlog    int           `default:"50000" help:"Events that may wait for the consumer: it always has something to do."`
	Dir        string        `placeholder:"DIR" help:"Where logs and streams are kept; none: a temporary folder, which stays only when something is wrong."`
	Consumer   string        `placeholder:"FILE" help:"The consumer program; none: it is built."`
}

// watch is one soak on its way.
type watch struct {
	*soak
	field    *field
	out      io.Writer
	metrics  string // address of the consumer's metrics
	producer *producer
	began    time.Time
	waiting  atomic.Int64 // events that the consumer was not handed yet
	samples  []sample
}

// Run does it all and prints what was found.
func (s *soak) Run(ctx context.Context, out io.Writer, holds *verdict) (err error) {
	f, err := newField(s.Dir, s.Consumer)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.clear(bool(*holds))) }()
	if err := f.open(ctx, 1); err != nil {
		return err
	}
	err = f.consumers(ctx, 1, "--provision", fmt.Sprint("--partitions=", s.Partitions),
		fmt.Sprintf("--cache-bytes=%dMiB", s.Cache), "--http=127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "soak: %s with %d conversations open, a cache of %d MiB, %d partitions, seed %d; logs and streams in %s\n",
		s.For, s.Open, s.Cache, s.Partitions, s.Seed, f.dir)
	w := &watch{soak: s, field: f, out: out, producer: &producer{js: f.cluster.js}}
	if w.metrics, err = metricsAddress(ctx, f.running[0]); err != nil {
		return err
	}
	if err := w.run(ctx); err != nil {
		return err
	}
	*holds = verdict(w.judge())
	return nil
}

// run publishes and samples until the time is over.
func (w *watch) run(ctx context.Context) error {
	over, end := context.WithTimeout(ctx, w.For)
	defer end()
	w.began = time.Now()
	published := make(chan error, 1)
	go func() { published <- w.producer.run(over, w.traffic(over)) }()
	err := w.sampleUntil(over)
	end()
	if failed := <-published; ctx.Err() == nil && over.Err() == nil {
		err = errors.Join(err, failed)
	}
	return errors.Join(err, ctx.Err())
}

// traffic is that of the fleet, as fast as the consumer takes it.
func (w *watch) traffic(ctx context.Context) func(func(fleet.Item) bool) {
	return func(yield func(fleet.Item) bool) {
		for item := range fleet.New(fleet.Config{Seed: w.Seed}).Traffic(w.Open) {
			for w.waiting.Load() > int64(w.Backlog) {
				if !wait(ctx, 20*time.Millisecond) {
					return
				}
			}
			if !yield(item) {
				return
			}
		}
	}
}

// sampleUntil takes a sample each second, and prints a line of the table now and then.
func (w *watch) sampleUntil(ctx context.Context) error {
	fmt.Fprintln(w.out, sampleHead)
	shown := 0
	for wait(ctx, time.Second) {
		one, err := w.sample(ctx)
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("look at the consumer: %w", err)
		}
		if err != nil {
			return nil //nolint:nilerr // the time is over
		}
		w.samples = append(w.samples, one)
		if since := w.samples[shown]; one.at-since.at >= w.Every {
			fmt.Fprintln(w.out, line(w.samples[shown:]))
			shown = len(w.samples) - 1
		}
	}
	return nil
}

// sample looks at the consumer once.
func (w *watch) sample(ctx context.Context) (sample, error) {
	s, err := readMetrics(ctx, w.metrics)
	if err != nil {
		return s, err
	}
	s.at = time.Since(w.began)
	waiting, err := w.backlog(ctx)
	if err != nil {
		return s, err
	}
	w.waiting.Store(waiting)
	s.handled = w.producer.events.Load() - waiting
	return s, nil
}

// backlog is how many events the consumer was not handed yet.
func (w *watch) backlog(ctx context.Context) (waiting int64, err error) {
	stream, err := w.field.cluster.js.Stream(ctx, jet.EventsStream)
	if err != nil {
		return 0, err
	}
	list := stream.ListConsumers(ctx)
	for info := range list.Info() {
		waiting += int64(info.NumPending)
	}
	return waiting, list.Err()
}

// metricsAddress waits until the consumer says where its metrics are.
func metricsAddress(ctx context.Context, consumer *process) (address string, err error) {
	there := eventually(ctx, time.Minute, func() bool {
		var log []byte
		if log, err = os.ReadFile(consumer.log); err == nil {
			address = valueAfter(string(log), "address=")
		}
		return address != ""
	})
	if !there {
		return "", errors.Join(fmt.Errorf("the consumer does not say where its metrics are; see %s", consumer.log), err)
	}
	return "http://" + address + "/metrics", nil
}
