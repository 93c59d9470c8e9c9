package jet

import (
	"context"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/nats-io/nats.go"

	"github.com/plumbline-dev/plumbline/pipeline"
)

// infoEvery is how often a durable's acknowledged floor is looked up, in case the durable is deleted. An older floor
// only hands out more again.
const infoEvery = 10 * time.Second

// durable keeps one subscription to one durable consumer alive: it makes the consumer when it is missing, subscribes,
// hands messages over one at a time, and starts again, with backoff, when the server stops serving.
type durable struct {
	source       *Source
	name, filter string
	out          chan<- *delivery
	pace         *backoff.ExponentialBackOff

	// owned by run
	cover   *cover
	pinned  pinning
	acked   uint64    // the acknowledged floor, as last known
	counted time.Time // when the stream was made that the floor counts in
	existed bool
}

func (s *Source) durable(part, filter string, out chan<- *delivery) *durable {
	return &durable{
		source: s, name: s.config.Durable + "-" + part, filter: filter, out: out,
		pace: pace(50*time.Millisecond, 5*time.Second),
	}
}

// run serves until the source is drained or stopped; then it returns nil. It returns an error when the connection is
// closed for good.
func (d *durable) run(ctx context.Context) error {
	for {
		err := d.serve(ctx)
		switch {
		case err == nil || ctx.Err() != nil:
			return nil //nolint:nilerr // a stop is no fault
		case d.source.js.Conn().IsClosed():
			return fmt.Errorf("pull from %s: %w", d.name, nats.ErrConnectionClosed)
		}
		d.source.health.update(d.name, func(part *durableHealth, total *Health) {
			part.err = err
			total.Restarts++
		})
		if !pause(ctx, d.source.drain, d.pace.NextBackOff()) {
			return nil
		}
		d.cover = nil
	}
}

// serve binds, subscribes and hands over until something ends it. The first subscription uses OpenSource's binding.
func (d *durable) serve(ctx context.Context) error {
	if d.cover == nil {
		if err := d.bind(ctx); err != nil {
			return err
		}
	}
	p, err := newPuller(d.source.js, d.pull())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	info := make(chan struct{})
	go func() {
		defer close(info)
		d.watch(ctx)
	}()
	d.up(nil)
	err = p.run(ctx, d.source.drain, d.up, func(m *nats.Msg) error { return d.hand(ctx, m, p.alive) })
	cancel()
	<-info
	return err
}

// pull asks for less time of a pinned consumer: each request shows that its owner is alive.
func (d *durable) pull() pullConfig {
	c := d.source.config
	p := pullConfig{
		stream: EventsStream, consumer: d.name, messages: min(c.PullMessages, c.MaxAckPending), bytes: c.PullBytes,
		expires: 6 * c.Heartbeat, heartbeat: c.Heartbeat, group: d.pinned.group,
	}
	if d.pinned.group != "" {
		p.expires = min(p.expires, d.pinned.ttl/2)
		p.heartbeat = min(p.heartbeat, p.expires/2)
		p.renew = d.pinned.ttl / 3
	}
	return p
}

// up tells whether the server can be reached.
func (d *durable) up(err error) {
	d.source.health.update(d.name, func(part *durableHealth, _ *Health) { part.err = err })
}

// hand gives one message to Next, however long that takes; alive keeps the partition meanwhile, until it is drained: then
// another owner need not wait for the last messages to be handled.
func (d *durable) hand(ctx context.Context, m *nats.Msg, alive func() error) error {
	meta, err := m.Metadata()
	if err != nil {
		return fmt.Errorf("read the reply subject of a delivery: %w", err)
	}
	d.pace.Reset()
	d.cover.see(meta.Sequence.Consumer, d.pinned.take(m.Header))
	one := &delivery{
		msg: m, stored: meta.Timestamp, redelivered: meta.NumDelivered > 1, epoch: d.cover.epoch, whole: d.cover.whole,
		message: pipeline.Message{
			Seq: meta.Sequence.Stream, Subject: m.Subject, Header: published(m.Header), Data: m.Data,
		},
	}
	var renew <-chan time.Time
	drained := d.source.drain
	if d.pinned.group != "" {
		ticker := time.NewTicker(d.pull().renew)
		defer ticker.Stop()
		renew = ticker.C
	}
	for {
		select {
		case d.out <- one:
			return nil
		case <-drained:
			renew, drained = nil, nil
		case <-renew:
			if err := alive(); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// release gives the durable up when it is this subscription's. It runs after run has ended.
func (d *durable) release(ctx context.Context) error {
	if d.cover == nil || d.cover.pin == "" {
		return nil
	}
	stream, err := d.source.js.Stream(ctx, EventsStream)
	if err != nil {
		return fmt.Errorf("give up consumer %s: %w", d.name, err)
	}
	consumer, err := stream.Consumer(ctx, d.name)
	if err != nil {
		return fmt.Errorf("give up consumer %s: %w", d.name, err)
	}
	for _, group := range consumer.CachedInfo().PriorityGroups {
		if group.Group != d.pinned.group || group.PinnedClientID != d.cover.pin {
			continue
		}
		if err := stream.UnpinConsumer(ctx, d.name, group.Group); err != nil {
			return fmt.Errorf("give up consumer %s: %w", d.name, err)
		}
	}
	return nil
}
