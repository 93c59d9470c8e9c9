package otlp_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
	"github.com/plumbline-dev/plumbline/schemas/adapter/otlp"
)

// read is what a record gave.
type read struct {
	events []event.Event
	faults []adapter.RowError
	notes  []string
}

// readAll reads a record by the frame, as the replayer does.
func readAll(t testing.TB, data []byte, format string) read {
	t.Helper()
	record, err := adapter.Open(bytes.NewReader(data), []adapter.Format{adapter.Native, otlp.Format}, format)
	if err != nil {
		t.Fatal(err)
	}
	reader := record.Format.New(event.Conversation{Tenant: "local", Agent: "otlp", ID: "file"})
	var out adapter.Out
	for {
		row, err := record.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if fault, ok := errors.AsType[adapter.RowError](err); ok {
			out.Faults = append(out.Faults, fault)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		reader.Read(row, &out)
	}
	reader.End(&out)
	return read{out.Events, out.Faults, reader.Notes()}
}

// verdicts judges every answer of the events, in their order.
func verdicts(t testing.TB, events []event.Event) []event.EvidenceChecked {
	t.Helper()
	rules, err := turn.Policy{Ruleset: turn.Calibrated1}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	states := map[event.Conversation]*turn.State{}
	for i, e := range events {
		if states[e.Conversation] == nil {
			states[e.Conversation] = turn.New(rules, e.Conversation)
		}
		states[e.Conversation].Fold(uint64(i+1), e)
	}
	var all []event.EvidenceChecked
	for _, e := range events {
		if e.Answer == nil {
			continue
		}
		v, ok := states[e.Conversation].Judge(turn.Name{Turn: e.Turn, Iteration: e.Answer.Iteration})
		if !ok {
			t.Fatalf("no verdict on the answer of turn %d", e.Turn)
		}
		all = append(all, v)
	}
	return all
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The same two turns, as seven instrumentations write them: model spans with messages as text or structured, flattened
// attributes, span events, agent spans alone; with tool spans and without; with an agent, a chain or an HTTP request at
// the root. They give the same events but for the names, and so the same verdicts.
func TestEveryInstrumentationGivesTheSame(t *testing.T) {
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) != 7 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	want := plain(verdicts(t, readAll(t, fixture(t, "opentelemetry.jsonl"), "auto").events))
	if len(want) != 2 || want[0].Outcome != event.Unsupported || len(want[0].Unsupported) != 1 || want[0].Unsupported[0].Value != "55012" {
		t.Fatalf("verdicts %+v, want one invented value in the first of two", want)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			got := readAll(t, fixture(t, filepath.Base(file)), "auto")
			if len(got.faults) > 0 || len(got.notes) > 0 {
				t.Errorf("faults %v, notes %q", got.faults, got.notes)
			}
			if diff := cmp.Diff(want, plain(verdicts(t, got.events))); diff != "" {
				t.Errorf("verdicts differ (- OpenTelemetry):\n%s", diff)
			}
		})
	}
}

// plain takes the names off verdicts, which are the producers'.
func plain(verdicts []event.EvidenceChecked) []event.EvidenceChecked {
	for i := range verdicts {
		verdicts[i].Conversation, verdicts[i].Through, verdicts[i].AnswerSeq = "", 0, 0
	}
	return verdicts
}
