package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/plumbline-dev/plumbline/cmd/internal/report"
	"github.com/plumbline-dev/plumbline/pipeline/whatif"
)

// change writes one change as a line of JSON and as text, where they are wanted.
func (o *outFile) change(ch whatif.Change) error {
	if err := o.json(ch); err != nil {
		return err
	}
	return o.say(append(changeWords(ch), "")...)
}

// changeWords says one change to a person, in lines.
func changeWords(ch whatif.Change) []string {
	lines := []string{fmt.Sprintf("%s/%s turn %d: %s → %s", report.Plain(ch.Agent), report.Plain(ch.Conversation), ch.Turn, ch.From, ch.To)}
	say := func(what string, list []string) {
		if len(list) > 0 {
			lines = append(lines, "    "+what+" "+report.Plain(strings.Join(list, ", ")))
		}
	}
	say("no longer listed:", valueWords(ch.Gone))
	say("listed now:", valueWords(ch.New))
	if ch.OmittedFrom != ch.OmittedTo {
		say("not listed for want of room:", []string{fmt.Sprintf("%d → %d", ch.OmittedFrom, ch.OmittedTo)})
	}
	say("reasons:", ch.Reasons)
	for _, r := range ch.Results {
		say("result of", []string{fmt.Sprintf("%s, call %s: %s → %s", r.Tool, r.Call, cmp.Or(r.From, "not reported"), cmp.Or(r.To, "not reported")) + causeWords(r.Because)})
	}
	for _, b := range ch.Blocks {
		say("code block", []string{fmt.Sprintf("%d: %s → %s", b.Index, orUncompared(b.From), orUncompared(b.To)) + causeWords(b.Because)})
	}
	if ch.Why != "" {
		say("because", []string{ch.Why})
	}
	if !explained(ch) && len(ch.Settings) > 0 {
		say("the policies differ in:", ch.Settings)
	}
	return lines
}

// explained tells whether everything that changes is said with what makes the difference.
func explained(ch whatif.Change) bool {
	all := [][]string{}
	for _, v := range slices.Concat(ch.Gone, ch.New) {
		all = append(all, v.Because)
	}
	for _, r := range ch.Results {
		all = append(all, r.Because)
	}
	for _, b := range ch.Blocks {
		all = append(all, b.Because)
	}
	return len(all) > 0 && len(ch.Reasons) == 0 && !slices.ContainsFunc(all, func(because []string) bool { return len(because) == 0 })
}

// valueWords gives values with what makes the difference by itself, where that can be told.
func valueWords(values []whatif.Value) []string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = v.Value + causeWords(v.Because)
	}
	return words
}

func causeWords(because []string) string {
	if len(because) == 0 {
		return ""
	}
	return " (" + strings.Join(because, ", ") + ")"
}

func orUncompared(status string) string {
	if status == "" {
		return "not compared"
	}
	return status
}

// totals count the verdicts that change. A verdict counts once for each tool whose results its turn had.
type totals struct {
	Answers  int            `json:"answers"`
	Changed  int            `json:"changed"`
	Outcomes map[string]int `json:"outcomes"` // by "from → to"
	Agents   map[string]int `json:"agents"`
	Tools    map[string]int `json:"tools"`
}

func totalsOf(answers int, changes []whatif.Change) totals {
	t := totals{Answers: answers, Changed: len(changes), Outcomes: map[string]int{}, Agents: map[string]int{}, Tools: map[string]int{}}
	for _, ch := range changes {
		t.Outcomes[fmt.Sprintf("%s → %s", ch.From, ch.To)]++
		t.Agents[ch.Agent]++
		for _, tool := range ch.Tools {
			t.Tools[tool]++
		}
	}
	return t
}

func writeTotals(c Config, t totals, stderr io.Writer) error {
	if c.Summary == "json" {
		return json.NewEncoder(stderr).Encode(t)
	}
	text := report.NewText(stderr, false)
	text.Say(fmt.Sprintf("%d of %d verdicts change", t.Changed, t.Answers))
	for _, total := range []struct {
		name  string
		count map[string]int
	}{{"", t.Outcomes}, {"agent ", t.Agents}, {"tool ", t.Tools}} {
		for _, name := range slices.Sorted(maps.Keys(total.count)) {
			text.Say(fmt.Sprintf("  %s%s: %d", total.name, report.Plain(name), total.count[name]))
		}
	}
	return text.Err()
}
