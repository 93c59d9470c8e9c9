package schemas

import (
	"errors"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/plumbline-dev/plumbline/core/event"
)

// EncodeEvent writes an event that comes in, for producers and tests. The same event gives the same bytes: fields in the
// order of the contract, what is not said left out. It writes only what Decode reads back as the same event; what
// Decode would refuse is its *Error. Text that is not UTF-8 is written as U+FFFD.
func EncodeEvent(contentType string, e event.Event) ([]byte, error) {
	encoding, err := encodingOf(contentType)
	if err != nil {
		return nil, err
	}
	w := writeEvent(e)
	if w.err != nil {
		return nil, w.err
	}
	if _, err := Decode(JSON, w.b); err != nil {
		return nil, unplaced(err)
	}
	return inEncoding(encoding, w.b)
}

// unplaced drops an offset into bytes that nobody gets to see.
func unplaced(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		e.Offset = -1
	}
	return err
}

// inEncoding gives a message that was written as JSON in the encoding that was asked for.
func inEncoding(encoding string, text []byte) ([]byte, error) {
	if encoding == JSON {
		return text, nil
	}
	return appendPack(make([]byte, 0, len(text)), text)
}

// EncodeValue writes a JSON object as a message, for producers and tests of what other runtimes say: Value gives it back. The
// error is of what is no JSON object that can be written in the encoding, and is a *Error.
func EncodeValue(contentType string, value event.JSON) ([]byte, error) {
	encoding, err := encodingOf(contentType)
	if err != nil {
		return nil, err
	}
	text, err := Value(nil, value)
	if err != nil {
		return nil, unplaced(err)
	}
	return inEncoding(encoding, text)
}

func writeEvent(e event.Event) *writer {
	w := &writer{}
	w.open()
	w.whole("v", event.Version)
	w.text("type", string(e.Kind()))
	w.text("id", e.ID)
	w.textIfAny("time", e.Time)
	w.text("tenant", e.Conversation.Tenant)
	w.text("agent", e.Conversation.Agent)
	w.text("conversation", e.Conversation.ID)
	w.whole("turn", e.Turn)
	switch {
	case e.TurnStart != nil:
		w.said(e.TurnStart.User, e.TurnStart.Context)
		w.unseen(e.TurnStart.Unseen)
	case e.ToolEnd != nil:
		w.toolEnd(e.ToolEnd)
	case e.Answer != nil:
		w.answer(e.Answer)
	}
	w.close()
	return w
}

func (w *writer) toolEnd(t *event.ToolEnd) {
	w.key("call")
	w.open()
	w.text("id", t.Call.ID)
	w.text("tool", t.Call.Tool)
	w.whole("iteration", t.Call.Iteration)
	w.json("call.args", "args", t.Call.Args)
	w.close()
	w.json("result", "result", t.Result)
	w.json("modelResult", "modelResult", t.ModelResult)
	w.json("error", "error", t.Error)
	w.textIfAny("status", t.Status)
	w.json("durationMs", "durationMs", t.DurationMs)
	w.door(t.Door)
	w.script(t.Script)
}

func (w *writer) door(d *event.Door) {
	if d == nil {
		return
	}
	w.key("door")
	w.open()
	w.flag("absent", d.Absent)
	w.flag("bounded", d.Bounded)
	w.json("door.described", "described", d.Described)
	w.close()
}

func (w *writer) script(s *event.Script) {
	if s == nil {
		return
	}
	w.key("script")
	w.open()
	w.text("program", s.Program)
	w.textIfAny("language", s.Language)
	w.textIfAny("label", s.Label)
	if s.ExitCode != nil {
		w.whole("exitCode", *s.ExitCode)
	}
	w.close()
}

func (w *writer) answer(a *event.Answer) {
	w.whole("iteration", a.Iteration)
	w.text("text", a.Text)
	w.said(a.User, a.Context)
	w.texts("calls", a.Calls)
	if a.Interim {
		w.flag("final", false)
	}
	if a.AfterRevision {
		w.flag("afterRevision", true)
	}
	w.unseen(a.Unseen)
}

func (w *writer) unseen(reasons []event.Reason) {
	if reasons == nil {
		return
	}
	texts := make([]string, len(reasons))
	for i, reason := range reasons {
		texts[i] = string(reason)
	}
	w.texts("unseen", texts)
}

func (w *writer) said(user *string, context []string) {
	if user != nil {
		w.text("user", *user)
	}
	w.texts("context", context)
}

// writer writes one JSON object, field after field. It keeps the first fault.
type writer struct {
	b   []byte
	err error
}

func (w *writer) open()  { w.b = append(w.b, '{') }
func (w *writer) close() { w.b = append(w.b, '}') }

// key begins a field; a name needs no escapes.
func (w *writer) key(name string) {
	if w.b[len(w.b)-1] != '{' {
		w.b = append(w.b, ',')
	}
	w.b = append(append(append(w.b, '"'), name...), '"', ':')
}

func (w *writer) text(name, text string) {
	w.key(name)
	w.b = appendQuoted(w.b, text)
}

func (w *writer) textIfAny(name, text string) {
	if text != "" {
		w.text(name, text)
	}
}

func (w *writer) whole(name string, n int) {
	w.key(name)
	w.b = strconv.AppendInt(w.b, int64(n), 10)
}

func (w *writer) flag(name string, truth bool) {
	w.key(name)
	w.b = strconv.AppendBool(w.b, truth)
}

func (w *writer) texts(name string, texts []string) {
	if texts == nil {
		return
	}
	w.key(name)
	w.b = append(w.b, '[')
	for i, text := range texts {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.b = appendQuoted(w.b, text)
	}
	w.b = append(w.b, ']')
}

// json writes a value that someone else made, in its one form; nil is left out.
func (w *writer) json(path, name string, value event.JSON) {
	if value == nil {
		return
	}
	w.key(name)
	b, err := jsontext.AppendFormat(w.b, []byte(value), lenient...)
	if err != nil {
		if w.err == nil {
			w.err = &Error{Reason: Invalid, Field: path, Offset: -1, Detail: "is not one JSON value"}
		}
		return
	}
	w.b = b
}
