package whatif

import (
	"slices"

	"github.com/plumbline-dev/plumbline/core/event"
)

// Change is an answer whose verdict another policy changes.
type Change struct {
	Seq          uint64        `json:"answerSeq"`
	Tenant       string        `json:"tenant"`
	Agent        string        `json:"agent"`
	Conversation string        `json:"conversation"`
	Turn         int           `json:"turn"`
	Iteration    int           `json:"iteration"`
	From         event.Outcome `json:"from"`
	To           event.Outcome `json:"to"`
	// Gone are the values that are no longer listed, New those that are listed now.
	Gone []Value `json:"gone"`
	New  []Value `json:"new"`
	// OmittedFrom and OmittedTo count the values that a verdict had no room to list, when their number changes.
	OmittedFrom int `json:"omittedFrom,omitempty"`
	OmittedTo   int `json:"omittedTo,omitempty"`
	// Equivalences are those that ground something only now, Reasons those that are given only now; a minus sign marks
	// those of before only.
	Equivalences []string `json:"equivalences"`
	Reasons      []string `json:"reasons"`
	// Results are the calls whose result is read differently, Blocks the code blocks that are.
	Results []Result `json:"results,omitempty"`
	Blocks  []Block  `json:"blocks,omitempty"`
	// Settings are what the two policies of the conversation choose differently.
	Settings []string `json:"settings"`
	// Why says in a sentence what makes the difference where no setting does, for one; empty otherwise.
	Why string `json:"why,omitempty"`
	// Tools are those whose results the answer's turn had, each once, in the order of the turn.
	Tools []string `json:"tools"`
}

// Value is a value of an answer, clipped as verdicts clip it.
type Value struct {
	Value string `json:"value"`
	// Because are the settings and equivalences each of which makes the difference by itself: undone alone, the value is
	// listed as before. Empty when it takes several.
	Because []string `json:"because"`
}

// Result is a call's result that is read differently.
type Result struct {
	Call string `json:"call"`
	Tool string `json:"tool"`
	From string `json:"from"` // an emptiness, empty when the call was not reported then
	To   string `json:"to"`
	// Because are the settings each of which makes the difference by itself. Empty when it takes several.
	Because []string `json:"because"`
}

// Block is a code block that is judged differently.
type Block struct {
	Index int    `json:"index"` // from 1
	From  string `json:"from"`  // matched or unmatched, empty when blocks were not compared
	To    string `json:"to"`
	// Because are the settings each of which makes the difference by itself. Empty when it takes several.
	Because []string `json:"because"`
}

// changesOf pairs the verdicts of the same answers: both lists hold the same answers in the same order.
func changesOf(before, after []*event.EvidenceChecked) []Change {
	var changes []Change
	for i, was := range before {
		if ch, differs := Between(was, after[i]); differs {
			changes = append(changes, ch)
		}
	}
	return changes
}

// Between compares two verdicts on one answer. differs tells whether there is anything that a person would act on. What
// makes the difference is not said.
func Between(was, is *event.EvidenceChecked) (ch Change, differs bool) {
	ch = changeOf(was, is)
	return ch, ch.differs()
}

func changeOf(was, is *event.EvidenceChecked) Change {
	ch := Change{
		Seq: is.AnswerSeq, Tenant: was.Tenant, Agent: was.Agent, Conversation: was.Conversation, Turn: was.Turn, Iteration: was.Iteration,
		From: was.Outcome, To: is.Outcome,
		Gone: valuesOf(without(listed(was), listed(is))), New: valuesOf(without(listed(is), listed(was))),
		Equivalences: both(was.Equivalences, is.Equivalences), Reasons: both(reasons(was), reasons(is)),
		Results: resultsOf(was, is), Blocks: blocksOf(was, is), Tools: []string{},
	}
	if was.UnsupportedOmitted != is.UnsupportedOmitted {
		ch.OmittedFrom, ch.OmittedTo = was.UnsupportedOmitted, is.UnsupportedOmitted
	}
	for _, r := range was.Results {
		if !slices.Contains(ch.Tools, r.Tool) {
			ch.Tools = append(ch.Tools, r.Tool)
		}
	}
	return ch
}

// differs tells whether there is anything that a person would act on.
func (ch *Change) differs() bool {
	return ch.From != ch.To || ch.OmittedFrom != ch.OmittedTo ||
		len(ch.Gone)+len(ch.New)+len(ch.Reasons)+len(ch.Results)+len(ch.Blocks) > 0
}

func listed(v *event.EvidenceChecked) []string {
	var values []string
	for _, u := range v.Unsupported {
		values = append(values, u.Value)
	}
	return values
}

func reasons(v *event.EvidenceChecked) []string {
	var reasons []string
	for _, r := range v.Reasons {
		reasons = append(reasons, string(r))
	}
	return reasons
}

func valuesOf(texts []string) []Value {
	values := make([]Value, len(texts))
	for i, text := range texts {
		values[i] = Value{Value: text, Because: []string{}}
	}
	return values
}

// resultsOf pairs the readings of the turn's calls. Verdicts that rest on the same events have the same calls.
func resultsOf(was, is *event.EvidenceChecked) []Result {
	now, before := map[string]string{}, map[string]bool{}
	for _, r := range is.Results {
		now[r.Call] = r.Emptiness
	}
	var results []Result
	for _, r := range was.Results {
		before[r.Call] = true
		if r.Emptiness != now[r.Call] {
			results = append(results, Result{Call: r.Call, Tool: r.Tool, From: r.Emptiness, To: now[r.Call], Because: []string{}})
		}
	}
	for _, r := range is.Results {
		if !before[r.Call] {
			results = append(results, Result{Call: r.Call, Tool: r.Tool, To: r.Emptiness, Because: []string{}})
		}
	}
	return results
}

func blocksOf(was, is *event.EvidenceChecked) []Block {
	var blocks []Block
	from, to := statuses(was), statuses(is)
	for i := range max(len(from), len(to)) {
		block := Block{Index: i + 1, Because: []string{}}
		if i < len(from) {
			block.From = from[i]
		}
		if i < len(to) {
			block.To = to[i]
		}
		if block.From != block.To {
			blocks = append(blocks, block)
		}
	}
	return blocks
}

// statuses are those of an answer's blocks: the blocks have the indices from 1 on, in order.
func statuses(v *event.EvidenceChecked) []string {
	if v.Scripts == nil {
		return nil
	}
	var list []string
	for _, b := range v.Scripts.Blocks {
		list = append(list, b.Status)
	}
	return list
}

// both lists what only the second has, and with a minus sign what only the first has.
func both(first, second []string) []string {
	all := without(second, first)
	for _, gone := range without(first, second) {
		all = append(all, "-"+gone)
	}
	return all
}

func without(list, other []string) []string {
	left := []string{}
	for _, item := range list {
		if !slices.Contains(other, item) {
			left = append(left, item)
		}
	}
	return left
}
