// Package pipetest answers "does this Source, or this Sink, keep the promises that the pipeline rests on?", and lends
// the pipeline's own tests a Source and a Sink that live in memory and fail when told to.
//
// Memory is an event stream with one durable reader's position: what was handed out and what was acknowledged. A
// source opened on it is one ownership epoch. It holds no clock of its own: delays use package time, so that a test
// may run it in a testing/synctest bubble. Sequences are counted from 1.
package pipetest

import (
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/plumbline-dev/plumbline/pipeline"
)

// ErrFault is the error that every injected fault gives: it may pass.
var ErrFault = errors.New("injected fault")

// ErrKilled is what a delivery of a killed source answers: its process is gone.
var ErrKilled = errors.New("the source was killed")

// Memory is an event stream in memory together with its reader's durable position. Every method is safe for
// concurrent use. Nothing survives the process.
type Memory struct {
	mu     sync.Mutex
	msgs   []pipeline.Message // in stream order, sequences rising
	last   uint64
	handed map[uint64]int  // how often a sequence was handed out
	acked  map[uint64]bool // acknowledged for good
	held   map[uint64]bool // stored, not to be handed out until Deliver names it
	owner  *Source         // the newest open source, nil when there is none
	epochs int
	timers map[*time.Timer]struct{}
	faults memoryFaults
	sink   *Sink
}

type memoryFaults struct {
	loseAcks, failAcks, failHistories int
	cutHistories, cutAfter            int
	lag                               bool
	onAck                             func(seq uint64)
}

// NewMemory returns an empty stream with an empty sink beside it.
func NewMemory() *Memory {
	return &Memory{
		handed: map[uint64]int{}, acked: map[uint64]bool{}, held: map[uint64]bool{},
		timers: map[*time.Timer]struct{}{}, sink: NewSink(),
	}
}

// Sink is the store that belongs to the stream. It outlives every source, as a server outlives a worker.
func (m *Memory) Sink() *Sink { return m.sink }

// Put stores a message and queues it for the newest open source. It returns the message's sequence.
func (m *Memory) Put(subject string, header map[string][]string, data []byte) uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	seq := m.store(subject, header, data)
	m.queue(seq)
	return seq
}

// PutHeld stores a message that History shows and Next does not hand out until Deliver names it.
func (m *Memory) PutHeld(subject string, header map[string][]string, data []byte) uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	seq := m.store(subject, header, data)
	m.held[seq] = true
	return seq
}

func (m *Memory) store(subject string, header map[string][]string, data []byte) uint64 {
	m.last++
	m.msgs = append(m.msgs, pipeline.Message{Seq: m.last, Subject: subject, Header: header, Data: slices.Clone(data)})
	return m.last
}

// Deliver queues the named messages, in this order, whether or not they were handed out or acknowledged before.
func (m *Memory) Deliver(seqs ...uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, seq := range seqs {
		delete(m.held, seq)
		m.queue(seq)
	}
}

// Redeliver queues again everything that was handed out and not acknowledged, as a server does after its wait.
func (m *Memory) Redeliver() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, msg := range m.msgs {
		if m.handed[msg.Seq] > 0 && !m.acked[msg.Seq] {
			m.queue(msg.Seq)
		}
	}
}

// SetAcked takes the messages as acknowledged by a reader before.
func (m *Memory) SetAcked(seqs ...uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, seq := range seqs {
		m.handed[seq]++
		m.acked[seq] = true
	}
}

// Purge forgets every message below the sequence, as an age limit does. Their acknowledgements stay.
func (m *Memory) Purge(below uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.msgs = slices.DeleteFunc(m.msgs, func(msg pipeline.Message) bool { return msg.Seq < below })
}

// Unacked lists the stored messages that were not acknowledged, in stream order.
func (m *Memory) Unacked() []uint64 { return m.list(func(seq uint64) bool { return !m.acked[seq] }) }

// Acked lists the stored messages that were acknowledged, in stream order.
func (m *Memory) Acked() []uint64 { return m.list(func(seq uint64) bool { return m.acked[seq] }) }

func (m *Memory) list(keep func(seq uint64) bool) []uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []uint64
	for _, msg := range m.msgs {
		if keep(msg.Seq) {
			out = append(out, msg.Seq)
		}
	}
	return out
}

// LoseAcks makes the next n acknowledgements succeed for the caller and never arrive.
func (m *Memory) LoseAcks(n int) { m.setFaults(func(f *memoryFaults) { f.loseAcks = n }) }

// FailAcks makes the next n acknowledgements return ErrFault.
func (m *Memory) FailAcks(n int) { m.setFaults(func(f *memoryFaults) { f.failAcks = n }) }

// FailHistories makes the next n History calls return ErrFault.
func (m *Memory) FailHistories(n int) { m.setFaults(func(f *memoryFaults) { f.failHistories = n }) }

// Lag makes History show nothing after the sequence that it is asked for, as a server does that is behind the stream's
// leader; 0 asks the leader.
func (m *Memory) Lag(yes bool) { m.setFaults(func(f *memoryFaults) { f.lag = yes }) }

// CutHistories makes the next n History calls return ErrFault after they visited a number of messages, or at their end.
func (m *Memory) CutHistories(n, after int) {
	m.setFaults(func(f *memoryFaults) { f.cutHistories, f.cutAfter = n, after })
}

// OnAck calls the hook with each sequence whose acknowledgement arrives, before it is recorded. The hook runs outside
// the stream's lock, on the acknowledging goroutine.
func (m *Memory) OnAck(hook func(seq uint64)) { m.setFaults(func(f *memoryFaults) { f.onAck = hook }) }

func (m *Memory) setFaults(change func(*memoryFaults)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change(&m.faults)
}

// Open starts a new ownership epoch. The new source is handed everything that is not acknowledged, in stream order,
// and from now on all that is put; sources opened before keep only what they had queued, as a paused worker does.
func (m *Memory) Open() *Source {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.epochs++
	s := &Source{stream: m, epoch: "memory-" + strconv.Itoa(m.epochs), wake: make(chan struct{}, 1), fromStart: true}
	m.owner = s
	for _, msg := range m.msgs {
		switch {
		case m.acked[msg.Seq]:
			s.fromStart = false
		case !m.held[msg.Seq]:
			m.queue(msg.Seq)
		}
	}
	return s
}

// queue gives a message to the owner. The lock is held.
func (m *Memory) queue(seq uint64) {
	if m.owner == nil || m.owner.closed {
		return
	}
	m.owner.ready = append(m.owner.ready, seq)
	m.owner.signal()
}

// queueLater gives an unacknowledged message to whoever owns the stream after the delay. The lock is held.
func (m *Memory) queueLater(seq uint64, after time.Duration) {
	var timer *time.Timer
	timer = time.AfterFunc(after, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.timers, timer)
		if !m.acked[seq] {
			m.queue(seq)
		}
	})
	m.timers[timer] = struct{}{}
}

// find returns a stored message. The lock is held.
func (m *Memory) find(seq uint64) (pipeline.Message, bool) {
	i, ok := slices.BinarySearchFunc(m.msgs, seq, func(msg pipeline.Message, seq uint64) int {
		return int(int64(msg.Seq) - int64(seq))
	})
	if !ok {
		return pipeline.Message{}, false
	}
	return m.msgs[i], true
}

// spend uses up one fault of a counter.
func spend(n *int) bool {
	if *n <= 0 {
		return false
	}
	*n--
	return true
}
