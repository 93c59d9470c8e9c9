package cli

import (
	"bytes"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
)

type sample struct {
	NatsURL    []string `name:"nats-url" env:"PLUMBLINE_NATS_URL,NATS_URL" help:"Servers."`
	TLSCA      string   `name:"tls-ca" help:"Authority."`
	CacheBytes Bytes    `default:"256MiB" help:"Memory."`
	Grace      time.Duration
	Once       bool
	Version    kong.VersionFlag `env:"-"`
}

var program = Program{Name: "sample", Description: "Does nothing."}

func parse(args ...string) (s sample, code int, ok bool, stdout, stderr string) {
	var out, err bytes.Buffer
	code, ok = program.Parse(&s, args, &out, &err)
	return s, code, ok, out.String(), err.String()
}

func TestEveryFlagHasItsEnvironmentVariable(t *testing.T) {
	parser, err := program.parser(&sample{})
	if err != nil {
		t.Fatal(err)
	}
	for _, flag := range parser.Model.Flags {
		if flag.Name == "help" || flag.Name == "help-all" || flag.Name == "version" {
			continue
		}
		want := "PLUMBLINE_" + strings.ToUpper(strings.ReplaceAll(flag.Name, "-", "_"))
		if len(flag.Envs) == 0 || flag.Envs[0] != want {
			t.Errorf("--%s is set by %v, want %s first", flag.Name, flag.Envs, want)
		}
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("NATS_URL", "nats://a:4222,nats://b:4222")
	t.Setenv("PLUMBLINE_TLS_CA", "ca.pem")
	t.Setenv("PLUMBLINE_GRACE", "3s")
	t.Setenv("PLUMBLINE_ONCE", "true")
	s, _, ok, _, stderr := parse("--grace=1s")
	if !ok {
		t.Fatal(stderr)
	}
	if len(s.NatsURL) != 2 || s.TLSCA != "ca.pem" || !s.Once || s.CacheBytes != 256<<20 {
		t.Errorf("parsed %+v", s)
	}
	if s.Grace != time.Second {
		t.Errorf("grace %s: the flag comes before the environment", s.Grace)
	}
	t.Setenv("PLUMBLINE_NATS_URL", "nats://c:4222")
	if s, _, _, _, _ := parse(); len(s.NatsURL) != 1 {
		t.Errorf("nats-url %v: its own variable comes before NATS_URL", s.NatsURL)
	}
}

func TestParseEnds(t *testing.T) {
	tests := []struct {
		args           []string
		code           int
		stdout, stderr string // parts of them
	}{
		{[]string{"--help"}, Done, "--cache-bytes=256MiB", ""},
		{[]string{"--version"}, Done, "sample plumbline/", ""},
		{[]string{"--no-such"}, Usage, "", "sample: unknown flag --no-such; sample --help lists the flags\n"},
		{[]string{"stray"}, Usage, "", "unexpected argument stray"},
		{[]string{"--grace=soon"}, Usage, "", "--grace"},
		{[]string{"--grace"}, Usage, "", "sample: --grace: expected duration value, and nothing follows it; sample --help lists the flags\n"},
		{[]string{"--cache-bytes=12Q"}, Usage, "", `--cache-bytes: "12Q" is no number of bytes: write 268435456 or 256MiB`},
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			_, code, ok, stdout, stderr := parse(tt.args...)
			if ok || code != tt.code || !strings.Contains(stdout, tt.stdout) || !strings.Contains(stderr, tt.stderr) {
				t.Errorf("ok %t, code %d, stdout %q, stderr %q", ok, code, stdout, stderr)
			}
			if tt.code == Done && stderr != "" || tt.code != Done && stdout != "" {
				t.Errorf("stdout %q, stderr %q: answers go to the one, complaints to the other", stdout, stderr)
			}
		})
	}
}

// TestVersion: the commit is the linker's when it was given one, else what the build noted.
func TestVersion(t *testing.T) {
	noted := []debug.BuildSetting{{Key: "vcs.revision", Value: "f00d"}, {Key: "vcs.modified", Value: "true"}, {Key: "GOOS", Value: "linux"}}
	if got := stamped(noted); !slices.Equal(got, []string{"commit f00d", "with changes"}) {
		t.Errorf("noted %q", got)
	}
	t.Cleanup(func() { commit = "" })
	commit = "beef"
	if got := stamped(noted); len(got) != 0 {
		t.Errorf("noted %q beside the linker's commit", got)
	}
	if got := Version("sample"); !strings.HasPrefix(got, "sample plumbline/") || !strings.Contains(got, "(commit beef, go") {
		t.Errorf("the version is %q", got)
	}
}

func TestBytes(t *testing.T) {
	tests := []struct {
		text string
		want Bytes
		said string // empty: an error
	}{
		{"0", 0, "0"}, {"1000", 1000, "1000"}, {"1024", 1024, "1KiB"}, {"256MiB", 256 << 20, "256MiB"}, {"1 GiB", 1 << 30, "1GiB"},
		{"64MB", 64_000_000, "62500KiB"}, {"3KB", 3000, "3000"}, {"12B", 12, "12"},
		{"", 0, ""}, {"-1", 0, ""}, {"1.5GiB", 0, ""}, {"9999999999GiB", 0, ""}, {"MiB", 0, ""},
	}
	for _, tt := range tests {
		var b Bytes
		err := b.UnmarshalText([]byte(tt.text))
		if (err == nil) != (tt.said != "") || b != tt.want || err == nil && b.String() != tt.said {
			t.Errorf("%q reads as %d, %s, %v", tt.text, b, b, err)
		}
	}
}
