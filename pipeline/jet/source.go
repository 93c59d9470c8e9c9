package jet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
)

// SourceConfig says which partition is read, and how far ahead. The zero value reads partition 0 and the misfits of
// prefix agent.
type SourceConfig struct {
	Subjects  event.Subjects
	Partition int
	// NoMisfits leaves out the messages that the stream's transform did not take, because their subject does not
	// name one tenant, agent and conversation. One source of a deployment must read them: they become dead letters.
	NoMisfits bool
	Durable   string        // first part of the durable consumers' names; empty: plumbline
	AckWait   time.Duration // until an unacknowledged message is handed out again; 0: 10 s
	// PinnedTTL is how long a durable that is made here waits for its owner before it takes another; 0: 3 s. One that
	// is there already keeps what it was made with.
	PinnedTTL time.Duration
	// MaxAckPending bounds what is handed out and not acknowledged; 0: 2,000. It has room for what several owners in a
	// row held when they were killed: without room the next one waits for AckWait.
	MaxAckPending int
	// PullMessages and PullBytes bound one request ahead; about twice the bytes can wait in memory. 0: 200, 16 MiB.
	PullMessages int
	PullBytes    int
	// Heartbeat is how often the server shows that it is there; two missed ones make the subscription anew. 0: 5 s.
	Heartbeat time.Duration
	// OnHealth is told of every change, on the source's goroutines: it must not block. Nil is nobody.
	OnHealth func(Health)
}

// Source hands out one partition of the event stream, and the messages that belong to none. It acknowledges nothing on
// its own: what was not acknowledged is handed out again after AckWait, to whoever pulls then. Several processes may
// open the same partition; each is handed a part, and the epoch tells that another was handed something in between.
type Source struct {
	js     jetstream.JetStream
	config SourceConfig
	store  reader
	health *healthBook

	durables []*durable
	stop     context.CancelFunc // ends everything at once
	drain    chan struct{}      // closed by Drain
	drained  sync.Once
	done     chan struct{} // closed when nothing more will be handed out
	err      error         // why, written before done is closed; nil after Drain or Stop

	log, misfits chan *delivery // handed over without a buffer
	epoch        string         // of the last delivery of the partition; owned by Next
	whole        atomic.Bool    // of the last delivery of the partition
}

var _ pipeline.Source = (*Source)(nil)

// OpenSource binds to the partition's durable consumers, makes those that are missing, and starts to pull. It refuses a
// durable that would lose or reorder messages. The source ends by Drain, by Stop, or with the connection; ctx bounds
// only the opening.
func OpenSource(ctx context.Context, js jetstream.JetStream, c SourceConfig) (*Source, error) {
	c = c.withDefaults()
	running, stop := context.WithCancel(context.Background())
	s := &Source{
		js: js, config: c, store: newReader(js, EventsStream), health: newHealthBook(c.OnHealth), stop: stop,
		drain: make(chan struct{}), done: make(chan struct{}), log: make(chan *delivery), misfits: make(chan *delivery),
	}
	s.durables = []*durable{s.durable("p"+strconv.Itoa(c.Partition), c.Subjects.PartitionLogs(c.Partition), s.log)}
	if !c.NoMisfits {
		s.durables = append(s.durables, s.durable("misfits", c.Subjects.AllEvents(), s.misfits))
	}
	for _, d := range s.durables {
		if err := d.bind(ctx); err != nil {
			stop()
			return nil, fmt.Errorf("open partition %d: %w", c.Partition, err)
		}
	}
	s.whole.Store(s.durables[0].cover.whole)
	go s.run(running)
	return s, nil
}

func (c SourceConfig) withDefaults() SourceConfig {
	c.Durable = cmp.Or(c.Durable, "plumbline")
	c.AckWait = cmp.Or(c.AckWait, 10*time.Second)
	c.PinnedTTL = cmp.Or(c.PinnedTTL, 3*time.Second)
	c.MaxAckPending = cmp.Or(c.MaxAckPending, 2000)
	c.PullMessages = cmp.Or(c.PullMessages, 200)
	c.PullBytes = cmp.Or(c.PullBytes, 16<<20)
	c.Heartbeat = cmp.Or(c.Heartbeat, 5*time.Second)
	return c
}

// run serves every durable until the last of them ends.
func (s *Source) run(ctx context.Context) {
	defer close(s.done)
	var all sync.WaitGroup
	errs := make([]error, len(s.durables))
	for i, d := range s.durables {
		all.Go(func() {
			if errs[i] = d.run(ctx); errs[i] != nil {
				s.stop()
			}
		})
	}
	all.Wait()
	s.stop()
	s.err = errors.Join(errs...)
}

// Next waits for the next message of the partition, or for a misfit, which carries the partition's epoch. It returns
// pipeline.ErrClosed at the end of a drained or stopped source, and another error when the connection was closed.
func (s *Source) Next(ctx context.Context) (pipeline.Delivery, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case d := <-s.log:
		s.epoch = d.epoch
		s.whole.Store(d.whole)
		return d, nil
	case d := <-s.misfits:
		d.epoch = cmp.Or(s.epoch, d.epoch)
		return d, nil
	case <-s.done:
		return nil, cmp.Or(s.err, pipeline.ErrClosed)
	}
}

// History visits a conversation as the stream keeps it, a page at a time. It returns once everything kept up to atLeast
// was visited; the message at atLeast itself is left out only when the stream no longer keeps it.
func (s *Source) History(ctx context.Context, subject string, after, atLeast uint64, visit func(pipeline.Message) error) error {
	return s.store.read(ctx, subject, after, atLeast, visit)
}

// FromStart tells that the epoch of the last delivery began with a durable that had delivered nothing yet, and that
// nobody else was handed anything since. A durable that was used before is not one, also when nothing was acknowledged:
// acknowledgements may come out of order, and what was acknowledged is not handed out again.
func (s *Source) FromStart() bool { return s.whole.Load() }

// Drain asks for no more messages. Next hands out what was on its way and then returns pipeline.ErrClosed.
func (s *Source) Drain() { s.drained.Do(func() { close(s.drain) }) }

// Stop ends the source at once; what was on its way is handed out again to whoever pulls next, after AckWait. It
// returns when everything of the source has ended.
func (s *Source) Stop() {
	s.stop()
	<-s.done
}

// Close stops the source and lets another have the partition at once, where it would else wait for this one. What it
// could not give up is given up by the server after PinnedTTL.
func (s *Source) Close(ctx context.Context) error {
	s.Stop()
	var errs []error
	for _, d := range s.durables {
		errs = append(errs, d.release(ctx))
	}
	return errors.Join(errs...)
}

// Closed is closed when nothing more will be handed out.
func (s *Source) Closed() <-chan struct{} { return s.done }

// Health tells how the source is now.
func (s *Source) Health() Health { return s.health.now() }
