package whatif

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/evidence"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
	"github.com/plumbline-dev/plumbline/schemas"
)

func compiled(t *testing.T, p turn.Policy) *turn.Rules {
	t.Helper()
	rules, err := p.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// conversation is one turn: a tool's result, and an answer that rests on it.
func conversation(id, result, answer string) []event.Event {
	common := event.Event{Conversation: event.Conversation{Tenant: "acme", Agent: "desk", ID: id}, Turn: 1}
	served, said := common, common
	served.ID, said.ID = id+"-1", id+"-2"
	served.ToolEnd = &event.ToolEnd{Call: event.Call{ID: "c1", Tool: "search", Iteration: 1}, Result: event.JSON(result)}
	said.Answer = &event.Answer{Iteration: 2, Text: answer, Context: []string{"be brief"}, Calls: []string{"c1"}}
	return []event.Event{served, said}
}

// words is a change in short: the outcomes, each value with its causes, and what else changes.
func words(ch Change) string {
	parts := []string{fmt.Sprintf("%s → %s", ch.From, ch.To)}
	for _, list := range []struct {
		sign   string
		values []Value
	}{{"-", ch.Gone}, {"+", ch.New}} {
		for _, v := range list.values {
			parts = append(parts, list.sign+v.Value+" "+fmt.Sprint(v.Because))
		}
	}
	for _, r := range ch.Results {
		parts = append(parts, r.Tool+" "+r.From+" → "+r.To)
	}
	for _, b := range ch.Blocks {
		parts = append(parts, fmt.Sprintf("block %d %s → %s", b.Index, b.From, b.To))
	}
	parts = append(parts, ch.Reasons...)
	return strings.Join(append(parts, fmt.Sprint(ch.Settings)), "; ")
}

func changes(t *testing.T, was, is pipeline.Rules, events []event.Event) []Change {
	t.Helper()
	c := New(was, is)
	for i, e := range events {
		c.Add(uint64(i+1), e)
	}
	changes, _, err := c.Changes()
	if err != nil {
		t.Fatal(err)
	}
	return changes
}

// Each setting that makes a difference is named, value by value, in both directions.
func TestChanges(t *testing.T) {
	calibrated := turn.Policy{Ruleset: turn.Calibrated1}
	with := func(c evidence.GateConfig) turn.Policy { return turn.Policy{Ruleset: turn.Calibrated1, Evidence: c} }
	literal := turn.Policy{Ruleset: turn.Literal1}
	for _, tt := range []struct {
		name           string
		a, b           turn.Policy
		result, answer string
		want, back     string
	}{
		{"minDigits", calibrated, with(evidence.GateConfig{MinDigits: new(3)}), `{"n":44170}`, "it is 44170, in lane 551",
			"grounded → unsupported; +551 [minDigits]; [minDigits]", "unsupported → grounded; -551 [minDigits]; [minDigits]"},
		{"exempt", calibrated, with(evidence.GateConfig{Exempt: []string{"44179"}}), `{"n":1}`, "it is 44179",
			"unsupported → nothing_asserted; -44179 [exempt]; [exempt]", "nothing_asserted → unsupported; +44179 [exempt]; [exempt]"},
		{"exemptPatterns", calibrated, with(evidence.GateConfig{ExemptPatterns: []string{`44\d+`}}), `{"n":1}`, "it is 44179",
			"unsupported → nothing_asserted; -44179 [exemptPatterns]; [exemptPatterns]", "nothing_asserted → unsupported; +44179 [exemptPatterns]; [exemptPatterns]"},
		{"shapes", calibrated, with(evidence.GateConfig{Shapes: []evidence.Shape{{Name: "port", Pattern: "fc/x"}}}), `{"n":1}`, "it is fc/x",
			"nothing_asserted → unsupported; +fc/x [shapes]; [shapes]", "unsupported → nothing_asserted; -fc/x [shapes]; [shapes]"},
		{"figures", calibrated, with(evidence.GateConfig{Figures: true}), `{"n":1}`, "it is 61%",
			"nothing_asserted → unsupported; +61 [figures]; [figures]", "unsupported → nothing_asserted; -61 [figures]; [figures]"},
		{"off", calibrated, with(evidence.GateConfig{Off: []string{"clock", "hex"}}), `{"at":"07:30:00"}`, "it leaves at 7:30 AM",
			"grounded → unsupported; +7:30 [clock]; [off]", "unsupported → grounded; -7:30 [clock]; [off]"},
		{"ruleset", literal, turn.Policy{Ruleset: turn.Calibrated1, Scripts: turn.ScriptsOff}, `{"at":"07:30:00"}`, "it leaves at 7:30 AM",
			"unsupported → grounded; -7:30 [clock]; [ruleset]", "grounded → unsupported; +7:30 [clock]; [ruleset]"},
		{"reading of the ruleset", literal, turn.Policy{Ruleset: turn.Calibrated1, Scripts: turn.ScriptsOff},
			`"<p>order A&#52;4170</p>"`, "it is A44170",
			"unsupported → grounded; -a44170 [ruleset]; [ruleset]", "grounded → unsupported; +a44170 [ruleset]; [ruleset]"},
		{"scripts", calibrated, turn.Policy{Ruleset: turn.Calibrated1, Scripts: turn.ScriptsOff}, `{"n":1}`, "I ran\n```\necho hello\n```\n",
			"nothing_asserted → nothing_asserted; block 1 unmatched → ; [scripts]", "nothing_asserted → nothing_asserted; block 1  → unmatched; [scripts]"},
		{"placeholders", calibrated, turn.Policy{Ruleset: turn.Calibrated1, Placeholders: []string{"***"}}, `{"n":"***"}`, "it is 44179",
			"unsupported → cannot_tell; result_redacted; [placeholders]", "cannot_tell → unsupported; -result_redacted; [placeholders]"},
		{"tools", calibrated, turn.Policy{Ruleset: turn.Calibrated1, RowsAt: map[string]string{"search": "hits"}}, `{"hits":[],"page":1,"pages":0}`, "none",
			"nothing_asserted → nothing_asserted; search unknown → undeclared-empty; [tools]", "nothing_asserted → nothing_asserted; search undeclared-empty → unknown; [tools]"},
		{"two that differ, one that matters", with(evidence.GateConfig{Figures: true}), with(evidence.GateConfig{MinDigits: new(3)}), `{"n":1}`, "lane 551",
			"nothing_asserted → unsupported; +551 [minDigits]; [minDigits figures]", "unsupported → nothing_asserted; -551 [minDigits]; [minDigits figures]"},
		{"two that each hold", with(evidence.GateConfig{Exempt: []string{"44179"}, ExemptPatterns: []string{"44179"}}), calibrated, `{"n":1}`, "it is 44179",
			"nothing_asserted → unsupported; +44179 [exempt exemptPatterns]; [exempt exemptPatterns]", "unsupported → nothing_asserted; -44179 []; [exempt exemptPatterns]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := compiled(t, tt.a), compiled(t, tt.b)
			events := conversation("one", tt.result, tt.answer)
			for _, side := range []struct {
				was, is *turn.Rules
				want    string
			}{{a, b, tt.want}, {b, a, tt.back}} {
				found := changes(t, side.was, side.is, events)
				if len(found) != 1 {
					t.Errorf("%d changes, want %s", len(found), side.want)
				} else if got := words(found[0]); got != side.want {
					t.Errorf("got  %s\nwant %s", got, side.want)
				}
			}
		})
	}
}

// Values that a verdict has no room for change the answer, and nothing is blamed for what was not listed.
func TestChangesBeyondTheRoom(t *testing.T) {
	var answer strings.Builder
	for i := range 20 {
		fmt.Fprintf(&answer, "%d and %d. ", 551+i, 44100+i)
	}
	found := changes(t, compiled(t, turn.Policy{Ruleset: turn.Calibrated1}),
		compiled(t, turn.Policy{Ruleset: turn.Calibrated1, Evidence: evidence.GateConfig{MinDigits: new(3)}}), conversation("one", `{}`, answer.String()))
	if len(found) != 1 || found[0].OmittedFrom != 8 || found[0].OmittedTo != 28 || len(found[0].Gone) != 6 || len(found[0].New) != 6 {
		t.Errorf("%+v", found)
	}
}

// byAgent gives the desk other rules than everyone else.
type byAgent struct{ desk, others *turn.Rules }

func (r byAgent) RulesFor(c event.Conversation) *turn.Rules {
	if c.Agent == "desk" {
		return r.desk
	}
	return r.others
}

// Only the conversations whose policy changes change, and the changes stand in the order of the events.
func TestChangesByConversation(t *testing.T) {
	calibrated := compiled(t, turn.Policy{Ruleset: turn.Calibrated1})
	literal := compiled(t, turn.Policy{Ruleset: turn.Literal1})
	one, two := conversation("one", `{"at":"07:30:00"}`, "at 7:30 AM"), conversation("two", `{"at":"07:30:00"}`, "at 7:30 AM")
	other := conversation("three", `{"at":"07:30:00"}`, "at 7:30 AM")
	for i := range other {
		other[i].Conversation.Agent = "bay"
	}
	events := []event.Event{one[0], other[0], two[0], other[1], two[1], one[1]}
	var got []string
	for _, ch := range changes(t, calibrated, byAgent{literal, calibrated}, events) {
		got = append(got, fmt.Sprintf("%s %d %v", ch.Conversation, ch.Seq, ch.Tools))
	}
	if diff := cmp.Diff([]string{"two 5 [search]", "one 6 [search]"}, got); diff != "" {
		t.Error(diff)
	}
}

// The settings that can make a difference are those of the schema.
func TestSettingsOfTheSchema(t *testing.T) {
	schema, err := schemas.PolicySchema()
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"ruleset", "off", "agents", "tenants"} // are told apart, or hold settings
	for _, s := range settings {
		names = append(names, s.name)
	}
	for name := range schema.Properties {
		if !slices.Contains(names, name) {
			t.Errorf("%s is compared by nothing", name)
		}
	}
	if len(names) != len(schema.Properties) {
		t.Errorf("%d settings are compared, the schema has %d", len(names), len(schema.Properties))
	}
}

// On the bundled conversations, each value that calibrated-1 no longer lists is explained, and none is listed anew; the
// changes are those of the two verdicts side by side.
func TestChangesOfTheBundledConversations(t *testing.T) {
	literal, calibrated := compiled(t, turn.Policy{Ruleset: turn.Literal1}), compiled(t, turn.Policy{Ruleset: turn.Calibrated1})
	before, after := replay.New(literal), replay.New(calibrated)
	c := New(literal, calibrated)
	content, err := os.ReadFile("../../cmd/internal/demo/airline/events.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var seq uint64
	for line := range strings.Lines(string(content)) {
		e, err := schemas.Decode(schemas.JSON, []byte(line))
		if err != nil {
			t.Fatal(err)
		}
		seq++
		for _, into := range []interface{ Add(uint64, event.Event) }{before, after, c} {
			into.Add(seq, e)
		}
	}
	found, answers, err := c.Changes()
	if err != nil || answers != 134 {
		t.Fatalf("%d answers, %v", answers, err)
	}
	moved := 0
	for _, ch := range found {
		if ch.From != ch.To {
			moved++
		}
		for _, v := range ch.Gone {
			if len(v.Because) == 0 {
				t.Errorf("turn %d of %s: nothing explains %s", ch.Turn, ch.Conversation, v.Value)
			}
		}
		if text, err := json.Marshal(ch); err != nil || strings.Contains(string(text), "null") {
			t.Errorf("%s, %v", text, err)
		}
	}
	if want := outcomesMoved(before, after); moved != want || moved == 0 {
		t.Errorf("%d outcomes change, want %d", moved, want)
	}
}

func outcomesMoved(before, after *replay.History) int {
	outcomes := map[uint64]event.Outcome{}
	for out := range before.Outputs() {
		if out.Evidence != nil {
			outcomes[out.Seq] = out.Evidence.Outcome
		}
	}
	moved := 0
	for out := range after.Outputs() {
		if out.Evidence != nil && out.Evidence.Outcome != outcomes[out.Seq] {
			moved++
		}
	}
	return moved
}
