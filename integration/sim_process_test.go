package integration_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// process is one consumer process of a simulation: a connection over a link, a sink, and a member that works on what
// falls to it. It opens what it needs for as long as it takes, and starts over when something ends it, as a supervisor
// would have it.
type process struct {
	name   string
	world  *world
	link   *link
	awake  gate // shut while the process is paused
	config pipeline.Config
	source jet.SourceConfig
	sink   jet.SinkConfig
	drain  time.Duration

	stop  context.CancelFunc // makes it drain and go
	ended chan struct{}
}

func (p *process) run(ctx context.Context) {
	defer close(p.ended)
	for ctx.Err() == nil {
		err := p.live(ctx)
		if ctx.Err() != nil {
			return
		}
		p.world.logf("%s starts over: %v", p.name, err)
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
	}
}

// live opens everything, works until ctx ends, and closes everything.
func (p *process) live(ctx context.Context) error {
	nc, err := nats.Connect("", nats.InProcessServer(p.link), nats.MaxReconnects(-1), nats.RetryOnFailedConnect(true),
		nats.ReconnectWait(250*time.Millisecond), nats.ReconnectJitter(250*time.Millisecond, time.Second),
		nats.SyncQueueLen(2048), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	sink, err := jet.NewSink(nc, p.sink)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		sink.Close(ctx)
	}()
	placement, leave, err := p.place(ctx, js)
	if err != nil {
		return err
	}
	member, err := pipeline.NewMember(pipeline.MemberConfig{
		Worker: p.config, Placement: placement, Sink: pausedSink{sink, p}, Drain: p.drain,
		Open: func(ctx context.Context, partition int) (pipeline.Partition, error) {
			return p.open(ctx, js, partition)
		},
	})
	if err != nil {
		return err
	}
	if err := member.Run(ctx); err != nil && !errors.Is(err, pipeline.ErrUnfinished) {
		return err
	}
	return leave(nc)
}

// place joins the members, or takes every partition: then the processes compete, and the pins of the durables decide.
func (p *process) place(ctx context.Context, js jetstream.JetStream) (pipeline.Placement, func(*nats.Conn) error, error) {
	flush := func(nc *nats.Conn, also func(context.Context) error) error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		return errors.Join(also(ctx), nc.FlushWithContext(ctx))
	}
	if !p.world.placed {
		none := func(context.Context) error { return nil }
		return &everything{partitions: p.world.partitions}, func(nc *nats.Conn) error { return flush(nc, none) }, nil
	}
	bounded, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	members, err := jet.Join(bounded, js, jet.MembersConfig{Partitions: p.world.partitions, Name: p.name})
	return members, func(nc *nats.Conn) error { return flush(nc, members.Leave) }, err
}

// everything is the placement of every partition.
type everything struct {
	partitions int
	told       bool
}

func (e *everything) Next(ctx context.Context) ([]int, error) {
	if e.told {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	e.told = true
	all := make([]int, e.partitions)
	for i := range all {
		all[i] = i
	}
	return all, nil
}

// open opens a partition. It is given a while: the server may not be there.
func (p *process) open(ctx context.Context, js jetstream.JetStream, partition int) (pipeline.Partition, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	c := p.source
	c.Partition, c.NoMisfits = partition, partition > 0
	source, err := jet.OpenSource(ctx, js, c)
	if err != nil {
		return nil, err
	}
	return pausedSource{source, p}, nil
}

// alive waits while the process is paused.
func (p *process) alive() { p.awake.wait(nil) }

// pausedSource hands out nothing while the process is paused.
type pausedSource struct {
	*jet.Source
	p *process
}

func (s pausedSource) Next(ctx context.Context) (pipeline.Delivery, error) {
	d, err := s.Source.Next(ctx)
	s.p.alive()
	return d, err
}

func (s pausedSource) History(ctx context.Context, subject string, after, atLeast uint64, visit func(pipeline.Message) error) error {
	s.p.alive()
	return s.Source.History(ctx, subject, after, atLeast, func(m pipeline.Message) error {
		s.p.alive()
		return visit(m)
	})
}

// pausedSink does nothing while the process is paused.
type pausedSink struct {
	*jet.Sink
	p *process
}

func (s pausedSink) Publish(ctx context.Context, r pipeline.Record, done func(uint64, error)) error {
	s.p.alive()
	return s.Sink.Publish(ctx, r, func(seq uint64, err error) {
		s.p.alive()
		done(seq, err)
	})
}

func (s pausedSink) Chain(ctx context.Context, subject string) ([]pipeline.Stored, error) {
	s.p.alive()
	chain, err := s.Sink.Chain(ctx, subject)
	s.p.alive()
	return chain, err
}

func (s pausedSink) Bury(ctx context.Context, l pipeline.Letter) error {
	s.p.alive()
	return s.Sink.Bury(ctx, l)
}

// pausing stops the workers' own goroutines while the process is paused, and counts.
type pausing struct{ p *process }

func (pausing) Taken(event.Event, pipeline.Taken)                   {}
func (o pausing) Verdict(event.EvidenceChecked, int, time.Duration) { o.p.alive() }
func (o pausing) Declared(event.CoverageDeclared)                   { o.p.alive() }
func (o pausing) Buried(pipeline.Letter)                            { o.p.alive() }
func (pausing) Cached(int)                                          {}
func (o pausing) PassedOver(string)                                 { o.p.alive() }

func (o pausing) Rebuilt(int) {
	o.p.world.rebuilt.Add(1)
	o.p.alive()
}

func (o pausing) Evicted(int) {
	o.p.world.evicted.Add(1)
	o.p.alive()
}

func (o pausing) Retried(string, error, time.Duration) {
	o.p.world.retried.Add(1)
	o.p.alive()
}
