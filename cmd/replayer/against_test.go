package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/cmd/internal/report"
	"github.com/plumbline-dev/plumbline/pipeline/whatif"
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
		var ch whatif.Change
		if err := json.Unmarshal([]byte(line), &ch); err != nil {
			t.Fatal(err)
		}
		changes++
		if ch.From == ch.To && len(ch.Gone)+len(ch.New)+len(ch.Results) == 0 {
			t.Errorf("turn %d of %s does not change", ch.Turn, ch.Conversation)
		}
		for _, v := range ch.Gone {
			if len(v.Because) == 0 {
				t.Errorf("turn %d of %s: nothing explains %s", ch.Turn, ch.Conversation, v.Value)
			}
		}
	}
	if changes < 15 || !strings.Contains(stderr.String(), " of 134 verdicts change\n") || !strings.Contains(stderr.String(), "\n  unsupported → grounded: ") ||
		!strings.Contains(stderr.String(), "\n  agent airline: ") || !strings.Contains(stderr.String(), "\n  tool search_direct_flight: ") {
		t.Errorf("%d changes, totals\n%s", changes, stderr.String())
	}
}

// A person reads each change with what makes the difference, and what verdicts do not say.
func TestAgainstToRead(t *testing.T) {
	literal := policyFile(t, "ruleset: literal-1\n")
	file := filepath.Join(t.TempDir(), "changes.jsonl")
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"--file", bundledEvents, "--policy", literal, "--against", policyFile(t, ""), "--text", "--out", file, "--summary", "json"}, nil, &stdout, &stderr)
	if code != cli.Done {
		t.Fatalf("code %d\n%s", code, stderr.String())
	}
	for _, want := range []string{
		report.Limits,
		"\nairline/task0-trial0 turn 5: unsupported → grounded\n    no longer listed: 7504069 (id-part)\n\n",
		": grounded → grounded\n    result of think, call call_",
		"unknown → undeclared-empty (ruleset)\n",
	} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("%q is not said in\n%s", want, stdout.String())
		}
	}
	var total totals
	if err := json.Unmarshal(stderr.Bytes(), &total); err != nil {
		t.Fatal(err)
	}
	lines, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if total.Answers != 134 || total.Changed != bytes.Count(lines, []byte("\n")) || total.Agents["airline"] != total.Changed {
		t.Errorf("totals %+v of %d lines", total, bytes.Count(lines, []byte("\n")))
	}
}

// Lines that cannot be read end it with the code for that, whatever changes.
func TestAgainstWithABadLine(t *testing.T) {
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"--file", "-", "--format", "native", "--against", policyFile(t, ""), "--exit-code"}, strings.NewReader("{}\n"), &stdout, &stderr)
	if code != cli.Unfinished || !strings.Contains(stderr.String(), "1 of 1 lines could not be read") {
		t.Errorf("code %d, stderr %q", code, stderr.String())
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

// A policy and a ruleset that agree may both be named, on the command line and in the environment.
func TestPolicyThatAgreesWithRules(t *testing.T) {
	t.Setenv("PLUMBLINE_POLICY", policyFile(t, "minDigits: 5\n"))
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"--file", bundledEvents, "--rules", "literal-1", "--against", policyFile(t, "ruleset: literal-1\nminDigits: 5\n")}, nil, &stdout, &stderr)
	if code != cli.Done || !strings.HasPrefix(stderr.String(), "0 of 134 verdicts change") {
		t.Errorf("code %d, stderr %q", code, stderr.String())
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
		{[]string{"--policy", literal, "--rules", "calibrated-1"}, "policy.yaml says literal-1; leave one of them out"},
		{[]string{"--policy", policyFile(t, "agents: {desk: {ruleset: literal-1}}"), "--rules", "calibrated-1"}, "says calibrated-1 and literal-1; leave one of them out"},
		{[]string{"--against", policyFile(t, "colour: red")}, "policy.yaml:1: colour: is no setting"},
		{[]string{"--against", "/nowhere"}, "--against: "},
		{[]string{"--exit-code"}, "--exit-code needs --diff, or --against"},
		{[]string{"--rules", "literal-9"}, "--rules: "},
	} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), append([]string{"--file", bundledEvents}, tt.args...), nil, &stdout, &stderr)
		if code != cli.Usage || !strings.Contains(stderr.String(), tt.want) {
			t.Errorf("%v: code %d, stderr %q, want %q", tt.args, code, stderr.String(), tt.want)
		}
	}
}
