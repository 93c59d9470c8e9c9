package schemas

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
)

// incoming are the kinds that Decode reads.
var incoming = []event.Kind{event.KindToolEnd, event.KindAnswer, event.KindTurnStart}

// The fields of an incoming event, at each level. What is not listed is passed over.
var (
	eventFields = []string{
		"v", "type", "id", "time", "tenant", "agent", "conversation", "turn", // every event
		"call", "result", "modelResult", "error", "status", "durationMs", "door", "script", // tool_end
		"iteration", "text", "calls", "final", "afterRevision", // answer
		"user", "context", "unseen", // answer and turn_start
	}
	callFields   = []string{"id", "tool", "iteration", "args"}
	doorFields   = []string{"absent", "bounded", "described"}
	scriptFields = []string{"program", "language", "label", "exitCode"}
)

// readEvent reads an event off a message. The first field that holds what it cannot hold ends it.
func readEvent(m message) (event.Event, error) {
	r := &reader{m: m}
	o := r.root(eventFields)
	r.version(o)
	named := r.typeAmong(o, incoming)
	e := event.Event{
		ID:           o.name("id"),
		Time:         o.optionalText("time"),
		Conversation: event.Conversation{Tenant: o.text("tenant"), Agent: o.text("agent"), ID: o.text("conversation")},
		Turn:         o.whole("turn", 1, maxCount),
	}
	switch named {
	case event.KindToolEnd:
		e.ToolEnd = r.toolEnd(o)
	case event.KindAnswer:
		e.Answer = r.answer(o)
	case event.KindTurnStart:
		e.TurnStart = &event.TurnStart{User: o.textOrNil("user"), Context: o.texts("context"), Unseen: o.reasons("unseen")}
	}
	if r.err != nil {
		return event.Event{}, r.err
	}
	return e, nil
}

func (r *reader) toolEnd(o object) *event.ToolEnd {
	return &event.ToolEnd{
		Call:        r.call(o.object("call", true, callFields)),
		Result:      o.anyValue("result"),
		ModelResult: o.json("modelResult"),
		Error:       o.json("error", kindBool, kindText, kindObject),
		Status:      o.optionalText("status"),
		DurationMs:  o.json("durationMs", kindNumber),
		Door:        r.door(o.object("door", false, doorFields)),
		Script:      r.script(o.object("script", false, scriptFields)),
	}
}

func (r *reader) call(o object) event.Call {
	return event.Call{ID: o.text("id"), Tool: o.text("tool"), Iteration: o.whole("iteration", 0, maxCount), Args: o.json("args")}
}

func (r *reader) door(o object) *event.Door {
	if o.absent() {
		return nil
	}
	return &event.Door{Absent: o.flag("absent", false), Bounded: o.flag("bounded", false), Described: o.json("described")}
}

func (r *reader) script(o object) *event.Script {
	if o.absent() {
		return nil
	}
	return &event.Script{
		Program: o.text("program"), Language: o.optionalText("language"), Label: o.optionalText("label"),
		ExitCode: o.wholeOrNil("exitCode", -maxInteger, maxInteger),
	}
}

func (r *reader) answer(o object) *event.Answer {
	return &event.Answer{
		Iteration: o.whole("iteration", 0, maxCount), Text: o.text("text"), User: o.textOrNil("user"),
		Context: o.texts("context"), Calls: o.texts("calls"),
		Interim: !o.flag("final", true), AfterRevision: o.flag("afterRevision", false),
		Unseen: o.reasons("unseen"),
	}
}

func (r *reader) version(o object) {
	if o.whole("v", -maxInteger, maxInteger) != event.Version {
		r.fail(&Error{
			Reason: UnknownVersion, Field: "v", Offset: o.find("v").start,
			Detail: fmt.Sprintf("only version %d is known here", event.Version),
		})
	}
}

// typeAmong gives the event's type when it is one of the kinds.
func (r *reader) typeAmong(o object, kinds []event.Kind) event.Kind {
	named := event.Kind(o.text("type"))
	if slices.Contains(kinds, named) {
		return named
	}
	want := make([]string, len(kinds))
	for i, kind := range kinds {
		want[i] = string(kind)
	}
	r.fail(&Error{
		Reason: UnknownType, Field: "type", Offset: o.find("type").start,
		Detail: "names none of " + strings.Join(want, ", "),
	})
	return ""
}
