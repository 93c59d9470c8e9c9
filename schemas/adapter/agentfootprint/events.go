package agentfootprint

import (
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// events are the events that are read.
var events = map[string]*kind{
	"agent.turn_start":         {read: (*conversation).turnStart, wants: wantsText("userPrompt")},
	"agent.turn_end":           {read: (*conversation).turnEnd, wants: wantsText("finalContent"), reports: true},
	"agent.evidence_checked":   {read: (*conversation).evidenceChecked, wants: wantsNothing},
	"stream.llm_start":         {read: (*conversation).llmStart, wants: wantsNothing},
	"stream.tool_start":        {read: (*conversation).toolStart, wants: wantsStart},
	"stream.tool_end":          {read: (*conversation).toolEnd, wants: wantsEnd, reports: true},
	"tools.absent":             {read: (*conversation).absent, wants: wantsCall, reports: true},
	"tools.coverage_declared":  {read: (*conversation).bounded, wants: wantsCall, reports: true},
	"tools.semantics_declared": {read: (*conversation).described, wants: wantsSemantics, reports: true},
	"context.injected":         {read: (*conversation).injected, wants: wantsNothing},
}

// kind is what there is to know of the events of one type.
type kind struct {
	read func(*conversation, row)
	// wants gives the field of the payload that is not what it must be, "" when all is well.
	wants func(payload servedjson.Value) string
	// reports tells that the event may report a call or give an answer; the others only open or add to a turn.
	reports bool
}

// quietAreas are the areas of which no event holds what an answer could rest on; quiet are such events of the others.
var quietAreas = map[string]bool{
	"composition": true, "memory": true, "skill": true, "map": true, "integrity": true, "validation": true, "permission": true,
	"credential": true, "risk": true, "fallback": true, "cost": true, "eval": true, "error": true, "reliability": true,
	"resilience": true, "pause": true, "checkin": true, "middleware": true, "findings": true, "tool_choice": true,
	"ontology": true, "embedding": true, "artifacts": true, "audit": true,
}

var quiet = map[string]bool{
	"agent.iteration_start": true, "agent.iteration_end": true, "agent.route_decided": true, "agent.handoff": true,
	"agent.output_schema_validation_failed": true, "agent.output_schema_retry": true, "agent.output_contract_unmet": true,
	"agent.grounding_nudged": true, "agent.run_configured": true, "agent.thinking_parse_failed": true, "agent.budget_exhausted": true,
	"stream.llm_end": true, "stream.token": true, "stream.tool_progress": true, "stream.thinking_delta": true, "stream.thinking_end": true,
	"context.evicted": true, "context.slot_composed": true, "context.budget_pressure": true, "context.evaluated": true,
	"tools.offered": true, "tools.activated": true, "tools.deactivated": true, "tools.discovery_started": true,
	"tools.discovery_completed": true, "tools.discovery_failed": true, "tools.shadowed": true, "tools.claim_swallowed": true,
	"tools.answered_off_wire": true, "tools.session_started": true, "tools.session_reused": true, "tools.session_closed": true,
	"tools.session_close_failed": true, "tools.effect": true, "tools.result_refused": true, "tools.repeated_call": true,
	"tools.code_run": true,
}

// appSources are the sources of a context injection that the app itself put in front of the model. The others say again
// what the person, a tool or the agent said, or are the runtime's own correction.
var appSources = map[string]bool{
	"base": true, "rag": true, "skill": true, "memory": true, "instructions": true, "steering": true, "fact": true, "custom": true,
}

func (c *conversation) turnStart(e row) {
	prompt, _ := e.payload.Get("userPrompt")
	t := c.begin(e)
	t.opened = true
	if withheld(prompt.Text()) {
		c.tell(e, t, event.TurnStart{Unseen: []event.Reason{event.PromptNotCaptured}})
		return
	}
	c.tell(e, t, event.TurnStart{User: new(prompt.Text())})
}

func (c *conversation) turnEnd(e row) {
	content, _ := e.payload.Get("finalContent")
	t := c.turnOf(e)
	t.ended = true
	if withheld(content.Text()) {
		*c.withheld++
		return
	}
	a := &event.Answer{Iteration: whole(e.payload, "iterationCount", t.iteration), Text: content.Text(), AfterRevision: t.revised}
	for _, made := range t.calls {
		a.Calls = append(a.Calls, made.id)
	}
	if t.forgotten || !t.opened { // what the person asked in it did not come: the answer may say it again
		a.Unseen = []event.Reason{event.HistoryIncomplete}
	}
	if t.forgotten {
		a.Calls = nil
	}
	if e.bounded && isCut(content.Text()) {
		a.Unseen = append(a.Unseen, event.ContentNotCaptured) // the last value may be half of one
	}
	c.add(e, t, event.Event{Answer: a})
}

// evidenceChecked is the runtime's own verdict: it tells that a draft was sent back.
func (c *conversation) evidenceChecked(e row) {
	if after, _ := e.payload.Get("afterRevision"); after.Kind() == servedjson.True {
		c.turnOf(e).revised = true
	}
}

func (c *conversation) llmStart(e row) {
	t := c.turnOf(e)
	t.iteration = whole(e.payload, "iteration", t.iteration)
}

func (c *conversation) injected(e row) {
	if !appSources[adapter.Text(e.payload, "source")] {
		return
	}
	t := c.turnOf(e)
	said := event.TurnStart{}
	raw, whole := e.payload.Get("rawContent")
	text := raw.Text()
	if !whole || raw.Kind() != servedjson.String {
		text = adapter.Text(e.payload, "contentSummary") // the beginning of it, or all when it is short
	}
	if withheld(text) {
		text = ""
	}
	if text != "" {
		said.Context, c.prompted = []string{text}, true
	}
	if !whole || text == "" || e.bounded && isCut(text) {
		said.Unseen = []event.Reason{event.PromptNotCaptured}
	}
	c.tell(e, t, said)
}

// withheld tells whether a text stands for content that was not recorded: the length or the kind of it.
func withheld(text string) bool {
	inner, ok := strings.CutPrefix(text, "[")
	if !ok || !strings.HasSuffix(inner, "]") {
		return false
	}
	inner = strings.TrimSuffix(inner, "]")
	if digits, ok := strings.CutSuffix(inner, " chars"); ok {
		return digits != "" && strings.Trim(digits, "0123456789") == ""
	}
	_, kind := strings.CutPrefix(inner, "type: ")
	return kind
}

// isCut tells whether an audit export cut a text: to 255 characters and the sign of it.
func isCut(text string) bool { return strings.HasSuffix(text, "…") && len(text) >= 256 }

// whole is a whole number of a payload, or another one when it holds none.
func whole(v servedjson.Value, name string, other int) int {
	number, _ := v.Get(name)
	if n := number.Float(); number.Kind() == servedjson.Number && n >= 0 && n < 1<<31 && n == float64(int(n)) {
		return int(n)
	}
	return other
}

// What the payload of an event must hold, so that it can be read.

func wantsNothing(servedjson.Value) string { return "" }

func wantsText(name string) func(servedjson.Value) string {
	return func(payload servedjson.Value) string { return lacks(payload, name) }
}

// lacks gives the first of the names that is no text of the payload.
func lacks(payload servedjson.Value, names ...string) string {
	for _, name := range names {
		if text, _ := payload.Get(name); text.Kind() != servedjson.String {
			return name
		}
	}
	return ""
}

func wantsStart(payload servedjson.Value) string {
	if lack := lacks(payload, "toolCallId", "toolName"); lack != "" {
		return lack
	}
	if adapter.Text(payload, "toolName") == "" {
		return "toolName"
	}
	return ""
}

func wantsEnd(payload servedjson.Value) string {
	if lack := lacks(payload, "toolCallId"); lack != "" {
		return lack
	}
	_, came := payload.Get("result")
	if failed, _ := payload.Get("error"); !came && failed.Kind() == servedjson.None {
		return "result"
	}
	return ""
}

func wantsCall(payload servedjson.Value) string {
	if adapter.Text(payload, "toolCallId") == "" {
		return "toolCallId"
	}
	return ""
}

func wantsSemantics(payload servedjson.Value) string {
	if _, ok := payload.Get("semantics"); !ok {
		return "semantics"
	}
	return wantsCall(payload)
}
