package otlp

import (
	"bytes"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas"
)

// fit makes an event small enough for the stream. What a result loses is said in it (readers.md, a capped result); what a
// person or the app said and that is left out is said to be unseen; so nothing is accused for it. ok is false when nothing
// is left to be said: an answer that is too long is not judged.
func fit(e event.Event, most int) (fitting event.Event, ok bool) {
	payload, err := schemas.EncodeEvent(schemas.JSON, e)
	if err != nil || len(payload) <= most {
		return e, err == nil
	}
	switch {
	case e.ToolEnd != nil:
		end := *e.ToolEnd
		end.Call.Args = nil
		read := end.Read()
		end.Result, end.ModelResult = capped(read, most/4), nil
		e.ToolEnd = &end
	case e.TurnStart != nil:
		e.TurnStart = &event.TurnStart{Unseen: []event.Reason{event.ContentNotCaptured}}
	default:
		return e, false
	}
	payload, err = schemas.EncodeEvent(schemas.JSON, e)
	return e, err == nil && len(payload) <= most
}

// capped is a result of which only the beginning is kept: at most so many bytes of its text.
func capped(result event.JSON, most int) event.JSON {
	text := []byte(result)
	if v, err := servedjson.Parse(result); err == nil && v.Kind() == servedjson.String {
		text = v.TextBytes(nil)
	}
	text = bytes.ToValidUTF8(text[:min(len(text), most)], nil) // a character that was cut goes
	out := []byte(`{"truncated":true,"reason":"larger than a message may be","head":`)
	return append(servedjson.AppendQuoted(out, text), '}')
}
