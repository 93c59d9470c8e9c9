package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/schemas"
)

// landing is something that was read back from the audit or the dead-letter stream. One of Evidence, Coverage and
// Letter is set.
type landing struct {
	evidence *event.EvidenceChecked
	coverage *event.CoverageDeclared
	letter   *pipeline.Letter
	payload  []byte
	revision int
	name     answerName // of the answer, with evidence
	answer   string     // its text, empty when there is nothing to quote or the event is not kept
}

// watchVerdicts reads the audit stream from its beginning and goes on with what is stored, until ctx ends.
func (s *service) watchVerdicts(ctx context.Context, landed chan<- landing) error {
	return s.watch(ctx, jet.AuditStream, landed, func(m jetstream.Msg) (landing, error) {
		l, err := readAudit(m)
		if err != nil {
			return l, err
		}
		if l.evidence != nil && len(l.evidence.Unsupported) > 0 {
			l.answer, err = s.answerText(ctx, l.evidence.AnswerSeq)
		}
		return l, err
	})
}

// watchLetters does the same with the dead-letter stream.
func (s *service) watchLetters(ctx context.Context, landed chan<- landing) error {
	return s.watch(ctx, jet.DeadStream, landed, func(m jetstream.Msg) (landing, error) {
		letter, err := jet.ReadLetter(pipeline.Message{Subject: m.Subject(), Header: m.Headers(), Data: m.Data()})
		return landing{letter: &letter}, err
	})
}

func (s *service) watch(ctx context.Context, stream string, landed chan<- landing, read func(jetstream.Msg) (landing, error)) error {
	consumer, err := s.js.OrderedConsumer(ctx, stream, jetstream.OrderedConsumerConfig{})
	if err != nil {
		return unlessOver(ctx, fmt.Errorf("watch stream %s: %w", stream, err))
	}
	messages, err := consumer.Messages()
	if err != nil {
		return unlessOver(ctx, fmt.Errorf("watch stream %s: %w", stream, err))
	}
	defer messages.Stop()
	for {
		m, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return unlessOver(ctx, fmt.Errorf("watch stream %s: %w", stream, err))
		}
		l, err := read(m)
		if err != nil {
			return unlessOver(ctx, fmt.Errorf("read %s back: %w", m.Subject(), err))
		}
		select {
		case landed <- l:
		case <-ctx.Done():
			return nil
		}
	}
}

// unlessOver is err, or nil when it comes of ctx's end.
func unlessOver(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	return nil
}

// readAudit decodes a message of the audit stream.
func readAudit(m jetstream.Msg) (landing, error) {
	l := landing{payload: m.Data()}
	var head event.Common
	if err := json.Unmarshal(m.Data(), &head); err != nil {
		return l, err
	}
	if n, err := strconv.Atoi(m.Headers().Get(jet.HeaderRevision)); err == nil {
		l.revision = n
	}
	switch head.Type {
	case event.KindEvidenceChecked:
		l.evidence = &event.EvidenceChecked{}
		l.name = answerName{event.Conversation{Tenant: head.Tenant, Agent: head.Agent, ID: head.Conversation}, head.Turn, head.Iteration}
		return l, json.Unmarshal(m.Data(), l.evidence)
	case event.KindCoverageDeclared:
		l.coverage = &event.CoverageDeclared{}
		return l, json.Unmarshal(m.Data(), l.coverage)
	}
	return l, fmt.Errorf("type %q is none that Plumbline publishes", head.Type)
}

// answerText reads the text of an answer off the event stream, empty when the event is no longer kept.
func (s *service) answerText(ctx context.Context, seq uint64) (string, error) {
	stream, err := s.js.Stream(ctx, jet.EventsStream)
	if err != nil {
		return "", err
	}
	m, err := stream.GetMsg(ctx, seq)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	e, err := schemas.DecodeMessage(m.Header, m.Data)
	if err != nil || e.Answer == nil {
		return "", err
	}
	return e.Answer.Text, nil
}
