package langsmith

import (
	"cmp"
	"strings"
	"time"

	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
	"github.com/plumbline-dev/plumbline/schemas/adapter/genai"
)

// The attributes that a run is told by, and their values (package genai).
const (
	kind         = "openinference.span.kind"
	conversation = "gen_ai.conversation.id"
	given        = "input.value"
	came         = "output.value"
	read         = "gen_ai.input.messages"
	wrote        = "gen_ai.output.messages"
	documents    = "gen_ai.retrieval.documents"
)

// inRun gives the name that a run has for what an attribute holds.
func inRun(field string) string {
	for _, name := range []struct{ attribute, run string }{
		{given, "inputs"}, {came, "outputs"}, {read, "inputs.messages"}, {wrote, "outputs"}, {documents, "outputs.documents"},
	} {
		if rest, ok := strings.CutPrefix(field, name.attribute); ok {
			return name.run + rest
		}
	}
	return field
}

// kinds are the types of run: what each is as a span.
var kinds = map[string]string{
	"llm": "LLM", "tool": "TOOL", "chain": "CHAIN", "retriever": "RETRIEVER",
	"embedding": "EMBEDDING", "prompt": "PROMPT", "parser": "PARSER", // nothing that an answer rests on
}

// spanOf tells a run as a span, and names its thread. Trace is empty when it cannot be placed. The fault is of a run that is
// not known: it may hold what an answer rests on.
func spanOf(v servedjson.Value, in parent) (span genai.Span, thread string, fault *adapter.RowError) {
	id := adapter.Text(v, "id", "run_id")
	span = genai.Span{
		ID: id, Trace: cmp.Or(adapter.Text(v, "trace_id"), in.trace, id), Parent: cmp.Or(adapter.Text(v, "parent_run_id"), in.id),
		Name: adapter.Text(v, "name"), Message: adapter.Text(v, "error"), Line: in.line, Attributes: map[string]servedjson.Value{},
	}
	span.Start, span.End = nanoseconds(v, "start_time"), nanoseconds(v, "end_time")
	span.Failed = span.Message != "" || adapter.Text(v, "status") == "error"
	if id == "" {
		span.Trace = ""
		return span, "", nil
	}
	thread = cmp.Or(threadOf(v), in.thread)
	if thread != "" {
		span.Attributes[conversation] = text(thread)
	}
	named := adapter.Text(v, "run_type")
	is, known := kinds[named]
	if !known {
		return span, thread, &adapter.RowError{Field: "run_type", Detail: "run of type " + adapter.Quote(named) + " is not known"}
	}
	span.Attributes[kind] = text(is)
	inputs, _ := v.Get("inputs")
	outputs, _ := v.Get("outputs")
	switch is {
	case "LLM":
		set(span, read, messagesIn(inputs))
		set(span, wrote, messagesOut(outputs))
	case "TOOL":
		set(span, given, inputs)
		set(span, came, onlyOutput(outputs))
	case "CHAIN":
		set(span, given, inputs)
		set(span, came, outputs)
	case "RETRIEVER":
		found, _ := outputs.Get("documents")
		set(span, documents, contents(found))
	}
	return span, thread, nil
}

// set tells what a run holds. What is hidden is recorded as nothing, or as an object without members.
func set(span genai.Span, name string, v servedjson.Value) {
	if v.Kind() == servedjson.None || v.Kind() == servedjson.Null || v.Kind() == servedjson.Object && v.Len() == 0 {
		return
	}
	span.Attributes[name] = v
}

// threadOf is the thread that a run's metadata names.
func threadOf(v servedjson.Value) string {
	extra, _ := v.Get("extra")
	metadata, _ := extra.Get("metadata")
	return adapter.Text(metadata, "session_id", "thread_id", "conversation_id")
}

// messagesIn gives the messages that a model was given: LangChain keeps them as a list of lists, of which a run has one.
func messagesIn(inputs servedjson.Value) servedjson.Value {
	for _, name := range []string{"messages", "input", "prompts", "prompt"} {
		list, ok := inputs.Get(name)
		if !ok {
			continue
		}
		for first := range list.Elements() {
			if first.Kind() == servedjson.Array {
				list = first
			}
			break
		}
		if system, ok := inputs.Get("system"); ok && list.Kind() == servedjson.Array {
			list = joined(`{"role":"system","content":`+string(system.Raw())+`}`, list)
		}
		return texts(list)
	}
	return servedjson.Value{}
}

// messagesOut gives the messages that a model wrote: LangChain's generations, the choices of OpenAI, a list of messages, or
// one message. A generation without a message is a text.
func messagesOut(outputs servedjson.Value) servedjson.Value {
	if list, ok := outputs.Get("generations"); ok {
		for first := range list.Elements() {
			if first.Kind() == servedjson.Array {
				list = first
			}
			break
		}
		for first := range list.Elements() { // the others were not taken
			if message, ok := first.Get("message"); ok {
				return alone(message)
			}
			return alone(spoken(first, "text"))
		}
		return servedjson.Value{}
	}
	for _, name := range []string{"choices", "messages", "message", "output"} {
		found, ok := outputs.Get(name)
		switch {
		case !ok:
			continue
		case name == "choices":
			for first := range found.Elements() {
				return alone(first)
			}
		case found.Kind() == servedjson.String:
			return alone(spoken(outputs, name))
		}
		return found
	}
	if _, ok := outputs.Get("content"); ok {
		return alone(spoken(outputs, "content"))
	}
	return servedjson.Value{}
}

// spoken is what stands under a name as a message of the model.
func spoken(v servedjson.Value, name string) servedjson.Value {
	if _, named := v.Get("role"); named {
		return v
	}
	said, _ := v.Get(name)
	if said.IsZero() {
		return said
	}
	return made(`{"role":"assistant","content":` + string(said.Raw()) + `}`)
}

// alone is a list of one message, nothing of nothing.
func alone(message servedjson.Value) servedjson.Value {
	if message.IsZero() {
		return message
	}
	return made("[" + string(message.Raw()) + "]")
}

// joined puts a message in front of a list.
func joined(first string, list servedjson.Value) servedjson.Value {
	all := []byte("[" + first)
	for item := range list.Elements() {
		all = append(append(all, ','), item.Raw()...)
	}
	return made(string(append(all, ']')))
}

// texts gives a text as a list of one: a text in a list is the person's.
func texts(v servedjson.Value) servedjson.Value {
	if v.Kind() == servedjson.String {
		return alone(v)
	}
	return v
}

// onlyOutput is what a tool gave: LangSmith puts what is no object under output.
func onlyOutput(outputs servedjson.Value) servedjson.Value {
	if inner, ok := outputs.Get("output"); ok && outputs.Len() == 1 {
		return inner
	}
	return outputs
}

// contents gives documents by the name that spans have for their content.
func contents(found servedjson.Value) servedjson.Value {
	if found.Kind() != servedjson.Array {
		return servedjson.Value{}
	}
	all := []byte{'['}
	for doc := range found.Elements() {
		if len(all) > 1 {
			all = append(all, ',')
		}
		content, ok := doc.Get("page_content")
		if !ok {
			content = doc
		}
		all = append(append(append(all, `{"content":`...), content.Raw()...), '}')
	}
	return made(string(append(all, ']')))
}

// made reads JSON that was put together from complete values.
func made(json string) servedjson.Value {
	v, _ := servedjson.Parse([]byte(json))
	return v
}

func text(s string) servedjson.Value { return made(string(adapter.Quoted(s))) }

// layouts are the forms of a time: with a zone, and as Python writes UTC without one.
var layouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999-07:00", "2006-01-02 15:04:05.999999999"}

// nanoseconds reads a time: a text, or a number of milliseconds since 1970. 0 when there is none.
func nanoseconds(v servedjson.Value, name string) uint64 {
	at, _ := v.Get(name)
	switch at.Kind() {
	case servedjson.Number:
		whole, _, _ := strings.Cut(string(at.Raw()), ".")
		d, err := time.ParseDuration(whole + "ms")
		if err != nil || d < 0 {
			return 0
		}
		return uint64(d)
	case servedjson.String:
		for _, layout := range layouts {
			if t, err := time.Parse(layout, at.Text()); err == nil && t.Unix() > 0 {
				return uint64(t.UnixNano())
			}
		}
	}
	return 0
}
