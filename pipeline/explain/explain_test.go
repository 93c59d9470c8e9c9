package explain_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/explain"
	"github.com/plumbline-dev/plumbline/pipeline/pipetest"
	"github.com/plumbline-dev/plumbline/schemas"
)

var talk = event.Conversation{Tenant: "acme", Agent: "desk", ID: "c1"}

// deployment is a stream of envelopes with the verdict on its first answer, and who explains it.
func deployment(t *testing.T, policy turn.Policy) (explain.Explainer, *pipetest.Memory) {
	t.Helper()
	rules, err := policy.Compile()
	if err != nil {
		t.Fatal(err)
	}
	stream := pipetest.NewMemory()
	var kept []pipeline.Message
	for _, envelope := range []string{
		`{"type":"agentfootprint.agent.turn_start","payload":{"userPrompt":"where?"},"meta":{"runId":"r","sessionId":"c1"}}`,
		`{"type":"agentfootprint.stream.tool_start","payload":{"toolCallId":"k","toolName":"find"},"meta":{"runId":"r","sessionId":"c1"}}`,
		`{"type":"agentfootprint.stream.surprise","payload":{},"meta":{"runId":"r","sessionId":"c1"}}`,
		`{"type":"agentfootprint.stream.tool_end","payload":{"toolCallId":"k","result":{"n":[44170]}},"meta":{"runId":"r","sessionId":"c1"}}`,
		`{"type":"agentfootprint.agent.turn_end","payload":{"finalContent":"It is 44170.","iterationCount":1},"meta":{"runId":"r","sessionId":"c1"}}`,
		`{"type":"agentfootprint.stream.tool_end","payload":{"toolCallId":"k","result":{"n":[44171]}},"meta":{"runId":"r","sessionId":"c1"}}`, // later than the verdict
	} {
		subject, header := event.Subjects{}.Log(0, talk), map[string][]string{"Content-Type": {schemas.JSON}}
		seq := stream.Put(subject, header, []byte(envelope))
		kept = append(kept, pipeline.Message{Seq: seq, Subject: subject, Header: header, Data: []byte(envelope)})
	}
	state := turn.New(rules, talk)
	var joining pipeline.Joining
	var verdict event.EvidenceChecked
	found := false
	for _, m := range kept[:5] {
		said, _ := pipeline.Read(event.Subjects{}, m)
		if e, ok := joining.Event(talk, said); ok {
			if effects := state.Fold(m.Seq, e); effects.Past {
				verdict, found = state.Past(m.Seq, e), true
			}
		}
	}
	if !found {
		if verdict, found = state.Judge(turn.Name{Turn: 1, Iteration: 1}); !found {
			t.Fatal("there is no verdict")
		}
	}
	payload, err := schemas.EncodeEvidence(schemas.JSON, verdict)
	if err != nil {
		t.Fatal(err)
	}
	record := pipeline.Record{Subject: event.Subjects{}.Verdict(rules.Ruleset(), talk, 1, 1), ContentType: schemas.JSON, Payload: payload}
	if err := stream.Sink().Publish(t.Context(), record, func(uint64, error) {}); err != nil {
		t.Fatal(err)
	}
	source := stream.Open()
	t.Cleanup(source.Close)
	return explain.Explainer{
		Rules: rules, Chain: stream.Sink().Chain, History: source.History,
		Event: func(_ context.Context, seq uint64) (pipeline.Message, bool, error) {
			if seq > uint64(len(kept)) {
				return pipeline.Message{}, false, nil
			}
			return kept[seq-1], true, nil
		},
	}, stream
}

var answer = explain.Request{Tenant: "acme", Agent: "desk", Conversation: "c1", Turn: 1, Iteration: 1}

// A verdict is explained as it was made: by the events up to its through, whatever came later.
func TestExplain(t *testing.T) {
	x, _ := deployment(t, turn.Policy{Ruleset: turn.Calibrated1})
	made, err := x.Explain(t.Context(), answer)
	if err != nil {
		t.Fatal(err)
	}
	if !made.Same || made.Note != "" || made.Answer != "It is 44170." || len(made.Values) != 1 || !strings.Contains(string(made.Verdict), `"answerSeq":5`) {
		t.Fatalf("explained %+v", made)
	}
	if h := made.Values[0].Holders; len(h) != 1 || h[0].Sequence != 4 || h[0].Tool != "find" || h[0].Path != "/n/0" {
		t.Errorf("the value is held by %+v", h)
	}
}

func TestExplainSaysWhatItCannot(t *testing.T) {
	x, _ := deployment(t, turn.Policy{Ruleset: turn.Calibrated1})
	other, err := turn.Policy{Ruleset: turn.Calibrated1, Scope: turn.ScopeTurn}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	x.Rules = other
	made, err := x.Explain(t.Context(), answer)
	if err != nil || made.Same || !strings.Contains(made.Note, "made by policy") {
		t.Errorf("by another policy: %q, %v", made.Note, err)
	}

	x, _ = deployment(t, turn.Policy{Ruleset: turn.Calibrated1, ConversationBytes: 1000})
	if made, err = x.Explain(t.Context(), answer); err != nil || !strings.Contains(made.Note, "past the limit") || made.Answer == "" {
		t.Errorf("past the limit: %+v", made)
	}

	x, stream := deployment(t, turn.Policy{Ruleset: turn.Calibrated1})
	gone := x
	gone.Event = func(context.Context, uint64) (pipeline.Message, bool, error) { return pipeline.Message{}, false, nil }
	if made, err = gone.Explain(t.Context(), answer); err != nil || made.Same || !strings.Contains(made.Note, "does not keep") {
		t.Errorf("an answer that is gone: %q, %v", made.Note, err)
	}
	anew := x
	anew.Event = func(context.Context, uint64) (pipeline.Message, bool, error) {
		other := event.Conversation{Tenant: "other", Agent: "desk", ID: "c1"}
		return pipeline.Message{Seq: 5, Subject: event.Subjects{}.Log(0, other)}, true, nil
	}
	if made, err = anew.Explain(t.Context(), answer); err != nil || made.Answer != "" || made.Same || !strings.Contains(made.Note, "made anew") {
		t.Errorf("another tenant's event where the answer stood: %+v, %v", made, err)
	}
	stream.FailHistories(1)
	if _, err = x.Explain(t.Context(), answer); !errors.Is(err, pipetest.ErrFault) {
		t.Errorf("a fault: %v", err)
	}
	for _, q := range []explain.Request{{}, {Turn: -1}, {Subject: "agent.dead.x.1"}, {Subject: strings.Repeat("\xff", 1<<20)}} {
		if _, err := x.Explain(t.Context(), q); !isBad(err) || len(err.Error()) > 500 {
			t.Errorf("%.300s: %.300v", q.Subject, err)
		}
	}
	none := answer
	none.Iteration = 7
	if _, err := x.Explain(t.Context(), none); !errors.Is(err, explain.ErrNotFound) {
		t.Errorf("a verdict that is not stored: %v", err)
	}
	if _, err := explain.Parse([]byte("[]")); !isBad(err) {
		t.Errorf("no object: %v", err)
	}
}

func isBad(err error) bool {
	_, bad := errors.AsType[*explain.RequestError](err)
	return bad
}
