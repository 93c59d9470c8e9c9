package main

import (
	"context"

	"github.com/plumbline-dev/plumbline/cmd/internal/report"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
)

// writing writes the verdicts of the range, in stream order.
type writing struct {
	past    *past
	out     *outFile
	summary report.Summary // changed by steps
}

func (w *writing) pass(context.Context) (pass, error) { return w.past.overEvents(), nil }

func (w *writing) look(ctx context.Context, s replay.Stretch) ([]replay.Finding[step], error) {
	j, err := w.past.judge(ctx, s)
	if err != nil {
		return nil, err
	}
	var found []replay.Finding[step]
	for _, out := range j.outputs {
		payload, err := encode(out)
		if err != nil {
			return nil, err
		}
		answer := w.answer(j.conversation, out)
		found = append(found, replay.Finding[step]{Seq: out.Seq, Of: func() error { return w.out.verdict(out, payload, answer) }})
	}
	return append(found, w.past.counted(j, &w.summary)), nil
}

// answer is the text that a verdict is about, where it is shown to a person.
func (w *writing) answer(c replay.Conversation, out replay.Output) string {
	if w.out.text == nil || out.Evidence == nil {
		return ""
	}
	for _, e := range c.Events {
		if e.Seq == out.Seq && e.Answer != nil {
			return e.Answer.Text
		}
	}
	return ""
}

func (w *writing) state() any       { return &w.summary }
func (w *writing) output() *outFile { return w.out }

func (w *writing) sum() error {
	return w.past.summarize(w.summary, nil)
}

// judged is a conversation with what stands about the answers and calls of its stretch.
type judged struct {
	conversation replay.Conversation
	outputs      []replay.Output
}

// judge folds the conversation of a stretch and judges its answers. What a reader breaks on is counted among what could not be
// read.
func (p *past) judge(ctx context.Context, s replay.Stretch) (judged, error) {
	c, err := p.store.Conversation(ctx, s)
	if err != nil {
		return judged{}, err
	}
	outputs, err := c.Judged(p.Rules.RulesFor(c.Name))
	if err != nil {
		outputs = nil
		c.Unread = append(c.Unread, brokenOn(c, err))
	}
	return judged{c, outputs}, nil
}

// brokenOn is what a conversation that a reader broke on counts as.
func brokenOn(c replay.Conversation, err error) pipeline.Letter {
	return pipeline.Letter{Message: pipeline.Message{Seq: c.From}, Reason: pipeline.ReasonReaderFailed, Detail: err.Error()}
}
