package jet

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
)

// HeaderRedriven names, on an event that was put back, the event sequence of the message that had become a dead letter.
const HeaderRedriven = "Plumbline-Redriven"

// Redriver puts the messages of dead letters back into the event stream, each once.
//
// The event that is put back is its own mark: it carries HeaderRedriven, and it is stored only while its subject's last
// message is the one that was looked at, none of which carried that mark. So there is no step between the event and its
// mark for a crash to fall into, and of two redrivers that run at once one is refused, looks again and finds the other's
// copy. This holds for as long as the event stream keeps the copy.
type Redriver struct {
	js       jetstream.JetStream
	subjects event.Subjects
	events   reader
	window   time.Duration // in which the event stream knows a Nats-Msg-Id
	buried   uint64        // the last dead letter's own sequence, at the start
}

// Redriven says what became of a letter. One of Seq, Left is set.
type Redriven struct {
	Seq    uint64 // where the message stands in the event stream again; 0 in a dry run
	Before bool   // it had been put back earlier
	Left   string // why it was not put back, a plain sentence without its full stop; empty when it was, or would be
}

// NewRedriver looks at the streams.
func NewRedriver(ctx context.Context, js jetstream.JetStream, subjects event.Subjects) (*Redriver, error) {
	stream, err := js.Stream(ctx, EventsStream)
	if err != nil {
		return nil, fmt.Errorf("look at stream %s: %w", EventsStream, err)
	}
	letters, err := js.Stream(ctx, DeadStream)
	if err != nil {
		return nil, fmt.Errorf("look at stream %s: %w", DeadStream, err)
	}
	return &Redriver{
		js: js, subjects: subjects, events: newReader(js, EventsStream),
		window: stream.CachedInfo().Config.Duplicates, buried: letters.CachedInfo().State.LastSeq,
	}, nil
}

// hopeless says why the letters of some reasons are never put back.
var hopeless = map[string]string{
	pipeline.ReasonVerdictConflict: "its event was judged, and something else is stored on the verdict's subject: the event would be " +
		"judged the same way again; look at what stands there in " + AuditStream,
	pipeline.ReasonSubjectTooLong: "its names are too long for a subject, and would be again: publish the event under shorter ones",
}

// Redrive puts the letter's message back as it was published: its subject, its headers but for those that would make the
// server do something, its bytes. It does nothing when that was done before, or when the message would only become the
// same letter again. dry only says what would be done. An error may pass.
func (r *Redriver) Redrive(ctx context.Context, l StoredLetter, dry bool) (Redriven, error) {
	if left := hopeless[l.Reason]; left != "" {
		return Redriven{Left: left}, nil
	}
	original, left, err := r.original(ctx, l)
	if err != nil || left != "" {
		return Redriven{Left: left}, err
	}
	if _, err := pipeline.Read(r.subjects, original); err != nil {
		_, detail := pipeline.ReasonOf(err)
		return Redriven{Left: "it would become the same letter again: " + detail}, nil
	}
	for tick := pace(10*time.Millisecond, time.Second); ; {
		done, err := r.putBack(ctx, original, dry)
		if !guarded(err) {
			return done, err
		}
		if !pause(ctx, nil, tick.NextBackOff()) {
			return Redriven{}, fmt.Errorf("put sequence %d back: its conversation goes on all the time: %w", l.Seq, err)
		}
	}
}

// original is the message as it was published, at the sequence it had: what the event stream keeps there, or the letter's
// copy when it keeps it no more. left says why neither will do.
func (r *Redriver) original(ctx context.Context, l StoredLetter) (m pipeline.Message, left string, err error) {
	m, kept, err := r.events.get(ctx, getRequest{Seq: l.Seq})
	if err != nil {
		return m, "", fmt.Errorf("read sequence %d of %s: %w", l.Seq, EventsStream, err)
	}
	if !kept {
		m = l.Message
	}
	_, ours := r.publishedOn(m.Subject)
	switch {
	case m.Subject != l.Subject:
		left = "the event stream holds another message at its sequence: it was made anew since"
	case !kept && l.Cut:
		left = "the letter holds only a part of it, and the event stream no longer keeps it"
	case !ours:
		left = "its subject is none of this deployment's: check --prefix"
	}
	return m, left, nil
}

// publishedOn is the subject that a stored message was published on, token by token as it was.
func (r *Redriver) publishedOn(stored string) (subject string, ok bool) {
	events, logs := strings.TrimSuffix(r.subjects.AllEvents(), ">"), strings.TrimSuffix(r.subjects.AllLogs(), ">")
	if strings.HasPrefix(stored, events) {
		return stored, true
	}
	rest, ok := strings.CutPrefix(stored, logs)
	if !ok {
		return "", false
	}
	_, names, ok := strings.Cut(rest, ".")
	return events + names, ok && names != ""
}

// putBack publishes the message again unless its subject holds a copy. The error is the guard's when another message came
// to the subject meanwhile.
func (r *Redriver) putBack(ctx context.Context, m pipeline.Message, dry bool) (Redriven, error) {
	there, before, err := r.look(ctx, m)
	switch {
	case err != nil:
		return Redriven{}, err
	case before > 0:
		return Redriven{Seq: before, Before: true}, nil
	case dry:
		return Redriven{}, nil
	}
	return r.publish(ctx, m, there)
}

// look finds the last message of the original's subject, and the copy of it if one is there.
func (r *Redriver) look(ctx context.Context, m pipeline.Message) (there, before uint64, err error) {
	mark := strconv.FormatUint(m.Seq, 10)
	err = r.events.read(ctx, m.Subject, 0, 0, func(past pipeline.Message) error {
		there = past.Seq
		if past.Seq > m.Seq && nats.Header(past.Header).Get(HeaderRedriven) == mark {
			before = past.Seq
		}
		return nil
	})
	return there, before, err
}

// publish publishes the message again, right after the message at the sequence or not at all.
func (r *Redriver) publish(ctx context.Context, m pipeline.Message, after uint64) (Redriven, error) {
	subject, _ := r.publishedOn(m.Subject)
	again := &nats.Msg{Subject: subject, Data: m.Data, Header: harmless(m.Header)}
	again.Header.Set(HeaderRedriven, strconv.FormatUint(m.Seq, 10))
	ack, err := r.js.PublishMsg(ctx, again, jetstream.WithExpectLastSequencePerSubject(after), jetstream.WithExpectStream(EventsStream))
	switch {
	case guarded(err):
		return Redriven{}, err
	case err != nil:
		return Redriven{}, fmt.Errorf("put sequence %d back: %w", m.Seq, err)
	case ack.Duplicate:
		return Redriven{Left: fmt.Sprintf("the event stream still knows its %s, at sequence %d: do it again in %s",
			nats.MsgIdHdr, ack.Sequence, r.window)}, nil
	}
	return Redriven{Seq: ack.Sequence}, nil
}

// harmless is the headers of an original that may be published again. The names that begin with Nats- are the server's:
// they make a message expire, replace others, be refused, be sent on a schedule or be traced. Only the id stays.
func harmless(original map[string][]string) nats.Header {
	h := nats.Header{}
	for name, values := range original {
		if !isServers(name) || strings.EqualFold(name, nats.MsgIdHdr) {
			h[name] = values
		}
	}
	h.Del(HeaderRedriven)
	return h
}

func isServers(name string) bool {
	const prefix = "Nats-"
	return len(name) >= len(prefix) && strings.EqualFold(name[:len(prefix)], prefix)
}

// Returned gives the dead letters that were stored since the redriver was made, of the messages at the sequences: what it
// put back and could not be read again.
func (r *Redriver) Returned(ctx context.Context, seqs []uint64) (letters []pipeline.Letter, err error) {
	err = Read(ctx, r.js, Range{Stream: DeadStream, From: r.buried + 1}, func(m pipeline.Message) error {
		l, err := ReadLetter(m)
		if err == nil && slices.Contains(seqs, l.Seq) {
			letters = append(letters, l)
		}
		return err
	})
	return letters, err
}
