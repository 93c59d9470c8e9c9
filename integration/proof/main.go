// Command proof runs Plumbline as it is run: real consumer processes over real servers, of which some are killed and
// paused meanwhile, or one that is watched for long. It answers "is anything lost, twice or wrong, whatever is killed?" and
// "does memory stay within its bound?". make chaos and make soak run it.
//
// It holds no rule about evidence: what is right is what package replay says of the events that are stored.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// The exit codes: the same as those of the programs under cmd.
const (
	exitHolds      = 0
	exitBroken     = 1 // something was lost, stored twice or wrong, or a bound was broken
	exitUsage      = 2
	exitUnfinished = 3
)

// commands is the command line, as kong reads it.
type commands struct {
	Chaos chaos `cmd:"" help:"Kill and pause consumers and servers under load, and compare every verdict with the pure fold."`
	Soak  soak  `cmd:"" help:"Watch the memory of one consumer while a million conversations are open."`
	Node  node  `cmd:"" hidden:"" help:"Run one NATS server; the other commands start it."`
}

// verdict is what a command found: whether what it proves holds.
type verdict bool

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the program: args without its own name; it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var c commands
	ended := false
	parser, err := kong.New(&c, kong.Name("proof"), kong.Writers(stdout, stderr), kong.Exit(func(int) { ended = true }),
		kong.Description("Proves what Plumbline guarantees, on real processes. Exit codes: 0 it holds, 1 it does not, "+
			"2 wrong use, 3 could not finish."))
	if err != nil {
		fmt.Fprintf(stderr, "proof: its own flags are wrong: %v\n", err)
		return exitUnfinished
	}
	command, err := parser.Parse(args)
	switch {
	case ended:
		return exitHolds
	case err != nil:
		fmt.Fprintf(stderr, "proof: %v; proof --help lists the flags\n", err)
		return exitUsage
	}
	var holds verdict
	command.BindTo(ctx, (*context.Context)(nil))
	command.BindTo(stdout, (*io.Writer)(nil))
	if err := command.Run(&holds); err != nil {
		fmt.Fprintf(stderr, "proof: %v\n", err)
		return exitUnfinished
	}
	if !holds {
		return exitBroken
	}
	return exitHolds
}
