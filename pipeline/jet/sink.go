package jet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
)

// SinkConfig says where records and letters go, and how many may be on their way. The zero value is usable.
type SinkConfig struct {
	Subjects event.Subjects
	Window   int           // records on their way at once; 0: 1,000
	Timeout  time.Duration // until a record that the server does not answer for has failed; 0: 10 s
}

// errSinkClosed is what a closed sink answers.
var errSinkClosed = errors.New("the sink is closed")

// Sink publishes records to the audit stream and letters to the dead-letter stream. A record is stored only when its
// subject's last sequence is the one that it supersedes, which the server decides, so two workers, or one that wakes
// up late, can never store the same revision twice. What was on its way when the process ends is stored or not; the
// next worker finds out by the same guard.
type Sink struct {
	js      jetstream.JetStream // its own, for its own window of acknowledgements
	config  SinkConfig
	audits  reader
	letters reader

	slots   chan struct{} // one per record on its way
	waiting chan sent     // in the order of publishing; has room for all slots
	done    chan struct{} // closed when the collector has ended

	mu     sync.Mutex
	closed bool // guarded by mu, as is sending to waiting
}

// sent is a record on its way.
type sent struct {
	future  jetstream.PubAckFuture
	outcome func(seq uint64, err error)
}

var _ pipeline.Sink = (*Sink)(nil)

// NewSink publishes over the connection, which the caller closes after the sink.
func NewSink(nc *nats.Conn, c SinkConfig) (*Sink, error) {
	c.Window = cmp.Or(c.Window, 1000)
	c.Timeout = cmp.Or(c.Timeout, 10*time.Second)
	js, err := jetstream.New(nc, jetstream.WithPublishAsyncMaxPending(c.Window+1), jetstream.WithPublishAsyncTimeout(c.Timeout))
	if err != nil {
		return nil, fmt.Errorf("open the sink: %w", err)
	}
	s := &Sink{
		js: js, config: c, audits: newReader(js, AuditStream), letters: newReader(js, DeadStream),
		slots: make(chan struct{}, c.Window), waiting: make(chan sent, c.Window), done: make(chan struct{}),
	}
	go s.collect()
	return s, nil
}

// Publish sends the record, and waits while the window is full. done runs on the sink's one collecting goroutine, in the
// order of publishing: it must not block, and must not call Publish.
func (s *Sink) Publish(ctx context.Context, r pipeline.Record, done func(seq uint64, err error)) error {
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return fmt.Errorf("publish a record: %w", ctx.Err())
	}
	if err := s.send(r, done); err != nil {
		<-s.slots
		return outcome(err)
	}
	return nil
}

// send publishes under the lock, so that outcomes are collected in the order in which records were sent.
func (s *Sink) send(r pipeline.Record, done func(seq uint64, err error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errSinkClosed
	}
	// The slots bound what is on its way, so the client's own stall is never met; its wait only must not be short.
	future, err := s.js.PublishMsgAsync(auditMessage(r), jetstream.WithExpectLastSequencePerSubject(r.Supersedes),
		jetstream.WithStallWait(s.config.Timeout))
	if err != nil {
		return err
	}
	s.waiting <- sent{future, done}
	return nil
}

func auditMessage(r pipeline.Record) *nats.Msg {
	m := nats.NewMsg(r.Subject)
	m.Data = r.Payload
	m.Header.Set(HeaderContentType, r.ContentType)
	m.Header.Set(HeaderRevision, strconv.Itoa(r.Revision))
	if r.Supersedes != 0 {
		m.Header.Set(HeaderSupersedes, strconv.FormatUint(r.Supersedes, 10))
	}
	return m
}

// collect hands out the outcomes, in order. Each comes: the server's answer, the timeout, or the end of the connection.
func (s *Sink) collect() {
	defer close(s.done)
	for one := range s.waiting {
		var seq uint64
		var err error
		select {
		case ack := <-one.future.Ok():
			seq = ack.Sequence
		case err = <-one.future.Err():
			err = outcome(err)
		}
		<-s.slots
		one.outcome(seq, err)
	}
}

// outcome names the refusals of the guard and of what is too large. It does not name the subject, which holds names that
// no log should.
func outcome(err error) error {
	switch {
	case guarded(err):
		return fmt.Errorf("publish a record: %w (%w)", pipeline.ErrGuard, err)
	case tooLarge(err):
		return fmt.Errorf("publish a record: %w (%w)", pipeline.ErrTooLarge, err)
	}
	return fmt.Errorf("publish a record: %w", err)
}

// tooLarge tells the client's limit, which is the server's, and the stream's own.
func tooLarge(err error) bool {
	refusal, ok := errors.AsType[*jetstream.APIError](err)
	return errors.Is(err, nats.ErrMaxPayload) || ok && refusal.ErrorCode == jetstream.JSErrCodeStreamMessageExceedsMaximum
}

// guarded tells the guard's refusals. The second code is that of a replicated stream with another writer in flight.
func guarded(err error) bool {
	refusal, ok := errors.AsType[*jetstream.APIError](err)
	return ok && (refusal.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		refusal.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

// Chain reads a subject of the audit stream back, up to what the stream's leader has. A record whose headers do not say
// its revision, because something else published it, is read by its place in the chain.
func (s *Sink) Chain(ctx context.Context, subject string) ([]pipeline.Stored, error) {
	messages, err := s.audits.all(ctx, subject)
	if err != nil {
		return nil, err
	}
	chain := make([]pipeline.Stored, len(messages))
	for i, m := range messages {
		chain[i] = storedRecord(m, chain[:i])
	}
	return chain, nil
}

func storedRecord(m pipeline.Message, before []pipeline.Stored) pipeline.Stored {
	h := nats.Header(m.Header)
	r := pipeline.Record{Subject: m.Subject, ContentType: h.Get(HeaderContentType), Payload: m.Data, Revision: len(before)}
	if n, err := strconv.Atoi(h.Get(HeaderRevision)); err == nil {
		r.Revision = n
	}
	if n, err := strconv.ParseUint(h.Get(HeaderSupersedes), 10, 64); err == nil {
		r.Supersedes = n
	} else if len(before) > 0 && h.Get(HeaderRevision) == "" {
		r.Supersedes = before[len(before)-1].Seq
	}
	return pipeline.Stored{Seq: m.Seq, Record: r}
}

// Close takes no more records, waits until ctx ends for those on their way, and fails the rest. Every done has been
// called when it returns. The client's own subscription for acknowledgements ends with the connection.
func (s *Sink) Close(ctx context.Context) error {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.waiting)
	}
	s.mu.Unlock()
	select {
	case <-s.done:
		return nil
	case <-ctx.Done():
	}
	s.js.CleanupPublisher()
	<-s.done
	return fmt.Errorf("close the sink with records on their way: %w", ctx.Err())
}
