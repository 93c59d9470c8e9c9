package policy

import (
	"os"
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

// Each fault names its line and its field.
func TestLoadRefuses(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"not YAML", "a: [", "policy.yaml: line 1"},
		{"a list", "- a", "policy.yaml:1: "},
		{"an unknown key", "ruleset: literal-1\nmin_digits: 3\n", "policy.yaml:2: min_digits: is no setting: did you mean minDigits?"},
		{"an unknown key of a tool", "tools:\n  search:\n    rows_at: x\n", "policy.yaml:3: tools.search.rows_at: is no setting: did you mean rowsAt?"},
		{"an unknown key far from any", "colour: red\n", "policy.yaml:1: colour: is no setting"},
		{"a key twice", "scope: turn\nscope: turn\n", "scope: stands here a second time"},
		{"a wrong ruleset", "\n\nruleset: literal-9\n", "policy.yaml:3: ruleset: "},
		{"a wrong type", "figures: often\n", "policy.yaml:1: figures: "},
		{"too small", "agents:\n  desk:\n    minDigits: 0\n", "policy.yaml:3: agents.desk.minDigits: "},
		{"a path for rows", "tools:\n  search:\n    rowsAt: data.rows\n", "policy.yaml:3: tools.search.rowsAt: "},
		{"an equivalence that is none", "off:\n  - clock\n  - sums\n", "policy.yaml:3: off.1: "},
		{"a bad pattern", "exempt: [a]\nexemptPatterns: ['(']\n", "policy.yaml:2: exemptPatterns[0]: "},
		{"a bad pattern of an agent", "agents:\n  desk:\n    exemptPatterns: ['(']\n", "policy.yaml:3: agents.desk: exemptPatterns[0]: "},
		{"an alias", "exempt: &a [x]\nplaceholders: *a\n", "policy.yaml:2: placeholders: anchors and aliases"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Load("policy.yaml", []byte(tt.text), ""); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestEmptyFileIsTheDefault(t *testing.T) {
	rules, err := turn.Policy{Ruleset: turn.Rulesets[0]}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "# nothing\n", "{}"} {
		if got := load(t, text).Base(); got.Digest() != rules.Digest() || got.Ruleset() != rules.Ruleset() {
			t.Errorf("%q: digest %s of %s, want %s of %s", text, got.Digest(), got.Ruleset(), rules.Digest(), rules.Ruleset())
		}
	}
}

// The most particular settings win: the agent's over the tenant's over the file's.
func TestOverrides(t *testing.T) {
	s := load(t, `
ruleset: calibrated-1
minDigits: 5
exempt: [a1111]
tenants:
  acme: {minDigits: 6, exempt: [b2222]}
agents:
  desk: {minDigits: 7, ruleset: literal-1}
`)
	for _, tt := range []struct {
		tenant, agent string
		same          turn.Policy
	}{
		{"other", "other", turn.Policy{Ruleset: turn.Calibrated1, Evidence: evidence.GateConfig{MinDigits: new(5), Exempt: []string{"a1111"}}}},
		{"acme", "other", turn.Policy{Ruleset: turn.Calibrated1, Evidence: evidence.GateConfig{MinDigits: new(6), Exempt: []string{"b2222"}}}},
		{"other", "desk", turn.Policy{Ruleset: turn.Literal1, Evidence: evidence.GateConfig{MinDigits: new(7), Exempt: []string{"a1111"}}}},
		{"acme", "desk", turn.Policy{Ruleset: turn.Literal1, Evidence: evidence.GateConfig{MinDigits: new(7), Exempt: []string{"b2222"}}}},
	} {
		want, err := tt.same.Compile()
		if err != nil {
			t.Fatal(err)
		}
		got := s.RulesFor(event.Conversation{Tenant: tt.tenant, Agent: tt.agent, ID: "c"})
		if got.Digest() != want.Digest() {
			t.Errorf("%s/%s: another policy than said", tt.tenant, tt.agent)
		}
	}
}

// Each setting changes what is effective, and so the digest that verdicts name.
func TestEverySettingChangesTheDigest(t *testing.T) {
	digests := []string{load(t, "").Base().Digest()}
	for _, text := range []string{
		"ruleset: literal-1", "minDigits: 5", "figures: true", "scope: turn", "scripts: 'off'", "shapes: [{name: port, pattern: 'fc\\d'}]",
		"exempt: [x1234]", "exemptPatterns: ['x\\d+']", "placeholders: ['***']", "off: [clock]", "tools: {search: {rowsAt: rows}}",
	} {
		digest := load(t, text).Base().Digest()
		if slices.Contains(digests, digest) {
			t.Errorf("%q changes nothing that is effective", text)
		}
		digests = append(digests, digest)
	}
}

func TestExampleFile(t *testing.T) {
	content, err := os.ReadFile("../../deploy/policy.example.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Load("policy.example.yaml", content, ""); err != nil {
		t.Error(err)
	}
}
