package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tool is a program with commands and a flag of each kind.
type tool struct {
	Judge struct {
		File      string   `placeholder:"FILE" help:"What's read: [any] \"form\", $HOME."`
		StoreDir  string   `placeholder:"DIR" help:"Where."`
		Format    string   `default:"auto" values:"forms" help:"Form."`
		Provision *bool    `negatable:"" help:"Make it."`
		NatsURL   []string `name:"nats-url" placeholder:"URL" help:"Servers."`
	} `cmd:"" default:"withargs" help:"Judge (what is done)."`
	Send struct {
		What string `arg:"" optional:"" help:"What to send."`
		Rate int    `default:"1" rare:"" help:"Rate."`
	} `cmd:"" help:"Send it."`
}

var toolProgram = Program{
	Name: "tool", Description: "Does. It 'does' not.\n\n.Second paragraph.", Lists: map[string][]string{"forms": {"auto", "native"}},
}

func paper(t *testing.T, args ...string) string {
	t.Helper()
	var out, err bytes.Buffer
	var asked tool
	if _, code, ok := toolProgram.ParseCommand(&asked, args, &out, &err); code != Done || ok || err.Len() > 0 {
		t.Fatalf("%q: code %d, ok %t, stderr %q", args, code, ok, &err)
	}
	return out.String()
}

// TestCompletionInBash asks the shell itself what it would offer.
func TestCompletionInBash(t *testing.T) {
	bash := shell(t, "bash")
	dir := t.TempDir()
	for _, name := range []string{"events 1.jsonl", "events2.jsonl"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "event-store"), 0o700); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		words []string // as bash splits them; the last is being typed
		want  []string
	}{
		{"commands", []string{"tool", ""}, []string{
			"judge", "send", "man", "completion", "--help", "--help-all", "--file", "--store-dir", "--format", "--provision", "--no-provision", "--nats-url",
		}},
		{"a command", []string{"tool", "se"}, []string{"send"}},
		{"flags of the command that need not be named", []string{"tool", "--f"}, []string{"--file", "--format"}},
		{"flags of a command", []string{"tool", "send", "--"}, []string{"--help", "--help-all", "--rate"}},
		{"a list", []string{"tool", "judge", "--format", ""}, []string{"auto", "native"}},
		{"a list after =", []string{"tool", "judge", "--format", "=", "na"}, []string{"native"}},
		{"a list right after =", []string{"tool", "--format", "="}, []string{"auto", "native"}},
		{"files", []string{"tool", "--file", "events"}, []string{"events 1.jsonl", "events2.jsonl"}},
		{"folders", []string{"tool", "--store-dir", "e"}, []string{"event-store"}},
		{"what nobody can guess", []string{"tool", "send", "--rate", ""}, nil},
		{"shells", []string{"tool", "completion", ""}, []string{"bash", "zsh", "fish"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			script := paper(t, "completion", "bash") + "COMP_WORDS=(\"$@\"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n" +
				"_plumbline_tool\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n"
			c := exec.CommandContext(t.Context(), bash, append([]string{"--norc", "-c", script, "-"}, tt.words...)...)
			c.Dir = dir
			out, err := c.CombinedOutput()
			got := slices.DeleteFunc(strings.Split(string(out), "\n"), func(line string) bool { return line == "" })
			slices.Sort(got)
			slices.Sort(tt.want)
			if err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("%v: offered %q, want %q", err, got, tt.want)
			}
		})
	}
}

// TestCompletionIsReadByItsShell: each shell that is here reads what is written for it.
func TestCompletionIsReadByItsShell(t *testing.T) {
	for _, name := range shells {
		t.Run(name, func(t *testing.T) {
			c := exec.CommandContext(t.Context(), shell(t, name), "-n", "/dev/stdin")
			c.Stdin = strings.NewReader(paper(t, "completion", name))
			if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestCompletionInFish asks the shell itself what it would offer.
func TestCompletionInFish(t *testing.T) {
	fish := shell(t, "fish")
	for line, want := range map[string]string{
		"tool send --r": "--rate", "tool --fo": "--format", "tool --format na": "native", "tool completion z": "zsh", "tool se": "send",
	} {
		c := exec.CommandContext(t.Context(), fish, "--no-config", "-c", `source; complete -C `+single(line))
		c.Stdin = strings.NewReader(paper(t, "completion", "fish"))
		out, err := c.CombinedOutput()
		if offered, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\t"); err != nil || offered != want {
			t.Errorf("%s: %v, offered %q, want %q", line, err, out, want)
		}
	}
}

func shell(t *testing.T, name string) string {
	t.Helper()
	found, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("there is no %s here: %v", name, err) //nolint:forbidigo // what is not there cannot be tested, and the reason is printed
	}
	return found
}

// TestMan holds the page, and has it set where there is a typesetter.
func TestMan(t *testing.T) {
	page := paper(t, "man")
	for _, want := range []string{
		".TH TOOL 1 ", "tool \\- Does\n", "\\fBtool\\fR \\fBsend\\fR [<what>] [\\fIflags\\fR]", "\n.TP\n\\fI[<what>]\\fR\nWhat to send.\n", "\n.PP\n\\&.Second paragraph.\n", ".SS judge\nJudge (what is done).",
		"\\fB\\-\\-provision\\fR, \\fB\\-\\-no\\-provision\\fR\n", "\\fB\\-\\-rate\\fR=\\fI1\\fR\nRate.\nDefault: 1.\nEnvironment: PLUMBLINE_RATE.\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not in\n%s", want, page)
		}
	}
	c := exec.CommandContext(t.Context(), shell(t, "groff"), "-man", "-ww", "-z", "-Tascii")
	c.Stdin = strings.NewReader(page)
	if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestHelpAll: --help leaves out what few need, and says so.
func TestHelpAll(t *testing.T) {
	few, all := paper(t, "send", "--help"), paper(t, "send", "--help-all")
	if strings.Contains(few, "--rate") || !strings.Contains(few, "1 more: tool send --help-all.") {
		t.Errorf("--help says\n%s", few)
	}
	if !strings.Contains(all, "--rate=1") || !strings.Contains(all, "$PLUMBLINE_RATE") || strings.Contains(all, "more: ") {
		t.Errorf("--help-all says\n%s", all)
	}
	if top := paper(t, "--help"); !strings.Contains(top, "Also: tool man, tool completion bash|zsh|fish.") {
		t.Errorf("--help says\n%s", top)
	}
}
