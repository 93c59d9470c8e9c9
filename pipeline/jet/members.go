package jet

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
	"github.com/synadia-io/orbit.go/jetstreamext"
)

// MembersBucket is the key-value bucket in which every running consumer shows that it is there.
const MembersBucket = "PLUMBLINE_MEMBERS"

const membersStream = "KV_" + MembersBucket

// How a member shows that it is there, when it counts as gone, and when its entry is removed.
const (
	defaultBeat = time.Second
	memberGone  = 4 * time.Second
	memberTTL   = time.Minute
)

// MembersConfig says who joins. Only Partitions is required.
type MembersConfig struct {
	Partitions int           // of the event stream
	Name       string        // what a person reads in the bucket; empty: the host's name
	Beat       time.Duration // how often the member shows itself and looks for the others; 0: 1 s
	OnHealth   func(error)   // told of each beat: nil when it went well. It must not block. Nil is nobody.
}

// Members places the partitions of the event stream with the consumers that are running. Each shows itself in a bucket;
// from the entries each works out for itself who is there and what falls to it. A member is there while its last entry
// is at most a few seconds older than this one's, by the server's clock.
type Members struct {
	js     jetstream.JetStream
	bucket jetstream.KeyValue
	config MembersConfig
	id     string

	// owned by Next
	shown  map[string]time.Time // when each member showed itself last, by the server's clock
	placed []int
	known  bool // placed was handed out
	next   time.Time
}

// Join makes the process a member. It refuses when there is no bucket, with what to do.
func Join(ctx context.Context, js jetstream.JetStream, c MembersConfig) (*Members, error) {
	c.Beat = cmp.Or(c.Beat, defaultBeat)
	if c.OnHealth == nil {
		c.OnHealth = func(error) {}
	}
	if c.Name == "" {
		host, err := os.Hostname()
		if err != nil {
			return nil, fmt.Errorf("the name of this host: %w", err)
		}
		c.Name = host
	}
	bucket, err := js.KeyValue(ctx, MembersBucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil, fmt.Errorf("bucket %s does not exist: create it, or start with --provision", MembersBucket)
	}
	if err != nil {
		return nil, fmt.Errorf("look at bucket %s: %w", MembersBucket, err)
	}
	return &Members{js: js, bucket: bucket, config: c, id: nuid.Next(), shown: map[string]time.Time{}}, nil
}

// Next waits until other partitions fall to this member than it was told before, and returns them in order; the first
// call returns at once. A beat that goes wrong changes nothing: what was placed stays placed until the others are seen
// again. It returns an error only when ctx ends.
func (m *Members) Next(ctx context.Context) ([]int, error) {
	for {
		if !pause(ctx, nil, time.Until(m.next)) {
			return nil, ctx.Err()
		}
		m.next = time.Now().Add(m.config.Beat)
		placed, err := m.beat(ctx)
		m.config.OnHealth(err)
		if err == nil && (!m.known || !slices.Equal(placed, m.placed)) {
			m.placed, m.known = placed, true
			return slices.Clone(placed), nil
		}
	}
}

// beat shows that this member is there and looks who else is.
func (m *Members) beat(ctx context.Context) ([]int, error) {
	ctx, cancel := context.WithTimeout(ctx, memberGone)
	defer cancel()
	entry, err := json.Marshal(struct {
		Name string `json:"name"`
	}{m.config.Name})
	if err != nil {
		return nil, err
	}
	if _, err := m.bucket.Put(ctx, m.id, entry); err != nil {
		return nil, fmt.Errorf("show this member in bucket %s: %w", MembersBucket, err)
	}
	if err := m.look(ctx); err != nil {
		return nil, fmt.Errorf("look who is in bucket %s: %w", MembersBucket, err)
	}
	return place(m.there(), m.config.Partitions, m.id), nil
}

// look notes when each member showed itself last. What a server that is behind does not show is known from before.
func (m *Members) look(ctx context.Context) error {
	prefix := "$KV." + MembersBucket + "."
	entries, err := jetstreamext.GetLastMsgsFor(ctx, m.js, membersStream, []string{prefix + ">"})
	if err != nil {
		return err
	}
	for entry, err := range entries {
		if errors.Is(err, jetstreamext.ErrNoMessages) {
			return nil
		}
		if err != nil {
			return err
		}
		id := strings.TrimPrefix(entry.Subject, prefix)
		if entry.Header.Get("KV-Operation") != "" { // it left
			delete(m.shown, id)
		} else if entry.Time.After(m.shown[id]) {
			m.shown[id] = entry.Time
		}
	}
	return nil
}

// there lists the members that are there, this one among them, and forgets the others.
func (m *Members) there() []string {
	now := m.shown[m.id]
	maps.DeleteFunc(m.shown, func(_ string, last time.Time) bool { return now.Sub(last) > memberGone })
	m.shown[m.id] = now
	return slices.Collect(maps.Keys(m.shown))
}

// Leave tells the others at once that this member is gone; without it they see it after a few seconds.
func (m *Members) Leave(ctx context.Context) error {
	if err := m.bucket.Delete(ctx, m.id); err != nil {
		return fmt.Errorf("leave bucket %s: %w", MembersBucket, err)
	}
	return nil
}

func (c StreamsConfig) members() jetstream.KeyValueConfig {
	return jetstream.KeyValueConfig{
		Bucket: MembersBucket, Description: "Which consumers are running", TTL: memberTTL, Replicas: c.Replicas,
		Storage: jetstream.FileStorage, // one in memory is gone when a single server restarts
	}
}
