package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/plumbline-dev/plumbline/cmd/internal/report"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
	"github.com/plumbline-dev/plumbline/pipeline/whatif"
	"github.com/plumbline-dev/plumbline/schemas"
)

// diffing shows which answers of the range are judged differently, from what to what and because of what: by other rules
// than given, or against what is stored.
type diffing struct {
	past       *past
	out        *outFile
	comparison *whatif.Comparison
	known      map[string]*turn.Rules // by their digests: those that stored verdicts may be of
	totals     diffTotals             // changed by steps
}

// diffTotals count the answers. Those beside the changed are told only against stored verdicts.
type diffTotals struct {
	totals
	Missing int            `json:"missing,omitempty"` // answers without a stored verdict
	Notes   int            `json:"notes,omitempty"`   // verdicts that differ in nothing that a person acts on
	Unread  report.Summary `json:"unread"`
}

func newDiffing(p *past, out *outFile) *diffing {
	against := p.Against
	if against == nil {
		against = p.Rules
	}
	d := &diffing{past: p, out: out, comparison: whatif.New(p.Rules, against), known: map[string]*turn.Rules{}}
	d.totals.totals = totalsOf(0, nil)
	for _, ruleset := range turn.Rulesets {
		if rules, err := (turn.Policy{Ruleset: ruleset}).Compile(); err == nil {
			d.known[rules.Digest()] = rules
		}
	}
	return d
}

func (d *diffing) pass(context.Context) (pass, error) { return d.past.overEvents(), nil }

func (d *diffing) look(ctx context.Context, s replay.Stretch) ([]replay.Finding[step], error) {
	c, err := d.past.store.Conversation(ctx, s)
	if err != nil {
		return nil, err
	}
	compare := d.againstRules
	if d.past.Past.Task == taskDiff {
		compare = d.againstStored
	}
	differs, err := compare(ctx, c)
	switch {
	case pipeline.IsBroken(err):
		differs, c.Unread = difference{}, append(c.Unread, brokenOn(c, err))
	case err != nil:
		return nil, err
	}
	found := []replay.Finding[step]{d.past.counted(judged{conversation: c}, &d.totals.Unread)}
	for _, ch := range differs.changes {
		found = append(found, replay.Finding[step]{Seq: ch.Seq, Of: func() error { return d.show(ch) }})
	}
	return append(found, replay.Finding[step]{Seq: c.Through, Of: func() error {
		d.totals.Answers += differs.answers
		d.totals.Missing += differs.missing
		d.totals.Notes += differs.notes
		return nil
	}}), nil
}

// difference is what of one stretch's answers is judged differently.
type difference struct {
	changes                 []whatif.Change
	answers, missing, notes int
}

func (d *diffing) againstRules(_ context.Context, c replay.Conversation) (difference, error) {
	changes, answers, err := d.comparison.Of(c)
	return difference{changes: changes, answers: answers}, err
}

// againstStored compares each answer's last stored verdict with the one that the rules give now.
func (d *diffing) againstStored(ctx context.Context, c replay.Conversation) (difference, error) {
	var found difference
	rules := d.past.Rules.RulesFor(c.Name)
	outputs, err := c.Outputs(rules)
	if err != nil {
		return found, err
	}
	for _, out := range outputs {
		if out.Evidence == nil {
			continue
		}
		found.answers++
		if err := d.withStored(ctx, c, out, rules, &found); err != nil {
			return found, err
		}
	}
	return found, nil
}

func (d *diffing) withStored(ctx context.Context, c replay.Conversation, out replay.Output, rules *turn.Rules, found *difference) error {
	was, err := d.lastStored(ctx, out)
	if err != nil {
		return err
	}
	if was == nil {
		found.missing++
		return nil
	}
	ch, differs := whatif.Between(was, out.Evidence)
	same, err := sameVerdict(was, out.Evidence)
	switch {
	case err != nil || same:
		return err
	case !differs:
		found.notes++
		return nil
	}
	explained := []whatif.Change{ch}
	if err := d.explain(explained, c, was, out.Evidence, rules); err != nil {
		return err
	}
	found.changes = append(found.changes, explained...)
	return nil
}

// lastStored is the last verdict that is stored on the answer, nil when there is none.
func (d *diffing) lastStored(ctx context.Context, out replay.Output) (*event.EvidenceChecked, error) {
	ruleset := d.past.Past.Stored
	if ruleset == "" {
		ruleset = out.Evidence.Ruleset
	}
	common, _ := out.About()
	subject := d.past.layout.Subjects.Verdict(ruleset, event.Conversation{
		Tenant: common.Tenant, Agent: common.Agent, ID: common.Conversation,
	}, common.Turn, common.Iteration)
	var chain []pipeline.Stored
	err := d.past.settler.Insist(ctx, "read a verdict", func() (err error) {
		chain, err = d.past.sink.Chain(ctx, subject)
		return err
	})
	if err != nil || len(chain) == 0 {
		return nil, err
	}
	last := chain[len(chain)-1]
	v, err := schemas.DecodeEvidence(last.ContentType, last.Payload)
	if err != nil {
		return nil, fmt.Errorf("audit sequence %d holds no verdict: %w; see --verify", last.Seq, err)
	}
	return &v, nil
}

func sameVerdict(a, b *event.EvidenceChecked) (bool, error) {
	first, err := schemas.EncodeEvidence(schemas.JSON, *a)
	if err != nil {
		return false, err
	}
	second, err := schemas.EncodeEvidence(schemas.JSON, *b)
	return bytes.Equal(first, second), err
}

// explain says what makes the difference to a stored verdict: settings, when it is what known rules give of the same
// events, else what can be told.
func (d *diffing) explain(changes []whatif.Change, c replay.Conversation, was, is *event.EvidenceChecked, rules *turn.Rules) error {
	changes[0].Settings = []string{}
	known := d.known[was.Policy]
	switch {
	case was.Through != is.Through || was.AnswerSeq != is.AnswerSeq:
		changes[0].Why = fmt.Sprintf("it rests on events up to %d, the stored one on events up to %d", is.Through, was.Through)
	case was.Engine != is.Engine:
		changes[0].Why = fmt.Sprintf("engine %s → %s", was.Engine, is.Engine)
	case was.Policy == is.Policy:
		changes[0].Why = "the stored one is not what its own rules give: see --verify"
	case known == nil:
		changes[0].Why = fmt.Sprintf("policy %.12s → %.12s; name the first one with --policy and this one with --against to see why", was.Policy, is.Policy)
	default:
		return d.comparison.Explain(changes, c, known, rules)
	}
	return nil
}

// show writes one change and counts it.
func (d *diffing) show(ch whatif.Change) error {
	one := totalsOf(0, []whatif.Change{ch})
	d.totals.Changed++
	addCounts(d.totals.Outcomes, one.Outcomes)
	addCounts(d.totals.Agents, one.Agents)
	addCounts(d.totals.Tools, one.Tools)
	return d.out.change(ch)
}

func addCounts(into, from map[string]int) {
	for _, name := range slices.Sorted(maps.Keys(from)) {
		into[name] += from[name]
	}
}

func (d *diffing) state() any       { return &d.totals }
func (d *diffing) output() *outFile { return d.out }

func (d *diffing) sum() error {
	t := d.totals
	if err := writeTotals(d.past.Config, t.totals, d.past.console); err != nil {
		return err
	}
	if unread := t.Unread.DeadLetters; d.past.Summary != "json" && len(unread) > 0 {
		for _, reason := range slices.Sorted(maps.Keys(unread)) {
			fmt.Fprintf(d.past.console, "  messages that cannot be read, %s: %d\n", reason, unread[reason])
		}
	}
	if d.past.Summary != "json" && d.past.Past.Task == taskDiff {
		fmt.Fprintf(d.past.console, "  answers without a stored verdict: %d\n  verdicts that differ in notes only: %d\n", t.Missing, t.Notes)
		if t.Missing > 0 && t.Missing == t.Answers {
			fmt.Fprintf(d.past.console, "  nothing was compared: --stored names the ruleset of the stored verdicts, --publish stores those that are missing\n")
		}
	}
	if err := unreadOf(t.Unread); err != nil {
		return err
	}
	if d.past.ExitCode && t.Changed > 0 {
		return errDiffer
	}
	return nil
}
