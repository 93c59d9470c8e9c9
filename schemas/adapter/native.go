package adapter

import (
	"errors"
	"slices"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas"
)

// Native is the form of Plumbline's own events, one a row.
var Native = Format{
	Name:      "native",
	Says:      "Plumbline's own events (schemas/README.md)",
	Recognise: recogniseNative,
	New:       func(event.Conversation) Reader { return native{} },
}

func recogniseNative(row servedjson.Value) Match {
	if _, ok := row.Get("v"); !ok {
		return No
	}
	kind, _ := row.Get("type")
	known := []event.Kind{event.KindToolEnd, event.KindAnswer, event.KindTurnStart}
	if slices.Contains(known, event.Kind(kind.Text())) {
		return Yes
	}
	return Maybe
}

type native struct{}

func (native) Read(row Row, out *Out) {
	e, err := schemas.Decode(schemas.JSON, row.Data)
	if wrong, ok := errors.AsType[*schemas.Error](err); ok {
		out.Fault(row.Line, "", wrong.Error())
		return
	}
	if err != nil {
		out.Fault(row.Line, "", err.Error())
		return
	}
	out.Events = append(out.Events, e)
}

func (native) End(*Out) {}

func (native) Notes() []string { return nil }
