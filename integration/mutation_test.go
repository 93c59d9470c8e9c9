package integration_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/schemas"
)

// TestMutatedMessages publishes 10,000 broken messages to the embedded server and holds that each ends as what it caused
// or as a dead letter with a reason, that everything is acknowledged, and that the stream goes on: a good answer at the
// end of it all is judged.
func TestMutatedMessages(t *testing.T) {
	const count = 10_000
	d := deploy(t)
	content, err := os.ReadFile(bundle)
	if err != nil {
		t.Fatal(err)
	}
	good := lines(content)
	r := rand.New(rand.NewPCG(1, 2))
	for range count {
		d.publishAsync(t, mutated(r, good))
	}
	last := event.Event{ID: "last", Conversation: event.Conversation{Tenant: "t", Agent: "a", ID: "last"}, Turn: 1, Answer: &event.Answer{Text: "order 44170"}}
	data, err := schemas.EncodeEvent(schemas.JSON, last)
	if err != nil {
		t.Fatal(err)
	}
	m := nats.NewMsg(event.Subjects{}.Event(last.Conversation))
	m.Data = data
	d.publishAsync(t, m)
	<-d.js.PublishAsyncComplete()

	d.workUntilIdle(t)
	verdict := event.Subjects{}.Verdict(rules(t).Ruleset(), last.Conversation, 1, 0)
	if got := d.countOn(t, jet.AuditStream, verdict); got != 1 {
		t.Errorf("the answer after the broken messages has %d verdicts, want 1", got)
	}
	reasons := d.reasons(t)
	letters := 0
	for reason, n := range reasons {
		letters += n
		if reason == "reader_failed" {
			t.Errorf("a reader broke on %d messages", n)
		}
	}
	t.Logf("%d messages, %d dead letters: %v", count+1, letters, reasons)
	if letters < count/4 || len(reasons) < 6 {
		t.Errorf("%d dead letters of %d reasons: the mutations do not reach far", letters, len(reasons))
	}
}

func (d *deployment) publishAsync(t testing.TB, m *nats.Msg) {
	t.Helper()
	if _, err := d.js.PublishMsgAsync(m, jetstream.WithStallWait(time.Minute)); err != nil {
		t.Fatal(err)
	}
}

// mutated breaks a good message in one of many ways, or leaves it as it is.
func mutated(r *rand.Rand, good [][]byte) *nats.Msg {
	line := bytes.Clone(good[r.IntN(len(good))])
	e, err := schemas.Decode(schemas.JSON, line)
	if err != nil {
		panic(err)
	}
	m := nats.NewMsg(event.Subjects{}.Event(e.Conversation))
	m.Data = line
	switch r.IntN(14) {
	case 0:
		m.Data = line[:r.IntN(len(line))]
	case 1:
		for range 1 + r.IntN(4) {
			line[r.IntN(len(line))] ^= 1 << r.IntN(8)
		}
	case 2:
		depth := 100 << r.IntN(8)
		m.Data = replaced(line, `"result":`, strings.Repeat("[", depth)+strings.Repeat("]", depth)+`,"was":`)
	case 3:
		m.Data = replaced(line, `"turn":`, []string{"1e999", "-1", "1.5", `"1"`, "null", "99999999999999999999", "{}"}[r.IntN(7)]+`,"was":`)
	case 4:
		m.Data = replaced(line, `"v":`, []string{"2", "0", `"1"`, "1e400"}[r.IntN(4)]+`,"was":`)
	case 5:
		m.Data = replaced(line, `"type":`, []string{`"answered"`, "7", `""`}[r.IntN(3)]+`,"was":`)
	case 6:
		m.Subject = []string{"agent.events.x", "agent.events.a.b.c.d", "agent.events.%zz.a.b", "agent.events.tau.airline.other"}[r.IntN(4)]
	case 7:
		m.Header.Set("Content-Type", []string{"text/csv", "application/msgpack", ";;", "application/cbor"}[r.IntN(4)])
	case 8:
		m.Data = replaced(line, `"text":`, `["not","a","text"],"was":`)
	case 9:
		m.Data = replaced(line, `"result":`, strings.Repeat("9", 1+r.IntN(2000))+`,"was":`)
	case 10:
		m.Data = nil
	case 11:
		m.Data = make([]byte, r.IntN(400))
		for i := range m.Data {
			m.Data[i] = byte(r.Uint32())
		}
	case 12:
		m.Header.Set("Plumbline-Revision", "7")
		m.Header.Set("Original-Content-Type", "x")
	}
	return m
}

// replaced puts text behind the first place of a key.
func replaced(line []byte, key, with string) []byte {
	spaced := bytes.Replace(line, []byte(key+" "), []byte(key), 1)
	return bytes.Replace(spaced, []byte(key), []byte(key+with), 1)
}

// workUntilIdle runs the pipeline until nothing is left to hand out or to acknowledge.
func (d *deployment) workUntilIdle(t testing.TB) {
	t.Helper()
	stop := d.start(t)
	defer stop()
	for deadline := time.Now().Add(5 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if d.idle(t) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the stream stalls")
		}
	}
}

// idle tells whether every consumer of the event stream has nothing left.
func (d *deployment) idle(t testing.TB) bool {
	t.Helper()
	stream, err := d.js.Stream(t.Context(), jet.EventsStream)
	if err != nil {
		t.Fatal(err)
	}
	consumers := 0
	for info := range stream.ListConsumers(t.Context()).Info() {
		consumers++
		if info.NumPending > 0 || info.NumAckPending > 0 {
			return false
		}
	}
	return consumers == 2
}

// countOn is how many messages of a stream stand on a subject.
func (d *deployment) countOn(t testing.TB, stream, subject string) int {
	t.Helper()
	s, err := d.js.Stream(t.Context(), stream)
	if err != nil {
		t.Fatal(err)
	}
	info, err := s.Info(t.Context(), jetstream.WithSubjectFilter(subject))
	if err != nil {
		t.Fatal(err)
	}
	return int(info.State.Subjects[subject])
}

// reasons counts the dead letters by their reason.
func (d *deployment) reasons(t *testing.T) map[string]int {
	t.Helper()
	s, err := d.js.Stream(t.Context(), jet.DeadStream)
	if err != nil {
		t.Fatal(err)
	}
	info, err := s.Info(t.Context(), jetstream.WithSubjectFilter(event.Subjects{}.AllDead()))
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]int{}
	for subject, n := range info.State.Subjects {
		var reason string
		if _, err := fmt.Sscanf(strings.ReplaceAll(subject, ".", " "), "agent dead %s", &reason); err != nil {
			t.Fatalf("subject %q: %v", subject, err)
		}
		reasons[reason] += int(n)
	}
	return reasons
}
