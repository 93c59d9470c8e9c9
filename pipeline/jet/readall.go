package jet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/pipeline"
)

// Range is a part of a stream to read in order.
type Range struct {
	Stream string
	Filter string // subject filter; empty: everything
	From   uint64 // first sequence; 0: the first kept
	// Since starts at the first message stored then or later, Until ends before the first one stored then or later:
	// the server's clock. Since and From exclude each other. Zero: no bound.
	Since, Until time.Time
	Through      uint64 // last sequence; 0: the stream's last one at the start
}

var (
	errRangeEnd = errors.New("the range is read")
	errBehind   = errors.New("the server that reads is behind the stream's leader")
)

// ReadAll visits the messages of a stream that match the filter, in order and each once, up to the stream's last one at
// the start. It returns the visitor's error as it is.
func ReadAll(ctx context.Context, js jetstream.JetStream, stream, filter string, visit func(pipeline.Message) error) error {
	return Read(ctx, js, Range{Stream: stream, Filter: filter}, visit)
}

// Read visits the messages of a range, in order and each once. It acknowledges nothing and leaves nothing behind. When
// the server stops serving, it goes on after the last message visited, with backoff, until ctx ends.
func Read(ctx context.Context, js jetstream.JetStream, r Range, visit func(pipeline.Message) error) error {
	if r.From > 0 && !r.Since.IsZero() {
		return errors.New("read stream " + r.Stream + ": a range starts at a sequence or at a time, not both")
	}
	walk := &walk{js: js, Range: r, visit: visit}
	stream, err := js.Stream(ctx, r.Stream)
	if err != nil {
		return fmt.Errorf("read stream %s: %w", r.Stream, err)
	}
	if walk.Through == 0 {
		walk.Through = stream.CachedInfo().State.LastSeq
	}
	earlier := js.Conn().LastError() // of whatever else the connection is used for
	for tick := pace(50*time.Millisecond, 5*time.Second); walk.Through > 0; {
		before := walk.seen
		err := walk.pull(ctx, stream)
		switch {
		case errors.Is(err, errRangeEnd):
			return nil
		case walk.stopped != nil:
			return walk.stopped
		case ctx.Err() != nil:
			return fmt.Errorf("read stream %s after sequence %d: %w", r.Stream, walk.seen, ctx.Err())
		case js.Conn().LastError() != earlier && errors.Is(js.Conn().LastError(), nats.ErrPermissionViolation): //nolint:errorlint // the very same
			return fmt.Errorf("read stream %s: %s", r.Stream, nameless(js.Conn().LastError()))
		case js.Conn().IsClosed():
			return fmt.Errorf("read stream %s after sequence %d: %w", r.Stream, walk.seen, nats.ErrConnectionClosed)
		case walk.seen > before:
			tick.Reset()
		}
		pause(ctx, nil, tick.NextBackOff())
	}
	return nil
}

// walk is one reading of a range. Owned by Read.
type walk struct {
	Range
	js      jetstream.JetStream
	visit   func(pipeline.Message) error
	seen    uint64 // last sequence visited
	count   uint64 // of the temporary consumer's deliveries
	stopped error  // what the visitor returned
}

// pull reads on through a temporary consumer, which the server also drops by itself when nobody pulls from it.
func (w *walk) pull(ctx context.Context, stream jetstream.Stream) error {
	consumer, err := stream.CreateConsumer(ctx, w.consumer())
	if err != nil {
		return err
	}
	info := consumer.CachedInfo()
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		stream.DeleteConsumer(ctx, info.Name) //nolint:errcheck // the server drops it after a minute
	}()
	if info.NumPending == 0 {
		return cmp.Or(w.atEnd(ctx), errBehind)
	}
	p, err := newPuller(w.js, pullConfig{
		stream: w.Stream, consumer: info.Name, messages: 512, bytes: 16 << 20, expires: 30 * time.Second, heartbeat: 5 * time.Second,
	})
	if err != nil {
		return err
	}
	p.idle = func() error { return w.atEnd(ctx) }
	w.count = 0
	return p.run(ctx, nil, func(error) {}, func(m *nats.Msg) error { return w.take(ctx, m) })
}

// atEnd asks the stream's leader whether more of the range follows what was visited: the server that reads may be
// behind, and then it counts too few. It returns errRangeEnd when nothing does.
func (w *walk) atEnd(ctx context.Context) error {
	q := getRequest{Seq: max(w.seen+1, w.From), NextFor: cmp.Or(w.Filter, ">")}
	if w.seen == 0 && !w.Since.IsZero() {
		q.Seq, q.Since = 0, &w.Since
	}
	m, ok, err := newReader(w.js, w.Stream).get(ctx, q)
	if err != nil {
		return err
	}
	if !ok || m.Seq > w.Through {
		return errRangeEnd
	}
	return nil
}

func (w *walk) consumer() jetstream.ConsumerConfig {
	c := jetstream.ConsumerConfig{
		Description: "Plumbline reads a range", AckPolicy: jetstream.AckNonePolicy, FilterSubject: w.Filter,
		MemoryStorage: true, Replicas: 1, InactiveThreshold: time.Minute, DeliverPolicy: jetstream.DeliverAllPolicy,
	}
	switch {
	case w.seen > 0:
		c.DeliverPolicy, c.OptStartSeq = jetstream.DeliverByStartSequencePolicy, w.seen+1
	case w.From > 0:
		c.DeliverPolicy, c.OptStartSeq = jetstream.DeliverByStartSequencePolicy, w.From
	case !w.Since.IsZero():
		c.DeliverPolicy, c.OptStartTime = jetstream.DeliverByStartTimePolicy, &w.Since
	}
	return c
}

// take visits one message. A gap in the consumer's count is a message lost on the way: the range is read on from there.
func (w *walk) take(ctx context.Context, m *nats.Msg) error {
	meta, err := m.Metadata()
	if err != nil {
		return err
	}
	w.count++
	if meta.Sequence.Consumer != w.count {
		return errors.New("a message was lost on the way")
	}
	if meta.Sequence.Stream > w.Through || !w.Until.IsZero() && !meta.Timestamp.Before(w.Until) {
		return errRangeEnd
	}
	one := pipeline.Message{Seq: meta.Sequence.Stream, Subject: m.Subject, Header: published(m.Header), Data: m.Data}
	if w.stopped = w.visit(one); w.stopped != nil {
		return w.stopped
	}
	w.seen = one.Seq
	switch {
	case one.Seq == w.Through:
		return errRangeEnd
	case meta.NumPending == 0:
		return cmp.Or(w.atEnd(ctx), errBehind)
	}
	return nil
}
