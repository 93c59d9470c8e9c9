package pipeline_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
	"github.com/plumbline-dev/plumbline/schemas"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
	"github.com/plumbline-dev/plumbline/schemas/adapter/agentfootprint"
)

// recording is a conversation of agentfootprint, one envelope a line: the test data of the file formats, and what may come
// after it: a call that is told of before it begins, and one whose result was not recorded whole.
func recording(t *testing.T) [][]byte {
	t.Helper()
	data, err := os.ReadFile("../schemas/adapter/formats/testdata/same/agentfootprint.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	if len(lines) < 10 {
		t.Fatalf("the recording has %d lines", len(lines))
	}
	for _, more := range []string{
		`{"type":"agentfootprint.agent.turn_start","payload":{"userPrompt":"And the pump?"},"meta":{"runId":"run-4","sessionId":"c1"}}`,
		`{"type":"agentfootprint.cost.tick","payload":{},"meta":{"runId":"run-4","sessionId":"c1"}}`,
		`{"type":"agentfootprint.tools.absent","payload":{"toolCallId":"k4","toolName":"find"},"meta":{"runId":"run-4","sessionId":"c1"}}`,
		`{"type":"agentfootprint.stream.tool_start","payload":{"toolCallId":"k4","toolName":"find"},"meta":{"runId":"run-4","sessionId":"c1"}}`,
		`{"type":"agentfootprint.stream.tool_end","payload":{"toolCallId":"k4","result":[]},"meta":{"runId":"run-4","sessionId":"c1"}}`,
		`{"type":"agentfootprint.stream.tool_end","payload":{"toolCallId":"k5","result":{"content":[{"type":"image","data":"aa"}]}},"meta":{"runId":"run-4","sessionId":"c1"}}`,
		`{"type":"agentfootprint.tools.coverage_declared","payload":{"toolCallId":"k5","toolName":"see"},"meta":{"runId":"run-4","sessionId":"c1"}}`,
		`{"type":"agentfootprint.agent.turn_end","payload":{"finalContent":"It is 77123.","iterationCount":1},"meta":{"runId":"run-4","sessionId":"c1"}}`,
	} {
		lines = append(lines, []byte(more))
	}
	return lines
}

// talked is the conversation that the recording is of.
var talked = event.Conversation{Tenant: "acme", Agent: "desk", ID: "c1"}

// eventsOfFile gives the events that the reader of files finds in a recording.
func eventsOfFile(t *testing.T, lines [][]byte) []event.Event {
	t.Helper()
	record, err := adapter.Open(bytes.NewReader(bytes.Join(lines, []byte("\n"))), []adapter.Format{agentfootprint.Format}, "agentfootprint")
	if err != nil {
		t.Fatal(err)
	}
	reader := record.Format.New(talked)
	var out adapter.Out
	for {
		row, err := record.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		reader.Read(row, &out)
	}
	if reader.End(&out); len(out.Faults) > 0 {
		t.Fatal(out.Faults)
	}
	return out.Events
}

// putEnvelope puts one envelope on the stream.
func (w *world) putEnvelope(encoding string, envelope []byte) {
	w.t.Helper()
	data, err := schemas.EncodeValue(encoding, envelope)
	if err != nil {
		w.t.Fatal(err)
	}
	w.store(event.Subjects{}.Log(0, talked), map[string][]string{"Content-Type": {encoding}}, data)
}

// said gives everything that is stored last of each subject and lane, without sequences, as text.
func (w *world) said() map[string]string {
	w.t.Helper()
	all := map[string]string{}
	for _, r := range w.stream.Sink().AllRecords() {
		var payload string
		name := r.Subject
		if v, err := schemas.DecodeEvidence(r.ContentType, r.Payload); err == nil {
			v.Through, v.AnswerSeq = 0, 0
			encoded, err := schemas.EncodeEvidence(schemas.JSON, v)
			if err != nil {
				w.t.Fatal(err)
			}
			payload = string(encoded)
		} else {
			c, err := schemas.DecodeCoverage(r.ContentType, r.Payload)
			if err != nil {
				w.t.Fatal(err)
			}
			encoded, err := schemas.EncodeCoverage(schemas.JSON, c)
			if err != nil {
				w.t.Fatal(err)
			}
			name, payload = name+" "+schemas.LaneOf(c), string(encoded)
		}
		all[name] = payload
	}
	return all
}

// wantSaid is what a worker says of the events that the reader of files finds.
func wantSaid(t *testing.T, lines [][]byte) map[string]string {
	t.Helper()
	w := newWorld(t)
	_, stop := w.run(nil)
	for _, e := range eventsOfFile(t, lines) {
		w.publish(e)
	}
	synctest.Wait()
	stop(true)
	w.check()
	want := w.said()
	if len(want) < 6 {
		t.Fatalf("the recording gives %d verdicts and declarations", len(want))
	}
	return want
}

// A conversation says the same whether its runtime's envelopes are on the stream, or the events that a file of them gives,
// wherever the worker is killed, and when the conversation is dropped from memory before every message.
func TestEnvelopesSayWhatTheirFileSays(t *testing.T) {
	lines := recording(t)
	for _, encoding := range []string{schemas.JSON, schemas.Msgpack} {
		for kill := range len(lines) {
			t.Run(fmt.Sprintf("%s/killed before %d", encoding, kill), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					want := wantSaid(t, lines)
					w := newWorld(t)
					tight := func(c *pipeline.Config) { c.CacheBytes = 1 + kill%2*1_000_000 }
					_, stop := w.run(tight)
					for i, line := range lines {
						if i == kill {
							stop(false)
							source, again := w.run(tight)
							source.SetFromStart(false)
							stop = again
						}
						w.publish(answerOf(conv(9), i+1, "nothing")) // puts the conversation out of a tight cache
						w.putEnvelope(encoding, line)
						synctest.Wait()
					}
					w.stream.Redeliver()
					time.Sleep(time.Second)
					stop(true)
					w.check()
					got := w.said()
					for subject := range got {
						if strings.Contains(subject, ".c9.") {
							delete(got, subject)
						}
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("the file and the stream differ (-file +stream):\n%s", diff)
					}
				})
			})
		}
	}
}

// The replayer reads the same out of history, whether it met the conversation whole or has to read it back.
func TestEnvelopesReplayed(t *testing.T) {
	lines := recording(t)
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		source, stop := w.run(nil)
		for _, line := range lines {
			w.putEnvelope(schemas.JSON, line)
		}
		synctest.Wait()
		live := map[string]string{}
		for _, r := range w.stream.Sink().AllRecords() {
			live[r.Subject+fmt.Sprint(r.Revision)] = string(r.Payload)
		}
		store := replay.Store{History: source.History}
		for _, whole := range []bool{true, false} {
			part := replay.Stretch{Key: "c1", Messages: w.put, Whole: whole}
			c, err := store.Conversation(context.Background(), part)
			if err != nil {
				t.Fatal(err)
			}
			outputs, err := c.Outputs(w.rules.RulesFor(talked))
			if err != nil {
				t.Fatal(err)
			}
			if len(outputs) < 6 {
				t.Errorf("whole %v: %d outputs", whole, len(outputs))
			}
			for _, out := range outputs {
				want, err := out.Want(event.Subjects{})
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Contains(slices.Collect(maps.Values(live)), string(want.Payload)) {
					t.Errorf("whole %v: the replayer says what was not said live:\n%s", whole, want.Payload)
				}
			}
		}
		stop(true)
	})
}

// Envelopes that no answer could rest on are passed over and counted; those that cannot be read are dead letters, and no
// answer after them is accused.
func TestEnvelopesThatSayNothing(t *testing.T) {
	meta := `"meta":{"runId":"r","sessionId":"c1"}`
	tests := []struct {
		name, text, reason, area string
		noted                    bool // that something was not seen
	}{
		{"not needed", `{"type":"agentfootprint.stream.token","payload":{},` + meta + `}`, "", "stream", false},
		{"not needed, without a run", `{"type":"agentfootprint.cost.tick"}`, "", "cost", false},
		{"not known", `{"type":"agentfootprint.stream.new","payload":{},` + meta + `}`, "unknown_type", "", true},
		{"without what it must hold", `{"type":"agentfootprint.stream.tool_end","payload":{"toolCallId":"a"},` + meta + `}`, "invalid", "", true},
		{"without a run", `{"type":"agentfootprint.stream.tool_end","payload":{"toolCallId":"a","result":1},"meta":{}}`, "invalid", "", true},
		{"without a payload", `{"type":"agentfootprint.stream.tool_end",` + meta + `}`, "invalid", "", true},
		{"of another conversation", `{"type":"agentfootprint.agent.turn_start","payload":{"userPrompt":"q"},"meta":{"runId":"c1","sessionId":"c2"}}`, "subject_mismatch", "", false},
		{"of another tenant", `{"type":"agentfootprint.agent.turn_start","payload":{"userPrompt":"q"},"meta":{"runId":"c1","tenant":"other"}}`, "subject_mismatch", "", false},
		{"of another library", `{"type":"otherfootprint.agent.turn_start","payload":{},` + meta + `}`, "invalid", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				watch := &areas{passed: map[string]int{}}
				_, stop := w.run(func(c *pipeline.Config) { c.Observer = watch })
				w.putEnvelope(schemas.JSON, []byte(tt.text))
				w.putEnvelope(schemas.JSON, []byte(`{"type":"agentfootprint.agent.turn_end","payload":{"finalContent":"It is 77123.","iterationCount":1},`+meta+`}`))
				synctest.Wait()
				stop(true)
				w.check()
				var reasons []string
				for _, l := range w.stream.Sink().Letters() {
					reasons = append(reasons, l.Reason)
				}
				if got := strings.Join(reasons, " "); got != tt.reason {
					t.Errorf("dead letters %q, want %q", got, tt.reason)
				}
				if tt.area != "" && watch.passed[tt.area] != 1 || tt.area == "" && len(watch.passed) > 0 {
					t.Errorf("passed over %v, want one of %q", watch.passed, tt.area)
				}
				v, err := schemas.DecodeEvidence(schemas.JSON, w.stream.Sink().Records(event.Subjects{}.Verdict(turn.Literal1, talked, 1, 1))[0].Payload)
				if err != nil {
					t.Fatal(err)
				}
				if noted := slices.Contains(v.Reasons, event.ContentNotCaptured); noted != tt.noted {
					t.Errorf("reasons %q", v.Reasons)
				}
			})
		})
	}
}

// areas counts what was passed over.
type areas struct {
	watcher
	passed map[string]int
}

func (a *areas) PassedOver(area string) { a.passed[area]++ }
