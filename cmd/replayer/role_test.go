package main

import (
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/cmd/internal/secured"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// TestReplayerNeedsItsRole runs every job as the shipped configuration's replayer: it may do what it does, and may do
// nothing else.
func TestReplayerNeedsItsRole(t *testing.T) {
	s := secured.Start(t)
	root := s.Root(t)
	js, err := jetstream.New(root)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := jet.Provision(t.Context(), js, jet.StreamsConfig{}); err != nil {
		t.Fatal(err)
	}
	h := &history{t: t, nc: root, js: js}
	h.publish(mixedEvents(500))
	r := s.Record(t)
	for _, args := range []string{"--publish --resume a --cache-bytes 1", "--publish --resume a", "--publish --resume b", "--verify", "--diff"} {
		code, _, stderr := play(t, "", append(s.Flags(secured.Replayer), strings.Fields(args)...)...)
		if code != cli.Done || strings.Contains(stderr, "ermission") || strings.Contains(stderr, "checkpoint") {
			t.Errorf("%s: code %d\n%s", args, code, stderr)
		}
	}
	if unused := r.Unused(t, s.Allowed[secured.Replayer]); len(unused) > 0 {
		t.Errorf("it may publish on %v, and never does", unused)
	}
}
