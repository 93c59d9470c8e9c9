package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/schemas/adapter/formats"
)

// An interrupt ends the program at once, also while it waits for a person to type.
func TestInterruptedWhileStdinWaits(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stdin, typed := io.Pipe()
	t.Cleanup(func() { typed.Close() })
	ended := make(chan int)
	var stdout, stderr bytes.Buffer
	go func() { ended <- run(ctx, []string{"--file", "-", "--format", "native"}, stdin, &stdout, &stderr) }()
	if _, err := io.WriteString(typed, row+"\n"); err != nil {
		t.Fatal(err)
	}
	cancel()
	select {
	case code := <-ended:
		if code != cli.Unfinished || !strings.Contains(stderr.String(), "interrupted at stdin:") {
			t.Errorf("code %d, stderr %q", code, stderr.String())
		}
	case <-time.After(time.Minute):
		t.Fatal("it still waits")
	}
}

func TestAFolderIsNoFile(t *testing.T) {
	code, _, stderr := play(t, "", "--file", t.TempDir())
	if code != cli.Usage || !strings.Contains(stderr, "is a folder: name one file in it") {
		t.Errorf("code %d, stderr %q", code, stderr)
	}
}

// Another runtime's record is told of, with what could not be seen, in words or in the summary.
func TestAnotherRuntime(t *testing.T) {
	code, _, stderr := play(t, "", "--file", session)
	if code != cli.Done || !strings.HasPrefix(stderr, session+" is read as claude-code\n  a session never holds the system prompt") {
		t.Errorf("code %d, stderr %q", code, stderr)
	}
	code, _, stderr = play(t, "", "--file", session, "--summary", "json")
	if code != cli.Done || !strings.Contains(stderr, `"format":"claude-code","notes":["a session never`) {
		t.Errorf("code %d, stderr %q", code, stderr)
	}
	code, stdout, stderr := play(t, `{"role":"user","content":"q"}`+"\n"+`{"role":"assistant","content":"It is 55012."}`, "--file", "-")
	if code != cli.Usage || stdout != "" || !strings.Contains(stderr, "--file stdin: its format cannot be told: it may be openai or anthropic; name it with --format") {
		t.Errorf("code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}

// --html writes one page of the same verdicts, and never over what is read or written elsewhere.
func TestHTML(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "page.html")
	code, _, stderr := play(t, "", "--file", session, "--html", page)
	if code != cli.Done {
		t.Fatalf("code %d, stderr %q", code, stderr)
	}
	if !strings.Contains(stderr, "the page is in "+page+": open it in a browser\n") {
		t.Errorf("it does not say where the page is: %q", stderr)
	}
	written, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Read as claude-code", "<mark>8824</mark>", "closest on record: 8823, in turn 2, call toolu_k3 of Bash"} {
		if !strings.Contains(string(written), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, args := range [][]string{
		{"--html", "-"}, {"--html", page, "--out", page}, {"--html", session}, {"--html", filepath.Join(dir, "no", "page")},
		{"--html", page, "--against", "literal-1"},
	} {
		code, _, stderr := play(t, "", append([]string{"--file", session}, args...)...)
		if code != cli.Usage || !strings.Contains(stderr, "--html") {
			t.Errorf("%v: code %d, stderr %q", args, code, stderr)
		}
	}
}

// A row that is not known is complained of with its line, the rest is judged, and nothing is accused for what it may hold.
func TestAnUnknownRow(t *testing.T) {
	code, stdout, stderr := play(t, `{"type":"user","uuid":"1","message":{"role":"user","content":"q"}}`+"\n"+`{"type":"nonsense","uuid":"2"}`+"\n"+
		`{"type":"assistant","uuid":"3","message":{"id":"m","content":[{"type":"text","text":"It is 55012."}]}}`, "--file", "-")
	if code != cli.Unfinished || !strings.Contains(stdout, `"outcome":"cannot_tell"`) ||
		!strings.HasPrefix(stderr, "stdin:2: type: row of type \"nonsense\" is not known\n") ||
		!strings.Contains(stderr, "replayer: rows, or parts of rows, that could not be read: 1; ") {
		t.Errorf("code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}

// The help says of every form what it is.
func TestHelpSaysWhatTheFormsAre(t *testing.T) {
	_, stdout, _ := play(t, "", "--help")
	said := strings.Join(strings.Fields(stdout), " ")
	for _, f := range formats.All {
		if !strings.Contains(said, f.Name+": "+f.Says) {
			t.Errorf("%s is not explained in\n%s", f.Name, stdout)
		}
	}
}
