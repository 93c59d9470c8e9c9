// Package inspect reads the logs of Inspect, the framework for evaluations of the AI Security Institute. It answers "which
// turns do the samples of this log hold?".
//
// Its source is Inspect's reference of logs, messages and events (late 2026). A row is a log in JSON ({eval, samples}, as
// "inspect log dump" prints it), or one sample ({id, epoch, messages, events}), as the archives of logs hold them. Each
// sample is a conversation, read of its messages; its tool events say which results were cut before the model read them.
package inspect

import (
	"fmt"
	"strconv"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// Format is the form of Inspect's logs.
var Format = adapter.Format{
	Name:      "inspect",
	Says:      "logs of Inspect, as inspect log dump prints them",
	Recognise: recognise,
	New: func(names event.Conversation) adapter.Reader {
		return &reader{dialogues: adapter.NewDialogues(names), names: map[string]int{}}
	},
}

// recognise is sure of a log by its plan of the evaluation, and of a sample by its epoch.
func recognise(row servedjson.Value) adapter.Match {
	evaluation, _ := row.Get("eval")
	if evaluation.Kind() == servedjson.Object && adapter.Text(evaluation, "task", "run_id", "eval_id") != "" {
		return adapter.Yes
	}
	if isSample(row) {
		return adapter.Yes
	}
	return adapter.No
}

func isSample(row servedjson.Value) bool {
	messages, _ := row.Get("messages")
	epoch, _ := row.Get("epoch")
	_, asked := row.Get("input")
	return messages.Kind() == servedjson.Array && epoch.Kind() == servedjson.Number && asked
}

// reader reads one record.
type reader struct {
	dialogues *adapter.Dialogues
	names     map[string]int // how many samples have the name
	others    int            // calls that stand in events and in no message: sub-agents made them
}

// Read takes in a log or a sample.
func (r *reader) Read(row adapter.Row, out *adapter.Out) {
	list, has := row.Value.Get("samples")
	switch {
	case isSample(row.Value):
		r.sample(row.Value, "", row.Line, out)
	case has && list.Kind() == servedjson.Array:
		for at, sample := range adapter.Items(list, "samples") {
			r.sample(sample, at, row.Line, out)
		}
	case adapter.Text(row.Value, "event") != "":
		out.Fault(row.Line, "event", "is an event alone: give the log or the sample that it is of")
		r.dialogues.Gap(row.Line, out)
	default:
		out.Fault(row.Line, "samples", "is missing: want a log with its samples, or a sample")
		r.dialogues.Gap(row.Line, out)
	}
}

// sample reads a sample as a conversation of its own.
func (r *reader) sample(sample servedjson.Value, field string, line int, out *adapter.Out) {
	name := r.nameOf(sample)
	d := r.dialogues.Of(name)
	d.At(line, "")
	c := talk{
		Talk: adapter.Talk{Dialogue: d, Line: line, Field: field, Out: out}, cut: cutCalls(sample),
		submitted: map[string]bool{}, attached: attachments(sample),
	}
	list, _ := sample.Get("messages")
	if list.Kind() != servedjson.Array {
		c.Fault("messages", "want a list of messages")
		return
	}
	for at, m := range adapter.Items(list, "messages") {
		c.message(m, at)
	}
	r.others += c.othersIn(sample)
	r.dialogues.Close(name, out)
}

// nameOf names the conversation of a sample by its id and epoch.
func (r *reader) nameOf(sample servedjson.Value) string {
	id, _ := sample.Get("id")
	name := id.Text()
	if id.Kind() == servedjson.Number {
		name = string(id.Raw())
	}
	if name == "" {
		return r.dialogues.NextName()
	}
	if epoch, _ := sample.Get("epoch"); epoch.Kind() == servedjson.Number && string(epoch.Raw()) != "1" {
		name += "-" + string(epoch.Raw())
	}
	r.names[name]++
	if n := r.names[name]; n > 1 {
		return name + "#" + strconv.Itoa(n)
	}
	return name
}

// Gap says that a row could not be read.
func (r *reader) Gap(line int, out *adapter.Out) { r.dialogues.Gap(line, out) }

// End ends every conversation.
func (r *reader) End(out *adapter.Out) { r.dialogues.End(out) }

// Notes says what could not be seen.
func (r *reader) Notes() []string {
	notes := r.dialogues.Notes()
	if r.others > 0 {
		notes = append(notes, fmt.Sprintf("calls that are in no message of their sample, such as those of sub-agents: %d; only what was reported of them is read", r.others))
	}
	return notes
}
