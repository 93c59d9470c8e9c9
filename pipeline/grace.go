package pipeline

import (
	"context"
	"time"
)

// grace is the wait of one answer for calls that it declares and that were not reported yet. Meanwhile its message is
// not acknowledged, and kept alive: a crash means that it is handed out again and waits again.
type grace struct {
	over  bool
	held  []*ticket
	until time.Time
	end   func()
}

// keepAlive is how often a waiting message asks for more time.
const keepAlive = 5 * time.Second

// waits tells whether the target is left for later, because a declared call is missing and the grace is not over.
func (w *Worker) waits(ctx context.Context, c *conversation, t target, ch *chain, cause *ticket) bool {
	if t.coverage || w.cfg.Grace == 0 || ch.grace != nil && ch.grace.over {
		return false
	}
	missing := len(c.state.Missing(t.answer)) > 0
	switch {
	case ch.grace == nil && missing:
		w.beginGrace(ctx, c, t, ch, cause)
	case ch.grace != nil && missing:
		// Every cause is held, a row too: it may be a second delivery of the message that the grace holds, and
		// acknowledging one acknowledges both.
		ch.grace.hold(cause)
	case ch.grace != nil && !missing:
		w.endGrace(c, ch)
	}
	return missing
}

func (g *grace) hold(t *ticket) {
	t.hold()
	g.held = append(g.held, t)
}

func (w *Worker) beginGrace(ctx context.Context, c *conversation, t target, ch *chain, cause *ticket) {
	g := &grace{until: time.Now().Add(w.cfg.Grace)}
	g.end = func() {
		w.endGrace(c, ch)
		if ch.busy {
			ch.dirty = true
			return
		}
		w.start(ctx, c, t, ch)
	}
	ch.grace = g
	g.hold(cause)
	w.open.hold(c)
	w.waiting = append(w.waiting, g)
	w.tick(g)
}

// endGrace lets the chain go on: what waited is acknowledged once it is settled.
func (w *Worker) endGrace(c *conversation, ch *chain) {
	ch.grace.over = true
	ch.tickets = append(ch.tickets, ch.grace.held...)
	ch.grace.held = nil
	w.open.release(c)
}

// tick keeps the waiting messages alive until the grace is over.
func (w *Worker) tick(g *grace) {
	w.timers.after(min(time.Until(g.until), keepAlive), func() {
		switch {
		case g.over:
		case time.Now().Before(g.until):
			for _, held := range g.held {
				if err := held.delivery.Working(); err != nil {
					w.cfg.Observer.Retried("ask for more time", err, 0) // it is handed out again, and waits again
				}
			}
			w.tick(g)
		default:
			g.end()
		}
	})
}

// makeRoom ends the oldest grace when waiting answers are all that is in flight and no message can be taken for them:
// the stream goes on, and a call that comes later makes its answer be judged again.
func (w *Worker) makeRoom() {
	for len(w.waiting) > 0 && (w.waiting[0].over || w.underway == 0 && w.full()) {
		g := w.waiting[0]
		w.waiting = w.waiting[1:]
		if !g.over {
			g.end()
		}
	}
}

// giveBackWaiting hands back the messages of the answers that wait: nobody is left here to end their grace.
func (w *Worker) giveBackWaiting() {
	for _, g := range w.waiting {
		for _, held := range g.held {
			if err := held.delivery.Retry(0); err != nil {
				w.cfg.Observer.Retried("hand a message back", err, 0) // its wait runs out and it is handed out again
			}
		}
	}
	w.waiting = nil
}
