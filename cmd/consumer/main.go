// Command consumer reads what agent runtimes publish on NATS JetStream, and publishes a verdict on every answer.
//
// It runs against a NATS server, or with one inside itself. With --demo it plays real conversations to itself and
// shows each verdict as it lands.
package main

import (
	"context"
	"io"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
)

func main() { cli.Main(run) }

var program = cli.Program{
	Name: "consumer",
	Description: "Reads the events of agent runtimes from NATS JetStream and publishes a verdict on every answer. " +
		"Each flag can be set as PLUMBLINE_<FLAG> in the environment, --nats-url also as NATS_URL. " +
		"Exit codes: 0 done, 2 wrong use, 3 could not finish.",
}

// run is the program: it works until ctx ends, or until the demo is over.
func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	var f flags
	if code, ok := program.Parse(&f, args, stdout, stderr); !ok {
		return code
	}
	c, err := f.config()
	if err != nil {
		return program.Fail(stderr, cli.Usage, err)
	}
	if err := serve(ctx, c, stdout, stderr); err != nil {
		return program.Fail(stderr, cli.Unfinished, err)
	}
	return cli.Done
}
