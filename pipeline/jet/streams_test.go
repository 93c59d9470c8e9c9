package jet

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
)

func TestProvisionMakesWhatIsMissing(t *testing.T) {
	b := newBench(t)
	if err := b.js.DeleteStream(t.Context(), DeadStream); err != nil {
		t.Fatal(err)
	}
	b.gone(t, DeadStream)
	made, err := Provision(t.Context(), b.js, StreamsConfig{Partitions: 7})
	if err != nil || !slices.Equal(made, []string{DeadStream}) {
		t.Errorf("made %v, %v; want only %s", made, err, DeadStream)
	}
	layout, err := Check(t.Context(), b.js, "")
	if err != nil {
		t.Errorf("Check of what Provision made: %v", err)
	}
	if layout.Partitions != 1 {
		t.Errorf("%d partitions: Provision altered a stream, or Check does not read its transform", layout.Partitions)
	}
	if err := layout.Expect(7); err == nil || !strings.Contains(err.Error(), "say 1") {
		t.Errorf("Expect of another number: %v", err)
	}
	if err := layout.Expect(0); err != nil {
		t.Errorf("Expect of none in particular: %v", err)
	}
}

func TestProvisionRefuses(t *testing.T) {
	b := newBench(t)
	for name, c := range map[string]StreamsConfig{
		"partitions":    {Partitions: -1},
		"replicas":      {Replicas: 6},
		"age":           {MaxAge: -time.Second},
		"audit age":     {MaxAge: 2 * time.Hour, AuditMaxAge: time.Hour},
		"audit forever": {AuditMaxAge: time.Hour},
		"prefix":        {Prefix: "a.*"},
		"system prefix": {Prefix: "$SYS"},
	} {
		if made, err := Provision(t.Context(), b.js, c); err == nil || made != nil {
			t.Errorf("%s: made %v, %v; want a refusal", name, made, err)
		}
	}
}

func TestPartitionsSortConversations(t *testing.T) {
	b := benchOn(t, shared, StreamsConfig{Partitions: 16, Prefix: "acme.agents"})
	layout, err := Check(t.Context(), b.js, "acme.agents")
	if err != nil || layout.Partitions != 16 {
		t.Fatalf("%d partitions, %v; want 16", layout.Partitions, err)
	}
	b.subjects = layout.Subjects
	for _, id := range []string{"one", "two", "", "a.b c"} {
		b.publish(t, b.event(id), nil, []byte(id))
		b.publish(t, b.event(id), nil, []byte(id))
	}
	subjects := map[string]string{}
	read := func(m pipeline.Message) error {
		c, err := layout.Subjects.ParseConversation(m.Subject)
		if err != nil || c != (event.Conversation{Tenant: "t", Agent: "a", ID: string(m.Data)}) {
			t.Errorf("stored on %s: %+v, %v", m.Subject, c, err)
		}
		if first := subjects[c.ID]; first != "" && first != m.Subject {
			t.Errorf("conversation %q is stored on %s and on %s", c.ID, first, m.Subject)
		}
		subjects[c.ID] = m.Subject
		return nil
	}
	if err := ReadAll(t.Context(), b.js, EventsStream, "", read); err != nil || len(subjects) != 4 {
		t.Errorf("read %d conversations, %v", len(subjects), err)
	}
}

// TestCheckRefuses alters one thing of a right stream at a time.
func TestCheckRefuses(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct {
		stream, change string
		alter          func(*jetstream.StreamConfig)
	}{
		{EventsStream, "set retention to limits", func(s *jetstream.StreamConfig) { s.Retention = jetstream.InterestPolicy }},
		{EventsStream, "set allow_direct", func(s *jetstream.StreamConfig) { s.AllowDirect = false }},
		{EventsStream, "give it a subject transform", func(s *jetstream.StreamConfig) { s.SubjectTransform = nil }},
		{EventsStream, "give it a subject transform", func(s *jetstream.StreamConfig) {
			s.SubjectTransform = &jetstream.SubjectTransformConfig{Source: "agent.events.*.*.*", Destination: "agent.log.0.{{wildcard(1)}}.{{wildcard(2)}}.{{wildcard(3)}}"}
		}},
		{EventsStream, "give it a subject transform", func(s *jetstream.StreamConfig) {
			s.SubjectTransform = &jetstream.SubjectTransformConfig{Source: "agent.events.*.*.*", Destination: "agent.log.{{partition(4,1,2)}}.{{wildcard(1)}}.{{wildcard(2)}}.{{wildcard(3)}}"}
		}},
		{EventsStream, "set max_msgs_per_subject", func(s *jetstream.StreamConfig) { s.MaxMsgsPerSubject = 100 }},
		{EventsStream, "unset allow_rollup_hdrs", func(s *jetstream.StreamConfig) { s.AllowRollup = true }},
		{EventsStream, "unset allow_msg_ttl", func(s *jetstream.StreamConfig) { s.AllowMsgTTL = true }},
		{EventsStream, "unset no_ack", func(s *jetstream.StreamConfig) { s.NoAck = true }},
		{EventsStream, "add that subject", func(s *jetstream.StreamConfig) { s.Subjects = []string{"agent.events.t.>"} }},
		{EventsStream, `take only "agent.events.>"`, func(s *jetstream.StreamConfig) { s.Subjects = append(s.Subjects, "agent.audit.>") }},
		{EventsStream, `take only "agent.events.>"`, func(s *jetstream.StreamConfig) { s.Subjects = append(s.Subjects, "agent.dead.bad_json.*") }},
		{EventsStream, "remove that source", func(s *jetstream.StreamConfig) { s.Sources = []*jetstream.StreamSource{{Name: AuditStream}} }},
		{AuditStream, "set deny_delete", func(s *jetstream.StreamConfig) { s.DenyDelete = false }},
		{AuditStream, "set deny_purge", func(s *jetstream.StreamConfig) { s.DenyPurge = false }},
		{AuditStream, "set allow_direct", func(s *jetstream.StreamConfig) { s.AllowDirect = false }},
		{AuditStream, "set max_age", func(s *jetstream.StreamConfig) { s.MaxAge = time.Hour }},
		{AuditStream, "add that subject", func(s *jetstream.StreamConfig) { s.Subjects = []string{"other.>"} }},
		{AuditStream, "republish to another", func(s *jetstream.StreamConfig) {
			s.RePublish = &jetstream.RePublish{Source: ">", Destination: "agent.events.again.>"}
		}},
		{DeadStream, "add that subject", func(s *jetstream.StreamConfig) { s.Subjects = []string{"dead.>"} }},
		{DeadStream, "set retention to limits", func(s *jetstream.StreamConfig) { s.Retention = jetstream.WorkQueuePolicy }},
	} {
		b.wipe(t)
		b.provisionAltered(t, c.stream, c.alter)
		_, err := Check(t.Context(), b.js, "")
		if err == nil || !strings.Contains(err.Error(), "stream "+c.stream) || !strings.Contains(err.Error(), c.change) {
			t.Errorf("%s, %s: Check says %v", c.stream, c.change, err)
		}
	}
}

// provisionAltered makes the three streams, the named one with the alteration.
func (b *bench) provisionAltered(t *testing.T, name string, alter func(*jetstream.StreamConfig)) {
	t.Helper()
	c, err := StreamsConfig{}.validate()
	if err != nil {
		t.Fatal(err)
	}
	configs := []jetstream.StreamConfig{c.events(), c.audit(), c.dead()}
	slices.SortFunc(configs, func(x, y jetstream.StreamConfig) int { // the altered one last: it may overlap with one that must not exist
		return map[bool]int{true: 1}[x.Name == name] - map[bool]int{true: 1}[y.Name == name]
	})
	for _, s := range configs {
		if s.Name == name {
			alter(&s)
			for _, other := range configs {
				if other.Name != name && slices.ContainsFunc(s.Subjects, func(in string) bool { return overlap(in, other.Subjects[0]) }) {
					if err := b.js.DeleteStream(t.Context(), other.Name); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		if _, err := b.js.CreateStream(t.Context(), s); err != nil {
			t.Fatalf("make %s: %v", s.Name, err)
		}
	}
}

func TestCheckNamesEveryFault(t *testing.T) {
	b := newBench(t)
	b.wipe(t)
	_, err := Check(t.Context(), b.js, "")
	for _, name := range []string{EventsStream, AuditStream, DeadStream} {
		if err == nil || !strings.Contains(err.Error(), "stream "+name+" does not exist: create it, or start with --provision") {
			t.Errorf("Check without streams does not name %s: %v", name, err)
		}
	}
}

func TestSubjectFilters(t *testing.T) {
	for _, c := range []struct {
		a, b             string
		covers, overlaps bool
	}{
		{"agent.events.>", "agent.events.>", true, true},
		{"agent.>", "agent.events.>", true, true},
		{">", "agent.events.>", true, true},
		{"agent.events.>", "agent.>", false, true},
		{"agent.*.>", "agent.events.>", true, true},
		{"agent.events.*", "agent.events.>", false, true},
		{"agent.*", "agent.events.>", false, false},
		{"agent.events", "agent.events.>", false, false},
		{"*.audit.x", "agent.*.x", false, true},
		{"agent.audit.>", "agent.events.>", false, false},
		{"a.b", "a.b", true, true},
		{"a.b.c", "a.b", false, false},
	} {
		if got := covers(c.a, c.b); got != c.covers {
			t.Errorf("covers(%q, %q) = %v", c.a, c.b, got)
		}
		if got := overlap(c.a, c.b); got != c.overlaps {
			t.Errorf("overlap(%q, %q) = %v", c.a, c.b, got)
		}
		if overlap(c.a, c.b) != overlap(c.b, c.a) {
			t.Errorf("overlap(%q, %q) depends on the order", c.a, c.b)
		}
	}
}
