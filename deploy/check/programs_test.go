package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// programs are built once, into a folder that TestMain removes.
var programs struct {
	once sync.Once
	dir  string
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if programs.dir != "" {
		os.RemoveAll(programs.dir)
	}
	os.Exit(code)
}

// program builds what is operated as make build does, from the tree that is being checked, and gives the path of one.
func program(t *testing.T, name string) string {
	t.Helper()
	programs.once.Do(func() {
		if programs.dir, programs.err = os.MkdirTemp("", "plumbline-check-"); programs.err != nil {
			return
		}
		build := exec.Command("go", "build", "-trimpath", "-o", programs.dir+"/", "./cmd/consumer", "./cmd/replayer", "./cmd/keys", "github.com/nats-io/nats-server/v2")
		build.Dir, build.Stderr = root, os.Stderr
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		programs.err = build.Run()
	})
	if programs.err != nil {
		t.Fatalf("build the programs: %v", programs.err)
	}
	return filepath.Join(programs.dir, name)
}

// secrets makes the keys and certificates as an operator does, and gives their folder and the public keys that nats.env
// says.
func secrets(t *testing.T) (dir string, env map[string]string) {
	t.Helper()
	dir, env = filepath.Join(t.TempDir(), "secrets"), map[string]string{}
	keys := exec.Command(program(t, "keys"), "--dir", dir, "--config", filepath.Join(deploy, "nats-server.conf"))
	if out, err := keys.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	file, err := os.ReadFile(filepath.Join(dir, "nats.env"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(file)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(line, "#") {
			env[name] = value
		}
	}
	return dir, env
}

var flagName = regexp.MustCompile(`--(?:\[no-\])?([a-z][a-z-]*)`)

// consumerFlags are the names of the flags that the consumer's help lists.
func consumerFlags(t *testing.T) map[string]bool {
	t.Helper()
	flags := map[string]bool{}
	for _, ask := range []string{"--help", "--help-all"} {
		out, err := exec.Command(program(t, "consumer"), ask).Output()
		if ask == "--help" && err != nil {
			t.Fatalf("consumer %s: %v", ask, err)
		}
		for _, match := range flagName.FindAllStringSubmatch(string(out), -1) {
			flags[match[1]] = true
		}
	}
	return flags
}

// holdEnvironment fails for each PLUMBLINE_ variable that sets no flag of the consumer: it would be passed over silently.
func holdEnvironment(t *testing.T, where string, env map[string]string) {
	t.Helper()
	flags := consumerFlags(t)
	found := false
	for name := range env {
		flag, ours := strings.CutPrefix(name, "PLUMBLINE_")
		found = found || ours
		if flag = strings.ToLower(strings.ReplaceAll(flag, "_", "-")); ours && !flags[flag] {
			t.Errorf("%s sets %s, but the consumer has no --%s", where, name, flag)
		}
	}
	if !found {
		t.Errorf("%s sets no PLUMBLINE_ variable", where)
	}
}
