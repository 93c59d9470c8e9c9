// Package cli is what the two programs share of being a command: flags with their environment variables, the version,
// exit codes and signals. It answers "how is the program asked for something, and how does it say how that went?".
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/plumbline-dev/plumbline/core/turn"
)

// The exit codes of both programs.
const (
	Done       = 0
	Differs    = 1 // verdicts differ, under --diff --exit-code
	Usage      = 2 // a flag or a file that was named is wrong
	Unfinished = 3 // could not finish
)

// Run is a program: args without the program's own name; it returns the exit code.
type Run func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int

// Main runs a program and ends the process with its exit code. The first interrupt or termination signal ends the
// program's context, so that it can finish what it has in hand; a second one kills it.
func Main(run Run) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Program describes a program to the person who asks for help.
type Program struct {
	Name        string
	Description string
	// Vars are further names that the tags of its flags may use, as ${name}.
	Vars map[string]string
	// Lists are values that a flag takes, by the name that its tag says as values:"name": completions offer them.
	Lists map[string][]string
}

// commit is the one that a release was built from, set by the linker: go build -ldflags "-X
// github.com/plumbline-dev/plumbline/cmd/internal/cli.commit=...". A build in a clone knows it by itself.
var commit string

// Parse reads args, and the environment variables PLUMBLINE_<FLAG> of the flags that args leaves out, into flags: a
// pointer to a struct with kong's tags, in which ${ruleset} is the default ruleset and ${rulesets} are those known. ok
// is false when the program ends here, with the code: help or the version was asked for, or a flag is wrong, which
// stderr then says.
func (p Program) Parse(flags any, args []string, stdout, stderr io.Writer) (code int, ok bool) {
	_, code, ok = p.ParseCommand(flags, args, stdout, stderr)
	return code, ok
}

// codeOf is the exit code of what went wrong before any work was begun.
func codeOf(err error) int {
	if _, ok := errors.AsType[*usage](err); ok {
		return Usage
	}
	return Unfinished
}

// ParseCommand is Parse for flags that are commands, with the name of the one that args chose.
func (p Program) ParseCommand(flags any, args []string, stdout, stderr io.Writer) (command string, code int, ok bool) {
	ended := false
	parser, err := p.parser(flags, kong.Writers(stdout, stderr), kong.Exit(func(int) { ended = true }))
	if err != nil {
		return "", p.Fail(stderr, Unfinished, fmt.Errorf("its own flags are wrong: %w", err)), false
	}
	if asked, err := p.papers(parser.Model, args, stdout); err != nil {
		return "", p.Fail(stderr, codeOf(err), err), false
	} else if asked {
		return "", Done, false
	}
	hideRare(parser.Model)
	parsed, err := parser.Parse(args)
	switch {
	case ended:
		return "", Done, false
	case err != nil:
		return "", p.Fail(stderr, Usage, fmt.Errorf("%s; %s --help lists the flags", plain(err), p.called(parser, err))), false
	}
	return parsed.Command(), Done, true
}

// plain says in words what kong says of a flag that nothing follows: got "EOL" (<EOL>).
func plain(err error) string {
	if said, _, ok := strings.Cut(err.Error(), ` but got "EOL"`); ok {
		return said + ", and nothing follows it"
	}
	return err.Error()
}

// called is the program with the command that it was called with, or the one that is done when none is named: the help
// of that lists the flags.
func (p Program) called(parser *kong.Kong, err error) string {
	if refused, ok := errors.AsType[*kong.ParseError](err); ok && refused.Context != nil && refused.Context.Selected() != nil {
		return p.Name + " " + refused.Context.Selected().Name
	}
	if usual := parser.Model.DefaultCmd; usual != nil {
		return p.Name + " " + usual.Name
	}
	return p.Name
}

func (p Program) parser(flags any, options ...kong.Option) (*kong.Kong, error) {
	return kong.New(flags, append(append(options, p.help()...),
		kong.Name(p.Name), kong.Description(p.Description), kong.Vars{
			"version": Version(p.Name), "rulesets": strings.Join(turn.Rulesets, " or "), "ruleset": turn.Rulesets[0],
		}, kong.Vars(p.Vars), kong.DefaultEnvars("PLUMBLINE"),
	)...)
}

// Model gives what the program's flags and commands are.
func (p Program) Model(flags any) (*kong.Application, error) {
	parser, err := p.parser(flags)
	if err != nil {
		return nil, err
	}
	return parser.Model, nil
}

// Fail writes what went wrong to stderr and returns the code.
func (p Program) Fail(stderr io.Writer, code int, err error) int {
	fmt.Fprintf(stderr, "%s: %v\n", p.Name, err)
	return code
}

// Version is the line that --version prints: the engine that verdicts name, and the commit it was built from when the
// build knows it.
func Version(name string) string {
	said := name + " " + turn.Engine
	var details []string
	if commit != "" {
		details = append(details, "commit "+commit)
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		details = append(append(details, stamped(info.Settings)...), info.GoVersion)
	}
	if len(details) == 0 {
		return said
	}
	return said + " (" + strings.Join(details, ", ") + ")"
}

// stamped is what the build noted of the clone that it was made in.
func stamped(settings []debug.BuildSetting) (details []string) {
	for _, s := range settings {
		switch {
		case s.Key == "vcs.revision" && commit == "":
			details = append(details, "commit "+s.Value)
		case s.Key == "vcs.modified" && s.Value == "true" && commit == "":
			details = append(details, "with changes")
		}
	}
	return details
}
