package jet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

var (
	errConsumerDeleted = errors.New("the consumer was deleted")
	errNoHeartbeat     = errors.New("the server sent no heartbeat")
)

// pinHeader names the ownership under which a pinned consumer delivers.
const pinHeader = "Nats-Pin-Id"

// pullConfig says which consumer is pulled, and how much at a time.
type pullConfig struct {
	stream, consumer string
	messages         int // asked for ahead of what is handled
	bytes            int // of one request; about twice this can wait in memory
	expires          time.Duration
	heartbeat        time.Duration
	group            string        // priority group, empty when the consumer has none
	renew            time.Duration // how long a pinned owner may be silent
}

// pullRequest is the body of a request for messages; times are nanoseconds.
type pullRequest struct {
	Expires   time.Duration `json:"expires"`
	Batch     int           `json:"batch"`
	MaxBytes  int           `json:"max_bytes,omitempty"`
	Heartbeat time.Duration `json:"idle_heartbeat"`
	Group     string        `json:"group,omitempty"`
	PinID     string        `json:"id,omitempty"`
}

// puller takes the messages of one consumer, in the order in which the server hands them out, on the goroutine that
// calls run. Nothing of it survives; what it holds and was not acknowledged is handed out again by the server.
type puller struct {
	nc      *nats.Conn
	config  pullConfig
	request string // subject of requests
	in      chan *nats.Msg
	sub     *nats.Subscription
	gone    chan struct{} // closed when the subscription ended and nothing more can come
	idle    func() error  // called with each heartbeat, when nothing else came before it; may be nil

	// owned by run
	asked int       // messages asked for that may still come
	solo  bool      // the next message is larger than a request's bytes: ask for it alone, whatever its size
	since int       // messages since the last request
	pin   string    // ownership, empty while there is none
	spoke time.Time // when something was asked for last
}

func newPuller(js jetstream.JetStream, c pullConfig) (*puller, error) {
	p := &puller{
		nc: js.Conn(), config: c, request: apiSubject(js, "CONSUMER.MSG.NEXT."+c.stream+"."+c.consumer),
		in: make(chan *nats.Msg, 2*c.messages+64), gone: make(chan struct{}),
	}
	sub, err := p.nc.ChanSubscribe(p.nc.NewInbox(), p.in)
	if err != nil {
		return nil, err
	}
	p.sub = sub
	gone := sync.OnceFunc(func() { close(p.gone) })
	sub.SetClosedHandler(func(string) { gone() })
	return p, nil
}

// run pulls and gives each stored message to handle, until handle fails, ctx ends, or the server stops serving; it
// returns why. When stop ends, what already arrived is handled and run returns nil. up is told when the server can and
// cannot be reached.
func (p *puller) run(ctx context.Context, stop <-chan struct{}, up func(error), handle func(*nats.Msg) error) error {
	status := p.nc.StatusChanged(nats.CONNECTED, nats.RECONNECTING, nats.CLOSED)
	defer p.nc.RemoveStatusListener(status)
	defer p.sub.Unsubscribe() //nolint:errcheck // a subscription of a closed connection is gone
	silence := time.NewTimer(2 * p.config.heartbeat)
	defer silence.Stop()
	for {
		if err := p.ask(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-stop:
			return p.drain(ctx, handle)
		case s := <-status:
			if err := p.connection(s, silence, up); err != nil {
				return err
			}
		case <-silence.C:
			return errNoHeartbeat
		case m := <-p.in:
			if err := p.take(m, handle); err != nil {
				return err
			}
			silence.Reset(2 * p.config.heartbeat)
		}
	}
}

// connection follows the connection: the server forgets requests with it.
func (p *puller) connection(s nats.Status, silence *time.Timer, up func(error)) error {
	switch s {
	case nats.CONNECTED:
		p.asked = 0
		silence.Reset(2 * p.config.heartbeat)
		up(nil)
	case nats.RECONNECTING:
		silence.Stop()
		up(nats.ErrDisconnected)
	case nats.CLOSED:
		return nats.ErrConnectionClosed
	}
	return nil
}

// ask keeps between half and all of the wanted messages asked for.
func (p *puller) ask() error {
	r := pullRequest{
		Expires: p.config.expires, Heartbeat: p.config.heartbeat, Group: p.config.group, PinID: p.pin,
		Batch: p.config.messages - p.asked, MaxBytes: p.config.bytes,
	}
	switch {
	case p.solo && p.asked == 0:
		r.Batch, r.MaxBytes = 1, 0
	case p.solo || p.asked > p.config.messages/2:
		return p.keep()
	}
	body, err := json.Marshal(r)
	if err != nil {
		return err
	}
	p.asked += r.Batch
	p.since = 0
	p.spoke = time.Now()
	return p.nc.PublishRequest(p.request, p.sub.Subject, body)
}

// keep renews the pin when nothing was asked for a while: what was asked for last can take longer to be handled than an
// owner may be silent.
func (p *puller) keep() error {
	if p.pin == "" || time.Since(p.spoke) < p.config.renew {
		return nil
	}
	return p.alive()
}

// alive shows the server that the owner is there while it cannot ask, because a message waits to be handled. No message
// is so small that the request could be served, and nobody hears what is said of it: it only renews the pin.
func (p *puller) alive() error {
	p.spoke = time.Now()
	body, err := json.Marshal(pullRequest{Expires: time.Millisecond, Batch: 1, MaxBytes: 1, Group: p.config.group, PinID: p.pin})
	if err != nil {
		return err
	}
	return p.nc.PublishRequest(p.request, p.sub.Subject+".alive", body)
}

func (p *puller) take(m *nats.Msg, handle func(*nats.Msg) error) error {
	if !stored(m) {
		return p.word(m)
	}
	p.asked--
	p.since++
	p.solo = false
	if p.config.group != "" {
		p.pin = lastValue(m.Header, pinHeader)
	}
	return handle(m)
}

// stored tells a message of the stream from a word of the server. Only the server knows the reply subject's form.
func stored(m *nats.Msg) bool { return strings.HasPrefix(m.Reply, "$JS.ACK.") }

// word follows what the server says about requests. It returns an error when no message will come any more.
func (p *puller) word(m *nats.Msg) error {
	code, text := m.Header.Get("Status"), m.Header.Get("Description")
	lower := strings.ToLower(text)
	switch {
	case code == "100" && p.idle != nil:
		return p.idle()
	case code == "100":
		return nil
	case code == "409" && strings.Contains(lower, "consumer deleted"):
		return errConsumerDeleted
	case code == "503":
		return nats.ErrNoResponders
	case code == "409" && strings.Contains(lower, "exceeds maxbytes"):
		p.solo = p.since == 0
	case code == "423":
		p.pin = ""
	case code == "404", code == "408",
		code == "409" && strings.Contains(lower, "leadership change"),
		code == "409" && strings.Contains(lower, "server shutdown"),
		code == "409" && strings.Contains(lower, "batch completed"):
	default:
		return fmt.Errorf("the server refused a request for messages: %s %s", code, text)
	}
	p.forget(m.Header.Get("Nats-Pending-Messages"))
	return nil
}

// forget takes what a request will not bring off the messages asked for: all of them when the server does not say.
func (p *puller) forget(pending string) {
	left, err := strconv.Atoi(pending)
	if err != nil {
		left = p.asked
	}
	p.asked = max(0, p.asked-left)
}

// drain ends the subscription and handles what arrived before its end. A message that the server sends later is handed
// out again after its wait.
func (p *puller) drain(ctx context.Context, handle func(*nats.Msg) error) error {
	if err := p.sub.Drain(); err == nil {
		pause(ctx, p.gone, 5*time.Second)
	}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case m := <-p.in:
			if !stored(m) {
				continue
			}
			if err := handle(m); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}
