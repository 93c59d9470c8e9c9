package check

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	"github.com/moby/patternmatcher"
	"github.com/moby/patternmatcher/ignorefile"
)

// project reads compose.yaml as Docker Compose does. The keys are those of a folder beside it, so what is shipped is
// linked into a folder of the test that has them.
func project(t *testing.T) *types.Project {
	t.Helper()
	dir, env := secrets(t)
	work := filepath.Join(t.TempDir(), "deploy")
	if err := os.Mkdir(work, 0o755); err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs(deploy)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(here)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != "secrets" {
			symlink(t, filepath.Join(here, e.Name()), filepath.Join(work, e.Name()))
		}
	}
	symlink(t, dir, filepath.Join(work, "secrets"))
	o, err := cli.NewProjectOptions([]string{filepath.Join(work, "compose.yaml")}, cli.WithWorkingDirectory(work),
		cli.WithEnv([]string{"PLUMBLINE_USER=" + env["PLUMBLINE_USER"]}), cli.WithResolvedPaths(true), cli.WithConsistency(true))
	if err != nil {
		t.Fatal(err)
	}
	p, err := o.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func symlink(t *testing.T, old, name string) {
	t.Helper()
	if err := os.Symlink(old, name); err != nil {
		t.Fatal(err)
	}
}

// readCompose holds the model against the schema, which loading it does, and what is mounted against what is there.
func readCompose(t *testing.T, _ string) {
	p := project(t)
	for _, name := range []string{"nats-1", "nats-2", "nats-3", "provision", "consumer-1", "consumer-2", "prometheus", "grafana"} {
		if _, ok := p.Services[name]; !ok {
			t.Errorf("no service %s", name)
		}
	}
	for name, s := range p.Services {
		for _, v := range s.Volumes {
			if _, err := os.Stat(v.Source); v.Type == types.VolumeTypeBind && err != nil {
				t.Errorf("%s mounts what is not there: %v", name, err)
			}
			if v.Type == types.VolumeTypeBind && !v.ReadOnly {
				t.Errorf("%s may write to %s", name, v.Source)
			}
		}
		for _, port := range s.Ports {
			if port.HostIP != "127.0.0.1" {
				t.Errorf("%s: port %s is open to other machines", name, port.Published)
			}
		}
		if slices.Contains(s.CapDrop, "ALL") == false || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") {
			t.Errorf("%s may do more than it needs: cap_drop, security_opt", name)
		}
	}
	for name, secret := range p.Secrets {
		if _, err := os.Stat(secret.File); err != nil {
			t.Errorf("secret %s is not made by keys: %v", name, err)
		}
	}
}

// environment is a service's environment, as the container gets it.
func environment(s types.ServiceConfig) map[string]string {
	env := map[string]string{}
	for name, value := range s.Environment {
		if value != nil {
			env[name] = *value
		}
	}
	return env
}

// TestComposeAgreesWithTheConsumer holds what compose says of the consumers against the consumer.
func TestComposeAgreesWithTheConsumer(t *testing.T) {
	p := project(t)
	for _, name := range []string{"provision", "consumer-1", "consumer-2"} {
		s := p.Services[name]
		env := environment(s)
		holdEnvironment(t, "compose.yaml, "+name+",", env)
		for variable, value := range env {
			secret, isSecret := strings.CutPrefix(value, "/run/secrets/")
			mounted := slices.ContainsFunc(s.Secrets, func(c types.ServiceSecretConfig) bool { return c.Source == secret })
			if isSecret && !mounted {
				t.Errorf("%s: %s is %s, which it is not given", name, variable, value)
			}
		}
		if !s.ReadOnly || s.User == "" {
			t.Errorf("%s: want a read-only root and a user", name)
		}
	}
	for _, name := range []string{"consumer-1", "consumer-2"} {
		s := p.Services[name]
		env := environment(s)
		if s.StopGracePeriod == nil {
			t.Fatalf("%s has no stop_grace_period", name)
		}
		holdGrace(t, name, time.Duration(*s.StopGracePeriod), env)
		holdMemory(t, name, int64(s.MemLimit), env)
	}
}

// readDockerfile parses the Dockerfile as BuildKit does, with its warnings for errors.
func readDockerfile(t *testing.T, file string) {
	parsed, err := parser.Parse(bytes.NewReader(content(t, file)))
	if err != nil {
		t.Fatal(err)
	}
	warn := linter.New(&linter.Config{Warn: func(rule, _, _, message string, _ []parser.Range) { t.Errorf("%s: %s", rule, message) }})
	stages, _, err := instructions.Parse(parsed.AST, warn)
	if err != nil {
		t.Fatal(err)
	}
	last := stages[len(stages)-1]
	user := ""
	for _, c := range last.Commands {
		switch c := c.(type) {
		case *instructions.UserCommand:
			user = c.User
		case *instructions.RunCommand:
			t.Errorf("the last stage runs %v: it has no shell", c.CmdLine)
		}
	}
	if user != "65532:65532" {
		t.Errorf("it runs as %q", user)
	}
	if !strings.Contains(last.BaseName, "distroless/static") {
		t.Errorf("it stands on %s", last.BaseName)
	}
	for _, line := range parsed.Warnings {
		t.Error(line.Short)
	}
}

// readIgnored reads, as BuildKit does, what the image's builder is not given, and holds that no key is among the rest.
func readIgnored(t *testing.T, file string) {
	patterns, err := ignorefile.ReadAll(bytes.NewReader(content(t, file)))
	if err != nil {
		t.Fatal(err)
	}
	ignored, err := patternmatcher.New(patterns)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"deploy/secrets/ca.key": true, "deploy/secrets/consumer.nk": true, "run/nats-1/jetstream/x.blk": true,
		"go.mod": false, "cmd/consumer/main.go": false, "deploy/policy.example.yaml": false,
	} {
		if got, err := ignored.MatchesOrParentMatches(name); err != nil || got != want {
			t.Errorf("%s is kept from the builder: %t, %v", name, got, err)
		}
	}
}
