package main

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/pipeline"
)

// kept is a message as a stream keeps it, with the time at which it was stored by the clock of the stream's leader.
type kept struct {
	pipeline.Message
	at time.Time
}

// readStream visits every message that the stream keeps now, in order and once. It reads with the client's own calls
// and none of Plumbline's, which are what is being proved.
func readStream(ctx context.Context, js jetstream.JetStream, name string, visit func(kept) error) error {
	stream, err := js.Stream(ctx, name)
	if err != nil {
		return fmt.Errorf("read stream %s: %w", name, err)
	}
	last := stream.CachedInfo().State.LastSeq
	if stream.CachedInfo().State.Msgs == 0 {
		return nil
	}
	consumer, err := js.OrderedConsumer(ctx, name, jetstream.OrderedConsumerConfig{})
	if err != nil {
		return fmt.Errorf("read stream %s: %w", name, err)
	}
	messages, err := consumer.Messages()
	if err != nil {
		return fmt.Errorf("read stream %s: %w", name, err)
	}
	defer messages.Stop()
	for {
		m, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return fmt.Errorf("read stream %s: %w", name, err)
		}
		meta, err := m.Metadata()
		if err != nil {
			return fmt.Errorf("read stream %s: %w", name, err)
		}
		one := pipeline.Message{Seq: meta.Sequence.Stream, Subject: m.Subject(), Header: m.Headers(), Data: m.Data()}
		if err := visit(kept{one, meta.Timestamp}); err != nil {
			return fmt.Errorf("stream %s, sequence %d: %w", name, one.Seq, err)
		}
		if one.Seq >= last {
			return nil
		}
	}
}
