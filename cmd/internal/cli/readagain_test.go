//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestReadAgain: whatever stands at the path, reading it ends, with little memory.
func TestReadAgain(t *testing.T) {
	dir := t.TempDir()
	fine, long := filepath.Join(dir, "fine"), filepath.Join(dir, "long")
	if err := os.WriteFile(fine, []byte("minDigits: 5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(long, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(long, maxPolicy+1); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		fine: "", long: "is longer than", dir: "is no regular file", filepath.Join(dir, "none"): "no such file", endless(t, dir): "is no regular file",
		pipe(t, dir): "is no regular file",
	} {
		content, err := ReadAgain(path)
		switch {
		case want == "" && (err != nil || string(content) != "minDigits: 5\n"):
			t.Errorf("%s: %q, %v", path, content, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want an error that says %q", path, err, want)
		}
	}
}

// endless is a link to a device that never ends.
func endless(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "endless")
	if err := os.Symlink("/dev/zero", path); err != nil {
		t.Fatal(err)
	}
	return path
}

// pipe is a named pipe that nobody writes to.
func pipe(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
