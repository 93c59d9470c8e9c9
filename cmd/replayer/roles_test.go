package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/cmd/internal/secured"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// TestPublisherHasWhatItNeeds runs replayer publish as the user that is shipped for it. What nothing used is too much.
func TestPublisherHasWhatItNeeds(t *testing.T) {
	s := secured.Start(t)
	js, err := jetstream.New(s.Root(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := jet.Provision(t.Context(), js, jet.StreamsConfig{Partitions: 2}); err != nil {
		t.Fatal(err)
	}
	file := firstLines(t, bundle, 60)
	r := s.Record(t)
	for range 2 { // the second time everything is there
		code, _, stderr := play(t, "", append([]string{"publish", "--file", file}, s.Flags(secured.Publisher)...)...)
		if code != cli.Done || strings.Contains(stderr, "ermissions") {
			t.Fatalf("code %d, %s", code, stderr)
		}
	}
	if unused := r.Unused(t, s.Allowed[secured.Publisher]); len(unused) > 0 {
		t.Errorf("the publisher may publish on %q and does not need it", unused)
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// firstLines writes the first lines of a file into another.
func firstLines(t *testing.T, file string, n int) string {
	t.Helper()
	lines := bytes.SplitAfter(read(t, file), []byte("\n"))
	out := filepath.Join(t.TempDir(), "events.jsonl")
	if err := os.WriteFile(out, bytes.Join(lines[:min(n, len(lines))], nil), 0o600); err != nil {
		t.Fatal(err)
	}
	return out
}
