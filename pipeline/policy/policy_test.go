package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/evidence"
	"github.com/plumbline-dev/plumbline/core/turn"
)

func load(t *testing.T, text string) *Set {
	t.Helper()
	s, err := Load("policy.yaml", []byte(text), "")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func compiled(t *testing.T, p turn.Policy) *turn.Rules {
	t.Helper()
	rules, err := p.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func TestEmptyFileIsTheDefault(t *testing.T) {
	want := compiled(t, turn.Policy{Ruleset: turn.Rulesets[0]})
	for _, text := range []string{"", "# nothing\n", "---\n", "{}", "ruleset: calibrated-1\nminDigits: 4\n"} {
		if got := load(t, text).Base(); got.Digest() != want.Digest() || got.Ruleset() != want.Ruleset() {
			t.Errorf("%q: digest %s of %s, want %s of %s", text, got.Digest(), got.Ruleset(), want.Digest(), want.Ruleset())
		}
	}
}

// Where the file names no ruleset, the one that was handed in counts.
func TestLoadTakesTheRulesetThatIsHandedIn(t *testing.T) {
	for text, want := range map[string]string{"": turn.Literal1, "ruleset: calibrated-1": turn.Calibrated1} {
		s, err := Load("policy.yaml", []byte(text), turn.Literal1)
		if err != nil || s.Base().Ruleset() != want {
			t.Errorf("%q: %s, want %s; %v", text, s.Base().Ruleset(), want, err)
		}
	}
}

// The most particular settings win: of the agent in the tenant, of the agent, of the tenant, of the file.
func TestOverrides(t *testing.T) {
	s := load(t, `
ruleset: calibrated-1
minDigits: 5
exempt: [a1111]
tools: {search: {rowsAt: found}, list: {rowsAt: items}}
tenants:
  acme:
    minDigits: 6
    exempt: [b2222]
    agents:
      desk: {minDigits: 8}
      bay: {figures: true}
agents:
  desk: {minDigits: 7, ruleset: literal-1, tools: {search: {rowsAt: hits}}}
  gate: {exempt: []}
`)
	found := map[string]string{"search": "found", "list": "items"}
	hits := map[string]string{"search": "hits", "list": "items"}
	for _, tt := range []struct {
		tenant, agent string
		same          turn.Policy
	}{
		{"other", "other", turn.Policy{Ruleset: turn.Calibrated1, RowsAt: found, Evidence: evidence.GateConfig{MinDigits: new(5), Exempt: []string{"a1111"}}}},
		{"", "", turn.Policy{Ruleset: turn.Calibrated1, RowsAt: found, Evidence: evidence.GateConfig{MinDigits: new(5), Exempt: []string{"a1111"}}}},
		{"other", "bay", turn.Policy{Ruleset: turn.Calibrated1, RowsAt: found, Evidence: evidence.GateConfig{MinDigits: new(5), Exempt: []string{"a1111"}}}},
		{"other", "gate", turn.Policy{Ruleset: turn.Calibrated1, RowsAt: found, Evidence: evidence.GateConfig{MinDigits: new(5)}}},
		{"other", "desk", turn.Policy{Ruleset: turn.Literal1, RowsAt: hits, Evidence: evidence.GateConfig{MinDigits: new(7), Exempt: []string{"a1111"}}}},
		{"acme", "other", turn.Policy{Ruleset: turn.Calibrated1, RowsAt: found, Evidence: evidence.GateConfig{MinDigits: new(6), Exempt: []string{"b2222"}}}},
		{"acme", "bay", turn.Policy{Ruleset: turn.Calibrated1, RowsAt: found, Evidence: evidence.GateConfig{MinDigits: new(6), Exempt: []string{"b2222"}, Figures: true}}},
		{"acme", "gate", turn.Policy{Ruleset: turn.Calibrated1, RowsAt: found, Evidence: evidence.GateConfig{MinDigits: new(6)}}},
		{"acme", "desk", turn.Policy{Ruleset: turn.Literal1, RowsAt: hits, Evidence: evidence.GateConfig{MinDigits: new(8), Exempt: []string{"b2222"}}}},
	} {
		got := s.RulesFor(event.Conversation{Tenant: tt.tenant, Agent: tt.agent, ID: "c"})
		if got.Digest() != compiled(t, tt.same).Digest() {
			t.Errorf("%q/%q: another policy than said: %+v", tt.tenant, tt.agent, got.Policy())
		}
	}
	if got := strings.Join(s.Rulesets(), " "); got != "calibrated-1 literal-1" {
		t.Errorf("rulesets %s", got)
	}
}

// Names that are empty are names.
func TestOverridesOfEmptyNames(t *testing.T) {
	s := load(t, "tenants: {'': {scope: turn, agents: {'': {minDigits: 9}}}}\n")
	if p := s.RulesFor(event.Conversation{}).Policy(); *p.Evidence.MinDigits != 9 || p.Scope != turn.ScopeTurn {
		t.Errorf("%+v", p)
	}
	if p := s.RulesFor(event.Conversation{Agent: "desk"}).Policy(); p.Evidence.MinDigits != nil || p.Scope != turn.ScopeTurn {
		t.Errorf("%+v", p)
	}
	if p := s.Base().Policy(); p.Scope != turn.ScopeConversation {
		t.Errorf("%+v", p)
	}
}

// One policy is made ready once, however many conversations it comes to be effective for.
func TestRulesAreShared(t *testing.T) {
	s := load(t, "agents: {a: {}, b: {scope: turn}}\ntenants: {c: {scope: turn}, d: {}}\n")
	of := func(tenant, agent string) *turn.Rules {
		return s.RulesFor(event.Conversation{Tenant: tenant, Agent: agent})
	}
	if s.Base() != of("d", "a") || of("", "b") != of("c", "a") || of("", "b") == s.Base() {
		t.Error("conversations of one policy have rules of their own")
	}
}

// Each setting changes what is effective, and so the digest that verdicts name.
func TestEverySettingChangesTheDigest(t *testing.T) {
	settings := []string{
		"ruleset: literal-1", "minDigits: 5", "figures: true", "scope: turn", "scripts: off", "shapes: [{name: port, pattern: 'fc\\d'}]",
		"exempt: [x1234]", "exemptPatterns: ['x\\d+']", "placeholders: ['***']", "off: [clock]", "tools: {search: {rowsAt: rows}}",
		"conversationBytes: 1000", "values: none",
	}
	digests := []string{load(t, "").Base().Digest()}
	for _, text := range settings {
		digest := load(t, text).Base().Digest()
		if slices.Contains(digests, digest) {
			t.Errorf("%q changes nothing that is effective", text)
		}
		digests = append(digests, digest)
	}
	for _, key := range keysAt(schemaOf(t), []string{"agents", "desk"}) {
		if !slices.ContainsFunc(settings, func(text string) bool { return strings.HasPrefix(text, key+":") }) {
			t.Errorf("%s is not tried", key)
		}
	}
}

// The order in which a file says things, and where it says them, is no part of the policy.
func TestDigestKeepsNoOrder(t *testing.T) {
	a := load(t, "minDigits: 5\nexempt: [a1, b1]\ntools: {s: {rowsAt: r}, t: {rowsAt: q}}\n").Base()
	b := load(t, "tools: {t: {rowsAt: q}, s: {rowsAt: r}}\nagents: {desk: {exempt: [b1, a1]}}\nminDigits: 5\n").
		RulesFor(event.Conversation{Agent: "desk"})
	if a.Digest() != b.Digest() {
		t.Error("two digests of one choice")
	}
}
