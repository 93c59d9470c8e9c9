// Package genai turns the spans of a trace of an agent into events. It answers "which turns do these spans tell of, what
// did the agent read in them, and what of it was not recorded?".
//
// It knows the names of the OpenTelemetry GenAI conventions (spans, the events of before version 1.37, the parts of
// messages), of OpenInference, of OpenLLMetry (traceloop) and of the Vercel AI SDK. It knows no encoding: package otlp makes
// spans of bytes. It reads no clock and no file. Times are nanoseconds since 1970 as the producer wrote them; they order
// the spans of one trace and nothing else.
//
// # What is a turn
//
// A turn is the outermost agent or chain span of a trace (invoke_agent, invoke_workflow, AGENT, CHAIN, traceloop's agent and
// workflow, ai.generateText) with everything below it. The model and tool spans of a trace that stand below no such span
// are one turn together. Where a chain, or no span, holds the loop, a new turn begins at a model call whose input holds the
// last answer and a person's message after it. What runs inside a tool call is that tool's own work: an agent in there is
// read as a conversation of its own, the rest is not read, since the agent read only what the tool gave back.
//
// # What a turn says
//
// Model calls in the order of their start are the iterations, from 1, in the count of the assistant's messages where those
// were recorded. A call is told by its tool span, by the part of a message that answers it, or both: Result is what the
// span recorded, ModelResult what the message did, when the two differ. A call that is only named stands in the answer's
// calls, so that the missing row is seen. Output without a call is an answer, unless the turn goes on to make calls.
// Instructions, system messages and retrieved documents are context, the person's messages are user. Messages of earlier
// turns that no span tells of are given as events of those turns: the model read them.
//
// # What was not recorded
//
// Recording content is off by default, limits cut or drop attributes, images are no text, and spans are sampled out. A
// result that is not there has the status content_not_captured. What else the answer may rest on and was not recorded is a
// reason of the answer (event.Answer.Unseen), so that no value is accused; every such thing is also a note for a person.
package genai
