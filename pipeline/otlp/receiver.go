package otlp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
	"github.com/plumbline-dev/plumbline/schemas/adapter/genai"
)

// Publisher stores events. It is used by one goroutine at a time.
type Publisher interface {
	// Publish stores the events in their order, each under its id, and returns when all are stored. One that is stored
	// already may be stored again: folding it twice changes nothing. After an error some of them are stored.
	Publish(ctx context.Context, events []event.Event) error
	// LastTurn is the number of the last turn of a conversation that is stored, 0 when none is.
	LastTurn(ctx context.Context, c event.Conversation) (int, error)
}

// Config is what a receiver is told. Only Publisher is required.
type Config struct {
	Publisher Publisher
	// Tenant is the tenant of every event; empty: default.
	Tenant string
	// Idle is how long a trace without its root waits for its next span before it is given; 0: 10 s.
	Idle time.Duration
	// MaxBytes bounds the spans that are held; 0: 64 MiB.
	MaxBytes int
	// MaxBody bounds one request, unpacked; 0: 16 MiB.
	MaxBody int
	// MaxEvent bounds one event as it is published; 0: 1,000,000. What does not fit is cut, and the event says so.
	MaxEvent int
	// Logger is told what could not be read, never what was said; nil: nobody is.
	Logger *slog.Logger
	// Now is the clock; nil: the machine's.
	Now func() time.Time
}

func (c *Config) fill() error {
	if c.Publisher == nil {
		return errors.New("otlp: no publisher")
	}
	if c.Idle < 0 || c.MaxBytes < 0 || c.MaxBody < 0 || c.MaxEvent < 0 {
		return errors.New("otlp: a time or a size is negative")
	}
	c.Tenant = cmp.Or(c.Tenant, "default")
	c.Idle = cmp.Or(c.Idle, 10*time.Second)
	c.MaxBytes = cmp.Or(c.MaxBytes, 64<<20)
	c.MaxBody = cmp.Or(c.MaxBody, 16<<20)
	c.MaxEvent = cmp.Or(c.MaxEvent, 1_000_000)
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	if c.Now == nil {
		c.Now = time.Now
	}
	return nil
}

// Receiver takes in traces. It is an http.Handler; requests may come at the same time. Run gives the traces whose root does
// not come.
type Receiver struct {
	config Config

	// guarded by mu
	mu        sync.Mutex
	converter *genai.Converter
	held      holding
	outbox    []event.Event // made and not stored yet
}

// New makes a receiver. It starts nothing.
func New(c Config) (*Receiver, error) {
	if err := c.fill(); err != nil {
		return nil, err
	}
	return &Receiver{
		config: c, converter: genai.New(event.Conversation{Tenant: c.Tenant, Agent: "otlp"}), held: newHolding(),
	}, nil
}

// storeTimeout is how long one request may take to store its events.
const storeTimeout = 10 * time.Second

// Run gives traces that wait too long, until ctx ends; then it gives everything that is held. An event that cannot be
// stored stays for the next try; the error is of the last one.
func (r *Receiver) Run(ctx context.Context) error {
	ticker := time.NewTicker(max(r.config.Idle/4, 10*time.Millisecond))
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return r.give(context.WithoutCancel(ctx), 0)
		case <-ticker.C:
			if err := r.give(ctx, r.config.Idle); err != nil && ctx.Err() == nil {
				r.config.Logger.Warn("events of traces wait to be stored", "error", err)
			}
		}
	}
}

// give gives the traces that had no new span for so long.
func (r *Receiver) give(ctx context.Context, idle time.Duration) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range r.held.idle(r.config.Now().Add(-idle)) {
		r.convert(t, false)
	}
	r.held.trim(r.config.MaxBytes / 2)
	return r.store(ctx)
}

// take holds the spans of a request and gives the traces that are whole with it. The error is of storing: the request is to
// be sent again.
func (r *Receiver) take(ctx context.Context, spans []genai.Span) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.store(ctx); err != nil { // nothing more is taken in while something waits: it is sent again
		return err
	}
	now := r.config.Now()
	touched := r.held.add(spans, now)
	for _, t := range touched {
		if t.rooted || t.given {
			r.convert(t, false)
		}
	}
	for _, t := range r.held.overflow(r.config.MaxBytes) {
		r.config.Logger.Warn("a trace was given up before it ended: too many spans wait", "trace", t.id, "bytes", t.bytes)
		r.convert(t, true)
	}
	return r.store(ctx)
}

// convert reads a trace. part tells that spans of it may be missing.
func (r *Receiver) convert(t *heldTrace, part bool) {
	read := r.converter.Read
	if part {
		read = r.converter.ReadPart
	}
	for _, f := range read(t.spans) {
		r.config.Logger.Warn("a span cannot be read", "span", f.Span, "attribute", f.Field, "reason", f.Detail)
	}
	t.given = true
}

// store asks for the numbers of the turns that were read, and publishes their events.
func (r *Receiver) store(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	if err := r.publish(ctx); err != nil { // what was made before comes first: it counts as a last turn
		return err
	}
	for {
		events, asked := r.converter.Flush(func(c event.Conversation) (int, error) { return r.lastTurn(ctx, c) })
		r.outbox = append(r.outbox, events...)
		if err := r.publish(ctx); err != nil || asked != nil {
			return errors.Join(err, asked)
		}
		if len(events) == 0 {
			r.converter.Trim(maxConversations)
			return nil
		}
	}
}

// lastTurn asks for the number of a conversation's last turn. One whose events are left out has none.
func (r *Receiver) lastTurn(ctx context.Context, c event.Conversation) (int, error) {
	if tooLong(c) {
		return 0, nil
	}
	return r.config.Publisher.LastTurn(ctx, c)
}

// tooLong tells whether the names of a conversation make a subject that no server takes (event.MaxSubject).
func tooLong(c event.Conversation) bool { return len(event.Subjects{}.Event(c)) > event.MaxSubject }

// maxConversations is how many conversations are remembered for spans of theirs that come again.
const maxConversations = 10_000

// publish stores what was made, in its order. What is not stored stays.
func (r *Receiver) publish(ctx context.Context) error {
	if len(r.outbox) == 0 {
		return nil
	}
	named := make([]event.Event, 0, len(r.outbox))
	for _, e := range r.outbox {
		if tooLong(e.Conversation) {
			r.config.Logger.Warn("an event is left out: its agent and conversation have names too long for a subject", "turn", e.Turn)
			continue
		}
		e, err := adapter.Identify(e)
		if err != nil {
			r.config.Logger.Warn("an event cannot be written", "error", err)
			continue
		}
		if e, ok := fit(e, r.config.MaxEvent); ok {
			named = append(named, e)
		} else {
			r.config.Logger.Warn("an event is too large and is left out", "kind", string(e.Kind()), "turn", e.Turn)
		}
	}
	if err := r.config.Publisher.Publish(ctx, named); err != nil {
		return fmt.Errorf("store %d events: %w", len(named), err)
	}
	r.outbox = nil
	return nil
}
