// Package langsmith reads the runs of LangSmith. It answers "which turns do these runs tell of?".
//
// Its sources are LangSmith's reference of the run data format and of how to log a model call, and the schemas of its
// client (late 2026). A run is a span by another name: a call of a model (llm), of a tool, of a retriever, or a step around
// those (chain). So each is told to package genai, which knows what a trace is, and what LangChain writes into one.
//
// A row is a run, or an object that holds a list of runs. Runs may hold those below them (child_runs), and stand in any
// order. A conversation is the thread that the metadata names, else the trace. A run's session_id is its project, and names
// no conversation.
package langsmith

import (
	"fmt"
	"slices"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
	"github.com/plumbline-dev/plumbline/schemas/adapter/genai"
)

// Format is the form of LangSmith's runs.
var Format = adapter.Format{
	Name:      "langsmith",
	Says:      "LangSmith runs, as its client and its exports write them",
	Recognise: recognise,
	New: func(names event.Conversation) adapter.Reader {
		return &reader{converter: genai.New(names), traces: map[string]*trace{}}
	},
}

// recognise is sure of a run: no other form names its type, and what went in or came out of it.
func recognise(row servedjson.Value) adapter.Match {
	for _, name := range lists {
		if list, _ := row.Get(name); list.Kind() == servedjson.Array {
			for first := range list.Elements() {
				return recogniseRun(first)
			}
		}
	}
	return recogniseRun(row)
}

func recogniseRun(v servedjson.Value) adapter.Match {
	if adapter.Text(v, "run_type") == "" {
		return adapter.No
	}
	for _, own := range []string{"trace_id", "dotted_order", "child_runs", "inputs", "outputs", "parent_run_id"} {
		if _, has := v.Get(own); has {
			return adapter.Yes
		}
	}
	return adapter.Maybe
}

// lists are the names under which an object holds runs.
var lists = []string{"runs", "items"}

// reader holds the runs of a file until its end, since those of one trace may stand anywhere in it.
type reader struct {
	converter *genai.Converter
	traces    map[string]*trace
	order     []string // the traces' ids
}

// trace is what was read of one trace.
type trace struct {
	spans []genai.Span
	part  bool // some of it could not be read
}

// Read takes in a run, or an object that holds runs.
func (r *reader) Read(row adapter.Row, out *adapter.Out) {
	whole, err := servedjson.Parse(slices.Clone(row.Data)) // spans are kept
	if err != nil {
		out.Fault(row.Line, "", err.Error())
		return
	}
	for _, name := range lists {
		if list, _ := whole.Get(name); list.Kind() == servedjson.Array {
			for at, run := range adapter.Items(list, name) {
				r.run(run, parent{line: row.Line, field: at}, out)
			}
			return
		}
	}
	r.run(whole, parent{line: row.Line}, out)
}

// parent is what a run has from the one that it stands in.
type parent struct {
	line      int
	field     string // of the run
	trace, id string // empty: it stands in none
	thread    string
}

// run keeps a run, and those that stand in it.
func (r *reader) run(v servedjson.Value, in parent, out *adapter.Out) {
	if v.Kind() != servedjson.Object {
		out.Fault(in.line, in.field, "want a run, found "+adapter.KindWord(v.Kind()))
		r.converter.Gap()
		return
	}
	span, thread, fault := spanOf(v, in)
	if span.Trace == "" {
		out.Fault(in.line, adapter.Path(in.field, "trace_id"), "is missing, and so is id: the run belongs to no trace")
		r.converter.Gap()
		return
	}
	t := r.traces[span.Trace]
	if t == nil {
		t = &trace{}
		r.traces[span.Trace], r.order = t, append(r.order, span.Trace)
	}
	if fault != nil {
		out.Fault(in.line, adapter.Path(in.field, fault.Field), fault.Detail)
		t.part = true
	}
	t.spans = append(t.spans, span)
	inner := parent{line: in.line, trace: span.Trace, id: span.ID, thread: thread}
	children, _ := v.Get("child_runs")
	for field, child := range adapter.Items(children, adapter.Path(in.field, "child_runs")) {
		inner.field = field
		r.run(child, inner, out)
	}
}

// Gap says that a row is no JSON: it may be a run of any trace.
func (r *reader) Gap(int, *adapter.Out) { r.converter.Gap() }

// End gives the turns of every trace.
func (r *reader) End(out *adapter.Out) {
	slices.Sort(r.order)
	for _, id := range r.order {
		read, t := r.converter.Read, r.traces[id]
		if t.part {
			read = r.converter.ReadPart
		}
		for _, f := range read(t.spans) {
			out.Fault(f.Line, inRun(f.Field), "run "+adapter.Quote(f.Span)+": "+f.Detail)
		}
		delete(r.traces, id)
	}
	r.converter.FlushTo(out)
}

// Notes says what could not be seen.
func (r *reader) Notes() []string {
	notes := r.converter.Notes()
	if r.converter.OfAgents == 0 && r.converter.Spans > 0 {
		notes = append(notes, fmt.Sprintf("none of the %d runs is of a model, a tool or a chain", r.converter.Spans))
	}
	return notes
}
