package core_test

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/evidence"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

func init() {
	register("readResult", func(t *testing.T, a Args) any {
		return reading(evidence.ReadResult([]byte(a.String(t, 0))))
	})
	register("absenceEvidenceProjection", func(t *testing.T, a Args) any {
		projected, ok := evidence.ProjectAbsence(value(t, a.JSON(0)))
		if !ok {
			return undefined{}
		}
		return json.RawMessage(projected.Raw())
	})
	register("isTruncatedToolResult", func(t *testing.T, a Args) any { return evidence.IsCapped(value(t, a.JSON(0))) })
	register("evidenceFromHistory", func(t *testing.T, a Args) any {
		h, err := read(t, a.JSON(0))
		if err != nil {
			return refused{err}
		}
		values, carriers := []any{}, set{} // which form was carried first in a turn is nowhere to be seen
		for _, form := range h.served.Forms() {
			turn, _ := h.served.Turn(form, h.view)
			values = append(values, []any{form, turn})
			if c := h.carriers(form); c != nil {
				carriers = append(carriers, []any{form, c})
			}
		}
		if wholeNumberKey.Match(a.JSON(0)) { // readers.md, last section: keys keep the order of the text
			return h.sizes(set(values), carriers)
		}
		return h.sizes(values, carriers)
	})
	register("evidenceSizes", func(t *testing.T, a Args) any {
		h, err := read(t, a.JSON(0))
		if err != nil {
			return refused{err}
		}
		carriers := 0
		for _, form := range h.served.Forms() {
			if h.carriers(form) != nil {
				carriers++
			}
		}
		return h.sizes(h.served.Len(), carriers)
	})
	register("exemptFromRun", func(t *testing.T, a Args) any {
		exempt, err := exemptOf(t, a.JSON(0))
		if err != nil {
			return refused{err}
		}
		return exempt.Forms()
	})
	register("checkAnswer", checkAnswer)
	register("figureBasisOf", func(t *testing.T, a Args) any {
		b := figuresFrom(t, a.JSON(0))
		carried, derived := []any{}, []any{}
		for _, c := range b.Carried {
			n := map[string]any{"x": c.X, "at": c.At}
			if c.Key != "" {
				n["key"] = c.Key
			}
			carried = append(carried, n)
		}
		for _, d := range b.Derived {
			derived = append(derived, map[string]any{"x": d.X, "derivation": d.Derivation.Derivation, "from": d.From})
		}
		return map[string]any{"carried": carried, "derived": derived, "truncated": b.Truncated}
	})
	register("figureBasisSizes", func(t *testing.T, a Args) any {
		b := figuresFrom(t, a.JSON(0))
		return map[string]any{"carried": len(b.Carried), "derived": len(b.Derived), "truncated": b.Truncated}
	})
	register("explainFigure", func(t *testing.T, a Args) any {
		d, ok := figuresFrom(t, a.JSON(1)).Explain(a.String(t, 0))
		if !ok {
			return undefined{}
		}
		return map[string]any{"derivation": d.Derivation, "from": d.From}
	})
}

// wholeNumberKey finds an object with a key that the first library lists first.
var wholeNumberKey = regexp.MustCompile(`[{,]\s*\\"\d+\\"\s*:`)

func value(t *testing.T, raw json.RawMessage) servedjson.Value {
	t.Helper()
	v, err := servedjson.Parse(raw)
	must(t, err)
	return v
}

// reading writes a result's reading the way the vectors do.
func reading(r evidence.Reading) any {
	out := map[string]any{}
	if len(r.Parts) == 0 {
		return map[string]any{"text": string(r.Text)}
	}
	parts := r.Parts
	if words := parts[len(parts)-1].Words; words != nil {
		out["tail"], parts = string(words), parts[:len(parts)-1]
	} else if len(r.Text) > 0 {
		out["tail"] = string(r.Text)
	}
	if len(parts) == 1 {
		out["parsed"] = part(parts[0])
	} else {
		out["parsed"] = group(parts)
	}
	return out
}

func part(p evidence.Part) any {
	switch {
	case p.Group != nil:
		return group(p.Group)
	case p.Words != nil:
		return string(p.Words)
	case p.Cut != nil:
		prefix, _ := servedjson.ReadPrefix(p.Cut)
		return prefix.Leaves
	}
	return json.RawMessage(p.Value.Raw())
}

func group(parts []evidence.Part) []any {
	list := []any{}
	for _, p := range parts {
		list = append(list, part(p))
	}
	return list
}

type message struct {
	Role       string          `json:"role"`
	Content    *string         `json:"content"`
	ToolCallID json.RawMessage `json:"toolCallId"`
}

// history is what the vectors call a history, as the index reads it.
type history struct {
	served   *evidence.Index
	view     evidence.View
	calls    evidence.View // of the results that came from a call with an id
	turn     int
	thisTurn int
	contents [][]byte
}

// read goes through a history as the first library does: each message of the person opens a turn unless the runtime's
// own correction does, each message of a tool is a row.
func read(t *testing.T, raw json.RawMessage) (*history, error) {
	t.Helper()
	var messages []message
	must(t, json.Unmarshal(raw, &messages))
	h := &history{served: evidence.NewIndex()}
	for _, m := range messages {
		if m.Content == nil && (m.Role == "user" || m.Role == "tool") {
			return nil, errors.New("a message without text")
		}
		switch {
		case m.Role == "user" && !framed(*m.Content):
			h.turn++
			h.thisTurn = 0
		case m.Role == "tool":
			h.thisTurn++
			h.contents = append(h.contents, []byte(*m.Content))
			h.served.AddResult([]byte(*m.Content), nil)
			h.view.Turns = append(h.view.Turns, int32(h.turn))
			carried, id := int32(-1), ""
			if strings.HasPrefix(string(m.ToolCallID), `"`) {
				must(t, json.Unmarshal(m.ToolCallID, &id))
				carried = int32(h.turn)
			}
			h.calls.Turns = append(h.calls.Turns, carried)
			h.calls.Calls = append(h.calls.Calls, id)
		}
	}
	h.view.Current, h.calls.Current = int32(h.turn), int32(h.turn)
	return h, nil
}

func framed(content string) bool {
	return strings.HasPrefix(content, "[evidence check") || strings.HasPrefix(content, "[schema check")
}

// carriers names the calls that carried a form in this turn; a result without a call's id has none.
func (h *history) carriers(form string) any {
	ids, more := h.served.Carriers(form, h.calls)
	if len(ids) == 0 {
		return nil
	}
	out := map[string]any{"toolCallIds": ids}
	if more {
		out["truncated"] = true
	}
	return out
}

func (h *history) sizes(values, carriers any) any {
	return map[string]any{
		"values": values, "carriers": carriers, "truncated": h.served.Full(),
		"currentTurn": h.turn, "toolResultsThisTurn": h.thisTurn,
	}
}

func figuresFrom(t *testing.T, raw json.RawMessage) *evidence.FigureBasis {
	t.Helper()
	h, err := read(t, raw)
	must(t, err)
	return evidence.NewFigureBasis(h.contents)
}

// environment is what an answer of the vectors is judged in.
type environment struct {
	Gate        json.RawMessage `json:"gate"`
	History     json.RawMessage `json:"history"`
	UserMessage *string         `json:"userMessage"`
	Injections  []struct {
		RawContent     *string `json:"rawContent"`
		ContentSummary *string `json:"contentSummary"`
	} `json:"systemPromptInjections"`
	DeclaredDefaults []string `json:"declaredDefaults"`
	AnsweredValues   []string `json:"answeredValues"`
}

func exemptOf(t *testing.T, raw json.RawMessage) (*evidence.Index, error) {
	t.Helper()
	var env environment
	must(t, json.Unmarshal(raw, &env))
	var messages []message
	if env.History != nil {
		must(t, json.Unmarshal(env.History, &messages))
	}
	exempt := evidence.NewIndex()
	text := func(s string) { exempt.AddText([]byte(s)) }
	if env.UserMessage != nil {
		text(*env.UserMessage)
	}
	for _, m := range messages {
		if m.Role != "user" && m.Role != "system" {
			continue
		}
		if m.Content == nil {
			return nil, errors.New("a message without text")
		}
		if !framed(*m.Content) {
			text(*m.Content)
		}
	}
	for _, i := range env.Injections {
		if i.RawContent != nil {
			text(*i.RawContent)
		} else if i.ContentSummary != nil {
			text(*i.ContentSummary)
		}
	}
	for _, v := range append(env.DeclaredDefaults, env.AnsweredValues...) {
		exempt.AddValue([]byte(v))
	}
	return exempt, nil
}

func checkAnswer(t *testing.T, a Args) any {
	var env environment
	must(t, json.Unmarshal(a.JSON(1), &env))
	if env.Gate == nil {
		env.Gate = json.RawMessage("{}")
	}
	gate, err := gateOf(t, env.Gate)
	if err != nil {
		return notRE2(t, err)
	}
	h, err := read(t, env.History)
	if err != nil {
		return refused{err}
	}
	exempt, err := exemptOf(t, a.JSON(1))
	if err != nil {
		return refused{err}
	}
	record := evidence.Record{Served: h.served, ServedView: h.view, Exempt: exempt, ExemptView: evidence.View{Turns: make([]int32, exempt.Rows())}}
	if gate.Figures() {
		record.Figures = evidence.NewFigureBasis(h.contents)
	}
	return judgement(evidence.Check(gate.Extract(a.String(t, 0), nil), record), h, gate.Figures())
}

func judgement(j evidence.Judgement, h *history, figures bool) any {
	unsupported, grounded, computed := []any{}, []any{}, []any{}
	for _, c := range j.Unsupported {
		unsupported = append(unsupported, map[string]any{"value": evidence.Clip(c.Value), "shape": c.Shape})
	}
	for _, g := range j.Grounded {
		grounded = append(grounded, map[string]any{"value": g.Value, "forms": g.Forms()})
	}
	for _, c := range j.Computed {
		computed = append(computed, map[string]any{"value": c.Value, "shape": c.Shape, "derivation": c.Derivation, "from": c.From})
	}
	grounding := map[string]any{
		"fromThisTurn": j.FromThisTurn, "fromPriorTurns": j.FromPriorTurns,
		"currentTurn": h.turn, "toolResultsThisTurn": h.thisTurn, "indexTruncated": h.served.Full(),
	}
	if j.FromPriorTurns > 0 {
		grounding["latestPriorTurn"] = j.LatestPriorTurn
	}
	out := map[string]any{
		"unsupported": unsupported, "candidates": j.Candidates, "lookedUp": j.LookedUp, "grounded": grounded,
		"evidenceTruncated": h.served.Full(), "grounding": grounding,
	}
	if figures {
		out["computed"] = computed
	}
	return out
}
