package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
)

func policyFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

const bundledEvents = "../internal/demo/airline/events.jsonl"

// What the other policy changes is shown with the values and the equivalences that explain it, answer by answer.
func TestAgainst(t *testing.T) {
	literal, calibrated := policyFile(t, "ruleset: literal-1\n"), policyFile(t, "ruleset: calibrated-1\n")
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"--file", bundledEvents, "--policy", literal, "--against", calibrated, "--exit-code"}, nil, &stdout, &stderr)
	if code != cli.Differs {
		t.Fatalf("code %d, want %d\n%s", code, cli.Differs, stderr.String())
	}
	changes := 0
	for line := range strings.Lines(stdout.String()) {
		var ch change
		if err := json.Unmarshal([]byte(line), &ch); err != nil {
			t.Fatal(err)
		}
		changes++
		if ch.From == ch.To && len(ch.Gone)+len(ch.New) == 0 {
			t.Errorf("turn %d of %s does not change", ch.Turn, ch.Conversation)
		}
		if len(ch.Gone) > 0 && len(ch.By) == 0 {
			t.Errorf("turn %d of %s: nothing explains %v", ch.Turn, ch.Conversation, ch.Gone)
		}
	}
	if changes < 15 || !strings.Contains(stderr.String(), "verdicts change\n  agent airline: ") {
		t.Errorf("%d changes, totals\n%s", changes, stderr.String())
	}
}

func TestAgainstTheSameChangesNothing(t *testing.T) {
	file := policyFile(t, "minDigits: 4\n")
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"--file", bundledEvents, "--against", file, "--exit-code"}, nil, &stdout, &stderr)
	if code != cli.Done || stdout.Len() > 0 || !strings.HasPrefix(stderr.String(), "0 of 134 verdicts change") {
		t.Errorf("code %d, stdout %q, stderr %q", code, stdout.String(), stderr.String())
	}
}

func TestPolicyFlags(t *testing.T) {
	literal := policyFile(t, "ruleset: literal-1\n")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--policy", "/nowhere"}, "--policy: "},
		{[]string{"--policy", policyFile(t, "scope: all\n")}, ":1: scope: "},
		{[]string{"--policy", literal, "--rules", "calibrated-1"}, "leave one of them out"},
		{[]string{"--exit-code"}, "--exit-code needs --against"},
		{[]string{"--rules", "literal-9"}, "--rules: "},
	} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), append([]string{"--file", bundledEvents}, tt.args...), nil, &stdout, &stderr)
		if code != cli.Usage || !strings.Contains(stderr.String(), tt.want) {
			t.Errorf("%v: code %d, stderr %q, want %q", tt.args, code, stderr.String(), tt.want)
		}
	}
}
