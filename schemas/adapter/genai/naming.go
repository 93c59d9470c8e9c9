package genai

import (
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
)

// conversationNames are the attributes that name a conversation, first the conventions' own.
var conversationNames = []string{
	"gen_ai.conversation.id", "session.id", "langfuse.session.id", "langsmith.trace.session_id",
	"traceloop.association.properties.session_id", "traceloop.association.properties.thread_id",
	"ai.telemetry.metadata.sessionId", "ai.telemetry.metadata.conversationId", "ai.telemetry.metadata.threadId",
}

// nameOf names the conversation of a group: by the attributes of its spans, the root's first, else by the trace.
func (g *group) nameOf(names event.Conversation) event.Conversation {
	spans := g.spans()
	if len(spans) == 0 {
		return names
	}
	name := event.Conversation{Tenant: names.Tenant, Agent: g.agentName(spans, names.Agent), ID: spans[0].Trace}
	if id := firstWord(spans, conversationNames); id != "" {
		name.ID = id
	}
	if g.host != nil {
		name.ID = g.host.nameOf(names).ID + "/" + g.root.span.ID
	}
	return name
}

// spans lists the spans of the group, the root first.
func (g *group) spans() []*Span {
	var spans []*Span
	if g.root != nil {
		spans = append(spans, g.root.span)
	}
	for _, list := range [][]*node{g.models, g.agents, g.tools, g.retrievals} {
		for _, n := range list {
			spans = append(spans, n.span)
		}
	}
	return spans
}

func firstWord(spans []*Span, names []string) string {
	for _, name := range names {
		for _, s := range spans {
			if word := s.word(name); word != "" {
				return word
			}
		}
	}
	return ""
}

// agentName is the outermost agent's name, else the service's, else what the caller says.
func (g *group) agentName(spans []*Span, otherwise string) string {
	if g.root != nil && g.root.role == roleAgent {
		if name := firstWord(spans[:1], []string{"gen_ai.agent.name", "agent.name", "ai.telemetry.functionId"}); name != "" {
			return name
		}
	}
	for _, s := range spans {
		if s.Service != "" && !strings.HasPrefix(s.Service, "unknown_service") {
			return s.Service
		}
	}
	return otherwise
}
