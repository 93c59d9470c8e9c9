package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/plumbline-dev/plumbline/cmd/internal/report"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
	"github.com/plumbline-dev/plumbline/schemas"
)

// verifying makes every stored verdict and declaration again, each revision of the events that it rests on, and shows
// those that differ in a byte. It stores nothing.
type verifying struct {
	past   *past
	out    *outFile
	totals verifyTotals // changed by steps
}

// verifyTotals count what is stored.
type verifyTotals struct {
	Same    int            `json:"same"`
	Differs int            `json:"differs"`
	Gone    int            `json:"gone"`   // what they rest on is not kept any more, in part or at all
	Others  map[string]int `json:"others"` // made by another engine or policy, by what made them
}

// fault is a stored record that is not what the rules give.
type fault struct {
	Subject string `json:"subject"`
	Seq     uint64 `json:"seq"` // of the audit stream
	// What is differs or gone.
	What string `json:"what"`
	// Field is the path of the first field that differs, with both values; empty when the bytes differ and no value does.
	Field    string `json:"field,omitempty"`
	Stored   string `json:"stored,omitempty"`
	Computed string `json:"computed,omitempty"`
	Detail   string `json:"detail,omitempty"`
}

const (
	faultDiffers = "differs"
	faultGone    = "gone"
)

func newVerifying(p *past, out *outFile) *verifying {
	p.store.Limit = 0 // a stored verdict names what it rests on itself
	return &verifying{past: p, out: out, totals: verifyTotals{Others: map[string]int{}}}
}

// pass reads what is stored about the conversations. A verdict is stored after its answer.
func (v *verifying) pass(ctx context.Context) (pass, error) {
	audits := jet.NewPast(v.past.js, jet.AuditStream)
	first, last, err := audits.Span(ctx)
	if err != nil {
		return pass{}, err
	}
	if at := v.past.Past.From; !at.IsZero() {
		seq, ok, err := audits.Since(ctx, at)
		if err != nil {
			return pass{}, err
		}
		if first = seq; !ok {
			first = last + 1
		}
	}
	ruleset := ""
	if all := v.past.Rules.Rulesets(); len(all) == 1 {
		ruleset = all[0]
	}
	filter := v.past.layout.Subjects.SomeAudits(ruleset, v.past.Past.Some)
	return pass{stream: audits, filter: filter, counted: filter, from: first, through: last, key: conversationPart}, nil
}

// conversationPart is an audit subject without its last two tokens, the turn and what is of it, and without its type: what
// all records about a conversation under one ruleset have in common.
func conversationPart(subject string) string {
	for range 2 {
		subject = subject[:max(0, strings.LastIndexByte(subject, '.'))]
	}
	for _, kind := range []event.Kind{event.KindEvidenceChecked, event.KindCoverageDeclared} {
		if before, after, ok := strings.Cut(subject, "."+string(kind)+"."); ok {
			return before + "." + after
		}
	}
	return subject
}

func (v *verifying) look(ctx context.Context, s replay.Stretch) ([]replay.Finding[step], error) {
	name, ok := v.conversation(s.Messages[0].Subject)
	if !ok {
		return v.all(s, "its subject is not that of a verdict or a declaration"), nil
	}
	records, found := v.sort(s, v.past.Rules.RulesFor(name))
	if len(records) == 0 {
		return found, nil
	}
	c, err := v.past.store.Read(ctx, v.past.layout.Log(name), lastThrough(records))
	if err != nil {
		return nil, err
	}
	again := remaking{rules: v.past.Rules.RulesFor(name), events: c.Events, subjects: v.past.layout.Subjects, name: name}
	all, err := again.surviving(records, c.Mend)
	if err != nil {
		return v.all(s, err.Error()), nil
	}
	for _, made := range all {
		found = append(found, v.finding(made))
	}
	return found, nil
}

func (v *verifying) conversation(subject string) (name event.Conversation, ok bool) {
	_, name, err := v.past.layout.Subjects.ParseAudit(subject)
	return name, err == nil
}

func (v *verifying) all(s replay.Stretch, detail string) (found []replay.Finding[step]) {
	for _, m := range s.Messages {
		found = append(found, v.finding(remade{record: record{Message: m}, fault: &fault{What: faultDiffers, Detail: detail}}))
	}
	return found
}

// record is what is stored, with what tells it apart.
type record struct {
	pipeline.Message
	contentType string
	identity    schemas.Identity
	verdict     *event.EvidenceChecked // nil for a declaration
	coverage    *event.CoverageDeclared
}

// sort reads the records, and keeps those of these rules and this engine. The findings are about the others.
func (v *verifying) sort(s replay.Stretch, rules *turn.Rules) (records []record, found []replay.Finding[step]) {
	for _, m := range s.Messages {
		r, err := readRecord(m)
		if err != nil {
			found = append(found, v.finding(remade{record: r, fault: &fault{What: faultDiffers, Detail: "it cannot be read: " + err.Error()}}))
			continue
		}
		if basis := r.identity.Basis; basis.Engine != turn.Engine || basis.Policy != rules.Digest() {
			other := fmt.Sprintf("%s, %s, policy %.12s", basis.Engine, basis.Ruleset, basis.Policy)
			found = append(found, replay.Finding[step]{Seq: m.Seq, Of: func() error {
				v.totals.Others[other]++
				return nil
			}})
			continue
		}
		records = append(records, r)
	}
	return records, found
}

func readRecord(m pipeline.Message) (record, error) {
	r := record{Message: m, contentType: schemas.ContentType(m.Header)}
	var err error
	if r.identity, err = schemas.Identify(r.contentType, m.Data); err != nil {
		return r, err
	}
	if r.identity.Lane == string(event.KindEvidenceChecked) {
		verdict, err := schemas.DecodeEvidence(r.contentType, m.Data)
		r.verdict = &verdict
		return r, err
	}
	coverage, err := schemas.DecodeCoverage(r.contentType, m.Data)
	r.coverage = &coverage
	return r, err
}

func lastThrough(records []record) uint64 {
	last := uint64(0)
	for _, r := range records {
		last = max(last, r.identity.Through)
	}
	return last
}

// finding is the step that counts a record, and shows what is wrong with it. One about an answer outside of the range is
// left out.
func (v *verifying) finding(made remade) replay.Finding[step] {
	return replay.Finding[step]{Seq: made.Seq, Of: func() error {
		switch f := made.fault; {
		case made.about != 0 && (made.about < v.past.span.From || made.about > v.past.span.Through):
			return nil
		case f == nil:
			v.totals.Same++
			return nil
		case f.What == faultGone:
			v.totals.Gone++
		default:
			v.totals.Differs++
		}
		made.fault.Subject, made.fault.Seq = made.Subject, made.Seq
		return v.show(*made.fault)
	}}
}

func (v *verifying) show(f fault) error {
	if err := v.out.json(f); err != nil {
		return err
	}
	said := fmt.Sprintf("%s, sequence %d: %s", f.Subject, f.Seq, f.What)
	if f.Field != "" {
		said += fmt.Sprintf(" at %s: %s is stored, %s is made", f.Field, f.Stored, f.Computed)
	}
	if f.Detail != "" {
		said += ": " + f.Detail
	}
	return v.out.say(report.Plain(said))
}

func (v *verifying) state() any       { return &v.totals }
func (v *verifying) output() *outFile { return v.out }

func (v *verifying) sum() error {
	t := v.totals
	if v.past.Summary == "json" {
		if err := json.NewEncoder(v.past.console).Encode(t); err != nil {
			return err
		}
	} else {
		var said bytes.Buffer
		fmt.Fprintf(&said, "%d stored records are what the rules give, %d differ, %d rest on events that are not kept any more\n", t.Same, t.Differs, t.Gone)
		for _, other := range slices.Sorted(maps.Keys(t.Others)) {
			fmt.Fprintf(&said, "  not looked at, made by %s: %d\n", report.Plain(other), t.Others[other])
		}
		if len(t.Others) > 0 {
			fmt.Fprint(&said, "  to look at those, run the engine that they name, with the --rules, --policy or --values that made them\n")
		}
		if _, err := v.past.console.Write(said.Bytes()); err != nil {
			return err
		}
	}
	if t.Differs > 0 {
		return errDiffer
	}
	return t.nothing()
}

// nothing is the error that no stored record was made again, so that nothing is proved; nil when one was.
func (t verifyTotals) nothing() error {
	switch {
	case t.Same > 0:
		return nil
	case t.Gone > 0:
		return errors.New("nothing was verified: what the records rest on is not kept any more; verify while the event stream still keeps it")
	case len(t.Others) > 0:
		return errors.New("nothing was verified: run the engine that is named, with the --rules, --policy or --values that made the records")
	}
	return errors.New("nothing was verified: no record is stored about an answer of that range; check --prefix and the range, and store verdicts with --publish")
}
