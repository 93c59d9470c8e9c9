package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/cmd/internal/demo"
)

func play(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

func TestBundledTable(t *testing.T) {
	code, stdout, stderr := play(t)
	if code != cli.Done || !strings.Contains(stdout, "| airline, bundled | literal-1 | 134 | 70 | 21 (30.0 %)") {
		t.Errorf("code %d, stderr %q, stdout:\n%s", code, stderr, stdout)
	}
}

// TestTableOfAFile measures the first of the bundled conversations, as a file of its own.
func TestTableOfAFile(t *testing.T) {
	var first []byte
	for event := range demo.Events() {
		if bytes.Contains(event, []byte(`"task0-trial0"`)) {
			first = append(append(first, event...), "\n\n"...)
		}
	}
	file := filepath.Join(t.TempDir(), "desk.jsonl")
	if err := os.WriteFile(file, first, 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := play(t, "--file", file)
	if code != cli.Done || !strings.Contains(stdout, "| desk | literal-1 | 7 | 5 | 5 (100.0 %)") {
		t.Errorf("code %d, stderr %q, stdout:\n%s", code, stderr, stdout)
	}
}

func TestWrongFiles(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.jsonl")
	if err := os.WriteFile(bad, []byte("\n{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"no/such.jsonl": "--file: open no/such.jsonl", bad: "--file " + bad + ": line 2: "} {
		if code, stdout, stderr := play(t, "--file", file); code != cli.Usage || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("%s: code %d, stdout %q, stderr %q", file, code, stdout, stderr)
		}
	}
}
