package pipeline

import (
	"cmp"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v4"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
)

// Config is what a Worker needs to know. The zero value of every field but Rules is usable.
type Config struct {
	// Rules are the readers' rules, required: the same ones for every conversation, or those of a policy file.
	Rules Rules
	// Subjects names the subjects to read and write.
	Subjects event.Subjects
	// Grace is how long an answer waits for calls that it declares and that were not reported yet; 0 does not wait.
	Grace time.Duration
	// CacheBytes bounds the folded conversations held in memory, beside the one in use; 0 is DefaultCacheBytes. A
	// conversation that does not fit is dropped and read back from its subject when its next event comes.
	CacheBytes int
	// MaxInFlight bounds the messages that are taken and not yet acknowledged; 0 is DefaultMaxInFlight.
	MaxInFlight int
	// InFlightBytes bounds the same messages, and what is on its way to the sink, in bytes; 0 is DefaultInFlightBytes.
	// One message more may pass it: the next is taken as soon as there is any room.
	InFlightBytes int
	// ReadBack bounds the wait for the next message of a conversation that is read back, 0 is DefaultReadBack: a message
	// that the stream no longer keeps is then folded from its delivery alone.
	ReadBack time.Duration
	// Observer is told what happened; nil is nobody.
	Observer Observer
	// Follower is told how each message goes, for those who trace; nil is nobody.
	Follower Follower
	// Backoff paces the retries of what may pass; nil is exponential with jitter, from 50 ms to 10 s, without an end.
	Backoff func() backoff.BackOff

	breaks func(Message) // of tests: what to do before each message is folded
}

// Rules gives the rules that a conversation is judged by: always the same for the same conversation. A *turn.Rules gives itself.
type Rules interface {
	RulesFor(event.Conversation) *turn.Rules
}

// The defaults of Config.
const (
	DefaultCacheBytes    = 256 << 20
	DefaultMaxInFlight   = 256
	DefaultInFlightBytes = 16 << 20
	DefaultReadBack      = 5 * time.Second
)

// Observer is told what the workers did, on their goroutines: it must not block, and be safe for concurrent use when
// there are several. No payload text reaches it except in the events and the verdicts themselves.
type Observer interface {
	// Taken is an event that was taken in, and what became of it.
	Taken(e event.Event, t Taken)
	// Verdict was stored as the revision of its chain, so long after the message that asked for it was handed over.
	Verdict(v event.EvidenceChecked, revision int, took time.Duration)
	// Declared was stored.
	Declared(c event.CoverageDeclared)
	// Buried is a message that became a dead letter.
	Buried(l Letter)
	// PassedOver is a message of another runtime that no answer could rest on; area is one of a few names.
	PassedOver(area string)
	// Rebuilt is a conversation that was read back from its subject, with the number of its messages.
	Rebuilt(messages int)
	// Evicted is a conversation that was dropped to keep within CacheBytes.
	Evicted(bytes int)
	// Cached says by how many bytes the folded conversations of a worker grew, or shrank.
	Cached(change int)
	// Retried is a fault that may pass.
	Retried(doing string, err error, after time.Duration)
}

// nobody is the Observer of a worker that has none.
type nobody struct{}

func (nobody) Taken(event.Event, Taken)                          {}
func (nobody) Verdict(event.EvidenceChecked, int, time.Duration) {}
func (nobody) Declared(event.CoverageDeclared)                   {}
func (nobody) Buried(Letter)                                     {}
func (nobody) PassedOver(string)                                 {}
func (nobody) Rebuilt(int)                                       {}
func (nobody) Evicted(int)                                       {}
func (nobody) Cached(int)                                        {}
func (nobody) Retried(string, error, time.Duration)              {}

// validate fills in the defaults and refuses what cannot be.
func (c Config) validate() (Config, error) {
	if c.Rules == nil {
		return c, errors.New("pipeline: Config.Rules is missing")
	}
	if c.Grace < 0 || c.CacheBytes < 0 || c.MaxInFlight < 0 || c.InFlightBytes < 0 || c.ReadBack < 0 {
		return c, errors.New("pipeline: Config.Grace, CacheBytes, MaxInFlight, InFlightBytes and ReadBack may not be negative")
	}
	c.CacheBytes = cmp.Or(c.CacheBytes, DefaultCacheBytes)
	c.MaxInFlight = cmp.Or(c.MaxInFlight, DefaultMaxInFlight)
	c.InFlightBytes = cmp.Or(c.InFlightBytes, DefaultInFlightBytes)
	c.ReadBack = cmp.Or(c.ReadBack, DefaultReadBack)
	if c.Observer == nil {
		c.Observer = nobody{}
	}
	if c.Backoff == nil {
		c.Backoff = exponential
	}
	return c, nil
}

func exponential() backoff.BackOff {
	return backoff.NewExponentialBackOff(backoff.WithInitialInterval(50*time.Millisecond),
		backoff.WithMaxInterval(10*time.Second), backoff.WithMaxElapsedTime(0))
}
