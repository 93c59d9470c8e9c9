package main

import (
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/cmd/internal/secured"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// deadLetters is a server whose stream of dead letters holds one of a readable event at sequence 1, and one of an event
// that is not, at sequence 2.
func deadLetters(t *testing.T) (url string) {
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
	storeLetters(t, nc)
	return server.URL()
}

func storeLetters(t *testing.T, nc *nats.Conn) {
	t.Helper()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := jet.Provision(t.Context(), js, jet.StreamsConfig{}); err != nil {
		t.Fatal(err)
	}
	sink, err := jet.NewSink(nc, jet.SinkConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer sink.Close(t.Context()) //nolint:errcheck // nothing is on its way
	conversation := event.Conversation{Tenant: "t", Agent: "a", ID: "c"}
	for seq, letter := range []struct{ data, reason string }{
		{`{"v":1,"type":"answer","id":"1","time":"2026-01-05T09:00:00Z","tenant":"t","agent":"a","conversation":"c","turn":1,` +
			`"iteration":1,"text":"Parcel 48213 is here."}`, pipeline.ReasonReaderFailed},
		{`{`, "unreadable"},
	} {
		if _, err := js.PublishMsg(t.Context(), &nats.Msg{Subject: event.Subjects{}.Event(conversation), Data: []byte(letter.data)}); err != nil {
			t.Fatal(err)
		}
		m := pipeline.Message{Seq: uint64(seq + 1), Subject: event.Subjects{}.Log(0, conversation), Data: []byte(letter.data)}
		if err := sink.Bury(t.Context(), pipeline.Letter{Message: m, Reason: letter.reason}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRedriverHasWhatItNeeds runs redrive as the user that is shipped for it.
func TestRedriverHasWhatItNeeds(t *testing.T) {
	s := secured.Start(t)
	storeLetters(t, s.Root(t))
	r := s.Record(t)
	code, stdout, stderr := play(t, "", append([]string{"redrive", "--reason=reader_failed", "--wait=1ms"}, s.Flags(secured.Redriver)...)...)
	if code != cli.Done || !strings.Contains(stdout, "put back as sequence 3") {
		t.Errorf("code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	if unused := r.Unused(t, s.Allowed[secured.Redriver]); len(unused) > 0 {
		t.Errorf("the redriver may publish on %q and does not need it", unused)
	}
}

func TestRedrive(t *testing.T) {
	url := deadLetters(t)
	const one, two = "agent.dead.reader_failed.1: ", "agent.dead.unreadable.2: left: it would become the same letter again: "
	for _, tt := range []struct {
		args, stdout, stderr string
		code                 int
	}{
		{"--dry-run", one + "would be put back\n" + two, "0 put back, 0 put back before, 1 left", cli.Unfinished},
		{"--reason reader_failed --wait 1ms", one + "put back as sequence 3\n", "1 put back, 0 put back before, 0 left", cli.Done},
		{"--seq 1", one + "was put back before, as sequence 3\n", "0 put back, 1 put back before, 0 left", cli.Done},
		{"--seq 9", "", "0 put back, 0 put back before, 0 left", cli.Done},
		{"--prefix other", "", "0 put back", cli.Done},
	} {
		code, stdout, stderr := play(t, "", append([]string{"redrive", "--nats-url", url}, strings.Fields(tt.args)...)...)
		if code != tt.code || !strings.HasPrefix(stdout, tt.stdout) || !strings.HasPrefix(stderr, tt.stderr) {
			t.Errorf("%s: code %d, stdout %q, stderr %q", tt.args, code, stdout, stderr)
		}
	}
}

func TestRedriveUsage(t *testing.T) {
	for args, want := range map[string]string{
		"redrive": "--nats-url",
		"redrive --nats-url nats://h --reason whatever":           `--reason "whatever": want one of`,
		"redrive --nats-url nats://h --wait=-1s":                  "--wait -1s",
		"redrive --nats-url nats://h --creds a --nkey b":          "choose one",
		"redrive --nats-url nats://h --tls-key b":                 "--tls-cert and --tls-key belong together",
		"redrive --nats-url nats://h --nkey /nowhere/x":           "check --nkey",
		"redrive --nats-url nats://h --file x":                    "unknown flag --file",
		"--nats-url nats://h --file - --seq 3":                    "unknown flag",
		"redrive --nats-url nats://user:secret@h:0x --dry-run":    "check --nats-url",
		"redrive --nats-url nats://h --tls-ca /nowhere/ca":        "check --tls-ca",
		"redrive --nats-url nats://h --tls-cert /n/a --tls-key b": "check --tls-cert",
	} {
		code, stdout, stderr := play(t, "", strings.Fields(args)...)
		if code != cli.Usage || stdout != "" || !strings.Contains(stderr, want) || strings.Contains(stderr, "secret") {
			t.Errorf("%s: code %d, stdout %q, stderr %q, want %q", args, code, stdout, stderr, want)
		}
	}
}
