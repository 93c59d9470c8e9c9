package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-systemd/v22/unit"
	"k8s.io/apimachinery/pkg/api/resource"
)

// settings reads a unit. A setting may be given more than once.
func settings(t *testing.T, file string) map[string][]string {
	t.Helper()
	options, err := unit.DeserializeOptions(newLines(content(t, file)))
	if err != nil {
		t.Fatal(err)
	}
	said := map[string][]string{}
	for _, o := range options {
		said[o.Name] = append(said[o.Name], o.Value)
	}
	return said
}

// readUnit reads a unit, and has systemd look at it where there is one.
func readUnit(t *testing.T, file string) {
	said := settings(t, file)
	env := map[string]string{}
	for _, pair := range said["Environment"] {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	holdEnvironment(t, file, env)
	credentials := map[string]bool{}
	for _, c := range said["LoadCredential"] {
		name, _, _ := strings.Cut(c, ":")
		credentials[name] = true
	}
	for name, value := range env {
		if credential, ok := strings.CutPrefix(value, "%d/"); ok && !credentials[credential] {
			t.Errorf("%s is %s, which is not loaded", name, value)
		}
	}
	grace, err := time.ParseDuration(only(t, said, "TimeoutStopSec"))
	if err != nil {
		t.Fatal(err)
	}
	holdGrace(t, file, grace, env)
	limit, err := resource.ParseQuantity(only(t, said, "MemoryMax") + "i") // 512M is 512 MiB to systemd
	if err != nil {
		t.Fatal(err)
	}
	holdMemory(t, file, limit.Value(), env)
	verify(t, file)
}

func only(t *testing.T, said map[string][]string, name string) string {
	t.Helper()
	if len(said[name]) != 1 {
		t.Fatalf("%s is given %d times", name, len(said[name]))
	}
	return said[name][0]
}

// verify has systemd itself look at the unit, with the program where it would be installed.
func verify(t *testing.T, file string) {
	t.Helper()
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Log("there is no systemd-analyze here: systemd itself has not looked at the unit")
		return
	}
	text := string(content(t, file))
	installed := only(t, settings(t, file), "ExecStart")
	unit := filepath.Join(t.TempDir(), filepath.Base(file))
	if err := os.WriteFile(unit, []byte(strings.ReplaceAll(text, installed, program(t, "consumer"))), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(analyze, "verify", "--man=no", unit).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v: %s", err, out)
	}
}
