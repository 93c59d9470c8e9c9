package pipeline

import (
	"container/heap"
	"sync"
	"time"
)

// ticket follows one delivery until everything it caused is stored. It belongs to the worker's goroutine.
type ticket struct {
	worker   *Worker
	delivery Delivery
	taken    time.Time // when it was handed over
	bytes    int       // of the message
	holds    int
	returned bool
	followed Followed // nil when nobody follows
	answers  bool     // the message is an answer
}

// newTicket counts the delivery as in flight, until its last release.
func (w *Worker) newTicket(d Delivery) *ticket {
	t := &ticket{worker: w, delivery: d, taken: time.Now(), bytes: len(d.Message().Data)}
	w.inFlight++
	w.inFlightBytes += t.bytes
	t.follow(w.cfg.Follower)
	return t
}

// hold says that something the message caused is not stored yet.
func (t *ticket) hold() { t.holds++ }

// release says that it is. The last release acknowledges the message: a crash before it means that the message is
// handed out again and everything it caused is found stored.
func (t *ticket) release() {
	t.holds--
	if t.holds > 0 {
		return
	}
	t.worker.inFlight--
	t.worker.inFlightBytes -= t.bytes
	if t.followed != nil {
		t.followed.End(t.returned)
	}
	if t.returned {
		return
	}
	if err := t.delivery.Ack(); err != nil {
		t.worker.cfg.Observer.Retried("acknowledge a message", err, 0) // it is handed out again
	}
}

// giveBack hands the message back to the source, to be handed out again.
func (t *ticket) giveBack(cause error) {
	t.returned = true
	after := t.worker.cfg.Backoff().NextBackOff()
	t.worker.cfg.Observer.Retried("handle a message", cause, after)
	if err := t.delivery.Retry(after); err != nil {
		t.worker.cfg.Observer.Retried("hand a message back", err, 0) // its wait runs out and it is handed out again
	}
}

// completions carries what the sink reports from its goroutines to the worker's. It never blocks the sink.
type completions struct {
	ready chan struct{} // holds a token while something is queued

	mu    sync.Mutex
	queue []func() // guarded by mu
}

func (c *completions) add(f func()) {
	c.mu.Lock()
	c.queue = append(c.queue, f)
	c.mu.Unlock()
	select {
	case c.ready <- struct{}{}:
	default:
	}
}

func (c *completions) take() []func() {
	c.mu.Lock()
	defer c.mu.Unlock()
	queue := c.queue
	c.queue = nil
	return queue
}

// timers runs functions later, on the worker's goroutine. Its zero value is ready.
type timers struct {
	due   dueHeap
	count int // orders what is due at the same time
	timer *time.Timer
}

type due struct {
	at    time.Time
	order int
	f     func()
}

func (t *timers) after(d time.Duration, f func()) {
	t.count++
	heap.Push(&t.due, due{time.Now().Add(d), t.count, f})
}

// next is the channel that fires when something is due, nil when nothing will be.
func (t *timers) next() <-chan time.Time {
	if len(t.due) == 0 {
		return nil
	}
	wait := time.Until(t.due[0].at)
	if t.timer == nil {
		t.timer = time.NewTimer(wait)
	} else {
		t.timer.Reset(wait)
	}
	return t.timer.C
}

func (t *timers) run(now time.Time) {
	for len(t.due) > 0 && !t.due[0].at.After(now) {
		heap.Pop(&t.due).(due).f()
	}
}

type dueHeap []due

func (h dueHeap) Len() int { return len(h) }
func (h dueHeap) Less(i, j int) bool {
	if h[i].at.Equal(h[j].at) {
		return h[i].order < h[j].order
	}
	return h[i].at.Before(h[j].at)
}
func (h dueHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *dueHeap) Push(x any)   { *h = append(*h, x.(due)) }
func (h *dueHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
