package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
)

// shipped is the configuration that is shipped, seen from here.
const shipped = "../../deploy/nats-server.conf"

func keys(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(t.Context(), args, nil, &out, &err)
	return code, out.String(), err.String()
}

func TestKeys(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "secrets")
	for _, want := range []string{"producer-acme.nk\n", "everything is there\n"} {
		code, stdout, stderr := keys(t, "--dir", dir, "--config", shipped)
		if code != cli.Done || !strings.Contains(stdout, want) || !strings.Contains(stdout, "hold until") {
			t.Errorf("code %d, %s%s, want %q", code, stdout, stderr, want)
		}
	}
}

func TestWrongUse(t *testing.T) {
	for want, args := range map[string][]string{
		"--config: ":       {"--config", filepath.Join(t.TempDir(), "absent.conf")},
		"names no user":    {"--config", "../../go.mod"},
		"--days 0":         {"--config", shipped, "--days", "0"},
		"want two numbers": {"--config", shipped, "--owner", "me"},
	} {
		code, _, stderr := keys(t, append(args, "--dir", t.TempDir())...)
		if code != cli.Usage || !strings.Contains(stderr, want) {
			t.Errorf("%q: code %d, %s, want %q", args, code, stderr, want)
		}
	}
}
