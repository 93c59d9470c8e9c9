package event

import (
	"fmt"
	"strconv"
	"strings"
)

// MaxSubject is the longest subject that is published on, in bytes. A NATS server ends the connection of a client whose
// protocol line is longer than its max_control_line, 4,096 bytes unless configured; the rest is left to the line's other
// parts.
const MaxSubject = 3500

// DefaultPrefix is the first token of every subject unless it is configured otherwise.
const DefaultPrefix = "agent"

// EncodeToken writes a value as one subject token: every byte outside A-Z a-z 0-9 - _ ~ becomes %XX, and an empty
// value is %00. Different values give different tokens, except that a value that is one NUL byte is written like the
// empty one; DecodeToken reads %00 as the empty value.
func EncodeToken(s string) string {
	if s == "" {
		return "%00"
	}
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		plain = tokenByte(s[i])
	}
	if plain {
		return s
	}
	const hex = "0123456789ABCDEF"
	out := make([]byte, 0, len(s)+8)
	for i := 0; i < len(s); i++ {
		if c := s[i]; tokenByte(c) {
			out = append(out, c)
		} else {
			out = append(out, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(out)
}

func tokenByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '~'
}

// DecodeToken reads a token back. It refuses a token that EncodeToken would not have written.
func DecodeToken(token string) (string, error) {
	if token == "%00" {
		return "", nil
	}
	out := make([]byte, 0, len(token))
	for i := 0; i < len(token); i++ {
		c := token[i]
		if c != '%' {
			out = append(out, c)
			continue
		}
		if i+2 >= len(token) {
			return "", fmt.Errorf("subject token %q: %%XX cut at byte %d", token, i)
		}
		b, err := strconv.ParseUint(token[i+1:i+3], 16, 8)
		if err != nil {
			return "", fmt.Errorf("subject token %q: bad %%XX at byte %d", token, i)
		}
		out = append(out, byte(b))
		i += 2
	}
	if s := string(out); EncodeToken(s) == token {
		return s, nil
	}
	return "", fmt.Errorf("subject token %q: not in its one spelling", token)
}

// Subjects names the subjects of one deployment. The zero value uses DefaultPrefix.
type Subjects struct {
	Prefix string
}

func (s Subjects) join(tokens ...string) string {
	prefix := s.Prefix
	if prefix == "" {
		prefix = DefaultPrefix
	}
	return prefix + "." + strings.Join(tokens, ".")
}

// Event is the subject that a producer publishes a conversation's events on.
func (s Subjects) Event(c Conversation) string {
	return s.join("events", EncodeToken(c.Tenant), EncodeToken(c.Agent), EncodeToken(c.ID))
}

// AllEvents matches everything that producers publish.
func (s Subjects) AllEvents() string { return s.join("events", ">") }

// AllLogs matches every stored event.
func (s Subjects) AllLogs() string { return s.join("log", ">") }

// Log is the subject that a conversation's events are stored on.
func (s Subjects) Log(partition int, c Conversation) string {
	return s.join("log", strconv.Itoa(partition), EncodeToken(c.Tenant), EncodeToken(c.Agent), EncodeToken(c.ID))
}

// PartitionLogs matches every stored event of a partition.
func (s Subjects) PartitionLogs(partition int) string {
	return s.join("log", strconv.Itoa(partition), ">")
}

// Some names a part of the conversations: those of a tenant, of an agent, of an id, or of several of these at once. A nil
// field is any.
type Some struct {
	Tenant, Agent, ID *string
}

func (c Some) tokens() []string {
	tokens := []string{"*", "*", "*"}
	for i, name := range []*string{c.Tenant, c.Agent, c.ID} {
		if name != nil {
			tokens[i] = EncodeToken(*name)
		}
	}
	return tokens
}

// SomeLogs matches every stored event of a part of the conversations.
func (s Subjects) SomeLogs(c Some) string {
	return s.join(append([]string{"log", "*"}, c.tokens()...)...)
}

// SomeAudits matches everything that is published under one ruleset, or under all when it is empty, about a part of the
// conversations.
func (s Subjects) SomeAudits(ruleset string, c Some) string {
	token := "*"
	if ruleset != "" {
		token = EncodeToken(ruleset)
	}
	return s.join(append(append([]string{"audit", "*", token}, c.tokens()...), ">")...)
}

// ParseAudit reads the ruleset and the conversation off the subject of a verdict or a declaration.
func (s Subjects) ParseAudit(subject string) (ruleset string, c Conversation, err error) {
	rest, ok := strings.CutPrefix(subject, s.join("audit", ""))
	tokens := strings.Split(rest, ".")
	if !ok || len(tokens) != 7 {
		return "", c, fmt.Errorf("subject %q: want that of a verdict or of a declaration", subject)
	}
	for i, name := range []*string{&ruleset, &c.Tenant, &c.Agent, &c.ID} {
		if *name, err = DecodeToken(tokens[i+1]); err != nil {
			return "", c, err
		}
	}
	return ruleset, c, nil
}

// ParseConversation reads the conversation off a subject that events are published or stored on.
func (s Subjects) ParseConversation(subject string) (Conversation, error) {
	rest, ok := strings.CutPrefix(subject, s.join("events", ""))
	skip := 0
	if !ok {
		rest, ok = strings.CutPrefix(subject, s.join("log", ""))
		skip = 1
	}
	tokens := strings.Split(rest, ".")
	if !ok || len(tokens) != skip+3 {
		return Conversation{}, fmt.Errorf("subject %q: want %s", subject, s.join("events", "<tenant>", "<agent>", "<conversation>"))
	}
	var names [3]string
	for i, token := range tokens[skip:] {
		name, err := DecodeToken(token)
		if err != nil {
			return Conversation{}, err
		}
		names[i] = name
	}
	return Conversation{Tenant: names[0], Agent: names[1], ID: names[2]}, nil
}

// Explain is the subject that explanations of verdicts are asked for on.
func (s Subjects) Explain() string { return s.join("explain") }

// Verdict is the subject of an answer's revision chain under one ruleset.
func (s Subjects) Verdict(ruleset string, c Conversation, turn, iteration int) string {
	return s.join("audit", string(KindEvidenceChecked), EncodeToken(ruleset),
		EncodeToken(c.Tenant), EncodeToken(c.Agent), EncodeToken(c.ID), strconv.Itoa(turn), strconv.Itoa(iteration))
}

// Coverage is the subject of what a call declared, under one ruleset.
func (s Subjects) Coverage(ruleset string, c Conversation, turn int, call string) string {
	return s.join("audit", string(KindCoverageDeclared), EncodeToken(ruleset),
		EncodeToken(c.Tenant), EncodeToken(c.Agent), EncodeToken(c.ID), strconv.Itoa(turn), EncodeToken(call))
}

// AllAudits matches everything that Plumbline publishes about answers.
func (s Subjects) AllAudits() string { return s.join("audit", ">") }

// Dead is the subject of one dead letter: the reason and the stream sequence of the message that could not be read.
func (s Subjects) Dead(reason string, seq uint64) string {
	return s.join("dead", EncodeToken(reason), strconv.FormatUint(seq, 10))
}

// AllDead matches every dead letter.
func (s Subjects) AllDead() string { return s.join("dead", ">") }
