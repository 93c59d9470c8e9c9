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

// read returns every message kept on a literal subject, in stream order and each once. It asks until everything up to
// atLeast is there, or is known not to be kept, or ctx ends; 0 asks the leader for what it has now.
func (r reader) read(ctx context.Context, subject string, atLeast uint64) ([]pipeline.Message, error) {
	out := []pipeline.Message{}
	for tick := pace(2*time.Millisecond, 250*time.Millisecond); ; {
		n, more, err := r.page(ctx, subject, &out)
		switch {
		case ctx.Err() != nil:
			return nil, r.wrap(subject, ctx.Err())
		case n > 0 && more:
			continue
		case n > 0 && atLeast > 0 && last(out) >= atLeast:
			return out, nil
		}
		found, through, leaderErr := r.next(ctx, subject, &out)
		switch {
		case leaderErr != nil:
			return nil, r.wrap(subject, errors.Join(err, leaderErr))
		case found:
			tick.Reset()
		case through >= atLeast:
			return out, nil
		case !pause(ctx, nil, tick.NextBackOff()):
			return nil, r.wrap(subject, fmt.Errorf("sequence %d is not there yet: %w", atLeast, ctx.Err()))
		}
	}
}

func (r reader) wrap(subject string, err error) error {
	return fmt.Errorf("read %s of %s back: %w", subject, r.stream, err)
}

func last(out []pipeline.Message) uint64 {
	if len(out) == 0 {
		return 0
	}
	return out[len(out)-1].Seq
}

// page appends what one batch shows after the last message of out. more tells that the batch stopped short.
func (r reader) page(ctx context.Context, subject string, out *[]pipeline.Message) (n int, more bool, err error) {
	batch, err := jetstreamext.GetBatch(ctx, r.js, r.stream, r.messages, jetstreamext.GetBatchSubject(subject),
		jetstreamext.GetBatchSeq(last(*out)+1), jetstreamext.GetBatchMaxBytes(r.size))
	if err != nil {
		return 0, false, err
	}
	return appendBatch(batch, subject, out)
}

func appendBatch(batch iter.Seq2[*jetstream.RawStreamMsg, error], subject string, out *[]pipeline.Message) (n int, more bool, err error) {
	for raw, err := range batch {
		if err != nil {
			return n, more, err
		}
		m, pending, ok := direct(raw)
		if !ok {
			return n, true, nil
		}
		more = pending > 0
		if m.Seq > last(*out) && m.Subject == subject {
			*out = append(*out, m)
			n++
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

// next asks the stream's leader for the first message of the subject after the last of out. When there is none, through
// is the sequence up to which the leader says so.
func (r reader) next(ctx context.Context, subject string, out *[]pipeline.Message) (found bool, through uint64, err error) {
	stream, err := r.js.Stream(ctx, r.stream)
	if err != nil {
		return false, 0, err
	}
	through = stream.CachedInfo().State.LastSeq
	for from := last(*out) + 1; ; {
		m, ok, err := r.get(ctx, getRequest{Seq: from, NextFor: subject})
		if err != nil || !ok {
			return false, through, err
		}
		if m.Subject == subject {
			*out = append(*out, m)
			return true, through, nil
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
