package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"time"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// pastFlags are the flags of judge that are about a server's streams.
type pastFlags struct {
	NatsURL []string `name:"nats-url" placeholder:"URL" env:"PLUMBLINE_NATS_URL,NATS_URL" help:"Servers whose history is judged, without --file."`
	cli.Access
	Prefix string `default:"agent" help:"First part of every subject."`

	From         string  `placeholder:"T" help:"Answers stored since T: 2026-10-01, or RFC 3339."`
	To           string  `placeholder:"T" help:"Answers stored before T."`
	FromSeq      uint64  `rare:"" placeholder:"N" help:"Answers from that event sequence on."`
	ToSeq        uint64  `rare:"" placeholder:"N" help:"Answers up to that event sequence, included."`
	Tenant       *string `placeholder:"NAME" help:"Only conversations of that tenant."`
	Agent        *string `placeholder:"NAME" help:"Only those of that agent."`
	Conversation *string `placeholder:"ID" help:"Only those of that id."`

	Publish bool   `help:"Store the verdicts that are missing. What is stored is never touched."`
	Diff    bool   `help:"Show what changes against stored verdicts, or with --against."`
	Stored  string `rare:"" values:"rulesets" placeholder:"ID" help:"With --diff: the ruleset of the stored verdicts (that of --rules)."`
	Verify  bool   `help:"Make stored verdicts again, show what differs."`

	Workers    int       `rare:"" placeholder:"N" help:"Conversations judged at once (4 a processor)."`
	CacheBytes cli.Bytes `rare:"" default:"256MiB" help:"Memory for conversations that are being read."`
	Rate       float64   `rare:"" placeholder:"N" help:"Most events read in a second (no bound)."`
	Resume     string    `placeholder:"ID" help:"Go on with the replay of that id, or begin it."`
}

// PastConfig is what the replayer was told to do with a server's streams, checked.
type PastConfig struct {
	NATS           jet.Config
	Subjects       event.Subjects
	From, To       time.Time // zero: no bound
	FromSeq, ToSeq uint64    // 0: no bound
	Some           event.Some
	Task           string // one of the tasks
	Stored         string // ruleset of the stored verdicts; empty: that of the rules
	Workers, Bytes int
	Rate           float64 // events in a second; 0: no bound
	Resume         string  // empty: a name made of what the replay is
}

// The tasks of a replay over history.
const (
	taskOut     = "out"     // write the verdicts
	taskPublish = "publish" // store those that are missing
	taskCompare = "compare" // what another policy changes
	taskDiff    = "diff"    // what changes against stored verdicts
	taskVerify  = "verify"  // are stored verdicts what the rules give
)

// resumable matches the names that a key-value bucket takes and that a subject has no other use for.
var resumable = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// past checks the flags that are about streams, nil when a file is to be judged. Each error names the flag and says what
// to do.
func (f flags) past() (*PastConfig, error) {
	if f.File != "" {
		return nil, f.onlyFile()
	}
	if len(f.NatsURL) == 0 {
		return nil, errors.New("name what to judge: --file FILE, or --nats-url URL for the history of a server")
	}
	for _, check := range []func() error{f.checkRange, f.checkTask, f.checkNumbers, f.Check} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	c := &PastConfig{
		NATS: f.NATS("replayer", f.NatsURL), Subjects: event.Subjects{Prefix: f.Prefix}, FromSeq: f.FromSeq, ToSeq: f.ToSeq,
		Some: event.Some{Tenant: f.Tenant, Agent: f.Agent, ID: f.Conversation}, Task: f.task(), Stored: f.Stored,
		Workers: f.Workers, Bytes: int(f.CacheBytes), Rate: f.Rate, Resume: f.Resume,
	}
	if err := reachable(c.NATS, f.Prefix); err != nil {
		return nil, err
	}
	if c.Workers == 0 {
		c.Workers = 4 * runtime.NumCPU()
	}
	var err error
	if c.From, err = instant("--from", f.From); err != nil {
		return nil, err
	}
	if c.To, err = instant("--to", f.To); err == nil && !c.To.IsZero() && c.To.Before(c.From) {
		err = fmt.Errorf("--to %s comes before --from %s", f.To, f.From)
	}
	return c, err
}

// reachable refuses what no server could make good: files that hold no keys, a prefix that makes no subject.
func reachable(server jet.Config, prefix string) error {
	if err := server.Check(); err != nil {
		return err
	}
	return jet.StreamsConfig{Prefix: prefix}.Check()
}

func (f flags) task() string {
	switch {
	case f.Publish:
		return taskPublish
	case f.Verify:
		return taskVerify
	case f.Against != "":
		return taskCompare
	case f.Diff:
		return taskDiff
	}
	return taskOut
}

// onlyFile refuses what means nothing over a file.
func (f flags) onlyFile() error {
	for _, flag := range []struct {
		name  string
		given bool
	}{
		{"--publish", f.Publish}, {"--verify", f.Verify}, {"--diff", f.Diff && f.Against == ""}, {"--resume", f.Resume != ""},
		{"--from", f.From != ""}, {"--to", f.To != ""}, {"--from-seq", f.FromSeq > 0}, {"--to-seq", f.ToSeq > 0},
		{"--tenant", f.Tenant != nil}, {"--agent", f.Agent != nil}, {"--conversation", f.Conversation != nil},
		{"--rate", f.Rate != 0}, {"--workers", f.Workers != 0}, {"--stored", f.Stored != ""}, {f.Given(), f.Given() != ""},
	} {
		if flag.given {
			return fmt.Errorf("%s is for the history of a server: leave it or --file out", flag.name)
		}
	}
	return nil
}

func (f flags) checkRange() error {
	switch {
	case f.From != "" && f.FromSeq > 0:
		return errors.New("--from and --from-seq are both given: choose one")
	case f.To != "" && f.ToSeq > 0:
		return errors.New("--to and --to-seq are both given: choose one")
	case f.ToSeq > 0 && f.ToSeq < f.FromSeq:
		return fmt.Errorf("--to-seq %d comes before --from-seq %d", f.ToSeq, f.FromSeq)
	}
	return nil
}

func (f flags) checkTask() error {
	given := 0
	for _, is := range []bool{f.Publish, f.Verify, f.Diff || f.Against != ""} {
		if is {
			given++
		}
	}
	switch {
	case given > 1:
		return errors.New("--publish, --verify and --diff are three jobs: choose one")
	case f.Publish && (f.Out != "" || f.Text):
		return errors.New("--publish stores verdicts, --out and --text write them: choose one")
	case f.Stored != "" && f.task() != taskDiff:
		return errors.New("--stored belongs to --diff, without --against")
	case parquetFile(f.Out) && f.Resume != "":
		return errors.New("--resume: a Parquet file cannot be gone on with: leave --resume out, or name a .jsonl file")
	}
	return nil
}

// parquetFile tells whether the name asks for that format.
func parquetFile(name string) bool { return filepath.Ext(name) == ".parquet" }

func (f flags) checkNumbers() error {
	switch {
	case f.Workers < 0:
		return fmt.Errorf("--workers %d: want 1 or more", f.Workers)
	case f.CacheBytes <= 0:
		return fmt.Errorf("--cache-bytes %s: want more than 0", f.CacheBytes)
	case f.Rate < 0:
		return fmt.Errorf("--rate %g: want more than 0", f.Rate)
	case f.Resume != "" && !resumable.MatchString(f.Resume):
		return fmt.Errorf("--resume %q: want up to 64 letters, digits, - and _", f.Resume)
	}
	return nil
}

// instant reads a time of the server's clock: RFC 3339, or a day, which begins at midnight UTC.
func instant(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("%s %q: want 2026-10-01 or 2026-10-01T09:00:00Z", flag, text)
}
