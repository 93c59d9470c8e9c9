// Package quality measures a ruleset over a corpus of conversations: how many answers it accuses, how many planted
// inventions it catches, and what each equivalence saves and costs. It answers "may these rules be believed?".
//
// A corpus is a file of events of real conversations, whose answers are taken to be honest: what is flagged in it is
// read by a person. An invention is planted by changing one digit of one value of an answer, so that the value stands
// nowhere in the conversation. Counts are of answers.
package quality

import (
	"fmt"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/evidence"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
)

// Corpus is a named list of events; the sequence of an event is its place, from 1.
type Corpus struct {
	Name   string
	Events []event.Event
}

// Row is what one ruleset gives on one corpus.
type Row struct {
	Corpus, Ruleset string
	Answers         int // all of them
	Asserting       int // that assert a value
	Flagged         int // outcome unsupported
	CannotTell      int
	Planted         int // answers with an invention
	Caught          int // of which the invention was reported
}

// Marginal is what one equivalence does on one corpus, measured by switching it off.
type Marginal struct {
	Corpus, Equivalence string
	Saved               int // answers that are flagged without it
	Lost                int // inventions that are caught without it and not with it
}

// Measure runs every ruleset over the corpus and over its planted copy.
func Measure(c Corpus, seed uint64) ([]Row, []Marginal, error) {
	planted, plants, err := Plant(c, seed)
	if err != nil {
		return nil, nil, err
	}
	var rows []Row
	var full Row
	for _, ruleset := range turn.Rulesets {
		row, err := measure(c, planted, plants, turn.Policy{Ruleset: ruleset})
		if err != nil {
			return nil, nil, err
		}
		rows = append(rows, row)
		if ruleset == turn.Calibrated1 {
			full = row
		}
	}
	var marginals []Marginal
	for _, e := range evidence.Equivalences() {
		policy := turn.Policy{Ruleset: turn.Calibrated1, Evidence: evidence.GateConfig{Off: []string{e.ID}}}
		without, err := measure(c, planted, plants, policy)
		if err != nil {
			return nil, nil, err
		}
		marginals = append(marginals, Marginal{
			Corpus: c.Name, Equivalence: e.ID, Saved: without.Flagged - full.Flagged, Lost: without.Caught - full.Caught,
		})
	}
	return rows, marginals, nil
}

func measure(c, planted Corpus, plants map[Answer]Planted, policy turn.Policy) (Row, error) {
	rules, err := policy.Compile()
	if err != nil {
		return Row{}, fmt.Errorf("measure %s: %w", c.Name, err)
	}
	row := Row{Corpus: c.Name, Ruleset: policy.Ruleset, Planted: len(plants)}
	for _, v := range verdicts(c, rules) {
		row.Answers++
		if v.Candidates > 0 {
			row.Asserting++
		}
		switch v.Outcome {
		case event.Unsupported:
			row.Flagged++
		case event.CannotTell:
			row.CannotTell++
		}
	}
	for _, v := range verdicts(planted, rules) {
		if p, ok := plants[answerOf(v)]; ok && reports(v, p.Span) {
			row.Caught++
		}
	}
	return row, nil
}

func verdicts(c Corpus, rules *turn.Rules) []*event.EvidenceChecked {
	history := replay.New(rules)
	for i, e := range c.Events {
		history.Add(uint64(i+1), e)
	}
	var all []*event.EvidenceChecked
	for out := range history.Outputs() {
		if out.Evidence != nil {
			all = append(all, out.Evidence)
		}
	}
	return all
}

// reports tells whether a verdict lists a value that stands where the span does.
func reports(v *event.EvidenceChecked, span event.Span) bool {
	for _, u := range v.Unsupported {
		for _, s := range u.Spans {
			if s[0] < span[1] && span[0] < s[1] {
				return true
			}
		}
	}
	return false
}
