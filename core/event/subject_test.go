package event

import (
	"strings"
	"testing"
)

// FuzzSubjects holds that no name, whatever bytes it is made of, gives a subject with another number of tokens, with a
// wildcard, or that is read back as other names: so no payload reaches a subject of another tenant.
func FuzzSubjects(f *testing.F) {
	for _, name := range []string{
		"", "acme", "acme.desk", "*", ">", "a.>", "\x00", "\x00\x00", " ", "\t\r\n", "%00", "%2E", "%", "a%2", "é", "\xff\xfe", "$JS", "$SYS.>",
		"..", ".", strings.Repeat("x.", 3000), "\u202e", "agent.events.globex", "A", "a",
	} {
		f.Add("acme", "desk", name, 1, "agent")
		f.Add(name, name, name, -1, "a.b")
		f.Add(name, "desk", "c", 0, "")
	}
	f.Fuzz(func(t *testing.T, tenant, agent, id string, number int, prefix string) {
		if strings.Trim(prefix, "abcdefghijklmnopqrstuvwxyz") != "" {
			prefix = ""
		}
		s, c := Subjects{Prefix: prefix}, Conversation{Tenant: tenant, Agent: agent, ID: id}
		tokensOf(t, s.Event(c), 5)
		tokensOf(t, s.Log(max(0, number), c), 6)
		tokensOf(t, s.Verdict(tenant, c, max(0, number), 0), 9)
		tokensOf(t, s.Coverage(agent, c, max(0, number), id), 9)
		tokensOf(t, s.Dead(id, uint64(max(0, number))), 4)
		for _, subject := range []string{s.Event(c), s.Log(max(0, number), c)} {
			read, err := s.ParseConversation(subject)
			if err != nil || read != (Conversation{unNUL(tenant), unNUL(agent), unNUL(id)}) {
				t.Errorf("%q is read back as %q, %v", subject, read, err)
			}
		}
		own := s.join("events", EncodeToken(tenant), "")
		if !strings.HasPrefix(s.Event(c), own) {
			t.Errorf("%q does not begin with the tenant's own %q", s.Event(c), own)
		}
	})
}

// unNUL is the one name that has the subject of another: both are refused by a payload that says which it is.
func unNUL(name string) string {
	if name == "\x00" {
		return ""
	}
	return name
}

// tokensOf holds the number of a subject's tokens, and the bytes that they are made of.
func tokensOf(t *testing.T, subject string, want int) {
	t.Helper()
	tokens := strings.Split(subject, ".")
	if len(tokens) != want {
		t.Errorf("%q has %d tokens, want %d", subject, len(tokens), want)
	}
	for _, token := range tokens {
		if token == "" {
			t.Errorf("%q has an empty token", subject)
		}
		for i := range len(token) {
			if !tokenByte(token[i]) && token[i] != '%' {
				t.Errorf("%q holds byte %#x", subject, token[i])
			}
		}
	}
}

// FuzzParseConversation holds that a subject has one reading, and that what is read gives the subject again.
func FuzzParseConversation(f *testing.F) {
	for _, subject := range []string{
		"agent.events.a.b.c", "agent.log.0.a.b.c", "agent.events.%00.%2E.%FF", "agent.events.a.b", "agent.events.a.b.c.d", "agent.events.*.b.>",
		"agent.events.%2e.b.c", "agent.events.%41.b.c", "agent.events.a b.b.c", "agent.audit.a.b.c", "", ".", "agent.events.%.b.c", "agent.events...",
	} {
		f.Add(subject)
	}
	f.Fuzz(func(t *testing.T, subject string) {
		var s Subjects
		c, err := s.ParseConversation(subject)
		if err != nil {
			return
		}
		rest := strings.TrimPrefix(s.Event(c), "agent.events.")
		if s.Event(c) != subject && !(strings.HasPrefix(subject, "agent.log.") && strings.HasSuffix(subject, "."+rest)) {
			t.Errorf("%q is read as %q, whose subject is %q", subject, c, s.Event(c))
		}
	})
}
