package main

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/schemas"
)

const session = "../../schemas/adapter/formats/testdata/same/claude-code.jsonl"

const traces = "../../schemas/adapter/formats/testdata/same/otlp.jsonl"

// eventServer is a server with empty streams.
func eventServer(t *testing.T) (url string, js jetstream.JetStream) {
	t.Helper()
	server, err := jet.StartEmbedded(jet.EmbeddedConfig{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	nc, err := server.Connect(jet.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	if js, err = jetstream.New(nc); err != nil {
		t.Fatal(err)
	}
	if _, err := jet.Provision(t.Context(), js, jet.StreamsConfig{}); err != nil {
		t.Fatal(err)
	}
	return server.URL(), js
}

// What is published is stored in the order of the file, each event once, however often it is published.
func TestPublish(t *testing.T) {
	url, js := eventServer(t)
	for _, tt := range []struct{ args, stderr string }{
		{"--file " + session + " --tenant acme --agent desk", session + " is read as claude-code\n"},
		{"--file " + session + " --tenant acme --agent desk", "\n0 events published, 11 were there already\n"},
		{"--file " + traces, traces + " is read as otlp\n"},
		{"--file " + traces, "\n0 events published, 9 were there already\n"},
		{"--file " + bundle, "279 events published, 0 were there already\n"},
		{"--file " + bundle, "0 events published, 279 were there already\n"},
	} {
		code, stdout, stderr := play(t, "", append([]string{"publish", "--nats-url", url}, strings.Fields(tt.args)...)...)
		if code != cli.Done || stdout != "" || !strings.Contains(stderr, tt.stderr) {
			t.Errorf("%s: code %d, stdout %q, stderr %q, want %q", tt.args, code, stdout, stderr, tt.stderr)
		}
	}
	var turns []int
	err := jet.ReadAll(t.Context(), js, jet.EventsStream, "agent.log.*.acme.desk.*", func(m pipeline.Message) error {
		e, err := schemas.DecodeMessage(m.Header, m.Data)
		if err != nil || e.ID != m.Header[jetstream.MsgIDHeader][0] || e.Conversation.Agent != "desk" {
			t.Errorf("stored: %v, %v", e, err)
		}
		turns = append(turns, e.Turn)
		return nil
	})
	if err != nil || len(turns) != 11 {
		t.Fatalf("%d events stored, %v", len(turns), err)
	}
	for i := range turns[1:] {
		if turns[i] > turns[i+1] {
			t.Errorf("the turns are stored as %v", turns)
		}
	}
}

func TestPublishTellsWhatItCannot(t *testing.T) {
	url, _ := eventServer(t)
	long := strings.Replace(answered, `"conversation":"c"`, `"conversation":"`+strings.Repeat("c", event.MaxSubject)+`"`, 1)
	for _, tt := range []struct {
		name, stdin, args, want string
		code                    int
	}{
		{"a bad line", row + "\n{\n" + answered + "\n", "--file -", "stdin:2: not JSON", cli.Unfinished},
		{"a name that is too long", long, "--file -", "longer than 3500 bytes", cli.Unfinished},
		{"no such file", "", "--file no/such", "--file: open no/such", cli.Usage},
		{"a folder", "", "--file .", "--file: . is a folder: name one file in it", cli.Usage},
		{"a form that is not known", "", "--file - --format x", `--format: "x" is no format`, cli.Usage},
		{"a form that cannot be told", "{}\n", "--file -", "name it with --format", cli.Usage},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, _, stderr := play(t, tt.stdin, append([]string{"publish", "--nats-url", url}, strings.Fields(tt.args)...)...)
			if code != tt.code || !strings.Contains(stderr, tt.want) {
				t.Errorf("code %d, stderr %q, want %d and %q", code, stderr, tt.code, tt.want)
			}
		})
	}
}

func TestPublishWithoutAStream(t *testing.T) {
	server, err := jet.StartEmbedded(jet.EmbeddedConfig{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	code, _, stderr := play(t, row, "publish", "--file", "-", "--nats-url", server.URL())
	if code != cli.Unfinished || !strings.Contains(stderr, "start the consumer with --provision") {
		t.Errorf("code %d, stderr %q", code, stderr)
	}
}

// A publisher that may remember few ids forgets them, reads them again, and sends each event once all the same.
func TestPublishRemembersSoMuch(t *testing.T) {
	h := newHistory(t, 2)
	for again, want := range [][2]int{{60, 0}, {0, 60}} {
		p, err := newPublisher(t.Context(), h.nc, "agent", func() {})
		if err != nil {
			t.Fatal(err)
		}
		p.most = 7
		peak := 0
		for i := range 60 {
			p.Add(0, event.Event{
				ID: fmt.Sprint("e", i), Turn: 1, Conversation: event.Conversation{Tenant: "t", Agent: "a", ID: fmt.Sprint("c", i%6)},
				TurnStart: &event.TurnStart{User: new("go")},
			})
			peak = max(peak, p.ids)
		}
		if err := cmp.Or(p.err, p.flush()); err != nil || p.sent != want[0] || p.before != want[1] {
			t.Errorf("run %d: %d sent, %d there before, %v", again, p.sent, p.before, err)
		}
		if p.empty {
			t.Errorf("run %d: what it forgot is taken for not stored", again)
		}
		if peak >= p.most+11 { // and those of the conversation in hand
			t.Errorf("run %d: %d ids are remembered", again, peak)
		}
	}
	if n := h.count(jet.EventsStream); n != 60 {
		t.Errorf("%d events are stored", n)
	}
}
