package jet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/core/event"
)

// Layout is what a deployment's streams fix for everyone who reads them.
type Layout struct {
	Subjects   event.Subjects
	Partitions int // as the event stream's own transform says
}

// Expect refuses a wanted number of partitions that the stream does not have; 0 wants none in particular.
func (l Layout) Expect(partitions int) error {
	if partitions == 0 || partitions == l.Partitions {
		return nil
	}
	return fmt.Errorf("--partitions %d: %s has %d, fixed for its life: say %d, or leave the flag out",
		partitions, EventsStream, l.Partitions, l.Partitions)
}

// Check reads the three streams and refuses those that would lose events, lose the guard on verdicts, or feed Plumbline
// its own output. The error holds one sentence per fault, each with what to change. It alters nothing.
func Check(ctx context.Context, js jetstream.JetStream, prefix string) (Layout, error) {
	l := Layout{Subjects: event.Subjects{Prefix: prefix}}
	if err := checkPrefix(prefix); err != nil {
		return l, err
	}
	c := &checker{subjects: l.Subjects, configs: map[string]jetstream.StreamConfig{}}
	for _, name := range []string{EventsStream, AuditStream, DeadStream} {
		if err := c.load(ctx, js, name); err != nil {
			return l, err
		}
	}
	c.events(&l)
	c.audit()
	c.dead()
	c.loops()
	return l, errors.Join(c.faults...)
}

// checker collects what is wrong with the streams.
type checker struct {
	subjects event.Subjects
	configs  map[string]jetstream.StreamConfig // those that exist
	faults   []error
}

func (c *checker) load(ctx context.Context, js jetstream.JetStream, name string) error {
	stream, err := js.Stream(ctx, name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		c.fault(name, "does not exist", "create it, or start with --provision")
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at stream %s: %w", name, err)
	}
	c.configs[name] = stream.CachedInfo().Config
	return nil
}

func (c *checker) fault(stream, wrong, change string) {
	c.faults = append(c.faults, fmt.Errorf("stream %s %s: %s", stream, wrong, change))
}

// refuse files a fault of an existing stream when the condition holds.
func (c *checker) refuse(stream string, when bool, wrong, change string) {
	if when {
		c.fault(stream, wrong, change)
	}
}

func (c *checker) events(l *Layout) {
	s, ok := c.configs[EventsStream]
	if !ok {
		return
	}
	c.kept(s)
	c.takes(s, c.subjects.AllEvents())
	c.refuse(s.Name, !s.AllowDirect, "does not allow direct get, so a turn cannot be read back", "set allow_direct")
	n, err := partitionsOf(c.subjects, s.SubjectTransform)
	if err != nil {
		c.fault(s.Name, "does not sort conversations into partitions: "+err.Error(), fmt.Sprintf(
			"give it a subject transform from %q to %q before anything is stored", transformSource(c.subjects),
			transformDestination(c.subjects, 16)))
	}
	l.Partitions = n
}

func (c *checker) audit() {
	s, ok := c.configs[AuditStream]
	if !ok {
		return
	}
	c.kept(s)
	c.takes(s, c.subjects.AllAudits())
	c.refuse(s.Name, !s.DenyDelete, "lets verdicts be deleted, and a deleted verdict can be published twice", "set deny_delete")
	c.refuse(s.Name, !s.DenyPurge, "lets verdicts be purged, and a purged verdict can be published twice", "set deny_purge")
	c.refuse(s.Name, !s.AllowDirect, "does not allow direct get, so a verdict cannot be read back", "set allow_direct")
	c.refuse(s.Name, s.SubjectTransform != nil, "renames what is published, so no verdict guards its subject", "remove the subject transform")
	e, ok := c.configs[EventsStream]
	c.refuse(s.Name, ok && s.MaxAge != 0 && (e.MaxAge == 0 || s.MaxAge < e.MaxAge),
		fmt.Sprintf("forgets verdicts after %s while events are kept longer, and then they can be published twice", s.MaxAge),
		"set max_age to at least that of "+EventsStream)
}

func (c *checker) dead() {
	s, ok := c.configs[DeadStream]
	if !ok {
		return
	}
	c.takes(s, c.subjects.AllDead())
	c.refuse(s.Name, s.Retention != jetstream.LimitsPolicy, "drops messages once they are read", "set retention to limits")
	c.refuse(s.Name, s.NoAck, "does not acknowledge what it stores", "unset no_ack")
	c.refuse(s.Name, s.Sealed, "is sealed", "create it anew")
	c.refuse(s.Name, s.SubjectTransform != nil, "renames what is published, so a letter can be stored twice", "remove the subject transform")
}

// kept refuses what makes a stream forget messages before their age says so.
func (c *checker) kept(s jetstream.StreamConfig) {
	c.refuse(s.Name, s.Retention != jetstream.LimitsPolicy, "drops messages once they are read", "set retention to limits")
	c.refuse(s.Name, s.MaxMsgsPerSubject > 0, fmt.Sprintf("keeps %d messages per subject, so the older ones are lost",
		s.MaxMsgsPerSubject), "set max_msgs_per_subject to -1")
	c.refuse(s.Name, s.AllowRollup, "lets a publisher replace older messages with the Nats-Rollup header", "unset allow_rollup_hdrs")
	c.refuse(s.Name, s.AllowMsgTTL, "lets a publisher make a message expire with the Nats-TTL header", "unset allow_msg_ttl")
	c.refuse(s.Name, s.NoAck, "does not acknowledge what it stores", "unset no_ack")
	c.refuse(s.Name, s.Sealed, "is sealed, so nothing can be stored", "create it anew")
	c.refuse(s.Name, s.Mirror != nil, "is a mirror, so nothing can be published to it", "name the stream that it mirrors")
}

// takes refuses a stream that does not store what is published on the subjects.
func (c *checker) takes(s jetstream.StreamConfig, subjects string) {
	c.refuse(s.Name, !slices.ContainsFunc(s.Subjects, func(have string) bool { return covers(have, subjects) }),
		fmt.Sprintf("does not store %q", subjects), "add that subject to it")
}

// loops refuses a way by which what Plumbline publishes comes back as an event.
func (c *checker) loops() {
	outputs := []string{c.subjects.AllAudits(), c.subjects.AllDead()}
	e := c.configs[EventsStream]
	for _, in := range e.Subjects {
		for _, out := range outputs {
			c.refuse(e.Name, overlap(in, out), fmt.Sprintf("takes %q, which overlaps with %q that Plumbline publishes: it would audit itself", in, out),
				fmt.Sprintf("take only %q", c.subjects.AllEvents()))
		}
	}
	for _, source := range e.Sources {
		c.refuse(e.Name, source.Name == AuditStream || source.Name == DeadStream,
			fmt.Sprintf("sources %s: Plumbline would audit itself", source.Name), "remove that source")
	}
	for _, name := range []string{AuditStream, DeadStream} {
		s := c.configs[name]
		c.refuse(name, s.RePublish != nil && overlap(s.RePublish.Destination, c.subjects.AllEvents()),
			"republishes into the events: Plumbline would audit itself", "republish to another subject")
	}
}

// covers tells whether every subject that b matches is one that a matches.
func covers(a, b string) bool { return match(a, b, false) }

// overlap tells whether some subject is matched by both.
func overlap(a, b string) bool { return match(a, b, true) }

// match walks two subject filters token by token. Both ways a wildcard of a meets anything of b; with either, a
// wildcard of b meets anything of a too.
func match(a, b string, either bool) bool {
	for {
		ta, ra, moreA := strings.Cut(a, ".")
		tb, rb, moreB := strings.Cut(b, ".")
		switch {
		case ta == ">", either && tb == ">":
			return true
		case tb == ">":
			return false
		case ta != tb && ta != "*" && (!either || tb != "*"):
			return false
		case !moreA || !moreB:
			return moreA == moreB
		}
		a, b = ra, rb
	}
}
