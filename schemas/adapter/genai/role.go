package genai

import "strings"

// role is what a span tells of.
type role uint8

const (
	roleNone      role = iota // nothing of an agent
	roleOther                 // of an agent, and nothing that an answer rests on: embeddings, guardrails, memory
	roleModel                 // one call of a model
	roleTool                  // one call of a tool
	roleAgent                 // one invocation of an agent
	roleChain                 // steps around models, tools and agents
	roleRetrieval             // documents that were looked up for the model
)

// operations are the values of gen_ai.operation.name (OpenTelemetry GenAI conventions).
var operations = map[string]role{
	"chat": roleModel, "text_completion": roleModel, "generate_content": roleModel,
	"execute_tool": roleTool, "invoke_agent": roleAgent, "invoke_workflow": roleChain, "retrieval": roleRetrieval,
	"embeddings": roleOther, "create_agent": roleOther, "plan": roleOther,
}

// spanKinds are the values of openinference.span.kind.
var spanKinds = map[string]role{
	"LLM": roleModel, "TOOL": roleTool, "AGENT": roleAgent, "CHAIN": roleChain, "RETRIEVER": roleRetrieval,
	"RERANKER": roleRetrieval,
}

// entityKinds are the values of traceloop.span.kind.
var entityKinds = map[string]role{"tool": roleTool, "agent": roleAgent, "workflow": roleChain, "task": roleChain}

// vercelOperations are the values of ai.operationId of the Vercel AI SDK.
var vercelOperations = map[string]role{
	"ai.toolCall":     roleTool,
	"ai.generateText": roleAgent, "ai.streamText": roleAgent, "ai.generateObject": roleAgent, "ai.streamObject": roleAgent,
	"ai.generateText.doGenerate": roleModel, "ai.streamText.doStream": roleModel,
	"ai.generateObject.doGenerate": roleModel, "ai.streamObject.doStream": roleModel,
}

// roleOf tells what a span is of, by the first of the conventions that says it.
func roleOf(s *Span) role {
	if found, ok := operations[s.word("gen_ai.operation.name")]; ok {
		return found
	}
	if kind := s.word("openinference.span.kind"); kind != "" {
		return known(spanKinds, strings.ToUpper(kind))
	}
	if operation := s.word("ai.operationId"); operation != "" {
		return known(vercelOperations, operation)
	}
	if kind := s.word("traceloop.span.kind"); kind != "" {
		return known(entityKinds, kind)
	}
	return roleByTrait(s)
}

func known(roles map[string]role, name string) role {
	if found, ok := roles[name]; ok {
		return found
	}
	return roleOther
}

// roleByTrait is for spans of which no convention says what they are of.
func roleByTrait(s *Span) role {
	switch request := s.word("llm.request.type"); {
	case request == "chat" || request == "completion":
		return roleModel
	case request != "":
		return roleOther
	case s.has("gen_ai.tool.call.id") || s.has("gen_ai.tool.call.result"):
		return roleTool
	case s.has("gen_ai.operation.name"):
		return roleOther
	case s.has("gen_ai.input.messages") || s.has("gen_ai.output.messages") || s.has("gen_ai.request.model"):
		return roleModel
	}
	return roleNone
}
