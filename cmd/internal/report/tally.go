package report

import (
	"cmp"
	"maps"
	"slices"

	"github.com/plumbline-dev/plumbline/core/event"
)

// Tally counts what was found. Of an answer that was judged again only the last verdict counts, of a call that was
// read more than once only the last reading. Its zero value is ready. It is not safe for concurrent use.
type Tally struct {
	answers  map[answerName]answerCount
	calls    map[callName]callCount
	declared map[callName]map[string]bool // kinds of declaration, by call
	dead     map[string]int               // dead letters, by reason
	rulesets map[string]bool
}

type answerName struct {
	ruleset, tenant, agent, conversation string
	turn, iteration                      int
}

type answerCount struct {
	outcome event.Outcome
	asserts bool
	values  int
}

type callName struct {
	tenant, agent, conversation string
	turn                        int
	call                        string
}

type callCount struct {
	tool, emptiness string
	failed          bool
}

// Verdict counts a verdict, its values and the calls of its turn.
func (t *Tally) Verdict(v event.EvidenceChecked) {
	if t.answers == nil {
		t.answers, t.calls, t.rulesets = map[answerName]answerCount{}, map[callName]callCount{}, map[string]bool{}
	}
	t.rulesets[v.Ruleset] = true
	t.answers[answerName{v.Ruleset, v.Tenant, v.Agent, v.Conversation, v.Turn, v.Iteration}] = answerCount{
		outcome: v.Outcome, asserts: v.Candidates > 0, values: len(v.Unsupported) + v.UnsupportedOmitted,
	}
	for _, r := range v.Results {
		t.calls[callOf(v.Common, r.Call)] = callCount{tool: r.Tool, emptiness: r.Emptiness, failed: r.Error}
	}
}

// Declared counts a declaration of a call.
func (t *Tally) Declared(c event.CoverageDeclared) {
	if t.declared == nil {
		t.declared = map[callName]map[string]bool{}
	}
	name := callOf(c.Common, c.Call)
	if t.declared[name] == nil {
		t.declared[name] = map[string]bool{}
	}
	t.declared[name][c.Declared] = !c.Withdrawn
}

// Dead counts a message that could not be read.
func (t *Tally) Dead(reason string) {
	if t.dead == nil {
		t.dead = map[string]int{}
	}
	t.dead[reason]++
}

// Answers is how many answers were judged.
func (t *Tally) Answers() int { return len(t.answers) }

// DeadLetters is how many messages could not be read.
func (t *Tally) DeadLetters() int {
	n := 0
	for _, count := range t.dead {
		n += count
	}
	return n
}

func callOf(c event.Common, call string) callName {
	return callName{c.Tenant, c.Agent, c.Conversation, c.Turn, call}
}

// Summary is what a Tally came to.
type Summary struct {
	Rulesets    []string              `json:"rulesets"`
	Answers     int                   `json:"answers"`
	Asserting   int                   `json:"asserting"` // answers with a value to check
	Outcomes    map[event.Outcome]int `json:"outcomes"`
	Unsupported int                   `json:"unsupported"` // values of the answers that are flagged
	Tools       []ToolSummary         `json:"tools"`
	Absences    int                   `json:"absences"` // calls that declared that there was nothing
	Boundaries  int                   `json:"boundaries"`
	DeadLetters map[string]int        `json:"deadLetters"`
	Input       *Input                `json:"input,omitempty"`
}

// Input counts the lines of a file that was read.
type Input struct {
	Lines  int `json:"lines"`
	Blank  int `json:"blank"`
	Bad    int `json:"bad"`
	Events int `json:"events"`
	// Format is the form that another runtime's record was read in, Notes what of it could not be seen.
	Format string   `json:"format,omitempty"`
	Notes  []string `json:"notes,omitempty"`
}

// ToolSummary counts the calls of one tool by what came back.
type ToolSummary struct {
	Tool    string         `json:"tool"`
	Calls   int            `json:"calls"`
	Failed  int            `json:"failed"`
	Reading map[string]int `json:"emptiness"`
}

// Summary sums up; tools are in the order of their names.
func (t *Tally) Summary() Summary {
	s := Summary{
		Rulesets: slices.AppendSeq([]string{}, maps.Keys(t.rulesets)),
		Answers:  len(t.answers),
		Outcomes: map[event.Outcome]int{
			event.Grounded: 0, event.Unsupported: 0, event.NothingAsserted: 0, event.CannotTell: 0,
		},
		Tools:       t.tools(),
		DeadLetters: map[string]int{},
	}
	slices.Sort(s.Rulesets)
	maps.Copy(s.DeadLetters, t.dead)
	for _, a := range t.answers {
		s.Outcomes[a.outcome]++
		if a.asserts {
			s.Asserting++
		}
		if a.outcome == event.Unsupported {
			s.Unsupported += a.values
		}
	}
	for _, kinds := range t.declared {
		if kinds["absence"] {
			s.Absences++
		}
		if kinds["ledger"] {
			s.Boundaries++
		}
	}
	return s
}

func (t *Tally) tools() []ToolSummary {
	byName := map[string]*ToolSummary{}
	for _, c := range t.calls {
		tool := byName[c.tool]
		if tool == nil {
			tool = &ToolSummary{Tool: c.tool, Reading: map[string]int{}}
			byName[c.tool] = tool
		}
		tool.Calls++
		tool.Reading[c.emptiness]++
		if c.failed {
			tool.Failed++
		}
	}
	tools := make([]ToolSummary, 0, len(byName))
	for _, tool := range byName {
		tools = append(tools, *tool)
	}
	slices.SortFunc(tools, func(a, b ToolSummary) int { return cmp.Compare(a.Tool, b.Tool) })
	return tools
}
