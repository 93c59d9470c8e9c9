// Package jet answers "how do the pipeline's messages, records and letters live in NATS JetStream?". It is the only
// package that imports nats: a Source over one partition of the event stream, a Sink over the audit and dead-letter
// streams, the streams themselves, and a server to embed.
//
// It holds no rule about evidence and decides nothing about the order of storing and acknowledging: that is package
// pipeline's. Sequences are stream sequences, counted from 1; sizes are bytes.
//
// Why it pulls and reads with its own few lines where nats.go has a call: nats.go takes a stored message with an empty
// body and a Status header for a word from the server. A producer could stop a subscription with one, or hide behind
// it for ever. Here a stored message is known by its reply subject, which only the server can give it.
package jet

import (
	"context"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/nats-io/nats.go/jetstream"
)

// The names of the streams.
const (
	EventsStream = "AGENT_EVENTS"
	AuditStream  = "AGENT_AUDIT"
	DeadStream   = "AGENT_DEAD"
)

// The headers that Plumbline writes.
const (
	HeaderContentType = "Content-Type"
	HeaderRevision    = "Plumbline-Revision"   // of a record's chain, 0 first
	HeaderSupersedes  = "Plumbline-Supersedes" // the audit sequence that a record replaces; absent on the first
	HeaderReason      = "Plumbline-Reason"     // of a dead letter, and the next four
	HeaderDetail      = "Plumbline-Detail"
	HeaderSubject     = "Plumbline-Subject"  // where the original is stored
	HeaderSequence    = "Plumbline-Sequence" // of the original in the event stream
	HeaderCut         = "Plumbline-Cut"      // what of the original did not fit: see letter
	HeaderOriginal    = "Original-"          // before the name of each header of the original
)

// apiSubject is the subject of a JetStream API call, under the context's own prefix or domain.
func apiSubject(js jetstream.JetStream, call string) string {
	o := js.Options()
	switch {
	case o.APIPrefix != "":
		return strings.TrimSuffix(o.APIPrefix, ".") + "." + call
	case o.Domain != "":
		return "$JS." + o.Domain + ".API." + call
	}
	return "$JS.API." + call
}

// pace is the exponential backoff with jitter of every retry here, without an end of its own.
func pace(first, most time.Duration) *backoff.ExponentialBackOff {
	return backoff.NewExponentialBackOff(
		backoff.WithInitialInterval(first), backoff.WithMaxInterval(most), backoff.WithMaxElapsedTime(0))
}

// pause waits, and tells whether neither ctx nor stop ended first.
func pause(ctx context.Context, stop <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-stop:
		return false
	case <-ctx.Done():
		return false
	}
}
