package jet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/synadia-io/orbit.go/jetstreamext"

	"github.com/plumbline-dev/plumbline/pipeline"
)

// One page of a subject: big subjects take several.
const (
	pageMessages = 1000
	pageBytes    = 8 << 20
	// pageQueue is how many messages of a page the client holds until they are visited: a whole page and the words of the
	// server around it. The client makes room for that many for each page; its default, 65,536, is half a megabyte for a
	// conversation of ten messages.
	pageQueue = pageMessages + 24
)

// addedHeaders are what the server adds to a message that is read directly, each as the last value of its name.
var addedHeaders = []string{
	jetstream.StreamHeader, jetstream.SubjectHeader, jetstream.SequenceHeader, jetstream.TimeStampHeaer,
	pendingHeader, jetstream.LastSequenceHeader,
}

// pendingHeader counts the messages that follow in a batch, as its first message was found.
const pendingHeader = "Nats-Num-Pending"

// reader reads single subjects of one stream back. It keeps nothing and may be used by many goroutines.
//
// It reads in batches from whichever server answers, which can be behind. What a batch does not show, for that or
// because a message's own headers stop it, is asked of the stream's leader, one message at a time.
type reader struct {
	js             jetstream.JetStream
	stream         string
	messages, size int // of a page
}

func newReader(js jetstream.JetStream, stream string) reader {
	return reader{js: js, stream: stream, messages: pageMessages, size: pageBytes}
}

// read visits every message kept on a literal subject after the sequence, in stream order and each once, and holds no
// more than a page of them. It asks until everything up to atLeast was visited, or is known not to be kept, or ctx ends;
// 0 asks the leader for what it has now. An error of visit is returned as it is.
func (r reader) read(ctx context.Context, subject string, after, atLeast uint64, visit func(pipeline.Message) error) error {
	s := &reading{reader: r, subject: subject, last: after, visit: visit}
	for tick := pace(2*time.Millisecond, 250*time.Millisecond); ; {
		n, more, err := s.page(ctx)
		switch {
		case s.stopped != nil:
			return s.stopped
		case ctx.Err() != nil:
			return s.wrap(ctx.Err())
		case n > 0 && more:
			continue
		case n > 0 && atLeast > 0 && s.last >= atLeast:
			return nil
		}
		found, through, leaderErr := s.next(ctx)
		switch {
		case s.stopped != nil:
			return s.stopped
		case leaderErr != nil:
			return s.wrap(errors.Join(err, leaderErr))
		case found:
			tick.Reset()
		case through >= atLeast:
			return nil
		case !pause(ctx, nil, tick.NextBackOff()):
			return s.wrap(fmt.Errorf("sequence %d is not there yet: %w", atLeast, ctx.Err()))
		}
	}
}

// all returns what the stream's leader has on a literal subject now, for subjects that hold few messages.
func (r reader) all(ctx context.Context, subject string) ([]pipeline.Message, error) {
	out := []pipeline.Message{}
	err := r.read(ctx, subject, 0, 0, func(m pipeline.Message) error {
		out = append(out, m)
		return nil
	})
	return out, err
}

// reading is one reading of a subject. Owned by read.
type reading struct {
	reader
	subject string
	visit   func(pipeline.Message) error
	last    uint64 // sequence of the last message visited
	stopped error  // what the visitor returned
}

// wrap does not name the subject, which holds names that no log should.
func (s *reading) wrap(err error) error {
	return fmt.Errorf("read a subject of %s back: %w", s.stream, err)
}

// take visits a message, and tells whether to go on.
func (s *reading) take(m pipeline.Message) bool {
	s.last = m.Seq
	s.stopped = s.visit(m)
	return s.stopped == nil
}

// page visits what one batch shows after the last message visited. more tells that the batch stopped short.
func (s *reading) page(ctx context.Context) (n int, more bool, err error) {
	batch, err := jetstreamext.GetBatch(ctx, s.js, s.stream, s.messages, jetstreamext.GetBatchSubject(s.subject),
		jetstreamext.GetBatchSeq(s.last+1), jetstreamext.GetBatchMaxBytes(s.size))
	if err != nil {
		return 0, false, err
	}
	return s.takeBatch(batch)
}

func (s *reading) takeBatch(batch iter.Seq2[*jetstream.RawStreamMsg, error]) (n int, more bool, err error) {
	for raw, err := range batch {
		if err != nil {
			return n, more, err
		}
		m, pending, ok := direct(raw)
		if !ok {
			return n, true, nil
		}
		more = pending > 0
		if m.Seq <= s.last || m.Subject != s.subject {
			continue
		}
		n++
		if !s.take(m) {
			return n, more, nil
		}
	}
	return n, more, nil
}

// direct reads what the server says about a message that was read directly. A publisher may have set the same headers;
// the server's are the last ones.
func direct(raw *jetstream.RawStreamMsg) (m pipeline.Message, pending uint64, ok bool) {
	seq, err := strconv.ParseUint(lastValue(raw.Header, jetstream.SequenceHeader), 10, 64)
	pending, errPending := strconv.ParseUint(lastValue(raw.Header, pendingHeader), 10, 64)
	if err != nil || errPending != nil {
		return m, 0, false
	}
	m = pipeline.Message{Seq: seq, Subject: lastValue(raw.Header, jetstream.SubjectHeader), Data: raw.Data}
	for _, name := range addedHeaders {
		dropLast(raw.Header, name)
	}
	m.Header = published(raw.Header)
	return m, pending, true
}

// next visits the first message of the subject that the stream's leader has after the last one visited. When there is
// none, through is the sequence up to which the leader says so.
func (s *reading) next(ctx context.Context) (found bool, through uint64, err error) {
	stream, err := s.js.Stream(ctx, s.stream)
	if err != nil {
		return false, 0, err
	}
	through = stream.CachedInfo().State.LastSeq
	for from := s.last + 1; ; {
		m, ok, err := s.get(ctx, getRequest{Seq: from, NextFor: s.subject})
		if err != nil || !ok {
			return false, through, err
		}
		if m.Subject == s.subject {
			return s.take(m), through, nil
		}
		from = m.Seq + 1
	}
}

// getRequest and getResponse are the bodies of the leader's call to read one message.
type getRequest struct {
	Seq     uint64     `json:"seq,omitempty"`
	Since   *time.Time `json:"start_time,omitempty"` // instead of Seq
	NextFor string     `json:"next_by_subj,omitempty"`
}

type getResponse struct {
	Error   *jetstream.APIError `json:"error"`
	Message *struct {
		Subject string `json:"subject"`
		Seq     uint64 `json:"seq"`
		Header  []byte `json:"hdrs"`
		Data    []byte `json:"data"`
	} `json:"message"`
}

// get reads one message from the stream's leader. ok is false when there is none.
func (r reader) get(ctx context.Context, q getRequest) (m pipeline.Message, ok bool, err error) {
	body, err := json.Marshal(q)
	if err != nil {
		return m, false, err
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	reply, err := r.js.Conn().RequestWithContext(ctx, apiSubject(r.js, "STREAM.MSG.GET."+r.stream), body)
	if err != nil {
		return m, false, err
	}
	var answer getResponse
	if err := json.Unmarshal(reply.Data, &answer); err != nil {
		return m, false, fmt.Errorf("the leader's answer: %w", err)
	}
	switch {
	case answer.Error != nil && answer.Error.ErrorCode == jetstream.JSErrCodeMessageNotFound:
		return m, false, nil
	case answer.Error != nil:
		return m, false, answer.Error
	case answer.Message == nil:
		return m, false, errors.New("the leader's answer holds no message")
	}
	m = pipeline.Message{Seq: answer.Message.Seq, Subject: answer.Message.Subject, Data: answer.Message.Data}
	m.Header = storedHeader(answer.Message.Header)
	return m, true, nil
}

// storedHeader reads a header block as a subscription would: one that cannot be read is none.
func storedHeader(block []byte) map[string][]string {
	h, err := nats.DecodeHeadersMsg(block)
	if err != nil {
		return nil
	}
	return published(h)
}
