package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/fleet"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
	"github.com/plumbline-dev/plumbline/schemas"
)

// world is a stream of events and the records that the pure fold makes of it.
type world struct {
	rules   *turn.Rules
	events  []kept
	records []kept
	letters []kept
}

func newWorld(t *testing.T) *world {
	t.Helper()
	rules, err := turn.Policy{Ruleset: turn.Calibrated1}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	w := &world{rules: rules}
	history := replay.New(rules)
	for item := range answers(fleet.New(fleet.Config{Disorder: fleet.Rough}).Traffic(5), 30) {
		m, err := message(item)
		if err != nil {
			t.Fatal(err)
		}
		seq := uint64(len(w.events) + 1)
		subject := strings.Replace(m.Subject, "agent.events.", "agent.log.3.", 1)
		w.events = append(w.events, kept{pipeline.Message{Seq: seq, Subject: subject, Header: m.Header, Data: m.Data}, time.Unix(int64(seq), 0)})
		history.Add(seq, item.Event)
	}
	for out := range history.Outputs() {
		at, payload, err := expect(out, schemas.EncodingOf(w.events[out.Seq-1].Header))
		if err != nil {
			t.Fatal(err)
		}
		w.store(at.subject, schemas.ContentType(w.events[out.Seq-1].Header), payload)
	}
	return w
}

// store appends the first record of a subject.
func (w *world) store(subject, contentType string, payload []byte) {
	header := map[string][]string{jet.HeaderRevision: {"0"}, jet.HeaderContentType: {contentType}}
	seq := uint64(len(w.records) + 1)
	w.records = append(w.records, kept{pipeline.Message{Seq: seq, Subject: subject, Header: header, Data: payload}, time.Unix(int64(seq), 0)})
}

// bury appends a dead letter of the event.
func (w *world) bury(event, reason string) {
	header := map[string][]string{jet.HeaderReason: {reason}, jet.HeaderSequence: {event}}
	w.letters = append(w.letters, kept{pipeline.Message{Seq: uint64(len(w.letters) + 1), Header: header}, time.Time{}})
}

// judge is what the command says of the world.
func (w *world) judge(t *testing.T) *ledger {
	t.Helper()
	l := newLedger()
	left := map[string]uint64{}
	for _, m := range w.events {
		left[m.Subject]++
	}
	o := newOracle(w.rules, l, left)
	for _, part := range []struct {
		messages []kept
		visit    func(kept) error
	}{{w.records, l.audit}, {w.letters, l.letter}, {w.events, o.see}} {
		for _, m := range part.messages {
			if err := part.visit(m); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := o.finish(); err != nil {
		t.Fatal(err)
	}
	return l
}

// TestOracle shows it each thing that it is there to find, and a world in which there is nothing.
func TestOracle(t *testing.T) {
	again := func(w *world, revision, supersedes string) *kept {
		m := w.records[0]
		m.Seq = uint64(len(w.records) + 1)
		m.Header = map[string][]string{
			jet.HeaderRevision: {revision}, jet.HeaderContentType: m.Header[jet.HeaderContentType], jet.HeaderSupersedes: {supersedes},
		}
		w.records = append(w.records, m)
		return &w.records[len(w.records)-1]
	}
	tests := []struct {
		name  string
		spoil func(*world)
		kind  int // -1: nothing
	}{
		{"nothing", func(*world) {}, -1},
		{"a verdict is missing", func(w *world) { w.records = w.records[1:] }, isLost},
		{"a revision comes twice", func(w *world) { again(w, "0", "1") }, isDoubled},
		{"a revision says what the one before it says", func(w *world) { again(w, "1", "1") }, isDoubled},
		{"a revision is left out", func(w *world) { again(w, "2", "1") }, isWrong},
		{"a revision supersedes another sequence", func(w *world) {
			m := again(w, "1", "7")
			m.Data = spoiled(m.Data)
		}, isWrong},
		{"the last revision is another", func(w *world) {
			m := again(w, "1", "1")
			m.Data = spoiled(m.Data)
		}, isWrong},
		{"a record of nothing", func(w *world) {
			w.store(w.records[0].Subject+"9", schemas.JSON, w.records[0].Data)
		}, isWrong},
		{"a well-formed event is buried", func(w *world) { w.bury("3", "unreadable") }, isLetter},
		{"an event that cannot be read is not buried", func(w *world) { w.spoilEvent() }, isLost},
		{"an event that cannot be read is buried", func(w *world) {
			w.bury(w.spoilEvent(), "unreadable")
		}, -1},
		{"it is buried twice", func(w *world) {
			event := w.spoilEvent()
			w.bury(event, "unreadable")
			w.bury(event, "unreadable")
		}, isDoubled},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			tt.spoil(w)
			found := w.judge(t)
			for kind, count := range found.counts {
				if (count > 0) != (kind == tt.kind) {
					t.Errorf("%s: %d\n%s", findingNames[kind], count, strings.Join(found.words, "\n"))
				}
			}
		})
	}
}

// spoilEvent appends an event that is no JSON and gives its sequence.
func (w *world) spoilEvent() string {
	last := w.events[len(w.events)-1]
	last.Seq++
	last.Header, last.Data = nil, []byte("no")
	w.events = append(w.events, last)
	return supersedes(last.Seq)
}

// spoiled is a verdict with another count.
func spoiled(payload []byte) []byte {
	return bytes.Replace(payload, []byte(`"candidates":`), []byte(`"candidates":1`), 1)
}
