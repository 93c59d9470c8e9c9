package report

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
)

// nearWords names the closest value that a result holds, and where: results are those of the verdict's turn, and tell which
// tool a call is of.
func nearWords(n *event.Near, results []event.CallResult) string {
	said := fmt.Sprintf("closest on record: %s, in turn %d, call %s", clip(Plain(n.Value), maxValue), n.Turn, Plain(n.Call))
	for _, r := range results {
		if r.Call == n.Call && r.Tool != "" {
			return said + " of " + Plain(r.Tool)
		}
	}
	return said
}

// look is how the line of an outcome begins and what colour it has.
type look struct {
	sign string
	tone tone
}

var looks = map[event.Outcome]look{
	event.Grounded:        {"✓", toneQuiet},
	event.NothingAsserted: {"·", toneQuiet},
	event.Unsupported:     {"!", toneBad},
	event.CannotTell:      {"?", toneNote},
}

// headlineOf says in one line what was found.
func headlineOf(v event.EvidenceChecked) string {
	missing := len(v.Unsupported) + v.UnsupportedOmitted
	switch v.Outcome {
	case event.NothingAsserted:
		return "no value to check"
	case event.Grounded:
		return groundedWords(v.Candidates)
	case event.Unsupported:
		if missing == 1 && len(v.Unsupported) == 1 {
			return clip(Plain(v.Unsupported[0].Value), maxValue) + " stands in no result"
		}
		return fmt.Sprintf("%d of %s %s in no result", missing, count(v.Candidates, "value", "values"), verb(missing, "stands", "stand"))
	}
	return fmt.Sprintf("cannot tell, because %s; %s not found in what was seen", reasons(v.Reasons), count(missing, "value", "values"))
}

func groundedWords(values int) string {
	switch values {
	case 1:
		return "its one value is on record"
	case 2:
		return "both values are on record"
	}
	return fmt.Sprintf("all %d values are on record", values)
}

var reasonWords = map[event.Reason]string{
	event.RowsMissing:        "the result of a call never arrived",
	event.ResultCapped:       "a result was cut short",
	event.ResultRedacted:     "a result had values taken out",
	event.ContentNotCaptured: "something the agent read was not recorded",
	event.PromptNotCaptured:  "no prompt of the app was recorded",
	event.HistoryIncomplete:  "the beginning of the conversation was not kept",
	event.IndexTruncated:     "the results hold more values than are compared",
	event.TurnOversize:       "the turn is too large to be read whole",
}

// reasons puts reasons into words. One that it has no words for is named as it is.
func reasons(list []event.Reason) string {
	words := make([]string, 0, len(list))
	for _, reason := range list {
		said, ok := reasonWords[reason]
		if !ok {
			said = Plain(string(reason))
		}
		words = append(words, said)
	}
	return strings.Join(words, " and ")
}

// The readings of a call that a person is told of.
const (
	undeclaredEmpty = "undeclared-empty"
	declaredAbsent  = "declared-absent"
	clarify         = "clarify"
	nonEmpty        = "non-empty"
)

var emptyWords = map[string]string{
	undeclaredEmpty: "came back empty and did not say what it searched",
	declaredAbsent:  "came back empty and said what it searched",
	clarify:         "asked a question back",
}

// callNotes says which calls came back with nothing or failed: one note for each tool and kind, in the order of the
// calls.
func callNotes(results []event.CallResult) []string {
	var order []string
	times := map[string]int{}
	for _, r := range results {
		said := noteOf(r)
		if said == "" {
			continue
		}
		if times[said] == 0 {
			order = append(order, said)
		}
		times[said]++
	}
	for i, said := range order {
		if n := times[said]; n > 1 {
			order[i] = fmt.Sprintf("%s (%d times)", said, n)
		}
	}
	return order
}

func noteOf(r event.CallResult) string {
	switch said := emptyWords[r.Emptiness]; {
	case r.Error:
		return Plain(r.Tool) + " failed"
	case said != "":
		return Plain(r.Tool) + " " + said
	}
	return ""
}

// coverageWords says what a call declared.
func coverageWords(c event.CoverageDeclared) string {
	tool := Plain(c.Tool)
	if c.Withdrawn {
		return tool + " reported again and declares no " + c.Declared + " any more"
	}
	said := tool + " says what it covers"
	if c.Declared == "absence" {
		said = tool + " found nothing"
		if what := wordsOf(c.LookedFor); what != "" {
			said += " for " + what
		}
	}
	for _, part := range []struct {
		verb  string
		items event.JSON
	}{{"searched", c.Checked}, {"did not search", c.NotChecked}, {"cannot cover", c.CannotCover}, {"is still searching", c.InProgress}} {
		if what := itemWords(part.items); what != "" {
			said += "; " + part.verb + " " + what
		}
	}
	return said
}

// wordsOf reads a JSON string as its text and anything else as it is written.
func wordsOf(j event.JSON) string {
	var text string
	if json.Unmarshal(j, &text) == nil {
		return quoteWords(text)
	}
	return clip(Plain(string(j)), maxWords)
}

func quoteWords(s string) string {
	if s == "" {
		return ""
	}
	return `"` + clip(Plain(s), maxWords) + `"`
}

// maxWords is how many columns one part of a declaration may take.
const maxWords = 60

// itemWords names the items of a declaration. A list of another form is shown as it is written.
func itemWords(items event.JSON) string {
	if len(items) == 0 {
		return ""
	}
	var list []struct {
		What any    `json:"what"`
		Why  string `json:"why"`
	}
	if json.Unmarshal(items, &list) != nil {
		return clip(Plain(string(items)), maxWords)
	}
	words := make([]string, 0, len(list))
	for _, item := range list {
		said := clip(Plain(fmt.Sprint(item.What)), maxWords)
		if item.Why != "" {
			said += " (" + clip(Plain(item.Why), maxWords) + ")"
		}
		words = append(words, said)
	}
	return strings.Join(words, ", ")
}

func count(n int, one, many string) string { return fmt.Sprintf("%d %s", n, verb(n, one, many)) }

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
