package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/time/rate"

	"github.com/plumbline-dev/plumbline/cmd/internal/report"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
)

// past is one replay over a server's streams: conversations are read, judged several at once, and what was found is
// written, stored or compared in stream order, as the task says. It reads the events and leaves them as they are; what it
// stores goes through the guard of the consumer's own verdicts.
//
// When it is interrupted or killed, what was stored is stored, and the checkpoint says up to where everything was done.
type past struct {
	Config
	console *console
	stdout  io.Writer

	nc      *nats.Conn
	js      jetstream.JetStream
	layout  jet.Layout
	events  jet.Past
	sink    *jet.Sink
	settler pipeline.Settler
	store   replay.Store
	limiter *rate.Limiter // nil: no bound
	span    span
	read    atomic.Uint64 // messages
	at      atomic.Uint64 // sequence of the last message read
}

// span is the part of the stream that is replayed.
type span struct {
	From, Through uint64 // of the messages that are looked at
	Limit         uint64 // the last sequence that a verdict may rest on
}

func (s span) empty() bool { return s.Through < s.From }

// step does what a finding asks for. Steps are done one at a time, in stream order.
type step func() error

// task is what becomes of the conversations.
type task interface {
	// pass says what is read.
	pass(ctx context.Context) (pass, error)
	// look says what is to be done about a stretch. It is called by several goroutines, and may store verdicts; what the
	// task holds is changed by the steps only.
	look(ctx context.Context, s replay.Stretch) ([]replay.Finding[step], error)
	// state is what the steps changed, to be kept as JSON and taken up again.
	state() any
	// output is what the steps write to, nil when they write nothing.
	output() *outFile
	// sum says what came of it, and returns errDiffer when that is asked for.
	sum() error
}

// pass is one reading of a stream.
type pass struct {
	stream        jet.Past
	filter        string // of subjects; empty: everything
	counted       string // the same for the count of subjects
	from, through uint64
	key           func(subject string) string
}

// replayPast does the task over the history of a server.
func replayPast(ctx context.Context, c Config, stdout, stderr io.Writer) (err error) {
	p := &past{Config: c, stdout: stdout, console: newConsole(stderr)}
	if c.Past.Rate > 0 {
		p.limiter = rate.NewLimiter(rate.Limit(c.Past.Rate), max(1, int(c.Past.Rate/10)))
	}
	defer p.close()
	if err := p.open(ctx); err != nil {
		return err
	}
	ctx, stop := whileServed(ctx, p.nc.IsConnected)
	defer stop()
	if p.span, err = p.find(ctx); err != nil {
		return err
	}
	book, err := openBook(ctx, p)
	if err != nil {
		return err
	}
	if book.Done {
		return p.again(book)
	}
	p.span = book.Span
	t, err := p.task(book)
	if err != nil {
		return err
	}
	book.task = t
	if err := p.run(ctx, t, book); err != nil {
		return errors.Join(book.interrupted(ctx, err), t.output().close())
	}
	if err := errors.Join(book.finish(ctx), t.output().close()); err != nil {
		return err
	}
	return t.sum()
}

// again says what a replay that is done gave, and ends as it did. It writes nothing a second time.
func (p *past) again(b *book) error {
	p.Out, p.Text = "", false
	t, err := p.task(b)
	if err != nil {
		return err
	}
	return t.sum()
}

// open connects and looks at the streams.
func (p *past) open(ctx context.Context) (err error) {
	nats := p.Past.NATS
	nats.Logger = p.console.logger()
	if p.nc, err = jet.Connect(nats); err != nil {
		return &usageError{err}
	}
	if err := answers(ctx, p.nc); err != nil {
		return err
	}
	if p.js, err = jetstream.New(p.nc); err != nil {
		return err
	}
	if p.layout, err = jet.Check(ctx, p.js, p.Past.Subjects.Prefix); err != nil {
		return err
	}
	if p.sink, err = jet.NewSink(p.nc, jet.SinkConfig{Subjects: p.layout.Subjects}); err != nil {
		return err
	}
	p.events = jet.NewPast(p.js, jet.EventsStream)
	p.settler = pipeline.Settler{Sink: p.sink, Retried: func(doing string, err error, after time.Duration) {
		p.console.say(fmt.Sprintf("%s: %v; trying again in %s", doing, err, after.Round(time.Millisecond)))
	}}
	return nil
}

func (p *past) close() {
	if p.sink != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if err := p.sink.Close(ctx); err != nil {
			p.console.say(err.Error())
		}
	}
	if p.nc != nil {
		p.nc.Close()
	}
}

// find gives the sequences of the range that was asked for.
func (p *past) find(ctx context.Context) (span, error) {
	first, last, err := p.events.Span(ctx)
	if err != nil {
		return span{}, err
	}
	s := span{From: max(first, p.Past.FromSeq), Through: last, Limit: last}
	if p.Past.ToSeq > 0 {
		s.Through = min(last, p.Past.ToSeq)
	}
	if !p.Past.From.IsZero() {
		seq, ok, err := p.events.Since(ctx, p.Past.From)
		if err != nil {
			return s, err
		}
		if s.From = seq; !ok {
			s.From = last + 1
		}
	}
	if !p.Past.To.IsZero() {
		seq, ok, err := p.events.Since(ctx, p.Past.To)
		if err != nil {
			return s, err
		}
		if ok {
			s.Through = min(s.Through, seq-1)
		}
	}
	return s, nil
}

// task makes the task that was asked for, with what the book holds of it.
func (p *past) task(b *book) (task, error) {
	p.store = replay.Store{
		History: p.events.History, Subjects: p.layout.Subjects, Limit: p.span.Limit, Pace: p.pace, Insist: p.settler.Insist,
	}
	out, err := openOutFile(p.Config, p.stdout, b.Resumed, b.Offset)
	if err != nil {
		return nil, err
	}
	var t task
	switch p.Past.Task {
	case taskPublish:
		t = &publishing{past: p}
	case taskVerify:
		t = newVerifying(p, out)
	case taskCompare, taskDiff:
		t = newDiffing(p, out)
	default:
		t = &writing{past: p, out: out}
	}
	return t, b.restore(t.state())
}

// run reads the pass and does the task's steps.
func (p *past) run(ctx context.Context, t task, b *book) error {
	if p.span.empty() {
		p.console.say("no event is in that range")
		return nil
	}
	pass, err := t.pass(ctx)
	if err != nil {
		return err
	}
	pass.from = max(pass.from, b.next())
	if pass.through < pass.from {
		return nil
	}
	totals := replay.NewTotals()
	if err := pass.stream.Counts(ctx, pass.counted, func(subject string, n uint64) { totals.Add(pass.key(subject), n) }); err != nil {
		return err
	}
	stop := p.console.progress(pass.from, pass.through, &p.at, &p.read)
	defer stop()
	return replay.Each(ctx, replay.Gathering{
		Totals: totals, Workers: p.Past.Workers, Bytes: p.Past.Bytes, Reached: func(seq uint64) error { return b.reached(ctx, seq) },
		Key: func(m pipeline.Message) string { return pass.key(m.Subject) },
		Read: func(ctx context.Context, visit func(pipeline.Message) error) error {
			return pass.stream.Read(ctx, pass.filter, pass.from, pass.through, func(m pipeline.Message) error {
				p.at.Store(m.Seq)
				return errors.Join(p.pace(ctx), visit(m))
			})
		},
	}, t.look, func(f replay.Finding[step]) error {
		err := f.Of()
		b.broken = err != nil
		return err
	})
}

// pace counts a message that was read, and waits while too many were.
func (p *past) pace(ctx context.Context) error {
	p.read.Add(1)
	if p.limiter == nil {
		return nil
	}
	return p.limiter.Wait(ctx)
}

// overEvents is the pass of a task that judges the conversations of the range.
func (p *past) overEvents() pass {
	s := pass{
		stream: p.events, filter: p.layout.Subjects.SomeLogs(p.Past.Some), from: p.span.From, through: p.span.Through,
		key: func(subject string) string { return subject },
	}
	s.counted = s.filter
	if some := p.Past.Some; some.Tenant == nil && some.Agent == nil && some.ID == nil {
		s.filter, s.counted = "", ">" // the server reads fastest what it need not choose from
	}
	return s
}

// counted is the finding at a stretch's end that adds to the totals what the stretch gave, and names what of it could not
// be read.
func (p *past) counted(j judged, into *report.Summary) replay.Finding[step] {
	var tally report.Tally
	for _, out := range j.outputs {
		count(out, &tally)
	}
	for _, l := range j.conversation.Unread {
		tally.Dead(l.Reason)
	}
	s := tally.Summary()
	return replay.Finding[step]{Seq: j.conversation.Through, Of: func() error {
		for _, l := range j.conversation.Unread {
			p.console.unread(l)
		}
		into.Add(s)
		return nil
	}}
}

// summarize writes the summary to stderr, and beneath it the lines. The error says that some messages could not be read.
func (p *past) summarize(s report.Summary, lines []string) error {
	if p.Summary == "json" {
		return cmp.Or(s.WriteJSON(p.console), unreadOf(s))
	}
	text := report.NewText(p.console, report.Colours(p.console.w))
	text.Summary(s)
	for _, line := range lines {
		text.Say(" " + line)
	}
	return cmp.Or(text.Err(), unreadOf(s))
}

// unreadOf is the error that messages of the range could not be read, nil when all could: a replay ends with it as that of a
// file does with lines that it cannot read.
func unreadOf(s report.Summary) error {
	unread := 0
	for _, n := range s.DeadLetters {
		unread += n
	}
	if unread == 0 {
		return nil
	}
	return fmt.Errorf("messages of the range that could not be read, or judged: %d; the rest is done: replayer redrive puts back what a consumer made dead letters of, once the cause is gone", unread)
}
