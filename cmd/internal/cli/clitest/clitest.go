// Package clitest holds a program to the manners of all of them. It answers "does each flag say what it does, what it is
// without being given, and which environment variable sets it, and is it wherever flags are listed?".
package clitest

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
)

// A screen, in lines and columns.
const screenLines, screenColumns = 40, 100

// Manners holds the program to them: run is the program, flags what p parses.
func Manners(t *testing.T, p cli.Program, run cli.Run, flags any) {
	t.Helper()
	t.Setenv("COLUMNS", "100")
	model, err := p.Model(flags)
	if err != nil {
		t.Fatal(err)
	}
	papers := map[string]string{"man": strings.ReplaceAll(said(t, run, "man"), `\-`, "-")}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		papers[shell] = said(t, run, "completion", shell)
	}
	fits(t, run)
	complete(t, "", model.Flags, said(t, run, "--help-all"), papers)
	for _, command := range model.Children {
		fits(t, run, command.Name)
		complete(t, command.Name, command.Flags, said(t, run, command.Name, "--help-all"), papers)
	}
	for _, wrong := range [][]string{{"completion"}, {"completion", "csh"}, {"completion", "bash", "zsh"}, {"man", "bash"}} {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), wrong, strings.NewReader(""), &stdout, &stderr); code != cli.Usage || stdout.Len() > 0 || stderr.Len() == 0 {
			t.Errorf("%q: code %d, stdout %q, stderr %q", wrong, code, &stdout, &stderr)
		}
	}
}

// said runs the program for what it prints.
func said(t *testing.T, run cli.Run, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), args, strings.NewReader(""), &stdout, &stderr); code != cli.Done || stderr.Len() > 0 {
		t.Fatalf("%q: code %d, stderr %q", args, code, &stderr)
	}
	return stdout.String()
}

// fits holds that the help of a command fits a screen.
func fits(t *testing.T, run cli.Run, command ...string) {
	t.Helper()
	help := said(t, run, append(command, "--help")...)
	if n := strings.Count(help, "\n"); n > screenLines {
		t.Errorf("%q --help takes %d lines, more than %d: give a flag that few need the tag rare\n%s", command, n, screenLines, help)
	}
	for line := range strings.Lines(help) {
		if len([]rune(strings.TrimSuffix(line, "\n"))) > screenColumns {
			t.Errorf("%q --help: too wide: %s", command, line)
		}
	}
}

// complete holds each flag against the help and the papers.
func complete(t *testing.T, command string, flags []*kong.Flag, help string, papers map[string]string) {
	t.Helper()
	for _, flag := range flags {
		name := strings.TrimSpace(command + " --" + flag.Name)
		if flag.Help == "" {
			t.Errorf("%s says nothing", name)
		}
		if !flag.IsBool() && flag.Default == "" && flag.PlaceHolder == "" {
			t.Errorf("%s says neither its default nor, in a placeholder, what it takes", name)
		}
		listed := "--" + flag.Name
		if flag.Tag.Negatable != "" {
			listed = "--[no-]" + flag.Name
		}
		if !strings.Contains(help, listed) {
			t.Errorf("%s is not in --help-all", name)
		}
		for paper, text := range papers {
			want := "--" + flag.Name
			if paper == "fish" {
				want = "-l " + flag.Name + " "
			}
			if !strings.Contains(text, want) {
				t.Errorf("%s is not in %s", name, paper)
			}
		}
		environment(t, name, flag, help, papers["man"])
	}
}

// environment holds that a flag has its variable, which the help and the manual name.
func environment(t *testing.T, name string, flag *kong.Flag, help, man string) {
	t.Helper()
	if slices.Contains([]string{"help", "help-all", "version"}, flag.Name) {
		return
	}
	variable := "PLUMBLINE_" + strings.ToUpper(strings.ReplaceAll(flag.Name, "-", "_"))
	if len(flag.Envs) == 0 || flag.Envs[0] != variable {
		t.Errorf("%s is set by %v, want %s first", name, flag.Envs, variable)
	}
	for _, env := range flag.Envs {
		if !strings.Contains(help, "$"+env) || !strings.Contains(man, env) {
			t.Errorf("%s: --help-all and the manual do not both name %s", name, env)
		}
	}
}
