package whatif

import (
	"fmt"
	"slices"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/evidence"
	"github.com/plumbline-dev/plumbline/core/turn"
)

// causes are what two policies choose differently, and the second policy with each choice undone by itself.
type causes struct {
	settings []string
	undone   []cause
}

// cause is one setting or equivalence, and the second policy's rules without it.
type cause struct {
	name  string
	rules *turn.Rules
}

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
	{"tools", func(into *turn.Policy, from turn.Policy) { into.RowsAt = from.RowsAt }},
}

// causesOf finds what the two rules choose differently, once for each pair.
func (c *Comparison) causesOf(was, is *turn.Rules) (causes, error) {
	pair := digests{was.Digest(), is.Digest()}
	if done, ok := c.causes[pair]; ok {
		return done, nil
	}
	var found causes
	if was.Ruleset() != is.Ruleset() {
		found.settings = append(found.settings, "ruleset")
	}
	for _, s := range settings {
		p := is.Policy()
		s.take(&p, was.Policy())
		rules, err := p.Compile()
		if err != nil {
			return causes{}, fmt.Errorf("without the change of %s: %w", s.name, err)
		}
		if rules.Digest() != is.Digest() {
			found.settings = append(found.settings, s.name)
			found.undone = append(found.undone, cause{s.name, rules})
		}
	}
	if err := found.addEquivalences(was.Policy(), is.Policy()); err != nil {
		return causes{}, err
	}
	c.causes[pair] = found
	return found, nil
}

// addEquivalences adds each equivalence that holds under one of the two policies only.
func (c *causes) addEquivalences(was, is turn.Policy) error {
	before, now := equivalences(was), equivalences(is)
	if was.Ruleset == is.Ruleset && !slices.Equal(before, now) {
		c.settings = append(c.settings, "off")
	}
	for _, e := range evidence.Equivalences() {
		held := slices.Contains(before, e.ID)
		if held == slices.Contains(now, e.ID) {
			continue
		}
		rules, err := withEquivalence(is, now, e.ID, held).Compile()
		if err != nil {
			return fmt.Errorf("without the change of %s: %w", e.ID, err)
		}
		c.undone = append(c.undone, cause{e.ID, rules})
	}
	return nil
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

// withEquivalence is the policy with one equivalence more, or fewer, than those that hold. literal-1 has none: with one
// it is calibrated-1 without the others.
func withEquivalence(p turn.Policy, holding []string, id string, hold bool) turn.Policy {
	p.Ruleset = turn.Calibrated1
	p.Evidence.Off = nil
	for _, e := range evidence.Equivalences() {
		on := slices.Contains(holding, e.ID)
		if e.ID == id {
			on = hold
		}
		if !on {
			p.Evidence.Off = append(p.Evidence.Off, e.ID)
		}
	}
	return p
}

// explain says of each change what the policies choose differently, and of each value which choice makes the difference:
// the conversation is judged again with each choice undone by itself.
func (c causes) explain(changes []Change, events []stored) {
	for i := range changes {
		changes[i].Settings = c.settings
	}
	for _, cause := range c.undone {
		bySeq := map[uint64]*event.EvidenceChecked{}
		for _, v := range judge(events, cause.rules) {
			bySeq[v.AnswerSeq] = v
		}
		for i := range changes {
			again := bySeq[changes[i].Seq]
			values, whole := listed(again), again.UnsupportedOmitted == 0
			blame(changes[i].Gone, cause.name, func(value string) bool { return slices.Contains(values, value) })
			blame(changes[i].New, cause.name, func(value string) bool { return whole && !slices.Contains(values, value) })
		}
	}
	if len(c.settings) != 1 {
		return
	}
	for i := range changes {
		blameTheRest(changes[i].Gone, c.settings[0])
		blameTheRest(changes[i].New, c.settings[0])
	}
}

// blame names a cause for each value that is as before without it.
func blame(values []Value, name string, asBefore func(value string) bool) {
	for i := range values {
		if asBefore(values[i].Value) {
			values[i].Because = append(values[i].Because, name)
		}
	}
}

// blameTheRest names the one setting that differs where no choice inside it makes the difference by itself.
func blameTheRest(values []Value, name string) {
	for i := range values {
		if len(values[i].Because) == 0 {
			values[i].Because = []string{name}
		}
	}
}
