// Command keys makes the keys and certificates that deploy/nats-server.conf asks for: an authority, what it signs, and a
// key for every role. It makes what is missing and leaves what is there.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/cmd/internal/keyring"
)

func main() { cli.Main(run) }

var program = cli.Program{
	Name: "keys",
	Description: "Makes the keys and certificates that the NATS server's configuration asks for: what is missing; what is there is left. " +
		"Nothing leaves this machine. Exit codes: 0 done, 2 wrong use, 3 could not finish.",
}

// flags is the command line, as kong reads it.
type flags struct {
	Dir    string   `default:"deploy/secrets" placeholder:"DIR" help:"Where they are kept (deploy/secrets)."`
	Config string   `default:"deploy/nats-server.conf" placeholder:"FILE" help:"The server's configuration: a key is made for each $$NKEY_NAME in it (deploy/nats-server.conf)."`
	Host   []string `default:"localhost,127.0.0.1,nats-1,nats-2,nats-3" placeholder:"NAME" help:"What the servers are called by their clients and by one another (localhost,127.0.0.1,nats-1,nats-2,nats-3)."`
	Days   int      `default:"397" help:"How long certificates hold (397)."`
	Renew  bool     `help:"Make the servers' and the clients' certificates anew; the authority and the keys stay."`
	Owner  string   `placeholder:"UID:GID" help:"Whom the files belong to, 65532:65532 for the container image; only root may give it."`

	Version kong.VersionFlag `help:"Print the version." env:"-"`
}

// run is the program.
func run(_ context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	var f flags
	if code, ok := program.Parse(&f, args, stdout, stderr); !ok {
		return code
	}
	c, err := f.config()
	if err != nil {
		return program.Fail(stderr, cli.Usage, err)
	}
	ring, err := keyring.Make(c)
	if err != nil {
		return program.Fail(stderr, cli.Unfinished, err)
	}
	for _, file := range ring.Made {
		fmt.Fprintln(stdout, "made", file)
	}
	if len(ring.Made) == 0 {
		fmt.Fprintln(stdout, "everything is there")
	}
	fmt.Fprintf(stdout, "certificates hold until %s; --renew makes new ones\n", ring.Until.Format(time.DateOnly))
	return cli.Done
}

// config checks the flags.
func (f flags) config() (keyring.Config, error) {
	c := keyring.Config{
		Dir: f.Dir, Hosts: f.Host, Valid: time.Duration(f.Days) * 24 * time.Hour, Renew: f.Renew, UID: -1, GID: -1, Now: time.Now(),
	}
	server, err := os.ReadFile(f.Config)
	if err != nil {
		return c, fmt.Errorf("--config: %w", err)
	}
	if c.Roles = keyring.Roles(server); len(c.Roles) == 0 {
		return c, fmt.Errorf("--config %s names no user as $NKEY_NAME: name the configuration of the server", f.Config)
	}
	if f.Days < 1 || f.Days > 3650 {
		return c, fmt.Errorf("--days %d: want 1 to 3650", f.Days)
	}
	if f.Owner != "" {
		if c.UID, c.GID, err = owner(f.Owner); err != nil {
			return c, err
		}
	}
	return c, nil
}

func owner(said string) (uid, gid int, err error) {
	user, group, _ := strings.Cut(said, ":")
	uid, userErr := strconv.Atoi(user)
	gid, groupErr := strconv.Atoi(group)
	if userErr != nil || groupErr != nil || uid < 0 || gid < 0 {
		return 0, 0, fmt.Errorf("--owner %q: want two numbers, 65532:65532 for example", said)
	}
	return uid, gid, nil
}
