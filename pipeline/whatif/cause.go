package whatif

import (
	"fmt"
	"slices"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/evidence"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
)

// causes are what two policies choose differently, and the second policy with each choice undone by itself: settings
// first, then equivalences, then the ruleset as a whole.
type causes struct {
	settings []string
	undone   []cause
}

// cause is one setting or equivalence, and the second policy's rules without it.
type cause struct {
	name  string
	rules *turn.Rules
}

// inRuleset is the name of the ruleset as a cause.
const inRuleset = "ruleset"

// setting is a choice of a policy, by its name in a policy file.
type setting struct {
	name string
	take func(into *turn.Policy, from turn.Policy)
}

// settings are all choices but the ruleset and its equivalences, in the order of the schema.
var settings = []setting{
	{"minDigits", func(into *turn.Policy, from turn.Policy) { into.Evidence.MinDigits = from.Evidence.MinDigits }},
	{"figures", func(into *turn.Policy, from turn.Policy) { into.Evidence.Figures = from.Evidence.Figures }},
	{"scope", func(into *turn.Policy, from turn.Policy) { into.Scope = from.Scope }},
	{"scripts", func(into *turn.Policy, from turn.Policy) { into.Scripts = from.Scripts }},
	{"shapes", func(into *turn.Policy, from turn.Policy) { into.Evidence.Shapes = from.Evidence.Shapes }},
	{"exempt", func(into *turn.Policy, from turn.Policy) { into.Evidence.Exempt = from.Evidence.Exempt }},
	{"exemptPatterns", func(into *turn.Policy, from turn.Policy) { into.Evidence.ExemptPatterns = from.Evidence.ExemptPatterns }},
	{"placeholders", func(into *turn.Policy, from turn.Policy) { into.Placeholders = from.Placeholders }},
	{"conversationBytes", func(into *turn.Policy, from turn.Policy) { into.ConversationBytes = from.ConversationBytes }},
	{"values", func(into *turn.Policy, from turn.Policy) { into.Values, into.ValuesKey = from.Values, from.ValuesKey }},
	{"tools", func(into *turn.Policy, from turn.Policy) { into.RowsAt = from.RowsAt }},
}

// causesOf finds what the two rules choose differently, once for each pair.
func (c *Comparison) causesOf(was, is *turn.Rules) (causes, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	pair := digests{was.Digest(), is.Digest()}
	if done, ok := c.causes[pair]; ok {
		return done, nil
	}
	var found causes
	for _, s := range settings {
		p := is.Policy()
		s.take(&p, was.Policy())
		if err := found.undo(s.name, p); err != nil {
			return causes{}, err
		}
		if last := len(found.undone) - 1; found.undone[last].rules.Digest() == is.Digest() {
			found.undone = found.undone[:last]
			continue
		}
		found.settings = append(found.settings, s.name)
	}
	if err := found.undoRuleset(was.Policy(), is.Policy()); err != nil {
		return causes{}, err
	}
	c.causes[pair] = found
	return found, nil
}

func (c *causes) undo(name string, p turn.Policy) error {
	rules, err := p.Compile()
	if err != nil {
		return fmt.Errorf("without the change of %s: %w", name, err)
	}
	c.undone = append(c.undone, cause{name, rules})
	return nil
}

// undoRuleset undoes what the rulesets and their equivalences make different: each equivalence that holds under one of the
// two only, and all of it at last.
func (c *causes) undoRuleset(was, is turn.Policy) error {
	before, now := equivalences(was), equivalences(is)
	switch {
	case was.Ruleset != is.Ruleset:
		c.settings = append(c.settings, inRuleset)
	case !slices.Equal(before, now):
		c.settings = append(c.settings, "off")
	}
	for _, e := range evidence.Equivalences() {
		held := slices.Contains(before, e.ID)
		if held == slices.Contains(now, e.ID) {
			continue
		}
		those := append(slices.Clone(now), e.ID)
		if !held {
			those = without(now, []string{e.ID})
		}
		if err := c.undo(e.ID, holding(is, those)); err != nil {
			return err
		}
	}
	if was.Ruleset == is.Ruleset {
		return nil
	}
	is.Ruleset, is.Evidence.Off = was.Ruleset, was.Evidence.Off
	return c.undo(inRuleset, is)
}

// equivalences lists the ids of those that hold, in the order of their table.
func equivalences(p turn.Policy) []string {
	var ids []string
	for _, e := range evidence.Equivalences() {
		if p.Evidence.Calibrated && !slices.Contains(p.Evidence.Off, e.ID) {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// holding is the policy with those equivalences and no other. literal-1 has none: with some, it is calibrated-1 without the
// others, and reads results as calibrated-1 does.
func holding(p turn.Policy, those []string) turn.Policy {
	p.Ruleset = turn.Calibrated1
	p.Evidence.Off = nil
	for _, e := range evidence.Equivalences() {
		if !slices.Contains(those, e.ID) {
			p.Evidence.Off = append(p.Evidence.Off, e.ID)
		}
	}
	return p
}

// explain says of each change what the policies choose differently, and of each value which choice makes the difference:
// the conversation is judged again with each choice undone by itself.
func (c causes) explain(changes []Change, conversation replay.Conversation) error {
	for i := range changes {
		changes[i].Settings = c.settings
	}
	for _, cause := range c.undone {
		bySeq := map[uint64]*event.EvidenceChecked{}
		verdicts, err := judge(conversation, cause.rules)
		if err != nil {
			return err
		}
		for _, v := range verdicts {
			bySeq[v.AnswerSeq] = v
		}
		for i := range changes {
			again := bySeq[changes[i].Seq]
			values, whole := listed(again), again.UnsupportedOmitted == 0
			blame(changes[i].Gone, cause.name, func(value string) bool { return slices.Contains(values, value) })
			blame(changes[i].New, cause.name, func(value string) bool { return whole && !slices.Contains(values, value) })
			blameFor(&changes[i], cause.name, again)
		}
	}
	for i := range changes {
		for _, because := range changes[i].becauses() {
			*because = c.rest(*because)
		}
	}
	return nil
}

// becauses are all places of a change that say what makes a difference.
func (ch *Change) becauses() []*[]string {
	var all []*[]string
	for _, values := range [][]Value{ch.Gone, ch.New} {
		for i := range values {
			all = append(all, &values[i].Because)
		}
	}
	for i := range ch.Results {
		all = append(all, &ch.Results[i].Because)
	}
	for i := range ch.Blocks {
		all = append(all, &ch.Blocks[i].Because)
	}
	return all
}

// blameFor names a cause for each result and code block that is read as before without it.
func blameFor(ch *Change, name string, again *event.EvidenceChecked) {
	for i := range ch.Results {
		r := &ch.Results[i]
		for _, now := range again.Results {
			if now.Call == r.Call && now.Emptiness == r.From {
				r.Because = named(r.Because, name)
			}
		}
	}
	now := statuses(again)
	for i := range ch.Blocks {
		b := &ch.Blocks[i]
		status := ""
		if b.Index <= len(now) {
			status = now[b.Index-1]
		}
		if status == b.From {
			b.Because = named(b.Because, name)
		}
	}
}

// blame names a cause for each value that is as before without it.
func blame(values []Value, name string, asBefore func(value string) bool) {
	for i := range values {
		if v := &values[i]; asBefore(v.Value) {
			v.Because = named(v.Because, name)
		}
	}
}

// named adds a cause, the ruleset as a whole only where no equivalence is named.
func named(because []string, name string) []string {
	if name == inRuleset && slices.ContainsFunc(because, isEquivalence) {
		return because
	}
	return append(because, name)
}

func isEquivalence(name string) bool {
	return slices.ContainsFunc(evidence.Equivalences(), func(e evidence.Equivalence) bool { return e.ID == name })
}

// rest names the ruleset in place of all its equivalences: where each of them makes the difference, it is how the ruleset
// reads results that does. Where no choice makes the difference by itself, it names the one setting that differs.
func (c causes) rest(because []string) []string {
	other := slices.DeleteFunc(slices.Clone(because), isEquivalence)
	switch {
	case len(because)-len(other) == len(evidence.Equivalences()):
		return append(other, inRuleset)
	case len(because) == 0 && len(c.settings) == 1:
		return []string{c.settings[0]}
	}
	return because
}
