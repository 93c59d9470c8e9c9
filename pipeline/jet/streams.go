package jet

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/core/event"
)

// maxPartitions bounds what Provision makes and Check accepts: each partition is a durable consumer.
const maxPartitions = 1024

// StreamsConfig says how missing streams are made. The zero value is usable: prefix agent, one partition, one replica,
// kept for ever.
type StreamsConfig struct {
	Prefix     string
	Partitions int           // fixed for the life of the event stream; 0: 1
	Replicas   int           // 0: 1
	MaxAge     time.Duration // of events and dead letters; 0: for ever
	// AuditMaxAge is how long verdicts are kept: at least MaxAge, because a verdict guards against a second one of
	// itself only while it is there. 0: for ever.
	AuditMaxAge time.Duration
	// Duplicates is how long the event stream knows a producer's Nats-Msg-Id; 0: two minutes.
	Duplicates time.Duration
}

// Provision makes the streams and the bucket of members that are missing and says which. It never alters one that exists:
// Check tells whether those will do. Two processes may run it at once.
func Provision(ctx context.Context, js jetstream.JetStream, c StreamsConfig) (made []string, err error) {
	c, err = c.validate()
	if err != nil {
		return nil, err
	}
	for _, stream := range []jetstream.StreamConfig{c.events(), c.audit(), c.dead()} {
		is, err := provision(ctx, js, stream)
		if err != nil {
			return made, fmt.Errorf("make stream %s: %w", stream.Name, err)
		}
		if is {
			made = append(made, stream.Name)
		}
	}
	is, err := provisionBucket(ctx, js, c.members())
	if err != nil {
		return made, fmt.Errorf("make bucket %s: %w", MembersBucket, err)
	}
	if is {
		made = append(made, MembersBucket)
	}
	return made, nil
}

func provisionBucket(ctx context.Context, js jetstream.JetStream, c jetstream.KeyValueConfig) (made bool, err error) {
	_, err = js.KeyValue(ctx, c.Bucket)
	if !errors.Is(err, jetstream.ErrBucketNotFound) {
		return false, err
	}
	_, err = js.CreateKeyValue(ctx, c)
	if errors.Is(err, jetstream.ErrBucketExists) {
		return false, nil
	}
	return err == nil, err
}

func provision(ctx context.Context, js jetstream.JetStream, c jetstream.StreamConfig) (made bool, err error) {
	_, err = js.Stream(ctx, c.Name)
	if !errors.Is(err, jetstream.ErrStreamNotFound) {
		return false, err
	}
	_, err = js.CreateStream(ctx, c)
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
		return false, nil
	}
	return err == nil, err
}

// Check refuses what Provision would refuse of the configuration, and asks no server.
func (c StreamsConfig) Check() error {
	_, err := c.validate()
	return err
}

func (c StreamsConfig) validate() (StreamsConfig, error) {
	if c.Partitions == 0 {
		c.Partitions = 1
	}
	if c.Replicas == 0 {
		c.Replicas = 1
	}
	if c.Duplicates == 0 {
		c.Duplicates = 2 * time.Minute
	}
	if c.MaxAge > 0 {
		c.Duplicates = min(c.Duplicates, c.MaxAge)
	}
	switch {
	case c.Partitions < 1 || c.Partitions > maxPartitions:
		return c, fmt.Errorf("--partitions %d: choose 1 to %d", c.Partitions, maxPartitions)
	case c.Replicas < 1 || c.Replicas > 5:
		return c, fmt.Errorf("--replicas %d: choose 1 to 5", c.Replicas)
	case c.MaxAge < 0 || c.AuditMaxAge < 0 || c.Duplicates < 0:
		return c, errors.New("the age of a stream's messages may not be negative")
	case c.AuditMaxAge != 0 && (c.MaxAge == 0 || c.AuditMaxAge < c.MaxAge):
		return c, errors.New("verdicts must be kept at least as long as events: raise AuditMaxAge")
	}
	return c, checkPrefix(c.Prefix)
}

// checkPrefix refuses a prefix that is not one literal subject, with or without dots.
func checkPrefix(prefix string) error {
	if prefix == "" {
		return nil
	}
	for token := range strings.SplitSeq(prefix, ".") {
		if token == "" || token[0] == '$' || strings.ContainsAny(token, "*> \t\r\n{}") {
			return fmt.Errorf("--prefix %q: use words of letters, digits, - and _, separated by dots", prefix)
		}
	}
	return nil
}

func (c StreamsConfig) subjects() event.Subjects { return event.Subjects{Prefix: c.Prefix} }

func (c StreamsConfig) stream(name, description, subjects string) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: name, Description: description, Subjects: []string{subjects}, Retention: jetstream.LimitsPolicy,
		Storage: jetstream.FileStorage, Replicas: c.Replicas, MaxAge: c.MaxAge, AllowDirect: true,
	}
}

func (c StreamsConfig) events() jetstream.StreamConfig {
	s := c.stream(EventsStream, "What agent runtimes publish, by conversation", c.subjects().AllEvents())
	s.Duplicates = c.Duplicates
	s.SubjectTransform = &jetstream.SubjectTransformConfig{
		Source:      transformSource(c.subjects()),
		Destination: transformDestination(c.subjects(), c.Partitions),
	}
	return s
}

func (c StreamsConfig) audit() jetstream.StreamConfig {
	s := c.stream(AuditStream, "What Plumbline found, by answer", c.subjects().AllAudits())
	s.MaxAge, s.DenyDelete, s.DenyPurge = c.AuditMaxAge, true, true
	return s
}

func (c StreamsConfig) dead() jetstream.StreamConfig {
	return c.stream(DeadStream, "What Plumbline could not read, by reason", c.subjects().AllDead())
}

// Log is the subject that a conversation's events are stored on: in the partition that the server's own hash, FNV-1a of
// the three tokens, sorts it into.
func (l Layout) Log(c event.Conversation) string {
	h := fnv.New32a()
	for _, name := range []string{c.Tenant, c.Agent, c.ID} {
		h.Write([]byte(event.EncodeToken(name)))
	}
	return l.Subjects.Log(int(h.Sum32()%uint32(max(1, l.Partitions))), c)
}

func transformSource(s event.Subjects) string {
	return strings.TrimSuffix(s.AllEvents(), ">") + "*.*.*"
}

func transformDestination(s event.Subjects, partitions int) string {
	return strings.TrimSuffix(s.AllLogs(), ">") + "{{partition(" + strconv.Itoa(partitions) +
		",1,2,3)}}.{{wildcard(1)}}.{{wildcard(2)}}.{{wildcard(3)}}"
}

// partitionsOf reads the number of partitions off a stream's own transform. It is the one source of that number.
func partitionsOf(s event.Subjects, t *jetstream.SubjectTransformConfig) (int, error) {
	if t == nil {
		return 0, errors.New("it has no subject transform")
	}
	bare := strings.NewReplacer(" ", "", "{{Partition(", "{{partition(", "{{Wildcard(", "{{wildcard(").Replace(t.Destination)
	before, after, _ := strings.Cut(bare, "{{partition(")
	digits, _, _ := strings.Cut(after, ",")
	n, err := strconv.Atoi(digits)
	if err == nil && n >= 1 && n <= maxPartitions && before+"{{partition("+after == transformDestination(s, n) &&
		t.Source == transformSource(s) {
		return n, nil
	}
	return 0, fmt.Errorf("its subject transform is %q to %q", t.Source, t.Destination)
}
