package pipeline_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/schemas"
)

// saidBy gives the events that messages say together, in one encoding, and the reasons of those that cannot be read.
func saidBy(t *testing.T, encoding string, lines [][]byte) (events []event.Event, reasons []string) {
	t.Helper()
	events = []event.Event{}
	var joining pipeline.Joining
	for i, line := range lines {
		data, written := line, schemas.JSON // what is no JSON object is read as it is
		if packed, err := schemas.EncodeValue(encoding, line); err == nil {
			data, written = packed, encoding
		}
		m := pipeline.Message{
			Seq: uint64(i + 1), Subject: event.Subjects{}.Log(0, talked), Header: map[string][]string{"Content-Type": {written}}, Data: data,
		}
		said, err := pipeline.Read(event.Subjects{}, m)
		if err != nil {
			reason, _ := pipeline.ReasonOf(err)
			reasons = append(reasons, reason)
		}
		if e, ok := joining.Event(talked, said); ok {
			events = append(events, e)
		}
	}
	return events, reasons
}

// FuzzEnvelopes holds the laws of messages that are joined: none makes a reader break; the same messages say the same again,
// and in either encoding; what is said of the first of them does not depend on those that follow.
func FuzzEnvelopes(f *testing.F) {
	f.Add([]byte(`{"type":"agentfootprint.agent.turn_start","payload":{"userPrompt":"q"},"meta":{"runId":"c1"}}`))
	f.Add([]byte(`{"type":"agentfootprint.stream.tool_start","payload":{"toolCallId":"a","toolName":"f"},"meta":{"runId":"c1"}}
{"type":"agentfootprint.tools.absent","payload":{"toolCallId":"a"},"meta":{"runId":"c1"}}
{"type":"agentfootprint.stream.tool_end","payload":{"toolCallId":"a","result":1e400,"modelResult":[]},"meta":{"runId":"c1","iterIndex":-1}}
{"type":"agentfootprint.agent.turn_end","payload":{"finalContent":"\ud800","iterationCount":1e9},"meta":{"runId":"c1","turnIndex":3}}`))
	f.Add([]byte(`{"type":"agentfootprint.stream.tool_end","payload":{"toolCallId":"a","result":{"content":[{"type":"image"}]}},"meta":{"runId":"r","sessionId":"c1"}}
{"type":"agentfootprint.","payload":null,"meta":[]}
{"type":"agentfootprint.context.injected","payload":{"source":"base"},"meta":{"runId":"c1","tenant":"acme"}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		lines := bytes.Split(text, []byte("\n"))
		events, reasons := saidBy(t, schemas.JSON, lines)
		again, reasonsAgain := saidBy(t, schemas.JSON, lines)
		if diff := cmp.Diff(events, again) + cmp.Diff(reasons, reasonsAgain); diff != "" {
			t.Fatalf("the same messages say another thing again:\n%s", diff)
		}
		if packed, reasonsPacked := saidBy(t, schemas.Msgpack, lines); cmp.Diff(events, packed)+cmp.Diff(reasons, reasonsPacked) != "" {
			t.Fatalf("in MessagePack they say another thing:\n%s", cmp.Diff(events, packed)+cmp.Diff(reasons, reasonsPacked))
		}
		first, _ := saidBy(t, schemas.JSON, lines[:len(lines)/2])
		if diff := cmp.Diff(first, events[:len(first)]); diff != "" {
			t.Fatalf("what follows changes what was said:\n%s", diff)
		}
	})
}
