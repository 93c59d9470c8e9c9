package jet

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/pipeline"
)

// Past reads what a stream keeps, and leaves nothing behind. It may be used by many goroutines.
type Past struct {
	js     jetstream.JetStream
	stream string
	store  reader
}

// NewPast reads the stream of that name.
func NewPast(js jetstream.JetStream, stream string) Past {
	return Past{js: js, stream: stream, store: newReader(js, stream)}
}

// Span gives the first and the last sequence that the stream keeps; last is below first when it keeps nothing.
func (p Past) Span(ctx context.Context) (first, last uint64, err error) {
	stream, err := p.js.Stream(ctx, p.stream)
	if err != nil {
		return 0, 0, fmt.Errorf("look at stream %s: %w", p.stream, err)
	}
	state := stream.CachedInfo().State
	return max(1, state.FirstSeq), state.LastSeq, nil
}

// Since gives the sequence of the first message that was stored then or later, by the server's clock; ok is false when
// there is none.
func (p Past) Since(ctx context.Context, at time.Time) (seq uint64, ok bool, err error) {
	m, ok, err := p.store.get(ctx, getRequest{Since: &at, NextFor: ">"})
	if err != nil {
		return 0, false, fmt.Errorf("find %s in stream %s: %w", at.Format(time.RFC3339), p.stream, err)
	}
	return m.Seq, ok, nil
}

// Read visits the messages between two sequences, both included, that match the filter: see the function Read.
func (p Past) Read(ctx context.Context, filter string, from, through uint64, visit func(pipeline.Message) error) error {
	return Read(ctx, p.js, Range{Stream: p.stream, Filter: filter, From: from, Through: through}, visit)
}

// History visits a subject's messages: see Source.History.
func (p Past) History(ctx context.Context, subject string, after, atLeast uint64, visit func(pipeline.Message) error) error {
	return p.store.read(ctx, subject, after, atLeast, visit)
}

// Counts visits the subjects that match the filter, in no order, with how many messages the stream holds of each. The
// server gives them a hundred thousand at a time.
func (p Past) Counts(ctx context.Context, filter string, visit func(subject string, messages uint64)) error {
	for offset := 0; ; {
		page, err := p.counts(ctx, filter, offset)
		if err != nil {
			return fmt.Errorf("list the subjects of stream %s: %w", p.stream, err)
		}
		for subject, messages := range page.State.Subjects {
			visit(subject, messages)
		}
		offset += len(page.State.Subjects)
		if len(page.State.Subjects) == 0 || offset >= page.Total {
			return nil
		}
	}
}

// countsPage is what of a stream's description says how many messages its subjects hold.
type countsPage struct {
	Error *jetstream.APIError `json:"error"`
	Total int                 `json:"total"` // subjects that match
	State struct {
		Subjects map[string]uint64 `json:"subjects"`
	} `json:"state"`
}

func (p Past) counts(ctx context.Context, filter string, offset int) (page countsPage, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	body, err := json.Marshal(map[string]any{"subjects_filter": filter, "offset": offset})
	if err != nil {
		return page, err
	}
	reply, err := p.js.Conn().RequestWithContext(ctx, apiSubject(p.js, "STREAM.INFO."+p.stream), body)
	if err != nil {
		return page, err
	}
	if err := json.Unmarshal(reply.Data, &page); err != nil {
		return page, fmt.Errorf("the server's answer: %w", err)
	}
	if page.Error != nil {
		return page, page.Error
	}
	return page, nil
}

// At gives the message at a sequence; ok is false when the stream keeps it no more.
func (p Past) At(ctx context.Context, seq uint64) (m pipeline.Message, ok bool, err error) {
	m, ok, err = p.store.get(ctx, getRequest{Seq: seq})
	if err != nil {
		return m, false, fmt.Errorf("read sequence %d of stream %s: %w", seq, p.stream, err)
	}
	return m, ok && m.Seq == seq, nil
}
