package jet

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
)

const (
	// headerLimit is the largest header block that JetStream stores, in bytes.
	headerLimit = 64<<10 - 1
	// letterRoom is kept free in a letter for what the client adds to it, in bytes.
	letterRoom = 256
)

// What HeaderCut says of a letter that does not fit: its last headers, or the end of its body, are missing. The original
// stays in the event stream, at HeaderSequence.
const (
	cutHeaders = "headers"
	cutBody    = "body"
)

var errContended = errors.New("another writer is at the letter's subject")

// Bury stores the letter, guarded to be its subject's first message: a refusal is success once the letter is read back.
// It returns an error that may pass when neither could be done.
func (s *Sink) Bury(ctx context.Context, l pipeline.Letter) error {
	subject := s.config.Subjects.Dead(l.Reason, l.Seq)
	bury := func() error {
		_, err := s.js.PublishMsg(ctx, s.letter(subject, l), jetstream.WithExpectLastSequencePerSubject(0))
		if !guarded(err) {
			return permanent(err)
		}
		there, err := s.letters.all(ctx, subject)
		if err == nil && len(there) == 0 {
			return errContended
		}
		return permanent(err)
	}
	tick := pace(10*time.Millisecond, time.Second)
	tick.MaxElapsedTime = s.config.Timeout
	if err := backoff.Retry(bury, backoff.WithContext(tick, ctx)); err != nil {
		return fmt.Errorf("bury in %s: %w", subject, err)
	}
	return nil
}

func permanent(err error) error {
	if err == nil {
		return nil
	}
	return backoff.Permanent(err)
}

// letter is the message that a letter is stored as. The original's headers are renamed, because some would make the
// server do something: delete, expire, or refuse as a duplicate.
func (s *Sink) letter(subject string, l pipeline.Letter) *nats.Msg {
	m := nats.NewMsg(subject)
	m.Data = l.Data
	m.Header.Set(HeaderReason, l.Reason)
	m.Header.Set(HeaderDetail, l.Detail)
	m.Header.Set(HeaderSubject, l.Subject)
	m.Header.Set(HeaderSequence, strconv.FormatUint(l.Seq, 10))
	addOriginal(m, l.Header)
	if limit := int(s.js.Conn().MaxPayload()) - letterRoom - headerSize(m.Header); len(m.Data) > limit {
		m.Header.Add(HeaderCut, cutBody)
		m.Data = m.Data[:max(0, limit)]
	}
	return m
}

// addOriginal adds the original's headers in the order of their names, as many as fit: with their longer names they can
// be more than the server takes.
func addOriginal(m *nats.Msg, original map[string][]string) {
	size := headerSize(m.Header)
	for _, name := range slices.Sorted(maps.Keys(original)) {
		renamed := HeaderOriginal + headerName(name)
		more := headerSize(nats.Header{renamed: original[name]})
		if size+more > headerLimit-letterRoom {
			m.Header.Set(HeaderCut, cutHeaders)
			return
		}
		size += more
		m.Header[renamed] = append(m.Header[renamed], original[name]...)
	}
}

// headerName writes a name so that it stays one name: a byte that could end it is written as _.
func headerName(name string) string {
	return strings.Map(func(c rune) rune {
		if c <= ' ' || c == ':' || c == 0x7f {
			return '_'
		}
		return c
	}, name)
}

// headerSize is an upper bound of the header's bytes on the wire.
func headerSize(h nats.Header) int {
	n := len("NATS/1.0\r\n\r\n")
	for name, values := range h {
		for _, value := range values {
			n += len(name) + len(": \r\n") + len(value)
		}
	}
	return n
}

// ReadLetter reads a message of the dead-letter stream back, with the original's sequence, subject, headers and body.
func ReadLetter(m pipeline.Message) (pipeline.Letter, error) {
	h := nats.Header(m.Header)
	seq, err := strconv.ParseUint(h.Get(HeaderSequence), 10, 64)
	if err != nil {
		return pipeline.Letter{}, fmt.Errorf("dead letter at sequence %d: header %s is %q, not a sequence",
			m.Seq, HeaderSequence, h.Get(HeaderSequence))
	}
	l := pipeline.Letter{Reason: h.Get(HeaderReason), Detail: h.Get(HeaderDetail)}
	l.Message = pipeline.Message{Seq: seq, Subject: h.Get(HeaderSubject), Data: m.Data}
	for name, values := range m.Header {
		if original, ok := strings.CutPrefix(name, HeaderOriginal); ok {
			if l.Header == nil {
				l.Header = map[string][]string{}
			}
			l.Header[original] = values
		}
	}
	return l, nil
}

// StoredLetter is a letter as the dead-letter stream holds it.
type StoredLetter struct {
	pipeline.Letter
	Cut bool // its last headers or the end of its body did not fit
}

// Letters visits the dead letters, in the order they were stored. reason "" and seq 0 are every one; else only those with
// the reason, and those of the event at the sequence. A message that is no letter is an error.
func Letters(ctx context.Context, js jetstream.JetStream, subjects event.Subjects, reason string, seq uint64, visit func(StoredLetter) error) error {
	tokens := []string{"*", "*"}
	if reason != "" {
		tokens[0] = event.EncodeToken(reason)
	}
	if seq != 0 {
		tokens[1] = strconv.FormatUint(seq, 10)
	}
	filter := strings.TrimSuffix(subjects.AllDead(), ">") + strings.Join(tokens, ".")
	return ReadAll(ctx, js, DeadStream, filter, func(m pipeline.Message) error {
		l, err := ReadLetter(m)
		if err != nil {
			return err
		}
		return visit(StoredLetter{l, len(m.Header[HeaderCut]) > 0})
	})
}
