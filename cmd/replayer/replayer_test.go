package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/cmd/internal/report"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

const (
	bundle = "../internal/demo/airline/events.jsonl"
	wanted = "../internal/demo/airline/literal.want.jsonl"
)

// play runs the program to its end.
func play(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(stdin), &out, &err)
	return code, out.String(), err.String()
}

// wantedVerdict is what the ruleset gives for one answer, in the form that it was written down in.
type wantedVerdict struct {
	Tenant       string `json:"tenant"`
	Agent        string `json:"agent"`
	Conversation string `json:"conversation"`
	Turn         int    `json:"turn"`
	Iteration    int    `json:"iteration"`
	Candidates   int    `json:"candidates"`
	Action       string `json:"action"`
	Unsupported  []struct {
		Value string `json:"value"`
		Shape string `json:"shape"`
	} `json:"unsupported"`
	Grounding event.Grounding `json:"grounding"`
	Results   []struct {
		Call      string `json:"call"`
		Tool      string `json:"tool"`
		Emptiness string `json:"emptiness"`
		Rows      *int   `json:"rows"`
	} `json:"results"`
}

// TestBundleGivesWhatIsWanted holds every verdict on the bundled conversations against the recorded readings of
// literal-1: candidates, action, unsupported values, grounding and the emptiness of every call.
func TestBundleGivesWhatIsWanted(t *testing.T) {
	code, stdout, stderr := play(t, "", "--file", bundle, "--rules", "literal-1")
	if code != cli.Done {
		t.Fatalf("code %d: %s", code, stderr)
	}
	want := readWanted(t, wanted)
	got := map[string]wantedVerdict{}
	for line := range strings.Lines(stdout) {
		var kind struct{ Type event.Kind }
		var v wantedVerdict
		if err := errors.Join(json.Unmarshal([]byte(line), &kind), json.Unmarshal([]byte(line), &v)); err != nil {
			t.Fatal(err)
		}
		if kind.Type == event.KindEvidenceChecked {
			v.Grounding.LatestPriorTurn = 0 // the recorded readings do not say it
			got[nameOf(v)] = v
		}
	}
	if len(want) < 100 {
		t.Fatalf("only %d readings are recorded", len(want))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("verdicts differ (- wanted, + given):\n%s", diff)
	}
}

func readWanted(t *testing.T, file string) map[string]wantedVerdict {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want := map[string]wantedVerdict{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v wantedVerdict
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		want[nameOf(v)] = v
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return want
}

func nameOf(v wantedVerdict) string {
	name, _ := json.Marshal([]any{v.Tenant, v.Agent, v.Conversation, v.Turn, v.Iteration})
	return string(name)
}

const (
	row = `{"v":1,"type":"tool_end","id":"1","time":"2026-01-05T09:00:00Z","tenant":"t","agent":"a","conversation":"c","turn":1,` +
		`"call":{"id":"k","tool":"orders","iteration":1},"result":{"order":48213}}`
	answered = `{"v":1,"type":"answer","id":"2","time":"2026-01-05T09:00:01Z","tenant":"t","agent":"a","conversation":"c","turn":1,` +
		`"iteration":2,"user":"Where is it?","text":"Order 48213 is at gate 99177."}`
)

func TestLines(t *testing.T) {
	in := "\n" + row + "\n  \n" + `{"v":1,"type":"answer"` + "\n" + answered + "\n" + `{"v":1,"type":"unheard_of"}` + "\n"
	code, stdout, stderr := play(t, in, "--file", "-", "--summary", "json")
	if code != cli.Unfinished {
		t.Errorf("code %d, want %d: lines could not be read", code, cli.Unfinished)
	}
	var v event.EvidenceChecked
	if err := json.Unmarshal([]byte(stdout), &v); err != nil {
		t.Fatalf("one line of JSON is wanted on stdout: %v\n%s", err, stdout)
	}
	if v.AnswerSeq != 5 || v.Through != 5 || len(v.Unsupported) != 1 || v.Unsupported[0].Value != "99177" {
		t.Errorf("sequence %d, through %d, unsupported %v; want line 5 and 99177", v.AnswerSeq, v.Through, v.Unsupported)
	}
	said := strings.Split(strings.TrimSpace(stderr), "\n")
	if len(said) != 4 {
		t.Fatalf("stderr has %d lines, want two complaints, the summary and the end:\n%s", len(said), stderr)
	}
	if !strings.HasPrefix(said[0], "stdin:4: ") || !strings.HasPrefix(said[1], "stdin:6: ") || !strings.Contains(said[1], "type") {
		t.Errorf("complaints do not name the line and the field:\n%s", stderr)
	}
	var s report.Summary
	if err := json.Unmarshal([]byte(said[2]), &s); err != nil {
		t.Fatal(err)
	}
	if want := (&report.Input{Lines: 6, Blank: 2, Bad: 2, Events: 2}); !cmp.Equal(s.Input, want) || s.Answers != 1 {
		t.Errorf("summary %+v with input %+v, want %+v", s, s.Input, want)
	}
	if said[3] != "replayer: 2 of 6 lines could not be read: correct them and run it again" {
		t.Errorf("at the end: %s", said[3])
	}
}

func TestText(t *testing.T) {
	in := row + "\n" + answered + "\n"
	code, stdout, stderr := play(t, in, "--file", "-", "--text")
	if code != cli.Done {
		t.Fatalf("code %d: %s", code, stderr)
	}
	for _, part := range []string{report.Limits, "! a/c", `99177 stands in no result`, `is at gate 99177."`} {
		if !strings.Contains(stdout, part) {
			t.Errorf("stdout lacks %q:\n%s", part, stdout)
		}
	}
	if strings.Contains(stdout, "{") || strings.Contains(stdout, "\x1b") {
		t.Errorf("stdout holds JSON or colours:\n%s", stdout)
	}
	if !strings.Contains(stderr, "1 answer, 1 of them with a value to check") {
		t.Errorf("no summary on stderr:\n%s", stderr)
	}
}

func TestOut(t *testing.T) {
	in := row + "\n" + answered + "\n"
	file := filepath.Join(t.TempDir(), "verdicts.jsonl")
	code, stdout, stderr := play(t, in, "--file", "-", "--out", file, "--text")
	if code != cli.Done {
		t.Fatalf("code %d: %s", code, stderr)
	}
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, plain, _ := play(t, in, "--file", "-"); plain != string(written) {
		t.Errorf("--out wrote\n%swant what stdout gets:\n%s", written, plain)
	}
	if !strings.Contains(stdout, "stands in no result") {
		t.Errorf("--text shows nothing beside --out:\n%s", stdout)
	}
}

// What is read is never written over, whatever name it goes by.
func TestOutKeepsItsInput(t *testing.T) {
	in := row + "\n" + answered + "\n"
	file := filepath.Join(t.TempDir(), "events.jsonl")
	if err := os.WriteFile(file, []byte(in), 0o600); err != nil {
		t.Fatal(err)
	}
	link := file + ".link"
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{file, link} {
		code, _, stderr := play(t, "", "--file", file, "--out", out)
		if code != cli.Usage || !strings.Contains(stderr, "--out") {
			t.Errorf("--out %s: code %d, stderr %q", out, code, stderr)
		}
		if kept, err := os.ReadFile(file); err != nil || string(kept) != in {
			t.Fatalf("--out %s: the input is now %q, %v", out, kept, err)
		}
	}
}

func TestUsage(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"no file", nil, "--file"},
		{"a file that is not there", []string{"--file", "no/such.jsonl"}, "--file: open no/such.jsonl"},
		{"a form that is not known", []string{"--file", "-", "--format", "nonsense"}, `--format: "nonsense" is no format that is known here: want auto, native`},
		{"rules that are not known", []string{"--file", "-", "--rules", "calibrated-9"}, "--rules: "},
		{"a summary that is not known", []string{"--file", "-", "--summary", "xml"}, `--summary "xml": want text or json`},
		{"two on stdout", []string{"--file", "-", "--text", "--out", "-"}, "--text and --out -"},
		{"an output that cannot be made", []string{"--file", "-", "--out", "no/such/file"}, "--out: open no/such/file"},
		{"credentials that are not there", []string{"--nats-url", "nats://h", "--creds", "no/such"}, "check --creds"},
		{"a prefix that makes no subject", []string{"--nats-url", "nats://h", "--prefix", "a b"}, `--prefix "a b": use words`},
		{"publish: a prefix that makes no subject", []string{"publish", "--file", "-", "--nats-url", "nats://h", "--prefix", "a b"}, `--prefix "a b": use words`},
		{"redrive: a key that is not there", []string{"redrive", "--nats-url", "nats://h", "--nkey", "no/such"}, "check --nkey"},
		{"a file and a job of servers", []string{"--file", "-", "--publish"}, "--publish is for the history of a server"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, stderr := play(t, "", tt.args...)
			if code != cli.Usage || stdout != "" || !strings.Contains(stderr, tt.want) {
				t.Errorf("code %d, stdout %q, stderr %q, want %d and %q", code, stdout, stderr, cli.Usage, tt.want)
			}
		})
	}
}

// A flag that is not known is answered with the command whose help lists the flags.
func TestUnknownFlags(t *testing.T) {
	for args, help := range map[string]string{
		"--bogus": "replayer judge --help", "--file f --bogus": "replayer judge --help", "redrive --bogus": "replayer redrive --help",
		"publish": "replayer publish --help",
	} {
		code, _, stderr := play(t, "", strings.Fields(args)...)
		if code != cli.Usage || !strings.HasSuffix(stderr, "; "+help+" lists the flags\n") {
			t.Errorf("%s: code %d, stderr %q: want %s", args, code, stderr, help)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, err bytes.Buffer
	code := run(ctx, []string{"--file", bundle}, strings.NewReader(""), &out, &err)
	if code != cli.Unfinished || !strings.Contains(err.String(), "interrupted at "+bundle+":1") {
		t.Errorf("code %d, stderr %q", code, err.String())
	}
}

type brokenPipe struct{}

var errPipe = errors.New("broken pipe")

func (brokenPipe) Write([]byte) (int, error) { return 0, errPipe }

func TestOutputThatBreaks(t *testing.T) {
	for _, args := range [][]string{{"--file", bundle}, {"--file", bundle, "--text"}} {
		var err bytes.Buffer
		code := run(t.Context(), args, strings.NewReader(""), brokenPipe{}, &err)
		if code != cli.Unfinished || !strings.Contains(err.String(), errPipe.Error()) {
			t.Errorf("%v: code %d, stderr %q", args, code, err.String())
		}
	}
}

func TestALineWithoutAnEnd(t *testing.T) {
	endless := io.MultiReader(strings.NewReader(row+"\n"), &zeros{left: adapter.MaxRow + 1})
	var out, err bytes.Buffer
	code := run(t.Context(), []string{"--file", "-"}, endless, &out, &err)
	if code != cli.Unfinished || !strings.Contains(err.String(), "stdin:2: the line is longer") {
		t.Errorf("code %d, stderr %q", code, err.String())
	}
}

type zeros struct{ left int }

func (z *zeros) Read(p []byte) (int, error) {
	if z.left <= 0 {
		return 0, io.EOF
	}
	n := min(len(p), z.left)
	for i := range p[:n] {
		p[i] = '0'
	}
	z.left -= n
	return n, nil
}

// TestOutputs writes the verdicts of a file to what is no file on a disk, and to one whose name asks for Parquet.
func TestOutputs(t *testing.T) {
	rows := filepath.Join(t.TempDir(), "verdicts.parquet")
	for _, file := range []string{os.DevNull, rows} {
		if code, stdout, stderr := play(t, "", "--file", bundle, "--out", file); code != cli.Done || stdout != "" {
			t.Errorf("%s: code %d, stdout %q, stderr %q", file, code, stdout, stderr)
		}
	}
	verdicts, err := parquet.ReadFile[parquetRow](rows)
	if err != nil || len(verdicts) != 134 {
		t.Errorf("%d rows, %v", len(verdicts), err)
	}
}
