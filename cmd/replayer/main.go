// Command replayer judges the answers of a file of events and writes the verdicts, without any server. The same events
// give the same verdicts as the consumer's, byte for byte, when their sequences are the numbers of their lines. Its other
// commands work on a server's streams.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/cmd/internal/report"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline/policy"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
	"github.com/plumbline-dev/plumbline/schemas/adapter/formats"
)

func main() { cli.Main(run) }

var program = cli.Program{
	Name: "replayer",
	Description: "Judges every answer in a file, or in the history of a server, and writes the verdicts. On a terminal " +
		"they are shown to read; into a pipe, or with --out, they are JSON, one published event a line, in the order of the " +
		"file. Each flag can be set as PLUMBLINE_<FLAG> in the environment. Exit codes: 0 done, 1 --verify " +
		"found a difference, or --exit-code asked and a verdict changes, 2 wrong use, 3 a line or a message could not be read, the work could " +
		"not be finished, or --verify had nothing to verify. The flags of a judgement are listed by replayer judge --help.\n\n" +
		"Forms of a file: " + forms() + ".",
	Vars:  map[string]string{"formats": adapter.Names(formats.All)},
	Lists: map[string][]string{"formats": formatNames()},
}

// formatNames are what --format takes.
func formatNames() []string {
	names := []string{"auto"}
	for _, f := range formats.All {
		names = append(names, f.Name)
	}
	return names
}

// forms says what each form of a file is.
func forms() string {
	said := make([]string, len(formats.All))
	for i, f := range formats.All {
		said[i] = f.Name + ": " + f.Says
	}
	return strings.Join(said, "; ")
}

// commands is the command line, as kong reads it.
type commands struct {
	Judge   flags        `cmd:"" default:"withargs" help:"Judge the answers of a file or of a server's history; what is done when no command is named."`
	Publish publishFlags `cmd:"" help:"Send the events of a file into the event stream, each once."`
	Explain explainFlags `cmd:"" help:"Show what a stored verdict rests on, value by value."`
	Redrive redriveFlags `cmd:"" help:"Put the messages of dead letters back into the event stream, each once."`

	Version kong.VersionFlag `help:"Print the version." env:"-"`
}

// flags is the command line of judge.
type flags struct {
	File   string `placeholder:"FILE" help:"The events; - is stdin."`
	Format string `values:"formats" default:"auto" placeholder:"FORM" help:"Form of the file: ${formats} (auto: found by the first rows)."`
	Rules  string `values:"rulesets" placeholder:"ID" help:"Ruleset: ${rulesets} (${ruleset})."`
	Policy string `placeholder:"FILE" help:"Policy file: what you choose about the rules."`
	cli.Values
	Against  string `placeholder:"FILE" help:"Another policy file, or ruleset: show which verdicts it would change, and why."`
	ExitCode bool   `help:"With --diff or --against: exit with 1 when a verdict changes."`
	Out      string `placeholder:"FILE" help:"Verdicts as JSON lines (FILE.parquet: as a table); - is stdout."`
	Text     bool   `help:"Verdicts to read, also when stdout is a pipe."`
	HTML     string `name:"html" placeholder:"FILE" help:"With --file: one page to read in a browser."`
	Summary  string `values:"text,json" default:"text" help:"Summary on stderr: text or json."`

	pastFlags
}

// Config is what the replayer was told to do, checked.
type Config struct {
	File     string // - is stdin
	Format   string // auto, or a name of formats.All
	Rules    *policy.Set
	Against  *policy.Set // nil: no comparison
	ExitCode bool
	Out      string // - is stdout, empty: no JSON lines
	Text     bool
	HTML     string      // empty: no page
	Summary  string      // text or json
	Past     *PastConfig // nil: a file is judged
}

// run is the program: it does what the command says, until that is done or ctx ends.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var asked commands
	command, code, ok := program.ParseCommand(&asked, args, stdout, stderr)
	switch {
	case !ok:
		return code
	case command == "publish":
		return publish(ctx, asked.Publish, stdin, stderr)
	case strings.HasPrefix(command, "explain"): // kong names its argument too
		return explainVerdict(ctx, asked.Explain, stdout, stderr)
	case command == "redrive":
		return redrive(ctx, asked.Redrive, stdout, stderr)
	}
	return judge(ctx, asked.Judge, stdin, stdout, stderr)
}

// judge works until the file is read and the verdicts are written, or ctx ends.
func judge(ctx context.Context, f flags, stdin io.Reader, stdout, stderr io.Writer) int {
	c, err := f.config(report.Terminal(stdout))
	if err != nil {
		return program.Fail(stderr, cli.Usage, err)
	}
	err = c.work(ctx, stdin, stdout, stderr)
	if errors.Is(err, errDiffer) {
		return cli.Differs
	}
	if wrong, ok := errors.AsType[*usageError](err); ok {
		return program.Fail(stderr, cli.Usage, wrong)
	}
	if err != nil {
		return program.Fail(stderr, cli.Unfinished, err)
	}
	return cli.Done
}

// work judges the file or the history of a server, or compares two policies over it.
func (c Config) work(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer) error {
	switch {
	case c.Past != nil:
		return replayPast(ctx, c, stdout, stderr)
	case c.Against != nil:
		return compareFile(ctx, c, stdin, stdout, stderr)
	}
	return replayFile(ctx, c, stdin, stdout, stderr)
}

// usageError is a fault of what the program was told.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

// config checks the flags. Each error names the flag and says what to do. terminal tells that stdout is read by a
// person.
func (f flags) config(terminal bool) (Config, error) {
	c := Config{File: f.File, Format: f.Format, Out: f.Out, Text: f.Text, HTML: f.HTML, Summary: f.Summary, ExitCode: f.ExitCode}
	var err error
	if f.Format != "auto" {
		if _, err := adapter.Named(formats.All, f.Format); err != nil {
			return c, fmt.Errorf("--format: %w", err)
		}
	}
	switch {
	case f.Summary != "text" && f.Summary != "json":
		return c, fmt.Errorf("--summary %q: want text or json", f.Summary)
	case f.Text && f.Out == "-":
		return c, errors.New("--text and --out - both want stdout: leave one out, or name a file with --out")
	case f.HTML != "" && (f.File == "" || f.Against != ""):
		return c, errors.New("--html needs --file FILE, without --against")
	case f.ExitCode && f.Against == "" && !f.Diff:
		return c, errors.New("--exit-code needs --diff, or --against")
	case parquetFile(f.Out) && f.task() != taskOut:
		return c, errors.New("--out: a Parquet file holds verdicts: leave --diff, --against and --verify out, or name a .jsonl file")
	}
	if err := f.keepsInputs(); err != nil {
		return c, err
	}
	if c.Past, err = f.past(); err != nil {
		return c, err
	}
	if c.Rules, err = cli.Rules(f.Rules, f.Policy, f.Values); err != nil {
		return c, err
	}
	if f.Against != "" {
		if c.Against, err = against(f.Against, f.Values); err != nil {
			return c, err
		}
	}
	if c.Out == "" && !c.Text && !f.Publish {
		if c.Text = terminal; !terminal {
			c.Out = "-"
		}
	}
	return c, nil
}

// against reads what --against names: a ruleset, or a policy file.
func against(name string, values cli.Values) (*policy.Set, error) {
	if slices.Contains(turn.Rulesets, name) {
		return cli.Ruleset("--against", name, values)
	}
	return cli.Policy("--against", name, "", values)
}

// keepsInputs refuses to write over a file that is read.
func (f flags) keepsInputs() error {
	for _, input := range []struct{ flag, file string }{{"--file", f.File}, {"--policy", f.Policy}, {"--against", f.Against}} {
		for _, output := range []struct{ flag, file string }{{"--out", f.Out}, {"--html", f.HTML}} {
			if output.file != "-" && sameFile(input.file, output.file) {
				return fmt.Errorf("%s %s is what %s reads: name another file", output.flag, output.file, input.flag)
			}
		}
	}
	if f.HTML == "-" || f.HTML != "" && (filepath.Clean(f.HTML) == filepath.Clean(f.Out) || sameFile(f.HTML, f.Out)) {
		return fmt.Errorf("--html %s: name a file of its own", f.HTML)
	}
	return nil
}

// sameFile tells whether two names are of one file. A name that cannot be looked up is another file's: what is wrong
// with it is said when it is opened.
func sameFile(a, b string) bool {
	aInfo, aErr := os.Stat(a)
	bInfo, bErr := os.Stat(b)
	return aErr == nil && bErr == nil && os.SameFile(aInfo, bInfo)
}
