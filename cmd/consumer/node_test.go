package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/core/event"
)

// producers are the examples in JavaScript, and what they need.
const producers = "../../docs/producers/typescript"

// TestNodeClient: the public JavaScript client publishes agentfootprint's own envelopes, and reads the verdicts.
func TestNodeClient(t *testing.T) {
	project := nodeProject(t)
	p := start(t, "--store-dir", t.TempDir(), "--port=0", "--log-format=json")
	url := await(t, &p.stderr, `"server":"([^"]+)"`)
	recording, err := filepath.Abs("../../schemas/adapter/formats/testdata/same/agentfootprint.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	said := runNode(t, project, "agentfootprint.mjs", "--servers", url, "--tenant", "acme", "--agent", "a.desk", recording)

	var outcomes []event.Outcome
	for line := range bytes.SplitSeq(bytes.TrimSpace(said), []byte("\n")) {
		var v event.EvidenceChecked
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatalf("the client printed %q: %v", line, err)
		}
		if v.Agent != "a.desk" || v.Conversation != "c1" || v.Turn != len(outcomes)+1 {
			t.Errorf("a verdict of %s/%s, turn %d", v.Agent, v.Conversation, v.Turn)
		}
		outcomes = append(outcomes, v.Outcome)
	}
	if want := []event.Outcome{event.Unsupported, event.Unsupported, event.Grounded}; !slices.Equal(outcomes, want) {
		t.Errorf("outcomes %q, want %q", outcomes, want)
	}
	p.stop()
	if code := p.end(t); code != cli.Done {
		t.Errorf("code %d", code)
	}
}

// nodeProject gives a folder with the examples and the packages that they need. The packages are kept in the user's cache
// from one run to the next. The test is skipped where there is no Node, or nowhere to get the packages from.
func nodeProject(t *testing.T) string {
	t.Helper()
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("there is no %s here: %v", program, err) //nolint:forbidigo // what is not there cannot be tested, and the reason is printed
		}
	}
	project := t.TempDir()
	if err := os.CopyFS(project, os.DirFS(producers)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(project, "node_modules")); err == nil {
		return project // someone works on the examples
	}
	if err := os.Symlink(nodePackages(t, project), filepath.Join(project, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return project
}

// nodePackages gives the folder of the packages that the project names.
func nodePackages(t *testing.T, project string) string {
	t.Helper()
	manifest, err := os.ReadFile(filepath.Join(project, "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("there is no place to keep packages in: %v", err) //nolint:forbidigo // what is not there cannot be tested, and the reason is printed
	}
	sum := sha256.Sum256(manifest)
	kept := filepath.Join(cache, "plumbline-node-"+hex.EncodeToString(sum[:6]))
	packages := filepath.Join(kept, "node_modules") // Node looks for what packages need in folders of this name
	if _, err := os.Stat(packages); err == nil {
		return packages
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	install := exec.CommandContext(ctx, "npm", "install", "--package-lock=false", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=0")
	install.Dir = project
	if said, err := install.CombinedOutput(); err != nil {
		t.Skipf("the packages of %s cannot be had: %v\n%s", producers, err, said) //nolint:forbidigo // what is not there cannot be tested, and the reason is printed
	}
	fresh := filepath.Join(project, "node_modules")
	staged := fmt.Sprintf("%s.%d", kept, os.Getpid())
	if err := os.CopyFS(filepath.Join(staged, "node_modules"), os.DirFS(fresh)); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(staged, kept); err != nil { // another test was faster
		if err := os.RemoveAll(staged); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(fresh); err != nil {
		t.Fatal(err)
	}
	return packages
}

// runNode runs an example to its end and gives what it printed.
func runNode(t *testing.T, project, script string, args ...string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	node := exec.CommandContext(ctx, "node", append([]string{script}, args...)...)
	node.Dir = project
	var stderr bytes.Buffer
	node.Stderr = &stderr
	said, err := node.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, &stderr)
	}
	return said
}
