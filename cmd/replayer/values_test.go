package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
)

// Verdicts with hashed values are made again, to the byte, by whoever has the key; with another key they are those of
// another policy.
func TestHashedVerdictsAreMadeAgain(t *testing.T) {
	key := func(text string) string {
		file := filepath.Join(t.TempDir(), "key")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	one, other := key(strings.Repeat("1", 32)), key(strings.Repeat("2", 32)+"\n")
	h := newHistory(t, 1)
	h.publish(bundled(t))
	h.must("--publish", "--values", "hashed", "--values-key", one)
	if _, stderr := h.must("--verify", "--values", "hashed", "--values-key", one); !strings.HasPrefix(stderr, "134 stored records are what the rules give, 0 differ, 0 rest") {
		t.Errorf("with the key: %s", stderr)
	}
	for _, args := range [][]string{{"--values", "hashed", "--values-key", other}, {"--values", "none"}, nil} {
		code, _, stderr := h.play(append([]string{"--verify"}, args...)...)
		if code != cli.Unfinished || !strings.Contains(stderr, ": 134\n") {
			t.Errorf("%q: code %d\n%s", args, code, stderr)
		}
	}
}
