package main

import (
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/alecthomas/kong"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/pipeline/policy"
)

// flags is the command line, as kong reads it.
type flags struct {
	NatsURL []string `name:"nats-url" placeholder:"URL" env:"PLUMBLINE_NATS_URL,NATS_URL" help:"NATS servers. None: a server inside this process, on 127.0.0.1."`
	cli.Access

	StoreDir   string `placeholder:"DIR" help:"Where the server inside keeps its streams (plumbline-data)."`
	Port       *int   `placeholder:"N" help:"Port of the server inside (4222; any free one with --demo)."`
	SyncAlways bool   `help:"Server inside: acknowledge what is on the disk; slower, outlives power loss."`

	Prefix        string `default:"agent" help:"First part of every subject."`
	Provision     *bool  `negatable:"" help:"Make streams that are missing (on with the server inside)."`
	ProvisionOnly bool   `help:"Make streams that are missing, and end."`
	Replicas      int    `rare:"" default:"1" help:"Replicas of streams that are made."`
	Partitions    int    `placeholder:"P" help:"Partitions that the event stream must have, or gets when it is made (16; 1 with the server inside)."`

	Rules  string `values:"rulesets" placeholder:"ID" help:"Ruleset: ${rulesets} (${ruleset})."`
	Policy string `placeholder:"FILE" help:"Policy file, read again when it changes and on SIGHUP."`
	cli.Values
	Grace      time.Duration `default:"2s" help:"How long an answer waits for a call that it names."`
	CacheBytes cli.Bytes     `default:"256MiB" help:"Memory for open conversations; the others are read back."`

	HTTP         string        `name:"http" placeholder:"ADDR" help:"Serve /livez, /readyz and /metrics, on :8080 for example."`
	MetricNames  int           `rare:"" default:"100" help:"Agents, and tools, that metrics name; all others count as other."`
	Pprof        string        `rare:"" placeholder:"ADDR" help:"Serve Go's profiles; :6060 serves this machine alone."`
	OTLP         string        `name:"otlp" placeholder:"ADDR" help:"Take in OpenTelemetry traces (OTLP/HTTP), on :4318 for example."`
	Service      bool          `help:"Answer PING, INFO, STATS and explain on NATS."`
	OTelEndpoint string        `name:"otel-endpoint" placeholder:"URL" help:"Send traces and verdicts to http://HOST:4318 (OTLP/HTTP)."`
	LogFormat    string        `values:"text,json" default:"text" help:"text or json. Logs never hold what was said."`
	DrainTimeout time.Duration `rare:"" default:"10s" help:"How long a stop may take to finish what is in hand."`

	Demo bool          `help:"Play real conversations to a server inside, show the verdicts."`
	Once bool          `help:"Demo: end after the summary, instead of listening on."`
	Pace time.Duration `rare:"" default:"200ms" help:"Demo: pause before each answer."`
	JSON bool          `name:"json" help:"Demo: verdicts as JSON lines, the summary to stderr."`

	Version kong.VersionFlag `help:"Print the version." env:"-"`
}

// Config is what the consumer was told to do, checked.
type Config struct {
	NATS     jet.Config // no URLs: an embedded server
	Embedded jet.EmbeddedConfig
	Streams  jet.StreamsConfig
	// Provision makes missing streams.
	Provision bool
	// ProvisionOnly ends once they are made.
	ProvisionOnly bool
	// Partitions is what the event stream must have, 0: whatever it has.
	Partitions   int
	Rules        *policy.Set
	Policy       policyFile // where they come from
	Grace        time.Duration
	CacheBytes   int
	HTTP         string // empty: not served
	Pprof        string // empty: not served
	MetricNames  int    // agents, and tools, that have labels of their own
	OTLP         string // empty: not served
	Service      bool   // answers on NATS
	OTelEndpoint string // empty: what OpenTelemetry's environment says
	LogJSON      bool
	DrainTimeout time.Duration
	Demo         *demoConfig // nil: no demo
}

// demoConfig is how the demo is played.
type demoConfig struct {
	Once, JSON bool
	Pace       time.Duration
}

// Subjects names the deployment's subjects.
func (c Config) Subjects() event.Subjects { return event.Subjects{Prefix: c.Streams.Prefix} }

// config checks the flags. Each error names the flag and says what to do.
func (f flags) config() (Config, error) {
	if err := f.check(); err != nil {
		return Config{}, err
	}
	rules, err := cli.Rules(f.Rules, f.Policy, f.Values)
	if err != nil {
		return Config{}, err
	}
	c := Config{
		NATS:     f.NATS(f.role(), f.NatsURL),
		Embedded: jet.EmbeddedConfig{StoreDir: f.storeDir(), Port: f.port(), SyncAlways: f.SyncAlways},
		Streams:  jet.StreamsConfig{Prefix: f.Prefix, Partitions: f.partitions(), Replicas: f.Replicas},

		Provision: len(f.NatsURL) == 0 || f.ProvisionOnly, ProvisionOnly: f.ProvisionOnly, Partitions: f.Partitions,
		Rules: rules, Policy: policyFile{Path: f.Policy, Ruleset: f.Rules, Values: f.Values}, Grace: f.Grace, CacheBytes: int(f.CacheBytes),
		HTTP: f.HTTP, Pprof: f.Pprof, MetricNames: f.MetricNames, OTLP: f.OTLP, OTelEndpoint: f.OTelEndpoint, Service: f.Service,
		LogJSON: f.LogFormat == "json", DrainTimeout: f.DrainTimeout,
	}
	if f.Provision != nil {
		c.Provision = *f.Provision
	}
	if f.Demo {
		c.Demo = &demoConfig{Once: f.Once, JSON: f.JSON, Pace: f.Pace}
	}
	return c, c.check()
}

// check refuses what no server could make good: files that hold no keys, names that make no subject.
func (c Config) check() error {
	if len(c.NATS.URLs) > 0 {
		if err := c.NATS.Check(); err != nil {
			return err
		}
	}
	return c.Streams.Check()
}

// partitions is how many an event stream gets when it is made: the server inside serves this process alone.
func (f flags) partitions() int {
	if f.Partitions == 0 && len(f.NatsURL) > 0 {
		return 16
	}
	return f.Partitions
}

// role is what the program is to a server: it needs other permissions to make streams than to work.
func (f flags) role() string {
	if f.ProvisionOnly {
		return "provisioner"
	}
	return "consumer"
}

func (f flags) storeDir() string {
	if f.StoreDir == "" && !f.Demo {
		return "plumbline-data"
	}
	return f.StoreDir
}

func (f flags) port() int {
	switch {
	case f.Port != nil:
		return *f.Port
	case f.Demo:
		return 0
	}
	return 4222
}

func (f flags) check() error {
	for _, check := range []func() error{f.checkServer, f.Check, f.checkDemo, f.checkNumbers, f.checkTexts} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// checkServer holds apart what is for a server elsewhere and what is for the one inside.
func (f flags) checkServer() error {
	inside := len(f.NatsURL) == 0
	if flag := f.Given(); inside && flag != "" {
		return fmt.Errorf("%s is for a NATS server elsewhere: say which with --nats-url", flag)
	}
	if !inside && (f.StoreDir != "" || f.Port != nil || f.SyncAlways) {
		return errors.New("--store-dir, --port and --sync-always are for the server inside: leave them out with --nats-url")
	}
	if inside && f.Replicas > 1 {
		return errors.New("--replicas: the server inside is one; name a cluster with --nats-url, or leave --replicas out")
	}
	return nil
}

func (f flags) checkDemo() error {
	switch {
	case f.Demo && (len(f.NatsURL) > 0 || f.StoreDir != ""):
		return errors.New("--demo runs a server of its own in a temporary folder: leave --nats-url and --store-dir out")
	case f.Demo && f.ProvisionOnly:
		return errors.New("--demo makes its streams by itself: leave --provision-only out")
	case f.ProvisionOnly && f.Provision != nil && !*f.Provision:
		return errors.New("--provision-only and --no-provision exclude each other: choose one")
	case f.Demo && f.Provision != nil && !*f.Provision:
		return errors.New("--demo needs its streams: leave --no-provision out")
	case !f.Demo && (f.Once || f.JSON):
		return errors.New("--once and --json belong to --demo: add it, or leave them out")
	}
	return nil
}

func (f flags) checkNumbers() error {
	switch {
	case f.Grace < 0:
		return fmt.Errorf("--grace %s: want 0 or more; 0 does not wait", f.Grace)
	case f.Pace < 0:
		return fmt.Errorf("--pace %s: want 0 or more", f.Pace)
	case f.DrainTimeout <= 0:
		return fmt.Errorf("--drain-timeout %s: want more than 0", f.DrainTimeout)
	case f.CacheBytes <= 0:
		return fmt.Errorf("--cache-bytes %s: want more than 0", f.CacheBytes)
	case f.MetricNames < 0:
		return fmt.Errorf("--metric-names %d: want 0 or more; 0 names none", f.MetricNames)
	case f.Partitions < 0:
		return fmt.Errorf("--partitions %d: want 1 or more", f.Partitions)
	case f.Port != nil && (*f.Port < 0 || *f.Port > 65535):
		return fmt.Errorf("--port %d: want 0 to 65535", *f.Port)
	}
	return nil
}

func (f flags) checkTexts() error {
	if f.LogFormat != "text" && f.LogFormat != "json" {
		return fmt.Errorf("--log-format %q: want text or json", f.LogFormat)
	}
	return errors.Join(checkAddress("--http", f.HTTP), checkAddress("--pprof", f.Pprof), checkAddress("--otlp", f.OTLP), checkEndpoint(f.OTelEndpoint))
}

func checkAddress(flag, address string) error {
	if _, _, err := net.SplitHostPort(address); address != "" && err != nil {
		return fmt.Errorf("%s %q: want host:port or :port", flag, address)
	}
	return nil
}
