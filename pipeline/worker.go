package pipeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v4"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas"
)

// Worker folds the conversations of one source and stores a verdict for every answer.
//
// What it stores, and what a crash leaves: a message is acknowledged only after everything it caused is stored, so a
// crash at any point means that the message is handed out again, to this worker or another. Publishing again what was
// stored is refused by the sink's guard and read back. Nothing is kept but what the streams hold. Two workers may run
// over the same messages: the guard decides, and what is stored is the same.
//
// All of it happens on the goroutine that calls Run, one event after another. Beside it the next message is decoded, and
// the source's and the sink's own goroutines run.
type Worker struct {
	cfg    Config
	source Source
	sink   Sink

	// Owned by Run.
	epoch    string
	highest  uint64 // the highest sequence that was handed out
	open     cache
	cached   int // bytes of the cache, as the observer knows them
	inFlight int // messages taken and not acknowledged or handed back
	underway int // chains and dead letters that are being stored
	// inFlightBytes are those of the messages in flight, and of the payloads on their way.
	inFlightBytes int
	crowded       bool // conversations that cannot be dropped yet do not fit the cache
	waiting       []*grace
	timers        timers
	stored        completions
}

// NewWorker checks the configuration.
func NewWorker(cfg Config, source Source, sink Sink) (*Worker, error) {
	cfg, err := cfg.validate()
	if err != nil {
		return nil, err
	}
	return &Worker{
		cfg: cfg, source: source, sink: sink,
		open:   newCache(cfg.CacheBytes),
		stored: completions{ready: make(chan struct{}, 1)},
	}, nil
}

// Run works until the source is closed and drained, or ctx ends. After a drain everything taken is stored and
// acknowledged, except answers that still wait for a declared call: those are given back, and wait at the next owner.
// When ctx ends, what is not acknowledged is handed out again. The error is nil after a drain, else ctx's.
func (w *Worker) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer w.tellCached(0)
	arrivals := w.pump(ctx, cancel)
	for {
		if arrivals == nil && w.underway == 0 {
			w.giveBackWaiting()
			return nil
		}
		select {
		case a, ok := <-w.whileRoom(arrivals):
			if !ok {
				arrivals = nil
				break
			}
			w.take(ctx, a)
		case <-w.stored.ready:
			for _, f := range w.stored.take() {
				f()
			}
		case <-w.timers.next():
			w.timers.run(time.Now())
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		w.crowded = w.open.evict(w.cfg.CacheBytes, w.cfg.Observer.Evicted)
		w.tellCached(w.open.bytes)
		w.makeRoom()
	}
}

// Resize changes what CacheBytes bounds, from any goroutine.
func (w *Worker) Resize(bytes int) {
	w.stored.add(func() { w.cfg.CacheBytes = bytes })
}

// arrival is a delivery with what its message says, and the letter that it becomes when that cannot be read.
type arrival struct {
	Delivery
	said   Said
	letter *Letter
}

// pump reads the source's messages and hands them over one by one: the next one is read while the worker folds. The
// channel is closed when the source is drained. An error of the source ends the run.
func (w *Worker) pump(ctx context.Context, fail context.CancelCauseFunc) <-chan arrival {
	arrivals := make(chan arrival)
	subjects := w.cfg.Subjects
	go func() {
		defer close(arrivals)
		for {
			d, err := w.source.Next(ctx)
			if errors.Is(err, ErrClosed) {
				return
			}
			if err != nil {
				fail(fmt.Errorf("read the event stream: %w", err))
				<-ctx.Done()
				return
			}
			select {
			case arrivals <- read(subjects, d):
			case <-ctx.Done():
				return
			}
		}
	}()
	return arrivals
}

func read(subjects event.Subjects, d Delivery) arrival {
	a := arrival{Delivery: d}
	err := Surviving(func() (err error) {
		a.said, err = Read(subjects, d.Message())
		return err
	})
	if err != nil {
		reason, detail := ReasonOf(err)
		a.letter = &Letter{Message: d.Message(), Reason: reason, Detail: detail}
	}
	return a
}

// whileRoom stops taking messages while there is no room.
func (w *Worker) whileRoom(arrivals <-chan arrival) <-chan arrival {
	if w.full() {
		return nil
	}
	return arrivals
}

// full tells whether something in flight must be finished before another message is taken.
func (w *Worker) full() bool {
	return w.inFlight >= w.cfg.MaxInFlight || w.inFlightBytes >= w.cfg.InFlightBytes || w.crowded && w.inFlight > 0
}

// take folds one message and starts what it causes.
func (w *Worker) take(ctx context.Context, a arrival) {
	if epoch := a.Epoch(); epoch != w.epoch {
		w.epoch = epoch
		w.open.forget()
	}
	w.highest = max(w.highest, a.Message().Seq)
	t := w.newTicket(a.Delivery)
	t.hold()
	defer t.release()
	if a.letter != nil {
		w.bury(ctx, t, *a.letter)
	}
	if area, quiet := a.said.Quiet(); quiet {
		w.cfg.Observer.PassedOver(area)
	}
	if a.said.Nothing() {
		return
	}
	err := Surviving(func() error { return w.handle(ctx, t, a) })
	if broken, ok := errors.AsType[*defect](err); ok {
		w.open.drop(a.Message().Subject)
		w.buryBroken(ctx, t, broken)
	} else if err != nil {
		t.giveBack(err)
	}
}

// handle folds what the ticket's message says and starts what it causes. An error may pass.
func (w *Worker) handle(ctx context.Context, t *ticket, a arrival) error {
	m := a.Message()
	if left := w.open.traces.get(m.Subject); left != nil && !a.Redelivered() {
		if reading, ok := left.passes(m.Seq, a.said); ok {
			w.taken(t, a.said.Event, Taken{Reading: reading})
			return nil // it is read back with the next answer
		}
	}
	folded := t.step(StepFold)
	c, err := w.conversation(ctx, t, a.said)
	if err != nil {
		folded(err)
		return err
	}
	if broken := c.broken[m.Seq]; broken != nil { // it was passed over when the conversation was read back
		folded(broken)
		return broken
	}
	e, effects := w.fold(c, m, a.said)
	folded(nil)
	t.answers = e.Answer != nil
	w.taken(t, e, c.taken(a, effects, e))
	var past *pastAnswer
	if effects.Past {
		past = &pastAnswer{m.Seq, e, schemas.EncodingOf(m.Header)}
	}
	for _, name := range effects.Answers {
		w.settle(ctx, c, verdictOf(name), past, t)
	}
	if effects.Call != nil {
		w.declare(ctx, c, coverageOf(effects.Turn, *effects.Call), t)
	}
	w.open.measure(c, c.memory())
	return nil
}

// bury stores a dead letter, again and again until it is stored: the stream goes on meanwhile.
func (w *Worker) bury(ctx context.Context, t *ticket, l Letter) {
	t.hold()
	w.underway++
	buried := t.step(StepBury)
	w.keepTrying(ctx, "store a dead letter", func() error { return w.sink.Bury(ctx, l) }, func() {
		w.underway--
		buried(nil)
		w.cfg.Observer.Buried(l)
		t.release()
	})
}

// keepTrying does what may fail for a while, with growing pauses in which the worker goes on, and then continues.
func (w *Worker) keepTrying(ctx context.Context, doing string, try func() error, then func()) {
	pace := w.cfg.Backoff()
	var attempt func()
	attempt = func() {
		err := try()
		if err == nil {
			then()
			return
		}
		w.retry(ctx, doing, err, pace, attempt)
	}
	attempt()
}

// retry runs the attempt again after the next pause, unless the worker is being stopped.
func (w *Worker) retry(ctx context.Context, doing string, err error, pace backoff.BackOff, attempt func()) {
	if ctx.Err() != nil {
		return
	}
	after := pace.NextBackOff()
	w.cfg.Observer.Retried(doing, err, after)
	w.timers.after(after, attempt)
}
