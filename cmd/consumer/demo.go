package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go"
	"golang.org/x/sync/errgroup"

	"github.com/plumbline-dev/plumbline/cmd/internal/demo"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas"
)

// patience is how long the demo waits for verdicts after everything is published.
const patience = 20 * time.Second

// answerName names an answer in the deployment.
type answerName struct {
	conversation    event.Conversation
	turn, iteration int
}

// demo runs the workers, publishes the bundled conversations at their pace, and shows what is read back from the audit
// stream. It ends after the summary when asked for once, else with ctx.
func (s *service) demo(ctx context.Context, stdout, stderr io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	group, ctx := errgroup.WithContext(ctx)
	landed, published := make(chan landing), make(chan map[answerName]bool, 1)
	group.Go(func() error { return s.work(ctx) })
	group.Go(func() error { return s.watchVerdicts(ctx, landed) })
	group.Go(func() error { return s.watchLetters(ctx, landed) })
	group.Go(func() error {
		names, err := s.publish(ctx)
		published <- names
		return err
	})
	group.Go(func() error {
		defer stop()
		return s.show(ctx, newScreen(s.config.Demo.JSON, stdout, stderr), landed, published)
	})
	return group.Wait()
}

// publish publishes the bundled events in order, each under its own id, with a pause before each answer. It returns
// the names of the answers. When ctx ends it stops, without an error.
func (s *service) publish(ctx context.Context) (map[answerName]bool, error) {
	names := map[answerName]bool{}
	for payload := range demo.Events() {
		e, err := schemas.Decode(schemas.JSON, payload)
		if err != nil {
			return names, fmt.Errorf("a bundled event: %w", err)
		}
		if e.Answer != nil {
			names[answerName{e.Conversation, e.Turn, e.Answer.Iteration}] = true
			if !wait(ctx, s.config.Demo.Pace) {
				return names, nil
			}
		}
		m := &nats.Msg{Subject: s.config.Subjects().Event(e.Conversation), Data: payload, Header: nats.Header{}}
		m.Header.Set(nats.MsgIdHdr, e.ID)
		if _, err := s.js.PublishMsg(ctx, m); err != nil {
			if ctx.Err() != nil {
				return names, nil
			}
			return names, fmt.Errorf("publish a bundled event: %w", err)
		}
	}
	return names, nil
}

func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// show puts on the screen what lands, sums up once every published answer has its verdict, and then goes on showing
// unless the demo is played once.
func (s *service) show(ctx context.Context, screen *screen, landed <-chan landing, published <-chan map[answerName]bool) error {
	screen.intro()
	judged := map[answerName]bool{}
	var missing map[answerName]bool // nil until everything is published
	var deadline <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return screen.err()
		case <-deadline:
			screen.summary()
			return fmt.Errorf("%d of the demo's answers got no verdict within %s", len(missing), patience)
		case missing = <-published:
			published = nil
			for name := range judged {
				delete(missing, name)
			}
			deadline = time.After(patience)
		case l := <-landed:
			screen.show(l)
			if err := screen.err(); err != nil {
				return err
			}
			judged[l.name] = true
			delete(missing, l.name)
		}
		if missing == nil || len(missing) > 0 || deadline == nil {
			continue
		}
		deadline = nil
		screen.summary()
		if s.config.Demo.Once {
			return screen.err()
		}
		screen.listening(s.url(), s.config.Subjects())
	}
}
