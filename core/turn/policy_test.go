package turn_test

import (
	"testing"

	"github.com/plumbline-dev/plumbline/core/evidence"
	"github.com/plumbline-dev/plumbline/core/turn"
)

func digestOf(t *testing.T, p turn.Policy) string {
	t.Helper()
	rules, err := p.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return rules.Digest()
}

// The digests of the defaults are in verdicts that were published: they change only with what is effective.
func TestDefaultDigests(t *testing.T) {
	for ruleset, want := range map[string]string{
		turn.Literal1:    "4f26ce41745ffa120d18cea14f47ed00a85fa31e750516d8ec0ead8afb6282cb",
		turn.Calibrated1: "b81b9b6ad4884a526cc9373845c2a2303035e62da85c040aedc45080f457cae0",
	} {
		if got := digestOf(t, turn.Policy{Ruleset: ruleset}); got != want {
			t.Errorf("%s: digest %s, want %s", ruleset, got, want)
		}
	}
}

// Two ways to write one choice are one policy.
func TestDigestOfTheSameChoice(t *testing.T) {
	for _, tt := range []struct {
		name string
		a, b turn.Policy
	}{
		{"defaults that are said", turn.Policy{Ruleset: turn.Calibrated1}, turn.Policy{
			Ruleset: turn.Calibrated1, Scope: turn.ScopeConversation, Scripts: turn.ScriptsMatch,
			Placeholders: turn.DefaultPlaceholders, RowsAt: map[string]string{}, ConversationBytes: turn.DefaultConversationBytes,
			Evidence: evidence.GateConfig{
				Posture: evidence.DefaultPosture, MinDigits: new(evidence.DefaultMinDigits), Exempt: []string{}, Shapes: []evidence.Shape{},
			},
		}},
		{"lists in another order", turn.Policy{
			Ruleset: turn.Calibrated1, Placeholders: []string{"x", "y"},
			Evidence: evidence.GateConfig{Exempt: []string{"a1", "b1"}, ExemptPatterns: []string{"c", "d"}, Off: []string{"clock", "date"}},
		}, turn.Policy{
			Ruleset: turn.Calibrated1, Placeholders: []string{"y", "x", "y"},
			Evidence: evidence.GateConfig{Exempt: []string{"b1", "a1", "a1"}, ExemptPatterns: []string{"d", "c"}, Off: []string{"date", "clock"}},
		}},
		{"equivalences that the ruleset has not",
			turn.Policy{Ruleset: turn.Literal1}, turn.Policy{Ruleset: turn.Literal1, Evidence: evidence.GateConfig{Off: []string{"clock"}}}},
	} {
		if digestOf(t, tt.a) != digestOf(t, tt.b) {
			t.Errorf("%s: two digests", tt.name)
		}
	}
}

// Where the order decides, it is part of the choice.
func TestDigestOfShapesInAnotherOrder(t *testing.T) {
	shapes := []evidence.Shape{{Name: "a", Pattern: "x+"}, {Name: "b", Pattern: "x*"}}
	a := turn.Policy{Ruleset: turn.Calibrated1, Evidence: evidence.GateConfig{Shapes: shapes}}
	b := turn.Policy{Ruleset: turn.Calibrated1, Evidence: evidence.GateConfig{Shapes: []evidence.Shape{shapes[1], shapes[0]}}}
	if digestOf(t, a) == digestOf(t, b) {
		t.Error("the first shape that matches wins, and the digest does not tell which is first")
	}
}

// Compiling keeps nothing of what it was given, and changes none of it.
func TestCompileLeavesThePolicyAlone(t *testing.T) {
	exempt := []string{"b1", "a1"}
	rules, err := turn.Policy{Ruleset: turn.Calibrated1, Evidence: evidence.GateConfig{Exempt: exempt}}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	if exempt[0] != "b1" || rules.Policy().Evidence.Exempt[0] != "b1" {
		t.Error("a list was sorted in place")
	}
}
