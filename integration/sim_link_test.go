package integration_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// gate lets goroutines through while it is open. Its zero value is open.
type gate struct {
	mu   sync.Mutex
	shut chan struct{} // closed when the gate opens, nil while it is open
}

func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut == nil {
		g.shut = make(chan struct{})
	}
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut != nil {
		close(g.shut)
		g.shut = nil
	}
}

func (g *gate) isShut() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.shut != nil
}

// wait waits until the gate is open, and tells whether stop did not end first.
func (g *gate) wait(stop <-chan struct{}) bool {
	g.mu.Lock()
	shut := g.shut
	g.mu.Unlock()
	if shut == nil {
		return true
	}
	select {
	case <-shut:
		return g.wait(stop)
	case <-stop:
		return false
	}
}

// link is one process's way to the server: bytes take a while on it, can be held back for as long as a test likes, and
// are lost when it is cut. It buffers like a kernel: a write never waits, because the client writes under its lock.
type link struct {
	server nats.InProcessConnProvider
	gate   gate

	mu      sync.Mutex
	r       *rand.Rand
	latency time.Duration // the most that bytes take
	dead    bool
	wires   []*wire
}

var errNoRoute = errors.New("no route to the server")

func newLink(server nats.InProcessConnProvider, r *rand.Rand) *link {
	return &link{server: server, r: r, latency: 20 * time.Millisecond}
}

// InProcessConn opens a connection, unless the link is held or cut.
func (l *link) InProcessConn() (net.Conn, error) {
	if l.gate.isShut() {
		return nil, errNoRoute
	}
	inner, err := l.server.InProcessConn()
	if err != nil {
		return nil, err
	}
	w := &wire{Conn: inner, link: l, ended: make(chan struct{}), hangUp: make(chan struct{})}
	w.out.wake, w.in.wake = make(chan struct{}, 1), make(chan struct{}, 1)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dead {
		inner.Close()
		return nil, errNoRoute
	}
	l.wires = append(l.wires, w)
	go w.send()
	go w.receive()
	return w, nil
}

func (l *link) setLatency(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.latency = d
}

func (l *link) delay() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Duration(l.r.Int64N(int64(l.latency) + 1))
}

// reset loses what is on its way and ends the connections; new ones can be made.
func (l *link) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range l.wires {
		w.end()
	}
	l.wires = nil
}

// cut is a reset after which no connection can be made.
func (l *link) cut() {
	l.mu.Lock()
	l.dead = true
	l.mu.Unlock()
	l.reset()
}

// wire is the client's end of one connection.
type wire struct {
	net.Conn // to the server
	link     *link
	out, in  stretch
	once     sync.Once
	ended    chan struct{} // everything is over
	hung     sync.Once
	hangUp   chan struct{} // the client has closed: what it wrote still goes out
	slow     bool          // the handshake, which the client makes under its lock, is over; guarded by out.mu
}

func (w *wire) end() {
	w.once.Do(func() {
		close(w.ended)
		w.Conn.Close()
	})
}

func (w *wire) Close() error {
	w.hung.Do(func() { close(w.hangUp) })
	return nil
}

// SetDeadline is what the client calls around the handshake, and nowhere else.
func (w *wire) SetDeadline(t time.Time) error {
	w.out.mu.Lock()
	defer w.out.mu.Unlock()
	w.slow = t.IsZero()
	return nil
}

func (w *wire) due() time.Time {
	w.out.mu.Lock()
	slow := w.slow
	w.out.mu.Unlock()
	if !slow {
		return time.Time{}
	}
	return time.Now().Add(w.link.delay())
}

func (w *wire) Write(b []byte) (int, error) {
	select {
	case <-w.ended:
		return 0, io.ErrClosedPipe
	case <-w.hangUp:
		return 0, net.ErrClosed
	default:
	}
	w.out.put(b, w.due())
	return len(b), nil
}

func (w *wire) Read(b []byte) (int, error) {
	return w.in.take(b, &w.link.gate, w.ended, w.hangUp, false)
}

// send carries what the client wrote to the server, also what it wrote before it hung up.
func (w *wire) send() {
	defer w.end()
	b := make([]byte, 32<<10)
	for {
		n, err := w.out.take(b, &w.link.gate, w.ended, w.hangUp, true)
		if err != nil {
			return
		}
		if _, err := w.Conn.Write(b[:n]); err != nil {
			return
		}
	}
}

// receive takes what the server writes, as soon as it writes it.
func (w *wire) receive() {
	defer w.end()
	b := make([]byte, 32<<10)
	for {
		n, err := w.Conn.Read(b)
		if err != nil {
			return
		}
		w.in.put(b[:n], w.due())
	}
}

// stretch is the bytes on their way in one direction, in order.
type stretch struct {
	mu     sync.Mutex
	chunks []chunk
	wake   chan struct{}
}

type chunk struct {
	due  time.Time
	data []byte
}

func (f *stretch) put(b []byte, due time.Time) {
	f.mu.Lock()
	f.chunks = append(f.chunks, chunk{due, append([]byte(nil), b...)})
	f.mu.Unlock()
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// take waits for the next bytes to arrive, and for the gate. After the end nothing arrives any more; after a hanging up
// nothing is taken any more, unless it lingers until everything is.
func (f *stretch) take(b []byte, g *gate, ended, hangUp <-chan struct{}, lingers bool) (int, error) {
	for {
		due, ok := f.first()
		arrived, wake := make(<-chan time.Time), f.wake
		if ok {
			arrived, wake = time.After(time.Until(due)), nil
		}
		hung := hangUp
		if ok && lingers {
			hung = nil
		}
		select {
		case <-ended:
			return 0, io.EOF
		case <-hung:
			return 0, net.ErrClosed
		case <-wake:
			continue
		case <-arrived:
		}
		if !due.IsZero() && !g.wait(ended) {
			return 0, io.EOF
		}
		return f.pop(b), nil
	}
}

// first is when the first bytes are due, if there are any.
func (f *stretch) first() (due time.Time, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.chunks) == 0 {
		return due, false
	}
	return f.chunks[0].due, true
}

func (f *stretch) pop(b []byte) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := copy(b, f.chunks[0].data)
	if f.chunks[0].data = f.chunks[0].data[n:]; len(f.chunks[0].data) == 0 {
		f.chunks = f.chunks[1:]
	}
	return n
}
