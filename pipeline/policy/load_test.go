package policy

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
)

// Each fault names its line and its field, and says what to do.
func TestLoadRefuses(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"not YAML", "scope: turn\na: [", "policy.yaml:2: is not YAML: did not find expected node content"},
		{"not UTF-8", "exempt: ['\xff']", "policy.yaml: is not YAML: invalid leading UTF-8 octet"},
		{"a list", "- a", "policy.yaml:1: want settings, each a key and a value, not a list"},
		{"a word", "literal-1", `policy.yaml:1: want settings, each a key and a value, not "literal-1"`},
		{"two documents", "scope: turn\n---\nscope: turn\n", "policy.yaml:2: a second document begins here: a policy file holds one"},
		{"a second document that is none", "scope: turn\n---\na: [", "policy.yaml:3: is not YAML: did not find expected node content"},
		{"a key twice", "scope: turn\nscope: turn\n", "policy.yaml:2: scope: stands here a second time: leave one of them out"},
		{"a tenant twice", "tenants:\n  a: {}\n  a: {}\n", "policy.yaml:3: tenants.a: stands here a second time: leave one of them out"},
		{"an alias", "exempt: &a [x]\nplaceholders: *a\n", "policy.yaml:2: placeholders: an alias is not read here: write the value out"},
		{"a merge", "agents:\n  desk:\n    <<: {scope: turn}\n", "policy.yaml:3: agents.desk: want a plain word before the colon"},
		{"a key that is a list", "? [a]\n: b\n", "policy.yaml:1: want a plain word before the colon"},

		{"another spelling", "ruleset: literal-1\nmin_digits: 3\n", "policy.yaml:2: min_digits: is no setting: did you mean minDigits?"},
		{"in capitals", "RULESET: literal-1\n", "policy.yaml:1: RULESET: is no setting: did you mean ruleset?"},
		{"a letter too few", "exmpt: [a]\n", "policy.yaml:1: exmpt: is no setting: did you mean exempt?"},
		{"a letter too many", "tennants: {}\n", "policy.yaml:1: tennants: is no setting: did you mean tenants?"},
		{"two letters that changed places", "scoep: turn\n", "policy.yaml:1: scoep: is no setting: did you mean scope?"},
		{"another letter", "tenents: {}\n", "policy.yaml:1: tenents: is no setting: did you mean tenants?"},
		{"of a tool", "tools:\n  search:\n    rows_at: x\n", "policy.yaml:3: tools.search.rows_at: is no setting: did you mean rowsAt?"},
		{"far from any, of a tool", "tools:\n  search: {colour: red}\n", "policy.yaml:2: tools.search.colour: is no setting: want one of rowsAt"},
		{"far from any, of a shape", "shapes:\n  - {name: a, pattern: b, unit: c}\n", "policy.yaml:2: shapes.0.unit: is no setting: want one of name, pattern"},
		{"tenants of a tenant", "tenants:\n  acme:\n    tenants: {}\n", "policy.yaml:3: tenants.acme.tenants: is no setting: want one of agents, conversationBytes, exempt, "},
		{"agents of an agent", "tenants:\n  acme:\n    agents:\n      desk: {agents: {}}\n", "policy.yaml:4: tenants.acme.agents.desk.agents: is no setting: want one of conversationBytes, exempt, "},

		{"ruleset", "\n\nruleset: literal-9\n", `policy.yaml:3: ruleset: want calibrated-1 or literal-1, not "literal-9"`},
		{"scope", "scope: all\n", `policy.yaml:1: scope: want conversation or turn, not "all"`},
		{"scripts", "scripts: on\n", `policy.yaml:1: scripts: want off or match, not "on"`},
		{"scripts as a boolean", "scripts: false\n", `policy.yaml:1: scripts: want off or match, not false`},
		{"figures", "figures: often\n", `policy.yaml:1: figures: want true or false, not "often"`},
		{"minDigits too small", "agents:\n  desk:\n    minDigits: 0\n", "policy.yaml:3: agents.desk.minDigits: want 1 or more, not 0"},
		{"minDigits too large", "minDigits: 99999999999999999999\n", "policy.yaml:1: minDigits: want 1000 or less, not 99999999999999999999"},
		{"minDigits in part", "minDigits: 4.5\n", "policy.yaml:1: minDigits: want a whole number, not 4.5"},
		{"minDigits as text", "minDigits: '4'\n", `policy.yaml:1: minDigits: want a whole number, not "4"`},
		{"conversationBytes", "conversationBytes: 0\n", "policy.yaml:1: conversationBytes: want 1 or more, not 0"},
		{"nothing", "exempt:\n", "policy.yaml:1: exempt: is empty: want a list, or leave it out"},
		{"nothing for an agent", "agents:\n  desk:\n", "policy.yaml:2: agents.desk: is empty: want settings, each a key and a value, or leave it out"},
		{"a value that is no list", "exempt: a1\n", `policy.yaml:1: exempt: want a list, not "a1"`},
		{"a number among texts", "exempt:\n  - a1\n  - 2024\n", "policy.yaml:3: exempt.1: want text, not 2024: put it in quotes"},
		{"an empty text", "placeholders:\n  - ''\n", "policy.yaml:2: placeholders.0: may not be empty: say something or leave it out"},
		{"a mapping among texts", "exempt:\n  - a: b\n", "policy.yaml:2: exempt.0: want text, not keys and values"},
		{"a path for rows", "tools:\n  search:\n    rowsAt: data.rows\n", `policy.yaml:3: tools.search.rowsAt: want one top-level key, not "data.rows"`},
		{"an equivalence that is none", "off:\n  - clock\n  - sums\n", `policy.yaml:3: off.1: want clock, date, id-part, hex, number, digits, range, list, structure or groups, not "sums"`},
		{"half a shape", "shapes:\n  - name: port\n", "policy.yaml:2: shapes.0: pattern is missing"},

		{"a pattern", "exempt: [a]\nexemptPatterns: ['(']\n", "policy.yaml:2: exemptPatterns.0: error parsing regexp: missing closing )"},
		{"a pattern of an agent", "exemptPatterns: [a]\nagents:\n  desk:\n    exemptPatterns: ['(']\n", "policy.yaml:4: agents.desk.exemptPatterns.0: error parsing regexp"},
		{"a pattern of a tenant", "exemptPatterns: [a]\ntenants:\n  acme:\n    exemptPatterns: ['(']\n", "policy.yaml:4: tenants.acme.exemptPatterns.0: error parsing regexp"},
		{"a pattern of an agent in a tenant", "agents:\n  desk: {exemptPatterns: [a]}\ntenants:\n  acme:\n    agents:\n      desk:\n        exemptPatterns:\n          - ok\n          - '('\n",
			"policy.yaml:9: tenants.acme.agents.desk.exemptPatterns.1: error parsing regexp"},
		{"two shapes of one name", "shapes:\n  - {name: a, pattern: x}\n  - {name: a, pattern: y}\n", `policy.yaml:3: shapes.1.name: "a" is the name of shapes[0]`},
		{"a blank name", "shapes:\n  - {name: ' ', pattern: x}\n", "policy.yaml:2: shapes.0.name: a shape needs a name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load("policy.yaml", []byte(tt.text), "")
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v\nwant  %s", err, tt.want)
			}
			if _, ok := errors.AsType[*Error](err); !ok {
				t.Errorf("%T holds no *Error", err)
			}
		})
	}
}

// Numbers that YAML has and JSON has not are refused too, whatever is said of them.
func TestLoadRefusesStrangeNumbers(t *testing.T) {
	for _, number := range []string{".nan", ".inf", "-.inf", "1e999"} {
		if _, err := Load("policy.yaml", []byte("minDigits: "+number), ""); err == nil || !strings.HasPrefix(err.Error(), "policy.yaml:1: minDigits: ") {
			t.Errorf("%s: %v", number, err)
		}
	}
}

// All faults are said at once, in the order of the file.
func TestLoadSaysEveryFault(t *testing.T) {
	_, err := Load("policy.yaml", []byte("scope: all\ncolour: red\nfigures: 1\nagents:\n  desk: {min-digits: 1, minDigits: 0}\n"), "")
	var lines []string
	for line := range strings.Lines(fmt.Sprint(err) + "\n") {
		place, _, _ := strings.Cut(line, ": ")
		lines = append(lines, place)
	}
	if got, want := strings.Join(lines, " "), "policy.yaml:1 policy.yaml:2 policy.yaml:3 policy.yaml:5 policy.yaml:5"; got != want {
		t.Errorf("faults at %s, want %s\n%v", got, want, err)
	}
}

// What people write without quotes is taken as they mean it.
func TestLoadTakesDatesAndSwitchesAsText(t *testing.T) {
	s := load(t, "exempt: [2024-05-20]\nscripts: off\ntenants: {2024: {scope: turn}, true: {scope: turn}}\n")
	if p := s.Base().Policy(); p.Evidence.Exempt[0] != "2024-05-20" || p.Scripts != "off" {
		t.Errorf("exempt %q, scripts %q", p.Evidence.Exempt, p.Scripts)
	}
	for _, tenant := range []string{"2024", "true"} {
		if p := s.RulesFor(event.Conversation{Tenant: tenant}).Policy(); p.Scope != "turn" {
			t.Errorf("tenant %s: scope %s", tenant, p.Scope)
		}
	}
}

func TestLoadBoundsThePairs(t *testing.T) {
	var text strings.Builder
	for _, kind := range []string{"tenants", "agents"} {
		text.WriteString(kind + ":\n")
		for i := range 320 {
			fmt.Fprintf(&text, "  n%d: {}\n", i)
		}
	}
	_, err := Load("policy.yaml", []byte(text.String()), "")
	if err == nil || !strings.HasPrefix(err.Error(), "policy.yaml:1: its tenants and agents make 103041 pairs, and 100000 is the most") {
		t.Error(err)
	}
}
