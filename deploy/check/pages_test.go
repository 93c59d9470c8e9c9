package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestOperatingPageWorks does what a newcomer does who follows docs/operating.md: it runs the commands of "Three servers" as
// they stand there, from the keys to the verdicts, on other ports and with programs that are built already. With
// PLUMBLINE_DRILL=1 it goes through the drill of docs/runbook.md as well, which takes minutes and a nats tool on the path.
func TestOperatingPageWorks(t *testing.T) {
	work := newcomer(t)
	script := commands(t, "docs/operating.md", "Keys", "Setup", "Start", "See it work")
	drill := os.Getenv("PLUMBLINE_DRILL") != ""
	if drill {
		script += commands(t, "docs/runbook.md", "A consumer is killed", "A server is killed", "Two servers are killed", "A disk is lost",
			"Messages that cannot be read", "Dead letters are put back", "Nothing was judged for a while", "A gap is filled", "A bad policy") +
			commands(t, "docs/operating.md", "See it work")
	}
	said := play(t, work, script)
	for _, want := range []string{
		`made deploy/secrets/consumer\.nk`, `made streams`, `consumer 1: ok,`, `consumer 2: ok,`, `279 events published`,
		`[1-9]\d* stored records are what the rules give, 0 differ`,
	} {
		if !regexp.MustCompile(want).MatchString(said) {
			t.Errorf("it never said %s", want)
		}
	}
	if t.Failed() || drill {
		t.Log(said)
	}
}

// newcomer gives a folder like a fresh clone with the programs built, as far as the page needs it.
func newcomer(t *testing.T) string {
	t.Helper()
	work, here := t.TempDir(), absolute(t, root)
	for _, dir := range []string{"deploy", "bin"} {
		if err := os.Mkdir(filepath.Join(work, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	symlink(t, filepath.Join(here, "cmd"), filepath.Join(work, "cmd"))
	for _, file := range []string{"nats-server.conf", "nats-cluster.conf"} {
		symlink(t, filepath.Join(here, "deploy", file), filepath.Join(work, "deploy", file))
	}
	for _, name := range []string{"consumer", "replayer", "keys", "nats-server"} {
		symlink(t, program(t, name), filepath.Join(work, "bin", name))
	}
	if tool, err := exec.LookPath("nats"); err == nil {
		symlink(t, tool, filepath.Join(work, "bin", "nats"))
	}
	return work
}

func absolute(t *testing.T, dir string) string {
	t.Helper()
	path, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// commands are the shell commands of the named sections of a page, in the page's order.
func commands(t *testing.T, page string, sections ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	for _, section := range sections {
		_, text, found := strings.Cut(string(b), "\n### "+section+"\n")
		if !found {
			t.Fatalf("%s has no section %q", page, section)
		}
		if end := regexp.MustCompile(`(?m)^#{2,3} `).FindStringIndex(text); end != nil {
			text = text[:end[0]]
		}
		blocks := shellBlock.FindAllStringSubmatch(text, -1)
		if len(blocks) == 0 {
			t.Fatalf("%s, %q: no commands", page, section)
		}
		fmt.Fprintf(&script, "echo '== %s'\n", section)
		for _, block := range blocks {
			script.WriteString(block[1])
		}
	}
	return script.String()
}

// portNames are how the pages write the ports of the servers and the consumers: a base, and the number of the node.
var portNames = regexp.MustCompile(`\b(422|622|822|808)(\$1|\$n|[1-3]\b)`)

// play runs commands in bash, and ends what they leave running.
func play(t *testing.T, work, script string) string {
	t.Helper()
	bases := map[string]string{}
	for _, base := range []string{"422", "622", "822", "808"} {
		bases[base] = freeBase(t)
	}
	script = portNames.ReplaceAllStringFunc(script, func(port string) string { return bases[port[:3]] + port[3:] })
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	bash := exec.CommandContext(ctx, "bash", "-c", script)
	bash.Dir, bash.WaitDelay, bash.SysProcAttr = work, 10*time.Second, &syscall.SysProcAttr{Setpgid: true}
	all := func() error { return syscall.Kill(-bash.Process.Pid, syscall.SIGKILL) } // bash, and whatever it started
	bash.Cancel = all
	bash.Env = append(os.Environ(), "PLUMBLINE_NATS_URL=", "NATS_URL=")
	var said bytes.Buffer
	bash.Stdout, bash.Stderr = &said, &said
	if err := bash.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { all() }) //nolint:errcheck // nothing may be left of it
	if err := bash.Wait(); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		t.Errorf("%v", err)
	}
	return said.String()
}

var takenBases = map[int]bool{}

// freeBase finds three digits such that nothing listens on the ports that they and 1, 2 or 3 make.
func freeBase(t *testing.T) string {
	t.Helper()
	for base := 340; base < 900; base++ {
		if !takenBases[base] && free(base*10+1) && free(base*10+2) && free(base*10+3) {
			takenBases[base] = true
			return fmt.Sprint(base)
		}
	}
	t.Fatal("no three free ports in a row")
	return ""
}

func free(port int) bool {
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return false
	}
	return l.Close() == nil
}
