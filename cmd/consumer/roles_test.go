package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/cmd/internal/secured"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// secure starts the shipped server and makes its streams, as the user who may.
func secure(t *testing.T, partitions int) (*secured.Server, *secured.Recorder) {
	t.Helper()
	s := secured.Start(t)
	r := s.Record(t)
	p := start(t, append(s.Flags(secured.Provisioner), "--provision-only", fmt.Sprintf("--partitions=%d", partitions))...)
	if code := p.end(t); code != cli.Done {
		t.Fatalf("the provisioner: code %d, %s", code, p.stderr.String())
	}
	return s, r
}

func streamsOf(t *testing.T, nc *nats.Conn) jetstream.JetStream {
	t.Helper()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// acme publishes an event of a conversation of tenant acme.
func acme(t *testing.T, js jetstream.JetStream, conversation, what string) {
	t.Helper()
	subject := event.Subjects{}.Event(event.Conversation{Tenant: "acme", Agent: "desk", ID: conversation})
	payload := fmt.Sprintf(`{"v":1,"id":%q,"time":"2026-01-05T09:00:00Z","tenant":"acme","agent":"desk","conversation":%q,"turn":1,%s}`,
		conversation+what, conversation, what)
	if _, err := js.Publish(t.Context(), subject, []byte(payload)); err != nil {
		t.Fatal(err)
	}
}

const (
	anAnswer = `"type":"answer","iteration":1,"text":"Parcel 48213 is here.","user":"Where is it?"`
	aRow     = `"type":"tool_end","call":{"id":"1","tool":"lookup","iteration":1},"result":{"parcel":48213}`
)

func awaitStored(t *testing.T, js jetstream.JetStream, stream string, want uint64) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); stored(t, js, stream) < want; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s holds %d messages, want %d", stream, stored(t, js, stream), want)
		}
	}
}

// TestPermissionsAreEnoughAndNeeded runs the provisioner, the consumer and a producer as the users that are shipped, over
// TLS with client certificates, through work that needs every permission: a verdict, one that is made again after a
// restart and superseded, a dead letter, and one that stands already. What nothing used is too much.
func TestPermissionsAreEnoughAndNeeded(t *testing.T) {
	s, r := secure(t, 1)
	if unused := r.Unused(t, s.Allowed[secured.Provisioner]); len(unused) > 0 {
		t.Errorf("the provisioner may publish on %q and does not need it", unused)
	}
	root, producer := streamsOf(t, s.Root(t)), streamsOf(t, s.Connect(t, secured.Producer))
	r = s.Record(t)
	consumer := start(t, s.Flags(secured.Consumer)...)
	await(t, &consumer.stderr, "msg=ready")
	acme(t, producer, "c", anAnswer)
	hidden := &nats.Msg{Subject: "agent.events.acme.desk.c", Header: nats.Header{"Status": {"404"}}} // a batch ends before it
	if _, err := producer.PublishMsg(t.Context(), hidden); err != nil {
		t.Fatal(err)
	}
	awaitStored(t, root, jet.AuditStream, 1)
	awaitStored(t, root, jet.DeadStream, 1)
	consumer.stop()
	if code := consumer.end(t); code != cli.Done {
		t.Fatalf("the consumer: code %d", code)
	}
	consumer = start(t, s.Flags(secured.Consumer)...)
	await(t, &consumer.stderr, "msg=ready")
	acme(t, producer, "c", aRow) // the answer is judged again, and the first verdict found
	awaitStored(t, root, jet.AuditStream, 2)
	letterThere(t, s, "unreadable", 4)
	if _, err := producer.Publish(t.Context(), "agent.events.acme.desk.c", []byte("{")); err != nil {
		t.Fatal(err)
	}
	awaitFinished(t, root)
	consumer.stop()
	if code := consumer.end(t); code != cli.Done {
		t.Fatalf("the consumer: code %d", code)
	}
	for _, role := range []string{secured.Consumer, secured.Producer} {
		if unused := r.Unused(t, s.Allowed[role]); len(unused) > 0 {
			t.Errorf("%s may publish on %q and does not need it", role, unused)
		}
	}
	if strings.Contains(consumer.stderr.String(), "ermissions") {
		t.Errorf("the server refused something of the consumer:\n%s", consumer.stderr.String())
	}
}

// letterThere stores a dead letter that the consumer has yet to bury.
func letterThere(t *testing.T, s *secured.Server, reason string, seq uint64) {
	t.Helper()
	sink, err := jet.NewSink(s.Root(t), jet.SinkConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if err := sink.Bury(t.Context(), pipeline.Letter{Reason: reason, Message: pipeline.Message{Seq: seq}}); err != nil {
		t.Fatal(err)
	}
	if err := sink.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// awaitFinished waits until every event is acknowledged.
func awaitFinished(t *testing.T, js jetstream.JetStream) {
	t.Helper()
	finished := func() bool {
		stream, err := js.Stream(t.Context(), jet.EventsStream)
		if err != nil {
			t.Fatal(err)
		}
		last := stream.CachedInfo().State.LastSeq
		for info := range stream.ListConsumers(t.Context()).Info() {
			if strings.HasSuffix(info.Name, "p0") && info.AckFloor.Stream == last {
				return true
			}
		}
		return false
	}
	for deadline := time.Now().Add(time.Minute); !finished(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the events are never finished")
		}
	}
}

// refused publishes, or listens, and tells whether the server refused it for want of a permission.
func refused(t *testing.T, nc *nats.Conn, listen bool, subject string) bool {
	t.Helper()
	var err error
	if listen {
		_, err = nc.SubscribeSync(subject)
	} else {
		err = nc.PublishRequest(subject, nc.NewInbox(), []byte(`{}`))
	}
	if err != nil {
		t.Fatalf("%s: %v", subject, err)
	}
	if err := nc.Flush(); err != nil {
		t.Fatalf("%s: %v", subject, err)
	}
	last := nc.LastError()
	return errors.Is(last, nats.ErrPermissionViolation) && strings.Contains(last.Error(), fmt.Sprintf("%q", subject))
}

// TestWhatEachRoleMay asks the server itself, for every role and operation.
func TestWhatEachRoleMay(t *testing.T) {
	s, _ := secure(t, 16)
	const (
		event, otherEvent = "agent.events.acme.desk.c", "agent.events.globex.desk.c"
		stored            = "agent.log.0.acme.desk.c"
		verdict, dead     = "agent.audit.evidence_checked.r.acme.desk.c.1.1", "agent.dead.unreadable.1"
		api               = "$JS.API."
	)
	all := strings.Join(secured.Roles, " ")
	for _, tt := range []struct {
		does, subject string
		listen        bool
		may           string // the roles that may, the others may not
	}{
		{"publish an event", event, false, "REDRIVER PUBLISHER PRODUCER_ACME"},
		{"publish an event of another tenant", otherEvent, false, "REDRIVER PUBLISHER"},
		{"publish an event on a subject that is stored", stored, false, ""},
		{"publish a verdict", verdict, false, "CONSUMER REPLAYER"},
		{"publish a dead letter", dead, false, "CONSUMER"},
		{"listen to events", event, true, ""},
		{"listen to the events of another tenant", otherEvent, true, ""},
		{"listen to every event", "agent.events.>", true, ""},
		{"listen to verdicts", "agent.audit.>", true, "READER"},
		{"listen to dead letters", "agent.dead.>", true, ""},
		{"listen to everything", ">", true, ""},
		{"listen to the answers to others", "_INBOX.>", true, ""},
		{"listen to the answers to the consumer", "_INBOX.plumbline-consumer.>", true, "CONSUMER"},
		{"listen to the answers to a producer", "_INBOX.acme.>", true, "PRODUCER_ACME"},
		{"answer in another's name", "_INBOX.plumbline-consumer.x", false, ""},
		{"make the event stream", api + "STREAM.CREATE.AGENT_EVENTS", false, "PROVISIONER"},
		{"make another stream", api + "STREAM.CREATE.MINE", false, ""},
		{"change the event stream", api + "STREAM.UPDATE.AGENT_EVENTS", false, ""},
		{"delete the event stream", api + "STREAM.DELETE.AGENT_EVENTS", false, ""},
		{"delete the audit stream", api + "STREAM.DELETE.AGENT_AUDIT", false, ""},
		{"purge the event stream", api + "STREAM.PURGE.AGENT_EVENTS", false, ""},
		{"purge the dead letters", api + "STREAM.PURGE.AGENT_DEAD", false, ""},
		{"delete an event", api + "STREAM.MSG.DELETE.AGENT_EVENTS", false, ""},
		{"delete a verdict", api + "STREAM.MSG.DELETE.AGENT_AUDIT", false, ""},
		{"read events by sequence", api + "STREAM.MSG.GET.AGENT_EVENTS", false, "CONSUMER REPLAYER REDRIVER PUBLISHER"},
		{"read events", api + "DIRECT.GET.AGENT_EVENTS", false, "CONSUMER REPLAYER REDRIVER"},
		{"read the last event of a subject", api + "DIRECT.GET.AGENT_EVENTS." + stored, false, ""},
		{"read verdicts", api + "DIRECT.GET.AGENT_AUDIT", false, "CONSUMER REPLAYER READER"},
		{"read the last verdict on an answer", api + "DIRECT.GET.AGENT_AUDIT." + verdict, false, "READER"},
		{"read dead letters", api + "STREAM.MSG.GET.AGENT_DEAD", false, "CONSUMER REDRIVER"},
		{"make a live durable", api + "CONSUMER.CREATE.AGENT_EVENTS.plumbline-p3.agent.log.3.>", false, "CONSUMER"},
		{"make a live durable in the old way", api + "CONSUMER.DURABLE.CREATE.AGENT_EVENTS.plumbline-p3", false, ""},
		{"make a reader of the past", api + "CONSUMER.CREATE.AGENT_EVENTS.x", false, "REPLAYER PUBLISHER"},
		{"read everything of the events anew", api + "CONSUMER.CREATE.AGENT_EVENTS.x.>", false, "REPLAYER PUBLISHER"},
		{"pull from a live durable", api + "CONSUMER.MSG.NEXT.AGENT_EVENTS.plumbline-p15", false, "CONSUMER"},
		{"pull misfits", api + "CONSUMER.MSG.NEXT.AGENT_EVENTS.plumbline-misfits", false, "CONSUMER"},
		{"delete a live durable", api + "CONSUMER.DELETE.AGENT_EVENTS.plumbline-p0", false, ""},
		{"pause a live durable", api + "CONSUMER.PAUSE.AGENT_EVENTS.plumbline-p0", false, ""},
		{"unpin a live durable", api + "CONSUMER.UNPIN.AGENT_EVENTS.plumbline-p0", false, "CONSUMER"},
		{"acknowledge an event", "$JS.ACK.AGENT_EVENTS.plumbline-p0.1.1.1.1.0", false, "CONSUMER"},
		{"show itself as a member", "$KV.PLUMBLINE_MEMBERS.x", false, "CONSUMER"},
		{"read who is a member", api + "DIRECT.GET.KV_PLUMBLINE_MEMBERS", false, "CONSUMER"},
		{"ask what JetStream holds", api + "INFO", false, "PROVISIONER CONSUMER REPLAYER REDRIVER PUBLISHER"},
		{"ask what the account's streams are", api + "STREAM.NAMES", false, ""},
		{"ask the system account", "$SYS.REQ.SERVER.PING", false, ""},
		{"send something else", "whatever", false, ""},
	} {
		t.Run(tt.does, func(t *testing.T) {
			for role := range strings.FieldsSeq(all) {
				nc := s.Connect(t, role)
				may := strings.Contains(" "+tt.may+" ", " "+role+" ")
				if got := refused(t, nc, tt.listen, tt.subject); got == may {
					t.Errorf("%s: refused is %v", role, got)
				}
				nc.Close()
			}
		})
	}
}

// TestRefusalsHoldNoNames shows that the log of what the server refuses names no conversation.
func TestRefusalsHoldNoNames(t *testing.T) {
	s := secured.Start(t)
	var f flags
	if _, ok := program.Parse(&f, s.Flags(secured.Reader), io.Discard, io.Discard); !ok {
		t.Fatal("the flags are not read")
	}
	var out buffer
	c := f.NATS("reader", f.NatsURL)
	c.Logger = newLog(Config{}, &out, 0)
	nc, err := jet.Connect(c)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	for _, subject := range []string{"agent.events.secret-tenant.a.secret-conversation", "$JS.API.STREAM.DELETE.AGENT_AUDIT"} {
		if err := nc.Publish(subject, nil); err != nil {
			t.Fatal(err)
		}
	}
	await(t, &out, `agent\.events\.>`)
	await(t, &out, `\$JS\.API\.STREAM\.DELETE\.AGENT_AUDIT`)
	if strings.Contains(out.String(), "secret") {
		t.Errorf("the log holds a name: %s", out.String())
	}
}

// TestReaderReadsVerdicts shows the two ways in which a person or a dashboard reads verdicts.
func TestReaderReadsVerdicts(t *testing.T) {
	s, r := secure(t, 1)
	root, nc := streamsOf(t, s.Root(t)), s.Connect(t, secured.Reader)
	live, err := nc.SubscribeSync("agent.audit.>")
	if err != nil {
		t.Fatal(err)
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	const verdict = "agent.audit.evidence_checked.r.acme.desk.c.1.1"
	if _, err := root.Publish(t.Context(), verdict, []byte("what was found")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if m, err := live.NextMsgWithContext(ctx); err != nil || string(m.Data) != "what was found" {
		t.Errorf("live: %v, %v", m, err)
	}
	for _, q := range []struct{ subject, body string }{
		{"$JS.API.DIRECT.GET.AGENT_AUDIT." + verdict, ""}, {"$JS.API.DIRECT.GET.AGENT_AUDIT", `{"seq":1}`},
	} {
		m, err := nc.RequestWithContext(ctx, q.subject, []byte(q.body))
		if err != nil || string(m.Data) != "what was found" {
			t.Errorf("%s: %v, %v", q.subject, m, err)
		}
	}
	if unused := r.Unused(t, s.Allowed[secured.Reader]); len(unused) > 0 {
		t.Errorf("the reader may publish on %q and does not need it", unused)
	}
}

// TestProvisionOnlyMakesWhatIsMissing runs it twice: the second time there is nothing to make.
func TestProvisionOnlyMakesWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	for _, want := range []string{"AGENT_EVENTS", "the streams are there"} {
		p := start(t, "--provision-only", "--store-dir", dir, "--port=0", "--log-format=json")
		if code := p.end(t); code != cli.Done || !strings.Contains(p.stderr.String(), want) {
			t.Errorf("code %d, %s", code, p.stderr.String())
		}
		for line := range strings.Lines(p.stderr.String()) {
			if !json.Valid([]byte(line)) {
				t.Errorf("no JSON: %s", line)
			}
		}
	}
}

// TestPermissionsAreDocumented holds the tables of docs/security.md against what is shipped, both ways.
func TestPermissionsAreDocumented(t *testing.T) {
	content, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string][]string{} // by the first word of the section's heading
	section := ""
	for line := range strings.Lines(string(content)) {
		if heading, ok := strings.CutPrefix(line, "### "); ok {
			section = strings.TrimRight(strings.Fields(heading)[0], ":,")
		}
		cells := strings.Split(line, "|")
		if strings.HasPrefix(line, "## ") {
			section = ""
		}
		if section != "" && len(cells) == 4 && strings.Contains(cells[1], "`") {
			for i, part := range strings.Split(cells[1], "`") {
				if i%2 == 1 {
					documented[section] = append(documented[section], part)
				}
			}
		}
	}
	s := secured.Start(t)
	for role, section := range map[string]string{
		secured.Provisioner: "Provisioner", secured.Consumer: "Consumer", secured.Replayer: "Replayer", secured.Redriver: "Redriver", secured.Publisher: "Publisher",
		secured.Reader: "Reader", secured.Producer: "Producer",
	} {
		said, shipped := slices.Sorted(slices.Values(documented[section])), slices.Sorted(slices.Values(s.Allowed[role]))
		if !slices.Equal(said, shipped) {
			t.Errorf("%s: documented are\n%s\nshipped are\n%s", role, strings.Join(said, "\n"), strings.Join(shipped, "\n"))
		}
	}
}
