package formats_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
	"github.com/plumbline-dev/plumbline/schemas/adapter/formats"
)

// told is all that a record says.
type told struct {
	format string
	events []event.Event
	faults []string
	notes  []string
}

// read reads a record in the form of a name.
func read(t testing.TB, text, file, format string) told {
	t.Helper()
	record, err := adapter.Open(strings.NewReader(text), formats.All, format)
	if err != nil {
		t.Fatal(err)
	}
	names := event.Conversation{Tenant: "local", Agent: record.Format.Name, ID: file}
	reader := record.Format.New(names)
	var out adapter.Out
	for {
		row, err := record.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if fault, ok := errors.AsType[adapter.RowError](err); ok {
			out.Faults = append(out.Faults, fault)
			if gapped, ok := reader.(adapter.Gapped); ok {
				gapped.Gap(fault.Line, &out)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		reader.Read(row, &out)
	}
	reader.End(&out)
	all := told{format: record.Format.Name, events: out.Events, notes: reader.Notes()}
	for _, fault := range out.Faults {
		all.faults = append(all.faults, fault.Error())
	}
	return all
}

// verdicts judges every answer under a ruleset, in the order of the conversations and the answers.
func verdicts(t testing.TB, events []event.Event, ruleset string) []event.EvidenceChecked {
	t.Helper()
	rules, err := turn.Policy{Ruleset: ruleset}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	states := map[event.Conversation]*turn.State{}
	var order []*turn.State
	for i, e := range events {
		if states[e.Conversation] == nil {
			states[e.Conversation] = turn.New(rules, e.Conversation)
			order = append(order, states[e.Conversation])
		}
		states[e.Conversation].Fold(uint64(i+1), e)
	}
	var all []event.EvidenceChecked
	for _, state := range order {
		for _, thing := range state.Things() {
			if thing.Answer != nil {
				v, _ := state.Judge(*thing.Answer)
				all = append(all, v)
			}
		}
	}
	return all
}

// gist is what every form must say of the same conversation: names, places in the record and what the forms cannot hold
// (the prompt, the programs) are left out.
func gist(verdicts []event.EvidenceChecked) string {
	var b strings.Builder
	for _, v := range verdicts {
		fmt.Fprintf(&b, "turn %d: %s, %d candidates\n", v.Turn, v.Outcome, v.Candidates)
		for _, u := range v.Unsupported {
			fmt.Fprintf(&b, "  %s %s at %v", u.Value, u.Shape, u.Spans)
			if u.Near != nil {
				fmt.Fprintf(&b, ", near %s in turn %d", u.Near.Value, u.Near.Turn)
			}
			fmt.Fprintln(&b)
		}
		g := v.Grounding
		fmt.Fprintf(&b, "  grounded %d here, %d before (turn %d), %d results\n", g.FromThisTurn, g.FromPriorTurns, g.LatestPriorTurn, g.ToolResultsThisTurn)
		results := slices.Clone(v.Results)
		slices.SortFunc(results, func(a, b event.CallResult) int { return strings.Compare(a.Call, b.Call) })
		for _, r := range results {
			fmt.Fprintf(&b, "  %s: %s, error %v\n", r.Tool, r.Emptiness, r.Error)
		}
	}
	return b.String()
}

// The same conversation in every form gives the same verdicts.
func TestSameConversation(t *testing.T) {
	files, err := filepath.Glob("testdata/same/*")
	if err != nil || len(files) < 7 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, ruleset := range turn.Rulesets {
		want := gist(verdicts(t, read(t, text(t, "testdata/same/native.jsonl"), "native", "native").events, ruleset))
		if !strings.Contains(want, "55012") || !strings.Contains(want, "8824") {
			t.Fatalf("the native form says\n%s", want)
		}
		for _, file := range files {
			t.Run(ruleset+"/"+filepath.Base(file), func(t *testing.T) {
				got := read(t, text(t, file), "file", "auto")
				if form := strings.Split(filepath.Base(file), "."); !strings.HasPrefix(form[0], got.format) {
					t.Errorf("read as %s", got.format)
				}
				if len(got.faults) > 0 {
					t.Errorf("faults: %v", got.faults)
				}
				if diff := cmp.Diff(want, gist(verdicts(t, got.events, ruleset))); diff != "" {
					t.Errorf("- native, + this:\n%s", diff)
				}
			})
		}
	}
}

func text(t testing.TB, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
