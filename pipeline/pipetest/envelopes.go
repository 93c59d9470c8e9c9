package pipetest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas"
)

// NewEnvelopes is a workload of which most messages are envelopes of agentfootprint: turns that begin, calls that begin and
// end, in any order and more than once, what the runtime recorded of them, types that are passed over or not known, and
// among them events of Plumbline's own.
func NewEnvelopes(r *rand.Rand, broken float64) *Workload {
	w := NewWorkload(r, broken)
	w.envelopes = true
	return w
}

// envelope gives one message, or one that was sent before.
func (w *Workload) envelope() Publication {
	if len(w.told) > 3 && w.r.IntN(8) == 0 {
		return w.told[w.r.IntN(len(w.told))].clone()
	}
	c := w.conversations[w.r.IntN(len(w.conversations))]
	kind, payload := w.envelopeOf()
	meta := map[string]any{"runId": fmt.Sprintf("r%d", 1+w.r.IntN(3)), "sessionId": c.ID, "turnIndex": 0}
	if w.r.IntN(2) == 0 {
		meta["iterIndex"] = w.r.IntN(2)
	}
	text, err := json.Marshal(map[string]any{"type": "agentfootprint." + kind, "payload": payload, "meta": meta})
	if err != nil {
		panic(fmt.Sprintf("pipetest: an envelope of the workload cannot be written: %v", err)) // a mistake of this file
	}
	p := w.publication(c, func(encoding string) ([]byte, error) { return schemas.EncodeValue(encoding, text) })
	w.told = append(w.told, p.clone())
	return p
}

// envelopeOf is the type of an envelope, without what all types begin with, and its payload.
func (w *Workload) envelopeOf() (kind string, payload map[string]any) {
	call := map[string]any{"toolCallId": w.call()}
	switch w.r.IntN(20) {
	case 0, 1:
		return "agent.turn_start", map[string]any{"userPrompt": fmt.Sprintf("where is %d?", w.value())}
	case 2, 3, 4, 5:
		call["toolName"] = []string{"lookup", "search"}[w.r.IntN(2)]
		return "stream.tool_start", call
	case 6, 7, 8, 9:
		call["result"] = json.RawMessage(w.result())
		if w.r.IntN(6) == 0 {
			call["modelResult"] = fmt.Sprint(w.value())
		}
		return "stream.tool_end", call
	case 10, 11, 12:
		return "agent.turn_end", map[string]any{
			"finalContent": fmt.Sprintf("order %d and %d", w.value(), w.value()), "iterationCount": w.r.IntN(2),
		}
	case 13:
		return []string{"tools.absent", "tools.coverage_declared"}[w.r.IntN(2)], call
	case 14:
		return "stream.llm_start", map[string]any{"iteration": w.r.IntN(2)}
	case 15:
		return "context.injected", map[string]any{"source": "base", "rawContent": fmt.Sprintf("stock of %d", w.value())}
	case 16:
		return "agent.evidence_checked", map[string]any{"afterRevision": true}
	case 17:
		return "stream.surprise", call // no type that is known
	case 18:
		return "stream.tool_end", map[string]any{} // nothing that must be there
	}
	return "cost.tick", map[string]any{"cumulative": 1} // nothing that is needed
}

// publication is a message in one of the encodings.
func (w *Workload) publication(c event.Conversation, write func(encoding string) ([]byte, error)) Publication {
	encoding := schemas.JSON
	if w.r.IntN(3) == 0 {
		encoding = schemas.Msgpack
	}
	data, err := write(encoding)
	if err != nil {
		panic(fmt.Sprintf("pipetest: a message of the workload cannot be written: %v", err)) // a mistake of this package
	}
	return Publication{Conversation: c, Header: map[string][]string{"Content-Type": {encoding}}, Data: data}
}
