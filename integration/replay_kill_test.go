package integration_test

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// TestAKilledBackfillGoesOn kills the replayer's process without warning, interrupts the next one, and lets the third end:
// each verdict is stored once.
func TestAKilledBackfillGoesOn(t *testing.T) {
	d, server := deployOn(t, jet.EmbeddedConfig{})
	d.publishLines(t, bundle)
	want := len(runReplayer(t, bundle, "calibrated-1"))

	program := filepath.Join(t.TempDir(), "replayer")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../cmd/replayer").CombinedOutput(); err != nil {
		t.Fatalf("build the replayer: %v\n%s", err, out)
	}
	backfill := func(signal syscall.Signal, at int) (code int, stderr string) {
		var said bytes.Buffer
		command := exec.CommandContext(t.Context(), program, "--nats-url", server.URL(), "--publish", "--resume", "job", "--rate", "200")
		command.Stderr = &said
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		if signal != 0 {
			waitFor(t, func() bool { return d.count(t, jet.AuditStream) >= at })
			if err := command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
		}
		command.Wait() // the code says how it ended
		return command.ProcessState.ExitCode(), said.String()
	}
	if code, stderr := backfill(syscall.SIGKILL, want/4); code != -1 {
		t.Fatalf("the killed one ended with %d\n%s", code, stderr)
	}
	if code, stderr := backfill(syscall.SIGTERM, want/2); code != 3 || !strings.Contains(stderr, "--resume job go on with it") {
		t.Fatalf("the interrupted one ended with %d\n%s", code, stderr)
	}
	if stored := d.count(t, jet.AuditStream); stored >= want {
		t.Fatalf("all %d verdicts were stored before the last part", stored)
	}
	if code, stderr := backfill(0, 0); code != 0 {
		t.Fatalf("the last one ended with %d\n%s", code, stderr)
	}
	if stored := d.audits(t); len(stored) != want {
		t.Errorf("%d verdicts are stored, want %d", len(stored), want)
	}
	start := time.Now()
	code, stderr := backfill(0, 0)
	if code != 0 || !strings.Contains(stderr, "replay job is done") {
		t.Errorf("after %s: code %d\n%s", time.Since(start), code, stderr)
	}
}
