package pipetest

import (
	"context"
	"time"

	"github.com/plumbline-dev/plumbline/pipeline"
)

// Source is one ownership epoch over a Memory. It implements pipeline.Source.
type Source struct {
	stream *Memory
	epoch  string
	wake   chan struct{} // holds one signal: look again

	// guarded by stream.mu
	ready            []uint64
	closed, killed   bool
	fromStart        bool
	working, retries int
}

var _ pipeline.Source = (*Source)(nil)

// Next waits for the next queued message.
func (s *Source) Next(ctx context.Context) (pipeline.Delivery, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d, err := s.take()
		if d != nil || err != nil {
			return d, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-s.wake:
		}
	}
}

// take pops the queue: a delivery, ErrClosed at the end of a closed source, or neither.
func (s *Source) take() (pipeline.Delivery, error) {
	m := s.stream
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(s.ready) > 0 {
		seq := s.ready[0]
		s.ready = s.ready[1:]
		msg, ok := m.find(seq)
		if !ok {
			continue
		}
		m.handed[seq]++
		return &delivery{source: s, msg: msg, again: m.handed[seq] > 1}, nil
	}
	if s.closed {
		return nil, pipeline.ErrClosed
	}
	return nil, nil
}

// History visits the stored messages of the subject. It waits until atLeast is stored.
func (s *Source) History(ctx context.Context, subject string, after, atLeast uint64, visit func(pipeline.Message) error) error {
	for {
		page, err := s.read(subject, after, atLeast)
		if err != nil {
			return err
		}
		for _, msg := range page.messages {
			if err := visit(msg); err != nil {
				return err
			}
			after = msg.Seq
		}
		if page.cut {
			return ErrFault
		}
		if page.shown {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
}

// page is what is stored on a subject: shown tells that it is all that was asked for, cut that a fault ends it.
type page struct {
	messages   []pipeline.Message
	shown, cut bool
}

// read lists what is stored after the sequence. What is stored is never changed, so its bytes are shared.
func (s *Source) read(subject string, after, atLeast uint64) (p page, err error) {
	m := s.stream
	m.mu.Lock()
	defer m.mu.Unlock()
	if spend(&m.faults.failHistories) {
		return p, ErrFault
	}
	for _, msg := range m.msgs {
		if msg.Subject == subject && msg.Seq > after && (atLeast == 0 || !m.faults.lag || msg.Seq <= atLeast) {
			p.messages = append(p.messages, msg)
		}
	}
	p.shown = m.last >= atLeast
	if p.cut = spend(&m.faults.cutHistories); p.cut {
		p.messages = p.messages[:min(len(p.messages), m.faults.cutAfter)]
	}
	return p, nil
}

// FromStart tells whether nothing that the stream keeps was acknowledged when the source was opened.
func (s *Source) FromStart() bool {
	s.stream.mu.Lock()
	defer s.stream.mu.Unlock()
	return s.fromStart
}

// SetFromStart overrides what FromStart answers.
func (s *Source) SetFromStart(yes bool) {
	s.stream.mu.Lock()
	defer s.stream.mu.Unlock()
	s.fromStart = yes
}

// Close ends the source: Next hands out what is queued and then returns pipeline.ErrClosed.
func (s *Source) Close() { s.end(false) }

// Kill ends the source at once, as a killed process: what is queued is not handed out and no acknowledgement arrives.
// Another Open is given all of it again.
func (s *Source) Kill() { s.end(true) }

func (s *Source) end(kill bool) {
	m := s.stream
	m.mu.Lock()
	defer m.mu.Unlock()
	s.closed = true
	if kill {
		s.killed, s.ready = true, nil
	}
	if m.owner == s {
		m.owner = nil
		for timer := range m.timers {
			timer.Stop()
		}
		clear(m.timers)
	}
	s.signal()
}

// Queued counts the messages that Next would hand out at once.
func (s *Source) Queued() int {
	s.stream.mu.Lock()
	defer s.stream.mu.Unlock()
	return len(s.ready)
}

// Asked counts the Working and Retry calls of the source's deliveries.
func (s *Source) Asked() (working, retries int) {
	s.stream.mu.Lock()
	defer s.stream.mu.Unlock()
	return s.working, s.retries
}

// signal wakes Next. The lock may be held.
func (s *Source) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// delivery is one handing out of a message.
type delivery struct {
	source *Source
	msg    pipeline.Message
	again  bool
}

func (d *delivery) Message() pipeline.Message { return d.msg }
func (d *delivery) Stored() time.Time         { return time.Time{} }
func (d *delivery) Redelivered() bool         { return d.again }
func (d *delivery) Epoch() string             { return d.source.epoch }

// Ack records the acknowledgement, unless a fault was asked for.
func (d *delivery) Ack() error {
	m := d.source.stream
	m.mu.Lock()
	switch {
	case d.source.killed:
		m.mu.Unlock()
		return ErrKilled
	case spend(&m.faults.failAcks):
		m.mu.Unlock()
		return ErrFault
	case spend(&m.faults.loseAcks):
		m.mu.Unlock()
		return nil
	}
	hook := m.faults.onAck
	m.mu.Unlock()
	if hook != nil {
		hook(d.msg.Seq)
	}
	m.mu.Lock()
	m.acked[d.msg.Seq] = true
	m.mu.Unlock()
	return nil
}

// Working is counted; nothing in memory runs out of time.
func (d *delivery) Working() error {
	return d.count(func(s *Source) { s.working++ })
}

// Retry queues the message again after the delay.
func (d *delivery) Retry(after time.Duration) error {
	return d.count(func(s *Source) {
		s.retries++
		s.stream.queueLater(d.msg.Seq, after)
	})
}

func (d *delivery) count(do func(*Source)) error {
	m := d.source.stream
	m.mu.Lock()
	defer m.mu.Unlock()
	if d.source.killed {
		return ErrKilled
	}
	do(d.source)
	return nil
}
