package pipetest

import (
	"fmt"
	"maps"
	"slices"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
	"github.com/plumbline-dev/plumbline/schemas"
)

// Outcome is what the streams hold once nothing is on its way any more.
type Outcome struct {
	Events  []pipeline.Message // the whole event stream, in order
	Audit   []pipeline.Stored  // the whole audit stream, in order
	Letters []pipeline.Letter  // the whole dead-letter stream
}

// Faults holds an outcome against the pure fold over its events and says, in sorted lines, what is wrong; none says that
// everything is as it must be: every chain ends in what the fold gives, with revisions counted from 0 without a gap or a
// repeat, each superseding the record before it; nothing stands that the fold does not give; what can be read is no
// dead letter, and what cannot is one, once, with the reason that it cannot be read for.
func (o Outcome) Faults(rules pipeline.Rules, subjects event.Subjects) []string {
	return o.FaultsOf(subjects, rules)
}

// FaultsOf is Faults of streams that were judged by one of these rules, then by another, in any order: every chain ends in
// what the fold gives under the policy that its end names.
func (o Outcome) FaultsOf(subjects event.Subjects, rules ...pipeline.Rules) []string {
	h := &holding{
		subjects: subjects, joining: map[event.Conversation]*pipeline.Joining{},
		encoding: map[uint64]string{}, unreadable: map[uint64]string{},
	}
	for _, r := range rules {
		h.histories = append(h.histories, replay.New(r))
	}
	for _, m := range o.Events {
		h.fold(m)
	}
	h.expect()
	h.chains(o.Audit)
	h.letters(o.Letters)
	slices.Sort(h.faults)
	return h.faults
}

// holding is one comparison of an outcome with the fold.
type holding struct {
	subjects   event.Subjects
	histories  []*replay.History // one for each of the rules
	joining    map[event.Conversation]*pipeline.Joining
	encoding   map[uint64]string                       // of the events that can be read, by sequence
	unreadable map[uint64]string                       // the reasons of those that cannot
	want       map[string]map[string]map[string]string // payloads by subject, lane and policy
	faults     []string
}

func (h *holding) wrong(format string, args ...any) {
	h.faults = append(h.faults, fmt.Sprintf(format, args...))
}

func (h *holding) fold(m pipeline.Message) {
	said, err := pipeline.Read(h.subjects, m)
	if err != nil {
		h.unreadable[m.Seq], _ = pipeline.ReasonOf(err)
	}
	if said.Nothing() {
		return
	}
	named, err := h.subjects.ParseConversation(m.Subject)
	if err != nil {
		h.wrong("sequence %d: %v", m.Seq, err)
		return
	}
	if h.joining[named] == nil {
		h.joining[named] = &pipeline.Joining{}
	}
	if e, ok := h.joining[named].Event(named, said); ok {
		h.encoding[m.Seq] = schemas.EncodingOf(m.Header)
		for _, history := range h.histories {
			history.Add(m.Seq, e)
		}
	}
}

// expect writes down what every subject must end in.
func (h *holding) expect() {
	h.want = map[string]map[string]map[string]string{}
	for _, history := range h.histories {
		for out := range history.Outputs() {
			h.expectOutput(out)
		}
	}
}

func (h *holding) expectOutput(out replay.Output) {
	out.Encoding = h.encoding[out.Seq]
	want, err := out.Want(h.subjects)
	if err != nil {
		h.wrong("sequence %d: what the fold gives cannot be written: %v", out.Seq, err)
		return
	}
	lanes := h.want[want.Subject]
	if lanes == nil {
		lanes = map[string]map[string]string{}
		h.want[want.Subject] = lanes
	}
	if lanes[out.Lane()] == nil {
		lanes[out.Lane()] = map[string]string{}
	}
	_, basis := out.About()
	lanes[out.Lane()][basis.Policy] = string(want.Payload)
}

// chains holds every subject of the audit stream against what it must end in.
func (h *holding) chains(audit []pipeline.Stored) {
	stored := map[string][]pipeline.Stored{}
	for _, r := range audit {
		stored[r.Subject] = append(stored[r.Subject], r)
	}
	for subject, records := range stored {
		h.chain(subject, records)
	}
	for subject, lanes := range h.want {
		for lane := range lanes {
			h.wrong("%s: nothing is stored as %s", subject, lane)
		}
	}
}

// chain walks one subject; what it ends in as it must is taken off what is wanted.
func (h *holding) chain(subject string, records []pipeline.Stored) {
	ends := map[string]pipeline.Stored{}
	var before uint64
	for _, r := range records {
		if r.Supersedes != before {
			h.wrong("%s: audit sequence %d supersedes %d, want %d", subject, r.Seq, r.Supersedes, before)
		}
		before = r.Seq
		made, err := schemas.Identify(r.ContentType, r.Payload)
		if err != nil {
			h.wrong("%s: audit sequence %d: %v", subject, r.Seq, err)
			continue
		}
		h.follows(ends, made.Lane, r)
		ends[made.Lane] = r
	}
	for lane, end := range ends {
		made, err := schemas.Identify(end.ContentType, end.Payload)
		if err != nil {
			h.wrong("%s: audit sequence %d: %v", subject, end.Seq, err)
		}
		want, ok := h.want[subject][lane][made.Basis.Policy]
		switch delete(h.want[subject], lane); {
		case !ok:
			h.wrong("%s: %s is stored, and the fold gives none:\n%s", subject, lane, end.Payload)
		case want != string(end.Payload):
			h.wrong("%s: revision %d ends %s in\n%s\nwant\n%s", subject, end.Revision, lane, end.Payload, want)
		}
	}
}

// follows holds a record against the one before it in its lane.
func (h *holding) follows(ends map[string]pipeline.Stored, lane string, r pipeline.Stored) {
	end, ok := ends[lane]
	revision := 0
	if ok {
		revision = end.Revision + 1
	}
	if r.Revision != revision {
		h.wrong("%s: audit sequence %d is revision %d of %s, want %d", r.Subject, r.Seq, r.Revision, lane, revision)
	}
	if ok && string(end.Payload) == string(r.Payload) {
		h.wrong("%s: revision %d of %s says what the one before said", r.Subject, r.Revision, lane)
	}
}

func (h *holding) letters(letters []pipeline.Letter) {
	missing := maps.Clone(h.unreadable)
	for _, l := range letters {
		reason, ok := h.unreadable[l.Seq]
		if !ok {
			h.wrong("sequence %d can be read and is a dead letter: %s %s", l.Seq, l.Reason, l.Detail)
			continue
		}
		if _, first := missing[l.Seq]; !first || reason != l.Reason {
			h.wrong("sequence %d is a dead letter for %s, want one for %s", l.Seq, l.Reason, reason)
		}
		delete(missing, l.Seq)
	}
	for seq, reason := range missing {
		h.wrong("sequence %d is no dead letter, want one for %s", seq, reason)
	}
}
