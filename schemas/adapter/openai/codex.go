package openai

import (
	"strings"

	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// codexRows are the rows of a Codex session file: {timestamp, type, payload}. Of those that are false nothing is read: an
// event_msg says again, for the screen, what a response_item says.
var codexRows = map[string]bool{
	"response_item": true, "session_meta": true, "turn_context": true,
	"event_msg": false, "compacted": false, "session_state": false, "world_state": false,
}

func isCodex(v servedjson.Value) bool {
	_, known := codexRows[adapter.Text(v, "type")]
	payload, _ := v.Get("payload")
	return known && payload.Kind() == servedjson.Object
}

func (r *reader) codexRow(at place, v servedjson.Value) {
	kind := adapter.Text(v, "type")
	payload, _ := v.Get("payload")
	c := r.talk(at, "")
	c.At(at.row.Line, adapter.Text(v, "timestamp"))
	switch kind {
	case "response_item":
		c.item(payload, adapter.Text(payload, "type"), "payload")
	case "session_meta":
		if said := adapter.Text(payload, "instructions"); said != "" {
			c.App(said)
		}
		base, _ := payload.Get("base_instructions")
		if said := adapter.Text(base, "text"); said != "" {
			c.App(said)
		}
		c.App("cwd: " + adapter.Text(payload, "cwd"))
	case "turn_context":
		c.App("cwd: " + adapter.Text(payload, "cwd") + "\nmodel: " + adapter.Text(payload, "model"))
	}
}

// codexContext are the beginnings of messages that Codex itself puts in front of the model under the person's name.
var codexContext = []string{"<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<permissions instructions>", "<INSTRUCTIONS>", "<turn_aborted>"}

// userItem tells a message of the person, or what the app says in their place.
func (c talk) userItem(text string) {
	for _, start := range codexContext {
		if strings.HasPrefix(strings.TrimSpace(text), start) {
			c.App(text)
			return
		}
	}
	c.person(text)
}
