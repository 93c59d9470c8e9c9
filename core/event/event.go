// Package event is the vocabulary of Plumbline: the events that agent runtimes publish, the events that Plumbline
// publishes about them, and the names and subjects they travel under. It answers "what can be said on the wire?".
//
// It holds no encoding (package schemas turns bytes into these values and back), no rule of a reader and no state.
// Strings are UTF-8, turns and iterations are whole numbers, sequences are JetStream stream sequences (line numbers
// when the events come from a file).
package event

// Version is the version of the events, the "v" of every payload.
const Version = 1

// Kind names an event.
type Kind string

// The kinds of event that come in, and the two that go out.
const (
	KindTurnStart        Kind = "turn_start"
	KindToolEnd          Kind = "tool_end"
	KindAnswer           Kind = "answer"
	KindCoverageDeclared Kind = "coverage_declared"
	KindEvidenceChecked  Kind = "evidence_checked"
)

// JSON is one complete JSON value (RFC 8259) in compact form, as its bytes: numbers keep the digits they were written
// with. Nil means that the field was not there, which is not the same as null.
type JSON []byte

// MarshalJSON gives the bytes as they are; a nil JSON is null.
func (j JSON) MarshalJSON() ([]byte, error) {
	if j == nil {
		return []byte("null"), nil
	}
	return j, nil
}

// UnmarshalJSON keeps a copy of the bytes.
func (j *JSON) UnmarshalJSON(b []byte) error {
	*j = append((*j)[:0:0], b...)
	return nil
}

// Conversation names one conversation: everything of it sits on one subject, in stream order.
type Conversation struct {
	Tenant, Agent, ID string
}

// Event is one event of an agent runtime. Exactly one of TurnStart, ToolEnd and Answer is set.
type Event struct {
	// ID is unique for the event; it is also its Nats-Msg-Id.
	ID string
	// Time is RFC 3339 and only informative: order is stream order.
	Time string
	// Conversation is where the event belongs.
	Conversation Conversation
	// Turn counts from 1.
	Turn int

	TurnStart *TurnStart
	ToolEnd   *ToolEnd
	Answer    *Answer

	// Origin is the span of a trace that the event was read from; nil when it was read from none. It is no part of the
	// payload, and no verdict rests on it: whoever publishes the event may say it in headers.
	Origin *Origin

	// Before is what the same message says before this event; nil in everything that Plumbline's own events say. Some
	// messages of other runtimes tell, with one thing, what of it they did not record.
	Before *Event
}

// Origin names a span of a trace (W3C Trace Context: lower-case hexadecimal), and the model's response that it recorded.
type Origin struct {
	Trace, Span string // 32 and 16 digits
	Response    string // gen_ai.response.id, empty when it was not recorded
}

// Kind tells which of the three the event is; it is empty when none is set.
func (e Event) Kind() Kind {
	switch {
	case e.TurnStart != nil:
		return KindTurnStart
	case e.ToolEnd != nil:
		return KindToolEnd
	case e.Answer != nil:
		return KindAnswer
	}
	return ""
}

// TurnStart opens a turn; it says what an answer's own User and Context say, earlier.
type TurnStart struct {
	User    *string  // the person's message, nil when not said
	Context []string // texts the app put in front of the model
	Unseen  []Reason // see Answer.Unseen
}

// ToolEnd says that a tool call finished and what came back.
type ToolEnd struct {
	Call Call
	// Result is what the tool gave. A JSON string is text.
	Result JSON
	// ModelResult is what the model read, nil when that is Result.
	ModelResult JSON
	// Error is as the runtime wrote it: true, a message, or an object. See Failed.
	Error JSON
	// Status is the runtime's own word for how the call ended, or StatusNotCaptured.
	Status string
	// DurationMs is in milliseconds, as written; nil when not said.
	DurationMs JSON
	// Door is what the runtime itself recorded the call as returning, nil when it recorded nothing.
	Door *Door
	// Script is the program that this call submitted, nil when it submitted none.
	Script *Script
}

// StatusNotCaptured is the status of a call whose result the runtime did not record: content capture is off. Its Result
// stands for nothing, and an answer that rests on it cannot be told.
const StatusNotCaptured = "content_not_captured"

// Read is what the model read of the call: ModelResult, or Result when there is none; nil when it was not captured.
func (t *ToolEnd) Read() JSON {
	if t.Status == StatusNotCaptured {
		return nil
	}
	if t.ModelResult != nil {
		return t.ModelResult
	}
	return t.Result
}

// Failed tells whether the runtime marked the call as failed: Error is there and is not null, false or "".
func (t *ToolEnd) Failed() bool {
	switch string(t.Error) {
	case "", "null", "false", `""`:
		return false
	}
	return true
}

// Call names a tool call. An ID is unique in its turn, not in its conversation.
type Call struct {
	ID        string
	Tool      string
	Iteration int  // of the agent's loop, from 0
	Args      JSON // never evidence: the model typed them
}

// Door is the runtime's own record of what a call returned.
type Door struct {
	Absent    bool
	Bounded   bool
	Described JSON // the described envelope, nil when none
}

// Script is a program that a call submitted to its tool.
type Script struct {
	Program  string
	Language string
	Label    string // succeeded, failed, timed-out, refused, unknown; empty when not said
	ExitCode *int
}

// Answer is a would-be-final answer of the agent, named by its conversation, turn and iteration.
type Answer struct {
	Iteration int // from 0
	Text      string
	User      *string  // the person's message of this turn, nil when not said
	Context   []string // texts the app put in front of the model
	Calls     []string // ids of the calls this turn made; nil when not said
	// Interim is true when the runtime said "final": false.
	Interim bool
	// AfterRevision is true when the runtime had sent an earlier draft back.
	AfterRevision bool
	// Unseen says what of the conversation, up to here, the producer knows that it did not record: answers from here on
	// carry the reasons, and are not accused for what may stand in it. Nil when nothing is known to be missing.
	Unseen []Reason
}
