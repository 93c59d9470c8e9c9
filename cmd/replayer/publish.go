package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
	"github.com/plumbline-dev/plumbline/schemas/adapter/formats"
)

// publishFlags is the command line of publish.
type publishFlags struct {
	File    string   `placeholder:"FILE" required:"" help:"The events; - is stdin."`
	Format  string   `values:"formats" default:"auto" placeholder:"FORM" help:"Form of the file: ${formats} (auto: found by the first rows)."`
	NatsURL []string `name:"nats-url" placeholder:"URL" required:"" env:"PLUMBLINE_NATS_URL,NATS_URL" help:"NATS servers."`
	cli.Access

	Prefix string `default:"agent" help:"First part of every subject."`
	Tenant string `placeholder:"T" help:"Tenant of a record that names none (local)."`
	Agent  string `placeholder:"A" help:"Agent of a record that names none (its form)."`
}

// publish sends the events of a file into the event stream, in their order, and awaits that each is stored. The code is
// Unfinished when a line could not be read or an event could not be stored.
//
// An event that the stream already holds, by its id in its conversation, is not sent: a second run sends nothing. Two runs at
// once may both send an event; then the server drops the second while it knows the id (its duplicate window), and later the
// fold takes the same event twice for once.
func publish(ctx context.Context, f publishFlags, stdin io.Reader, stderr io.Writer) int {
	if err := f.check(); err != nil {
		return program.Fail(stderr, cli.Usage, err)
	}
	nc, err := jet.Connect(f.NATS("publisher", f.NatsURL))
	if err != nil {
		return program.Fail(stderr, cli.Usage, err)
	}
	defer nc.Close()
	err = publishFile(ctx, f, nc, stdin, stderr)
	if wrong, ok := errors.AsType[*usageError](err); ok {
		return program.Fail(stderr, cli.Usage, wrong)
	}
	if err != nil {
		return program.Fail(stderr, cli.Unfinished, err)
	}
	return cli.Done
}

func (f publishFlags) check() error {
	if f.Format != "auto" {
		if _, err := adapter.Named(formats.All, f.Format); err != nil {
			return fmt.Errorf("--format: %w", err)
		}
	}
	if err := f.Check(); err != nil {
		return err
	}
	return reachable(f.NATS("publisher", f.NatsURL), f.Prefix)
}

// publishFile publishes the file over the connection, and says on stderr how much was sent.
func publishFile(ctx context.Context, f publishFlags, nc *nats.Conn, stdin io.Reader, stderr io.Writer) error {
	in, name, closeIn, err := openIn(ctx, f.File, stdin)
	if err != nil {
		return err
	}
	defer closeIn()
	if err := answers(ctx, nc); err != nil {
		return err
	}
	served, unwatch := whileServed(ctx, nc.IsConnected)
	defer unwatch()
	reading, stop := context.WithCancel(served)
	defer stop()
	p, err := newPublisher(served, nc, f.Prefix, stop)
	if err != nil {
		return err
	}
	r := &reader{into: p, format: f.Format, name: name, tenant: f.Tenant, agent: f.Agent, complain: stderr}
	err = r.all(reading, in)
	switch {
	case p.err != nil:
		err = p.err // what stopped the reading
	case ctx.Err() == nil:
		err = errors.Join(err, p.flush())
	}
	r.say("text")
	_, said := fmt.Fprintf(stderr, "%d events published, %d were there already\n", p.sent, p.before)
	if err = errors.Join(err, said); err != nil {
		return err
	}
	return r.unread()
}

// maxInFlight is how many events are on their way at most, each of another conversation: those of one are sent one after
// the other, so that a failure leaves no gap in front of what is stored.
const maxInFlight = 256

// publisher sends events into the event stream. It is a folder; after the first error it sends nothing more.
type publisher struct {
	ctx      context.Context
	js       jetstream.JetStream
	subjects event.Subjects
	stop     func() // ends the reading
	empty    bool   // the stream held nothing at the start

	inFlight     map[event.Conversation]sending
	known        map[event.Conversation]map[string]bool // ids that the stream holds
	ids, most    int                                    // how many of them are in known, and how many may be
	sent, before int
	err          error
}

// sending is an event on its way.
type sending struct {
	future jetstream.PubAckFuture
	event  event.Event
}

// notStored names the event that an error is about.
func notStored(e event.Event, err error) error {
	return fmt.Errorf("publish event %s of conversation %s, turn %d: %w; run it again: what is stored is not sent twice",
		e.ID, e.Conversation.ID, e.Turn, err)
}

func newPublisher(ctx context.Context, nc *nats.Conn, prefix string, stop func()) (*publisher, error) {
	js, err := jetstream.New(nc, jetstream.WithPublishAsyncTimeout(connectWait), jetstream.WithPublishAsyncMaxPending(maxInFlight))
	if err != nil {
		return nil, err
	}
	stream, err := js.Stream(ctx, jet.EventsStream)
	if err != nil {
		return nil, fmt.Errorf("stream %s: %w; start the consumer with --provision, or check --nats-url", jet.EventsStream, err)
	}
	return &publisher{
		ctx: ctx, js: js, subjects: event.Subjects{Prefix: prefix}, stop: stop, empty: stream.CachedInfo().State.Msgs == 0,
		inFlight: map[event.Conversation]sending{}, known: map[event.Conversation]map[string]bool{}, most: maxKnown,
	}, nil
}

// maxKnown is how many ids are remembered. When there are more, those of all conversations but the one in hand are forgotten,
// and read again of each that the file comes back to.
const maxKnown = 1 << 20

// Add sends an event, unless the stream holds it.
func (p *publisher) Add(_ uint64, e event.Event) {
	if p.err != nil {
		return
	}
	if p.err = p.add(e); p.err != nil {
		p.stop()
	}
}

func (p *publisher) add(e event.Event) error {
	known, err := p.idsOf(e.Conversation)
	if errors.Is(context.Cause(p.ctx), errGone) {
		err = errGone
	}
	if err != nil {
		return notStored(e, err)
	}
	if known[e.ID] {
		p.before++
		return nil
	}
	m, err := jet.EventMessage(p.subjects, e)
	if err != nil {
		return notStored(e, err)
	}
	if err := p.await(e.Conversation); err != nil {
		return err
	}
	if len(p.inFlight) >= maxInFlight {
		if err := p.flush(); err != nil {
			return err
		}
	}
	future, err := p.js.PublishMsgAsync(m)
	if err != nil {
		return notStored(e, err)
	}
	p.inFlight[e.Conversation] = sending{future, e}
	known[e.ID] = true
	p.ids++
	return nil
}

// await waits until what is on its way of a conversation is stored.
func (p *publisher) await(c event.Conversation) error {
	one, ok := p.inFlight[c]
	if !ok {
		return nil
	}
	delete(p.inFlight, c)
	select {
	case ack := <-one.future.Ok():
		if ack.Duplicate {
			p.before++
		} else {
			p.sent++
		}
		return nil
	case err := <-one.future.Err():
		return notStored(one.event, err)
	case <-p.ctx.Done():
		return notStored(one.event, errors.New("interrupted"))
	}
}

// flush waits until everything that is on its way is stored. The error is of the first event that was not, in the order
// of their subjects.
func (p *publisher) flush() (err error) {
	bySubject := func(a, b event.Conversation) int { return cmp.Compare(p.subjects.Event(a), p.subjects.Event(b)) }
	for _, c := range slices.SortedFunc(maps.Keys(p.inFlight), bySubject) {
		err = cmp.Or(err, p.await(c))
	}
	return err
}

// forget drops what is known of other conversations when it is too much. What is on its way is stored first, so that it is
// read again.
func (p *publisher) forget(current event.Conversation) error {
	own, known := p.known[current]
	if p.ids <= p.most || known && len(p.known) == 1 {
		return nil
	}
	clear(p.known)
	p.ids, p.empty = len(own), false
	if known {
		p.known[current] = own
	}
	return p.flush()
}

// idsOf reads which events of a conversation the stream holds, once.
func (p *publisher) idsOf(c event.Conversation) (map[string]bool, error) {
	if err := p.forget(c); err != nil {
		return nil, err
	}
	if known, ok := p.known[c]; ok {
		return known, nil
	}
	known := map[string]bool{}
	p.known[c] = known
	if p.empty {
		return known, nil
	}
	defer func() { p.ids += len(known) }()
	filter := p.subjects.SomeLogs(event.Some{Tenant: &c.Tenant, Agent: &c.Agent, ID: &c.ID})
	err := jet.ReadAll(p.ctx, p.js, jet.EventsStream, filter, func(m pipeline.Message) error {
		for _, id := range m.Header[jetstream.MsgIDHeader] {
			known[id] = true
		}
		return nil
	})
	return known, err
}
