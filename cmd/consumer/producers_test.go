package main

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas"
)

// TestProducerInTypeScript compiles the example, which holds its types, and runs it. It and the other example write names
// into a subject as Plumbline reads them.
func TestProducerInTypeScript(t *testing.T) {
	project := nodeProject(t)
	runNode(t, project, "node_modules/typescript/bin/tsc")
	for _, module := range []string{"./dist/plumbline.js", "./agentfootprint.mjs"} {
		script := `import {token} from "` + module + `"; console.log(JSON.stringify(` + quoted(t, named) + `.map(token)))`
		holdTokens(t, runNode(t, project, "--input-type=module", "-e", script))
	}
	audited(t, "typescript.1", func(ctx context.Context, url string) *exec.Cmd {
		c := exec.CommandContext(ctx, "node", "dist/turn.js")
		c.Dir = project
		return c
	})
}

func TestProducerInGo(t *testing.T) {
	audited(t, "go.1", func(ctx context.Context, url string) *exec.Cmd {
		return exec.CommandContext(ctx, "go", "run", "../../docs/producers/go")
	})
}

// audited runs an example against a consumer and holds the verdict on its answer.
func audited(t *testing.T, conversation string, example func(ctx context.Context, url string) *exec.Cmd) {
	t.Helper()
	p := start(t, "--store-dir", t.TempDir(), "--port=0", "--log-format=json")
	url := await(t, &p.stderr, `"server":"([^"]+)"`)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := example(ctx, url)
	c.Env = append(os.Environ(), "NATS_URL="+url)
	if said, err := c.CombinedOutput(); err != nil || bytes.Count(said, []byte("stored in AGENT_EVENTS")) != 3 {
		t.Fatalf("%v\n%s", err, said)
	}
	v := awaitVerdict(t, connect(t, url))
	if v.Tenant != "acme" || v.Agent != "order desk" || v.Conversation != conversation || v.AnswerSeq != 3 || v.Outcome != event.Unsupported {
		t.Errorf("%s/%s/%s, answer at %d: %s for %v", v.Tenant, v.Agent, v.Conversation, v.AnswerSeq, v.Outcome, v.Reasons)
	}
	if len(v.Unsupported) != 1 || v.Unsupported[0].Value != "88123" || len(v.Results) != 1 || v.Results[0].Tool != "orders" {
		t.Errorf("unsupported %v, results %v", v.Unsupported, v.Results)
	}
	p.stop()
	if code := p.end(t); code != cli.Done {
		t.Errorf("code %d", code)
	}
}

// named are names that a subject must not hold as they are.
var named = []string{"", "acme", "a.b", "*", ">", "é €", "%41", "~-_", "a b\t", "𝄞"}

// quoted writes a value as JSON.
func quoted(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func holdTokens(t *testing.T, said []byte) {
	t.Helper()
	var tokens []string
	if err := json.Unmarshal(said, &tokens); err != nil || len(tokens) != len(named) {
		t.Fatalf("%v: %s", err, said)
	}
	for i, name := range named {
		if want := event.EncodeToken(name); tokens[i] != want {
			t.Errorf("%q is written %q, want %q", name, tokens[i], want)
		}
	}
}

// TestProducerInPython: the example compiles, and what it would publish is read as events. Its client library is not needed
// for that, and not there: nothing is published.
func TestProducerInPython(t *testing.T) {
	holdTokens(t, runPython(t, "print(json.dumps([turn.token(name) for name in json.loads("+quoted(t, quoted(t, named))+")]))"))
	said := runPython(t, `print(json.dumps([[turn.subject(e), json.dumps(e, ensure_ascii=False)] for e in turn.events()]))`)
	var events [][2]string
	if err := json.Unmarshal(said, &events); err != nil || len(events) != 3 {
		t.Fatalf("%v: %s", err, said)
	}
	for _, one := range events {
		e, err := schemas.Decode(schemas.JSON, []byte(one[1]))
		if err != nil {
			t.Fatalf("%s: %v", one[1], err)
		}
		if want := (event.Subjects{}).Event(e.Conversation); one[0] != want || e.ID == "" {
			t.Errorf("%s is published on %s, want %s", e.ID, one[0], want)
		}
	}
}

// runPython runs a line of Python that may use the example as turn, with an empty module in place of the client library.
func runPython(t *testing.T, line string) []byte {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skipf("there is no python3 here: %v", err) //nolint:forbidigo // what is not there cannot be tested, and the reason is printed
	}
	script := "import json, sys, types\n" +
		"for name in 'nats', 'nats.errors', 'nats.js', 'nats.js.errors': sys.modules[name] = types.ModuleType(name)\n" +
		"sys.path.insert(0, sys.argv[1])\nimport turn\n" + line
	c := exec.CommandContext(t.Context(), python, "-B", "-c", script, "../../docs/producers/python")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	said, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	return said
}

// TestTypeScriptKnowsTheFields holds the types of the example against the schemas: the same fields.
func TestTypeScriptKnowsTheFields(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(producers, "plumbline.ts"))
	if err != nil {
		t.Fatal(err)
	}
	types, _, _ := strings.Cut(string(source), "export type Event")
	for _, kind := range []event.Kind{event.KindTurnStart, event.KindToolEnd, event.KindAnswer} {
		_, rest, found := strings.Cut(types, `type: "`+string(kind)+`";`)
		body, _, _ := strings.Cut(rest, "\n}")
		_, shared, _ := strings.Cut(types, "interface Common {")
		shared, _, _ = strings.Cut(shared, "\n}")
		said := map[string]bool{"type": found}
		for line := range strings.SplitSeq(shared+body, "\n") {
			if name, _, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
				said[strings.TrimSuffix(name, "?")] = true
			}
		}
		var schema struct{ Properties map[string]any }
		if err := json.Unmarshal(schemas.Schema(kind), &schema); err != nil {
			t.Fatal(err)
		}
		if got, want := slices.Sorted(maps.Keys(said)), slices.Sorted(maps.Keys(schema.Properties)); !slices.Equal(got, want) {
			t.Errorf("%s has the fields %q, its schema %q", kind, got, want)
		}
	}
}
