package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/cmd/internal/secured"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline/explain"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/schemas"

	"github.com/nats-io/nats.go/jetstream"
)

// parcel is a conversation of one turn: one value of its answer was read, the other was typed.
func parcel() (payloads [][]byte) {
	c := event.Conversation{Tenant: "acme", Agent: "desk", ID: "c"}
	for i, e := range []event.Event{
		{TurnStart: &event.TurnStart{User: new("Where?"), Context: []string{"be brief"}}},
		{ToolEnd: &event.ToolEnd{Call: event.Call{ID: "k\x1b1", Tool: "lookup"}, Result: event.JSON(`{"found":[{"parcel":48213}]}`)}},
		{Answer: &event.Answer{Text: "Parcel 48213, order 55012.", Iteration: 1}},
	} {
		e.ID, e.Conversation, e.Turn = fmt.Sprint("e", i), c, 1
		payload, err := schemas.EncodeEvent(schemas.JSON, e)
		if err != nil {
			panic(err) // a mistake of this file
		}
		payloads = append(payloads, payload)
	}
	return payloads
}

// TestExplain runs replayer explain as the user that is shipped for the replayer.
func TestExplain(t *testing.T) {
	s := secured.Start(t)
	js, err := jetstream.New(s.Root(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := jet.Provision(t.Context(), js, jet.StreamsConfig{}); err != nil {
		t.Fatal(err)
	}
	h := &history{t: t, nc: s.Root(t), js: js}
	h.publish(parcel())
	access := s.Flags(secured.Replayer)
	if code, _, stderr := play(t, "", append(access, "--publish")...); code != cli.Done {
		t.Fatalf("code %d, %s", code, stderr)
	}
	named := append([]string{"explain", "--tenant=acme", "--agent=desk", "--conversation=c", "--turn=1", "--iteration=1"}, access...)
	code, stdout, stderr := play(t, "", named...)
	if code != cli.Done || strings.Contains(stderr, "ermission") {
		t.Fatalf("code %d, %s", code, stderr)
	}
	for _, want := range []string{
		"48213: read\n    event 2, turn 1, call k", "of lookup, result /found/0/parcel, bytes 0 to 5\n", "55012: unsupported\n", "audit sequence 1, agent.audit.evidence_checked.calibrated-1.acme.desk.c.1.1",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is not in\n%s", want, stdout)
		}
	}
	if strings.Contains(stdout, "\x1b") || strings.Contains(stdout, "note:") {
		t.Errorf("it steers the terminal, or notes something:\n%q", stdout)
	}

	_, stdout, _ = play(t, "", append([]string{"explain", "agent.audit.evidence_checked.calibrated-1.acme.desk.c.1.1", "--json", "--rules=literal-1"}, access...)...)
	var made explain.Explanation
	if err := json.Unmarshal([]byte(stdout), &made); err != nil {
		t.Fatalf("%v: %s", err, stdout)
	}
	if made.Same || !strings.Contains(made.Note, "ruleset calibrated-1") || len(made.Values) != 2 || made.Values[0].Standing != turn.Read {
		t.Errorf("by other rules: %+v", made)
	}

	for args, want := range map[string]int{
		"--turn=1 --conversation=none": cli.Unfinished, "": cli.Usage, "some.subject": cli.Usage, "some.subject --turn=1": cli.Usage, "--turn=1 --rules=x": cli.Usage,
	} {
		if code, _, stderr := play(t, "", append(append([]string{"explain"}, strings.Fields(args)...), access...)...); code != want || stderr == "" {
			t.Errorf("%q: code %d, want %d; %s", args, code, want, stderr)
		}
	}
}
