package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/schemas"
)

// place is where a chain of revisions stands: the subject, and the lane on it.
type place struct{ subject, lane string }

// chain is what was stored at one place.
type chain struct {
	revisions int
	last      [sha256.Size]byte // of the last payload
	first     time.Time         // when the first was stored
	expected  bool              // the oracle asked for it
}

// ledger is what the consumers stored: every chain of verdicts, and every dead letter.
type ledger struct {
	chains  map[place]*chain
	tails   map[string]uint64 // of each subject: its last sequence
	letters map[uint64]string // reason by the sequence of the event
	findings
}

func newLedger() *ledger {
	return &ledger{chains: map[place]*chain{}, tails: map[string]uint64{}, letters: map[uint64]string{}}
}

// readLedger reads both streams, each once.
func readLedger(ctx context.Context, c *cluster) (*ledger, error) {
	l := newLedger()
	if err := readStream(ctx, c.js, jet.AuditStream, l.audit); err != nil {
		return nil, err
	}
	return l, readStream(ctx, c.js, jet.DeadStream, l.letter)
}

// audit takes in the next record of the audit stream: a chain's revisions count from 0 without a gap, none comes twice,
// each says which sequence it supersedes, and none repeats what the one before it says.
func (l *ledger) audit(m kept) error {
	header := nats.Header(m.Header)
	made, err := schemas.Identify(header.Get(jet.HeaderContentType), m.Data)
	if err != nil {
		return err
	}
	revision, err := strconv.Atoi(header.Get(jet.HeaderRevision))
	if err != nil {
		return fmt.Errorf("%s: %w", jet.HeaderRevision, err)
	}
	at := place{m.Subject, made.Lane}
	ch := l.chains[at]
	if ch == nil {
		ch = &chain{first: m.at}
		l.chains[at] = ch
	}
	sum := sha256.Sum256(m.Data)
	switch {
	case revision < ch.revisions:
		l.doubled("%s: revision %d comes a second time, at audit sequence %d", at, revision, m.Seq)
	case revision > ch.revisions:
		l.wrong("%s: revision %d follows %d at audit sequence %d", at, revision, ch.revisions-1, m.Seq)
	case revision > 0 && sum == ch.last:
		l.doubled("%s: revision %d says what the one before it says, at audit sequence %d", at, revision, m.Seq)
	}
	if superseded := header.Get(jet.HeaderSupersedes); superseded != supersedes(l.tails[m.Subject]) {
		l.wrong("%s: audit sequence %d says that it supersedes %q, and follows %d", at, m.Seq, superseded, l.tails[m.Subject])
	}
	ch.last, ch.revisions = sum, max(ch.revisions, revision+1)
	l.tails[m.Subject] = m.Seq
	return nil
}

// supersedes is the header of a record that follows the sequence, empty for the first of a subject.
func supersedes(tail uint64) string {
	if tail == 0 {
		return ""
	}
	return strconv.FormatUint(tail, 10)
}

// letter takes in the next dead letter.
func (l *ledger) letter(m kept) error {
	header := nats.Header(m.Header)
	seq, err := strconv.ParseUint(header.Get(jet.HeaderSequence), 10, 64)
	if err != nil {
		return fmt.Errorf("%s: %w", jet.HeaderSequence, err)
	}
	if _, twice := l.letters[seq]; twice {
		l.doubled("event sequence %d has two dead letters, the second at sequence %d", seq, m.Seq)
	}
	l.letters[seq] = header.Get(jet.HeaderReason)
	return nil
}

func (p place) String() string { return p.subject + " (" + p.lane + ")" }
