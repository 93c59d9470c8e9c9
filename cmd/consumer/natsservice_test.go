package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/cmd/internal/secured"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline/explain"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// ask asks for an explanation and gives the answer, or the code and the words of a refusal.
func ask(t *testing.T, nc *nats.Conn, request string) (x explain.Explanation, refusal string) {
	t.Helper()
	reply, err := nc.Request("agent.explain", []byte(request), 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if code := reply.Header.Get(micro.ErrorCodeHeader); code != "" {
		return x, code + " " + reply.Header.Get(micro.ErrorHeader)
	}
	if err := json.Unmarshal(reply.Data, &x); err != nil {
		t.Fatal(err)
	}
	return x, ""
}

// TestService runs the consumer as the user that is shipped, and asks as the one who may: who is there, and what a verdict
// rests on. A producer may not ask.
func TestService(t *testing.T) {
	s, _ := secure(t, 1)
	admin, producer := s.Root(t), s.Connect(t, secured.Producer)
	consumer := start(t, append(s.Flags(secured.Consumer), "--service", "--grace=0")...)
	await(t, &consumer.stderr, "msg=ready")
	js := streamsOf(t, admin)
	for _, what := range []string{aRow, anAnswer} {
		acme(t, streamsOf(t, producer), "c", what)
	}
	awaitStored(t, js, jet.AuditStream, 1)

	var info micro.Info
	reply, err := admin.Request("$SRV.INFO.plumbline", nil, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(reply.Data, &info); err != nil {
		t.Fatal(err)
	}
	if len(info.Endpoints) != 1 || info.Endpoints[0].Subject != "agent.explain" || "plumbline/"+info.Version != turn.Engine {
		t.Errorf("INFO says %+v", info)
	}
	if _, err := admin.Request("$SRV.PING", nil, 10*time.Second); err != nil {
		t.Errorf("PING: %v", err)
	}

	byName, refused := ask(t, admin, `{"tenant":"acme","agent":"desk","conversation":"c","turn":1,"iteration":1}`)
	if refused != "" || len(byName.Values) != 1 || !byName.Same || byName.Answer != "Parcel 48213 is here." {
		t.Fatalf("explained %+v, refused %q", byName, refused)
	}
	v := byName.Values[0]
	if v.Value != "48213" || v.Standing != turn.Read || len(v.Holders) != 1 || v.Holders[0].Sequence != 1 || v.Holders[0].Tool != "lookup" ||
		v.Holders[0].Path != "/parcel" || *v.Holders[0].At != [2]int{0, 5} {
		t.Errorf("the value is explained as %+v", v)
	}
	bySubject, refused := ask(t, admin, `{"subject":"`+byName.Subject+`"}`)
	if refused != "" || bySubject.Sequence != byName.Sequence {
		t.Errorf("by its subject: %+v, refused %q", bySubject, refused)
	}
	if err := admin.Publish("agent.explain", []byte(`{}`)); err != nil { // nobody waits for an answer: it is passed over
		t.Fatal(err)
	}
	for request, want := range map[string]string{
		`{"tenant":"acme","agent":"desk","conversation":"none","turn":1}`: "404 ", `{"turn":0}`: "400 ", `not JSON`: "400 ", `{"subject":"agent.log.0.a.b.c"}`: "400 ",
	} {
		if _, refused := ask(t, admin, request); !strings.HasPrefix(refused, want) {
			t.Errorf("%s: refused %q, want %q", request, refused, want)
		}
	}
	var stats micro.Stats
	if reply, err = admin.Request("$SRV.STATS.plumbline", nil, 10*time.Second); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(reply.Data, &stats); err != nil {
		t.Fatal(err)
	}
	if e := stats.Endpoints[0]; e.NumRequests != 7 || e.NumErrors != 4 || string(e.Data) != `{"partitions":1}` {
		t.Errorf("STATS says %+v, %s", e, e.Data)
	}
	if _, err := producer.Request("agent.explain", []byte(`{}`), 300*time.Millisecond); err == nil {
		t.Error("a producer may ask what verdicts rest on")
	}
	consumer.stop()
	if code := consumer.end(t); code != cli.Done || strings.Contains(consumer.stderr.String(), "ermissions") ||
		strings.Contains(consumer.stderr.String(), "was not answered") {
		t.Errorf("code %d:\n%s", code, consumer.stderr.String())
	}
}
