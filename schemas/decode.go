package schemas

import (
	"errors"
	"fmt"
	"mime"
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// The content types of the two encodings.
const (
	JSON    = "application/json"
	Msgpack = "application/msgpack"
)

// MaxBytes is the largest message that is read.
const MaxBytes = 8 << 20

// IsMsgpack tells whether a Content-Type names MessagePack.
func IsMsgpack(contentType string) bool {
	encoding, err := encodingOf(contentType)
	return err == nil && encoding == Msgpack
}

// encodingOf reads a Content-Type: JSON when it is empty, parameters and case left aside.
func encodingOf(contentType string) (string, error) {
	if contentType == "" || contentType == JSON {
		return JSON, nil
	}
	if contentType == Msgpack {
		return Msgpack, nil
	}
	kind, _, err := mime.ParseMediaType(contentType)
	if err == nil && (kind == JSON || kind == Msgpack) {
		return kind, nil
	}
	return "", &Error{Reason: UnknownEncoding, Offset: -1, Detail: "Content-Type is neither " + JSON + " nor " + Msgpack}
}

// DecodeMessage reads the event of a message, by its Content-Type header.
func DecodeMessage(header map[string][]string, data []byte) (event.Event, error) {
	return Decode(ContentType(header), data)
}

// ContentType is the message's Content-Type, empty when it has none. Header names are read without regard to case.
func ContentType(header map[string][]string) string {
	if values := header["Content-Type"]; len(values) > 0 {
		return values[0]
	}
	for name, values := range header {
		if len(values) > 0 && strings.EqualFold(name, "Content-Type") {
			return values[0]
		}
	}
	return ""
}

// Decode reads an event that came in. It copies what it keeps. The error is an *Error.
func Decode(contentType string, data []byte) (event.Event, error) {
	v, err := valueOf(contentType, data)
	if err != nil {
		return event.Event{}, err
	}
	return eventOf(v)
}

// valueOf gives a message as a JSON value.
func valueOf(contentType string, data []byte) (servedjson.Value, error) {
	encoding, err := encodingOf(contentType)
	if err != nil {
		return servedjson.Value{}, err
	}
	if len(data) > MaxBytes {
		return servedjson.Value{}, &Error{Reason: TooLarge, Offset: -1, Detail: fmt.Sprintf("%d bytes, %d at most", len(data), MaxBytes)}
	}
	if encoding == Msgpack {
		if data, err = msgpackToJSON(data); err != nil {
			return servedjson.Value{}, err
		}
	}
	v, err := servedjson.Parse(data)
	switch {
	case errors.Is(err, servedjson.ErrTooDeep):
		return v, &Error{Reason: TooDeep, Offset: offsetOf(err), Detail: "nested deeper than 1000 levels"}
	case err != nil:
		return v, &Error{Reason: Unreadable, Offset: offsetOf(err), Detail: "not JSON"}
	}
	return v, nil
}

func offsetOf(err error) int {
	if s, ok := errors.AsType[*servedjson.SyntaxError](err); ok {
		return s.Offset
	}
	return -1
}

// eventOf reads an event from its JSON value.
func eventOf(v servedjson.Value) (event.Event, error) {
	o := newObject(v, "")
	if o.err == nil && v.Kind() != servedjson.Object {
		o.fail("", v, "an object")
	}
	if version := o.number("v", 0); o.err == nil && version != event.Version {
		return event.Event{}, &Error{Reason: UnknownVersion, Field: "v", Offset: -1, Detail: "this build reads version 1"}
	}
	kind := event.Kind(o.text("type"))
	e := event.Event{
		ID: o.text("id"), Time: o.optionalText("time"), Turn: o.number("turn", 1),
		Conversation: event.Conversation{Tenant: o.text("tenant"), Agent: o.text("agent"), ID: o.text("conversation")},
	}
	if e.ID == "" && o.err == nil {
		o.failMissing("id", "a text that is not empty")
	}
	if o.err == nil {
		bodyOf(o, kind, &e)
	}
	if o.err != nil {
		return event.Event{}, o.err
	}
	return e, nil
}

func bodyOf(o *object, kind event.Kind, e *event.Event) {
	switch kind {
	case event.KindTurnStart:
		e.TurnStart = &event.TurnStart{User: o.maybeText("user"), Context: o.texts("context")}
	case event.KindToolEnd:
		e.ToolEnd = toolEndOf(o)
	case event.KindAnswer:
		e.Answer = &event.Answer{
			Iteration: o.number("iteration", 0), Text: o.text("text"), User: o.maybeText("user"),
			Context: o.texts("context"), Calls: o.texts("calls"),
			Interim: !o.flag("final", true), AfterRevision: o.flag("afterRevision", false),
		}
	default:
		o.err = &Error{Reason: UnknownType, Field: "type", Offset: -1, Detail: "want turn_start, tool_end or answer"}
	}
}

func toolEndOf(o *object) *event.ToolEnd {
	t := &event.ToolEnd{
		Result: o.json("result"), ModelResult: o.optionalJSON("modelResult"), Error: o.optionalJSON("error"),
		Status: o.optionalText("status"), DurationMs: o.optionalNumber("durationMs"),
	}
	call := o.child("call")
	t.Call = event.Call{
		ID: call.text("id"), Tool: call.text("tool"), Iteration: call.number("iteration", 0), Args: call.optionalJSON("args"),
	}
	o.take(call)
	if door := o.optionalChild("door"); door != nil {
		t.Door = &event.Door{
			Absent: door.flag("absent", false), Bounded: door.flag("bounded", false), Described: door.optionalJSON("described"),
		}
		o.take(door)
	}
	if script := o.optionalChild("script"); script != nil {
		t.Script = &event.Script{
			Program: script.text("program"), Language: script.optionalText("language"),
			Label: script.optionalText("label"), ExitCode: script.optionalInt("exitCode"),
		}
		o.take(script)
	}
	return t
}
