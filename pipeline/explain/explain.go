// Package explain answers "what does this stored verdict rest on?": the rows that hold each value of the answer, and where
// in them. It reads the verdict and its conversation back from their subjects and explains by the same rules that judge.
//
// It keeps nothing and stores nothing. What it gives holds what was said: the answer, and values with their places. So who
// may ask is a matter of permissions. Sequences are stream sequences, places are bytes.
package explain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/schemas"
)

// Request names a verdict: by its subject, or by the answer and the ruleset.
type Request struct {
	Subject string `json:"subject,omitempty"`

	Tenant       string `json:"tenant,omitempty"`
	Agent        string `json:"agent,omitempty"`
	Conversation string `json:"conversation,omitempty"`
	Turn         int    `json:"turn,omitempty"`
	Iteration    int    `json:"iteration,omitempty"`
	Ruleset      string `json:"ruleset,omitempty"` // empty: that of the rules in use
}

// Explanation is a verdict with what it rests on.
type Explanation struct {
	Subject  string     `json:"subject"`
	Sequence uint64     `json:"sequence"` // of the verdict, in the audit stream
	Revision int        `json:"revision"`
	Verdict  event.JSON `json:"verdict"`
	Answer   string     `json:"answer"`
	// Same tells that the rules in use give this very verdict. When they do not, Note says why, as far as it can be told.
	Same   bool    `json:"same"`
	Note   string  `json:"note,omitempty"`
	Values []Value `json:"values"`
}

// Value is one value of the answer.
type Value struct {
	Value    string        `json:"value"`
	Shape    string        `json:"shape"`
	Spans    []event.Span  `json:"spans"` // where it stands in the answer
	Standing turn.Standing `json:"standing"`
	Holders  []Holder      `json:"holders,omitempty"`
	More     bool          `json:"more,omitempty"` // there are more holders
}

// Holder is a place that holds the value by itself.
type Holder struct {
	Sequence  uint64      `json:"sequence"` // of the event, in the event stream
	Turn      int         `json:"turn"`
	Call      string      `json:"call,omitempty"` // empty for what the person or the app said
	Tool      string      `json:"tool,omitempty"`
	Iteration *int        `json:"iteration,omitempty"`
	Field     string      `json:"field"`        // result, error or text
	Path      string      `json:"path"`         // JSON pointer into what the model was served; empty: all of it
	At        *event.Span `json:"at,omitempty"` // in the text at the path, when it is spelled as in the answer
}

// ErrNotFound says that no such verdict is stored.
var ErrNotFound = errors.New("no such verdict is stored")

// RequestError is a request that names no verdict.
type RequestError struct{ Detail string }

func (b *RequestError) Error() string { return b.Detail }

// Explainer explains the verdicts of one deployment. It is safe for concurrent use when its functions are.
type Explainer struct {
	// Rules are those in use.
	Rules    pipeline.Rules
	Subjects event.Subjects
	// Chain gives what is stored on a subject of verdicts: see pipeline.Sink.
	Chain func(ctx context.Context, subject string) ([]pipeline.Stored, error)
	// Event gives the message of the event stream at a sequence; ok is false when the stream keeps it no more.
	Event func(ctx context.Context, seq uint64) (m pipeline.Message, ok bool, err error)
	// History visits a conversation: see pipeline.Source.
	History func(ctx context.Context, subject string, after, atLeast uint64, visit func(pipeline.Message) error) error
}

// Explain explains a verdict as it is stored now. The error is ErrNotFound, a *RequestError, of a reader that broke, or one
// that may pass.
func (x Explainer) Explain(ctx context.Context, q Request) (Explanation, error) {
	subject, err := x.subjectOf(q)
	if err != nil {
		return Explanation{}, err
	}
	stored, verdict, err := x.verdict(ctx, subject)
	if err != nil {
		return Explanation{}, err
	}
	made := Explanation{Subject: subject, Sequence: stored.Seq, Revision: stored.Revision, Values: []Value{}}
	if made.Verdict, err = schemas.Value(map[string][]string{"Content-Type": {stored.ContentType}}, stored.Payload); err != nil {
		return Explanation{}, fmt.Errorf("audit sequence %d: %w", stored.Seq, err)
	}
	if made.Answer, err = x.explain(ctx, verdict, stored, &made); err != nil {
		return Explanation{}, err
	}
	return made, nil
}

// subjectOf is the subject of the verdict that the request names.
func (x Explainer) subjectOf(q Request) (string, error) {
	if q.Subject != "" {
		if len(q.Subject) > event.MaxSubject {
			return "", &RequestError{fmt.Sprintf("the subject takes %d bytes: that of a verdict takes %d at most", len(q.Subject), event.MaxSubject)}
		}
		if _, _, err := x.Subjects.ParseAudit(q.Subject); err != nil {
			return "", &RequestError{err.Error()}
		}
		return q.Subject, nil
	}
	if q.Turn < 1 || q.Iteration < 0 {
		return "", &RequestError{"name a verdict by its subject, or by tenant, agent, conversation, turn (from 1) and iteration"}
	}
	c := event.Conversation{Tenant: q.Tenant, Agent: q.Agent, ID: q.Conversation}
	ruleset := q.Ruleset
	if ruleset == "" {
		ruleset = x.Rules.RulesFor(c).Ruleset()
	}
	return x.Subjects.Verdict(ruleset, c, q.Turn, q.Iteration), nil
}

// verdict gives the last verdict of a subject.
func (x Explainer) verdict(ctx context.Context, subject string) (last pipeline.Stored, v event.EvidenceChecked, err error) {
	chain, err := x.Chain(ctx, subject)
	if err != nil {
		return last, v, err
	}
	for i := len(chain) - 1; i >= 0; i-- {
		if v, err = schemas.DecodeEvidence(chain[i].ContentType, chain[i].Payload); err == nil {
			return chain[i], v, nil
		}
	}
	return last, v, ErrNotFound
}

// explain fills in what the verdict rests on, and gives the answer's text.
func (x Explainer) explain(ctx context.Context, v event.EvidenceChecked, stored pipeline.Stored, made *Explanation) (text string, err error) {
	m, ok, err := x.Event(ctx, v.AnswerSeq)
	if err != nil {
		return "", err
	}
	if !ok {
		made.Note = "the event stream does not keep the answer any more"
		return "", nil
	}
	named, err := x.Subjects.ParseConversation(m.Subject)
	if err != nil {
		return "", fmt.Errorf("event sequence %d: %w", v.AnswerSeq, err)
	}
	if about := (event.Conversation{Tenant: v.Tenant, Agent: v.Agent, ID: v.Conversation}); named != about {
		made.Note = "the event stream holds another conversation where the answer stood: it was made anew since"
		return "", nil
	}
	rules := x.Rules.RulesFor(named)
	state := turn.New(rules, named)
	if text, err = x.fold(ctx, state, m.Subject, v); err != nil {
		return "", err
	}
	return text, pipeline.Surviving(func() error { return made.judge(state, rules, v, stored) })
}

// errThrough says that a conversation was read as far as the verdict rests on it.
var errThrough = errors.New("the verdict rests on no later event")

// fold reads the conversation into the state, as far as the verdict rests on it, and gives the answer's text.
func (x Explainer) fold(ctx context.Context, state *turn.State, subject string, v event.EvidenceChecked) (text string, err error) {
	var joining pipeline.Joining
	through := max(v.Through, v.AnswerSeq)
	err = x.History(ctx, subject, 0, through, func(m pipeline.Message) error {
		if m.Seq > through {
			return errThrough
		}
		return pipeline.Surviving(func() error {
			said, _ := pipeline.Read(x.Subjects, m) // what cannot be read is a dead letter, and no part of the conversation
			e, ok := joining.Event(state.Conversation(), said)
			if !ok {
				return nil
			}
			state.Fold(m.Seq, e)
			if m.Seq == v.AnswerSeq && e.Answer != nil {
				text = e.Answer.Text
			}
			return nil
		})
	})
	if err != nil && !errors.Is(err, errThrough) {
		return "", fmt.Errorf("read the conversation back: %w", err)
	}
	return text, nil
}

// judge explains the answer over the state, and holds the verdict that it gives now against the stored one.
func (e *Explanation) judge(state *turn.State, rules *turn.Rules, v event.EvidenceChecked, stored pipeline.Stored) error {
	name := turn.Name{Turn: v.Turn, Iteration: v.Iteration}
	values, ok := state.Explain(name)
	if !ok {
		e.Note = "the answer came past the limit of its conversation (conversationBytes of the policy): nothing of it is kept to explain"
		return nil
	}
	for _, value := range values {
		e.Values = append(e.Values, valueOf(value))
	}
	again, _ := state.Judge(name)
	payload, err := schemas.EncodeEvidence(stored.ContentType, again)
	if err != nil {
		return err
	}
	e.Same = string(payload) == string(stored.Payload)
	if !e.Same {
		e.Note = difference(v.Basis, event.Basis{Ruleset: rules.Ruleset(), Policy: rules.Digest(), Engine: turn.Engine})
	}
	return nil
}

// difference says why the rules in use give another verdict than the one that is stored.
func difference(stored, inUse event.Basis) string {
	switch {
	case stored.Ruleset != inUse.Ruleset:
		return "it was made by ruleset " + stored.Ruleset + "; the values are explained by " + inUse.Ruleset + ", which is in use"
	case stored.Policy != inUse.Policy:
		return "it was made by policy " + stored.Policy + "; the values are explained by " + inUse.Policy + ", which is in use"
	case stored.Engine != inUse.Engine:
		return "it was made by engine " + stored.Engine + "; the values are explained by " + inUse.Engine
	}
	return "these rules give another verdict over the events that the stream keeps: some may be gone"
}

func valueOf(x turn.Explained) Value {
	v := Value{Value: x.Value, Shape: x.Shape, Spans: x.Spans, Standing: x.Standing, More: x.More}
	for _, h := range x.Holders {
		made := Holder{Sequence: h.Seq, Turn: h.Turn, Field: h.Field, Path: h.Path, At: h.At}
		if h.Call != nil {
			made.Call, made.Tool, made.Iteration = h.Call.ID, h.Call.Tool, new(h.Call.Iteration)
		}
		v.Holders = append(v.Holders, made)
	}
	return v
}

// Parse reads a request. The error is a *RequestError.
func Parse(data []byte) (q Request, err error) {
	if err := json.Unmarshal(data, &q); err != nil {
		return q, &RequestError{"want a JSON object that names a verdict: by subject, or by tenant, agent, conversation, turn and iteration"}
	}
	return q, nil
}
