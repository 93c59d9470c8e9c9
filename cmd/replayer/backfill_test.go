package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// backfillEvents is how many events TestBackfill publishes: PLUMBLINE_BACKFILL, for the full 200,000.
func backfillEvents(t *testing.T) int {
	t.Helper()
	said := os.Getenv("PLUMBLINE_BACKFILL")
	if said == "" {
		return 3000
	}
	n, err := strconv.Atoi(said)
	if err != nil {
		t.Fatalf("PLUMBLINE_BACKFILL: %v", err)
	}
	return n
}

// mixedEvents are conversations of four results and an answer, a hundred of them open at any time, so that most of them
// are cut by any interrupt.
func mixedEvents(n int) [][]byte {
	const open, events = 100, 5
	payloads := make([][]byte, n)
	for i := range payloads {
		turn := i / (open * events)
		conversation, step := turn*open+i%open, i/open%events
		head := fmt.Sprintf(`{"v":1,"id":"e%d","time":"2026-01-05T09:00:00Z","tenant":"t","agent":"a%d","conversation":"c%d","turn":1,`, i, conversation%3, conversation)
		if step < events-1 {
			payloads[i] = fmt.Appendf(nil, `%s"type":"tool_end","call":{"id":"k%d","tool":"lookup","iteration":%d},"result":{"order":%d}}`, head, step, step, 100000+i)
			continue
		}
		payloads[i] = fmt.Appendf(nil, `%s"type":"answer","iteration":%d,"text":"Orders %d and %d."}`, head, step, 100000+i-open, 5000000+i)
	}
	return payloads
}

// TestBackfill publishes the verdicts of a stream that no consumer ever saw, is interrupted three times, goes on, and
// stores each verdict once. Run again it stores none.
func TestBackfill(t *testing.T) {
	h := newHistory(t, 4)
	n := backfillEvents(t)
	h.publish(mixedEvents(n))
	verdicts := n / 5
	for i := range 3 {
		ctx, interrupt := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			defer interrupt()
			h.until(jet.AuditStream, (i+1)*verdicts/4)
		}()
		code, _, stderr := h.playUntil(ctx, "--publish", "--resume", "q3", "--workers", "4")
		<-ended
		if code != cli.Unfinished || !strings.Contains(stderr, "interrupted after sequence") || !strings.Contains(stderr, "--resume q3") {
			t.Fatalf("interrupted %d: code %d\n%s", i, code, stderr)
		}
	}
	before := h.count(jet.AuditStream)
	if before >= verdicts {
		t.Fatalf("%d verdicts of %d were stored before the last part: nothing was interrupted", before, verdicts)
	}
	_, stderr := h.must("--publish", "--resume", "q3")
	if !strings.Contains(stderr, "replay q3 goes on after sequence") {
		t.Errorf("it does not say that it goes on:\n%s", stderr)
	}
	if got := h.count(jet.AuditStream); got != verdicts || len(h.lastOf()) != verdicts {
		t.Errorf("%d records are stored on %d subjects, want %d", got, len(h.lastOf()), verdicts)
	}
	if _, stderr = h.must("--publish", "--resume", "q3"); !strings.Contains(stderr, "replay q3 is done") {
		t.Errorf("a replay that is done is not known as such:\n%s", stderr)
	}
	_, stderr = h.must("--publish")
	if !strings.Contains(stderr, fmt.Sprintf(" 0 published, %d already there", verdicts)) || h.count(jet.AuditStream) != verdicts {
		t.Errorf("the second run stores something:\n%s", stderr)
	}
	if _, stderr = h.must("--verify"); !strings.HasPrefix(stderr, fmt.Sprintf("%d stored records are what the rules give, 0 differ", verdicts)) {
		t.Errorf("what is stored is not what the rules give:\n%s", stderr)
	}
}

// TestOutGoesOn interrupts a replay into a file. What the next one writes behind it makes the file that one run writes.
func TestOutGoesOn(t *testing.T) {
	h := newHistory(t, 1)
	h.publish(mixedEvents(3000))
	want, _ := h.must()
	file := filepath.Join(t.TempDir(), "verdicts.jsonl")
	args := []string{"--out", file, "--resume", "file-1", "--rate", "6000"}
	ctx, interrupt := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer interrupt()
	code, _, stderr := h.playUntil(ctx, args...)
	if code != cli.Unfinished || !strings.Contains(stderr, "--resume file-1") {
		t.Fatalf("code %d\n%s", code, stderr)
	}
	part, err := os.ReadFile(file)
	if err != nil || len(part) >= len(want) {
		t.Fatalf("%d bytes were written, %v: nothing was interrupted", len(part), err)
	}
	if err := os.WriteFile(file, append(part, `{"half a li`...), 0o600); err != nil { // as a kill leaves it
		t.Fatal(err)
	}
	h.must(args...)
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("the file has %d bytes, want %d, %v", len(got), len(want), err)
	}
}

// TestResumeRefuses holds that a checkpoint is of one replay only.
func TestResumeRefuses(t *testing.T) {
	h := newHistory(t, 1)
	h.publish(mixedEvents(50))
	h.must("--publish", "--resume", "one")
	for _, tt := range []struct{ args, want string }{
		{"--publish --rules literal-1", `--resume one: that replay has other rules`},
		{"--publish --from-seq 3", `--resume one: that replay has from-seq "0", this one "3"`},
		{"--publish --tenant t", `--resume one: that replay has tenant "", this one "=t"`},
		{"--verify", `--resume one: that replay has job "publish", this one "verify"`},
	} {
		code, _, stderr := h.play(append(strings.Fields(tt.args), "--resume", "one")...)
		if code != cli.Usage || !strings.Contains(stderr, tt.want) {
			t.Errorf("%s: code %d, stderr %q, want %q", tt.args, code, stderr, tt.want)
		}
	}
}
