package turn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
)

// dialogue is a conversation written as one event a line, in stream order; the sequence is the line's number.
//
//	user <turn> <text>              a turn_start with what the person said
//	app <turn> <text>               a turn_start with what the app put in front of the model
//	unseen <turn> <reason>          a turn_start with what was not recorded
//	row <turn> <call>@<iter> <json> a finished call
//	answer <turn>@<iter> [calls] <text>
type dialogue string

func (s dialogue) events(t *testing.T) []event.Event {
	t.Helper()
	var events []event.Event
	for line := range strings.SplitSeq(strings.TrimSpace(string(s)), "\n") {
		events = append(events, parseEvent(t, strings.TrimSpace(line)))
	}
	return events
}

func parseEvent(t *testing.T, line string) event.Event {
	t.Helper()
	e := event.Event{Conversation: event.Conversation{Tenant: "acme", Agent: "desk", ID: "c1"}}
	kind, rest, _ := strings.Cut(line, " ")
	head, rest, _ := strings.Cut(rest, " ")
	switch kind {
	case "user":
		scan(t, line, head, "%d", &e.Turn)
		e.TurnStart = &event.TurnStart{User: &rest}
	case "app":
		scan(t, line, head, "%d", &e.Turn)
		e.TurnStart = &event.TurnStart{Context: []string{rest}}
	case "unseen":
		scan(t, line, head, "%d", &e.Turn)
		e.TurnStart = &event.TurnStart{Unseen: []event.Reason{event.Reason(rest)}}
	case "row":
		scan(t, line, head, "%d", &e.Turn)
		name, result, _ := strings.Cut(rest, " ")
		call, iteration, _ := strings.Cut(name, "@")
		e.ToolEnd = &event.ToolEnd{Call: event.Call{ID: call, Tool: "lookup"}, Result: event.JSON(result)}
		scan(t, line, iteration, "%d", &e.ToolEnd.Call.Iteration)
	case "answer":
		e.Answer = &event.Answer{}
		scan(t, line, head, "%d@%d", &e.Turn, &e.Answer.Iteration)
		if strings.HasPrefix(rest, "[") {
			calls, text, _ := strings.Cut(rest[1:], "] ")
			e.Answer.Calls, rest = strings.Fields(calls), text
		}
		e.Answer.Text = rest
	default:
		t.Fatalf("line %q: unknown kind", line)
	}
	return e
}

func scan(t *testing.T, line, s, format string, into ...any) {
	t.Helper()
	if _, err := fmt.Sscanf(s, format, into...); err != nil {
		t.Fatalf("line %q: %v", line, err)
	}
}

func literal(t *testing.T) *Rules { return defaults(t, Literal1) }

func calibrated(t *testing.T) *Rules { return defaults(t, Calibrated1) }

// defaults are the rules of a ruleset with nothing chosen.
func defaults(t *testing.T, ruleset string) *Rules {
	t.Helper()
	rules, err := Policy{Ruleset: ruleset}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func (s dialogue) fold(t *testing.T, rules *Rules) *State {
	t.Helper()
	state := New(rules, event.Conversation{Tenant: "acme", Agent: "desk", ID: "c1"})
	for i, e := range s.events(t) {
		state.Fold(uint64(i+1), e)
	}
	return state
}

func judge(t *testing.T, s *State, turn, iteration int) event.EvidenceChecked {
	t.Helper()
	v, ok := s.Judge(Name{turn, iteration})
	if !ok {
		t.Fatalf("no answer %d@%d", turn, iteration)
	}
	return v
}

func values(v event.EvidenceChecked) string {
	var all []string
	for _, u := range v.Unsupported {
		all = append(all, u.Value)
	}
	return strings.Join(all, " ")
}
