package jet

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// bind finds the durable or makes it, and starts an epoch from what the server says about it.
func (d *durable) bind(ctx context.Context) error {
	stream, err := d.source.js.Stream(ctx, EventsStream)
	if err != nil {
		return fmt.Errorf("look at stream %s: %w", EventsStream, err)
	}
	if created := stream.CachedInfo().Created; !created.Equal(d.counted) {
		d.counted, d.acked = created, 0
	}
	consumer, err := stream.Consumer(ctx, d.name)
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		consumer, err = d.create(ctx, stream)
	}
	if err != nil {
		return fmt.Errorf("consumer %s of %s: %w", d.name, EventsStream, err)
	}
	info := consumer.CachedInfo()
	if err := d.accept(info.Config); err != nil {
		return err
	}
	// A later subscription is never whole: the worker may still hold what the one before handed out.
	all := info.Config.DeliverPolicy == jetstream.DeliverAllPolicy && !d.existed
	d.existed = true
	d.pinned = pinningOf(info.Config)
	d.cover = newCover(info.Delivered.Consumer, all)
	d.learn(info)
	return nil
}

// create makes the durable: from the first message of the stream, or, when it existed before, from the first one that
// was not acknowledged. What was acknowledged above that is handed out again.
func (d *durable) create(ctx context.Context, stream jetstream.Stream) (jetstream.Consumer, error) {
	c := d.consumer()
	if d.acked > 0 {
		c.DeliverPolicy, c.OptStartSeq = jetstream.DeliverByStartSequencePolicy, d.acked+1
	}
	consumer, err := stream.CreateConsumer(ctx, c)
	if err == nil && d.existed {
		d.source.health.update(d.name, func(_ *durableHealth, total *Health) { total.Recreated++ })
	}
	return consumer, err
}

func (d *durable) consumer() jetstream.ConsumerConfig {
	c := d.source.config
	return jetstream.ConsumerConfig{
		Durable: d.name, Description: "Plumbline's position in " + d.filter, FilterSubject: d.filter,
		DeliverPolicy: jetstream.DeliverAllPolicy, AckPolicy: jetstream.AckExplicitPolicy, AckWait: c.AckWait,
		MaxDeliver: -1, MaxAckPending: c.MaxAckPending,
		PriorityPolicy: jetstream.PriorityPolicyPinned, PriorityGroups: []string{ownerGroup}, PinnedTTL: c.PinnedTTL,
	}
}

// accept refuses a durable that someone made in a way that would lose messages.
func (d *durable) accept(c jetstream.ConsumerConfig) error {
	bad := func(wrong, change string) error {
		return fmt.Errorf("consumer %s of %s %s: delete it, and it is made anew %s", d.name, EventsStream, wrong, change)
	}
	switch {
	case c.FilterSubject != d.filter || len(c.FilterSubjects) > 0:
		return bad(fmt.Sprintf("filters %q", c.FilterSubject), fmt.Sprintf("for %q", d.filter))
	case c.AckPolicy != jetstream.AckExplicitPolicy:
		return bad("does not take one acknowledgement per message", "with explicit acknowledgement")
	case c.MaxDeliver > 0:
		return bad(fmt.Sprintf("gives a message up after %d deliveries", c.MaxDeliver), "without that limit")
	case c.HeadersOnly:
		return bad("delivers headers only", "with whole messages")
	}
	return nil
}

// watch looks the durable up now and then, until ctx ends.
func (d *durable) watch(ctx context.Context) {
	for pause(ctx, nil, infoEvery) {
		consumer, err := d.source.js.Consumer(ctx, EventsStream, d.name)
		if err == nil {
			d.learn(consumer.CachedInfo())
		}
	}
}

// learn keeps the acknowledged floor and tells the lag. It runs in bind, or in watch while no bind does.
func (d *durable) learn(info *jetstream.ConsumerInfo) {
	d.acked = max(d.acked, info.AckFloor.Stream)
	d.source.health.update(d.name, func(part *durableHealth, _ *Health) {
		part.waiting, part.unacked = info.NumPending, info.NumAckPending
	})
}
