// Package pipeline moves one event from its source through the fold and the judgement to the sink, and decides when
// it may be acknowledged. It answers "in what order do reading, storing and acknowledging happen?".
//
// It knows no message broker: package jet implements Source and Sink over JetStream, package pipetest in memory with
// faults. It holds no rule about evidence: that is package turn's. Sequences are stream sequences, counted from 1.
package pipeline

import (
	"context"
	"errors"
	"time"
)

// Message is one message of the event stream, as it is stored.
type Message struct {
	Seq     uint64 // stream sequence
	Subject string // as stored
	Header  map[string][]string
	Data    []byte
}

// HeaderResponseID is the header of an answer's message that names the model's response, as gen_ai.response.id does. It is for
// those who trace: no verdict depends on it.
const HeaderResponseID = "Gen-Ai-Response-Id"

// Delivery is a message handed to this worker, to be acknowledged once everything it caused is stored.
type Delivery interface {
	Message() Message
	// Stored is when the message was stored, by the store's clock; the zero time when that is not known. It is for
	// those who count.
	Stored() time.Time
	// Redelivered tells that the message was handed out before, to this worker or another.
	Redelivered() bool
	// Epoch names the ownership under which it was delivered. A new epoch means that another worker may have owned
	// the partition in between: nothing remembered from the epoch before may be trusted.
	Epoch() string
	// Ack tells the source that the message is done with. It is safe to call more than once.
	Ack() error
	// Working asks for more time before the message is handed out again.
	Working() error
	// Retry gives the message back, to be handed out again after the delay.
	Retry(after time.Duration) error
}

// Source hands out the messages of one partition and reads conversations back. Unacknowledged messages are handed out
// again, to this worker or another, in any order. Next is called by one goroutine; History may be called by others.
type Source interface {
	// Next waits for the next message. It returns ErrClosed after the source was closed and drained.
	Next(ctx context.Context) (Delivery, error)
	// History visits every message kept on the subject after sequence after, in stream order and each once, at least
	// up to and including sequence atLeast; a store that does not show that sequence yet is asked again until ctx ends.
	// It holds no more than a page of them at a time. An error of visit ends it and is returned as it is; after any
	// other error the next call may go on after the last message visited.
	History(ctx context.Context, subject string, after, atLeast uint64, visit func(Message) error) error
	// FromStart tells that this epoch hands out everything that the stream keeps, so that a conversation that was not
	// seen in it has no earlier messages.
	FromStart() bool
}

// Record is one message to store on a subject of the audit stream.
type Record struct {
	Subject     string
	ContentType string
	Payload     []byte
	Revision    int    // of its chain, 0 first
	Supersedes  uint64 // the sequence that must be the subject's last one now; 0: the subject must be empty
}

// Stored is a record as the audit stream holds it.
type Stored struct {
	Seq    uint64
	Record // Supersedes and Revision as its headers say
}

// Letter is a message that could not be read, with one plain reason.
type Letter struct {
	Message
	Reason string // closed vocabulary: see Reasons
	Detail string // what is wrong, with the field or the position; never payload text
}

// Sink stores what the pipeline makes. Every method is safe for concurrent use.
type Sink interface {
	// Publish starts storing the record and returns once it is on its way; it waits while too many are. The outcome
	// reaches done exactly once, possibly before Publish returns and on any goroutine: the sequence it was stored at,
	// ErrGuard when the subject's last sequence is not the one the record supersedes (which can also mean that the
	// record itself was stored before), ErrTooLarge, or another error that may pass. When Publish returns an error, done
	// is not called.
	Publish(ctx context.Context, r Record, done func(seq uint64, err error)) error
	// Chain returns what is stored on the subject, in order.
	Chain(ctx context.Context, subject string) ([]Stored, error)
	// Bury stores a dead letter, once per reason and sequence however often it is called.
	Bury(ctx context.Context, l Letter) error
}

var (
	// ErrClosed says that the source was closed and everything it had was handed out.
	ErrClosed = errors.New("source closed")
	// ErrGuard says that the last message of a subject is not the one the publisher expected.
	ErrGuard = errors.New("another message is the subject's last one")
	// ErrTooLarge says that the sink takes no record of that size, and never will.
	ErrTooLarge = errors.New("the record is larger than what can be stored")
)
