package genai

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// speaker is who a message is of.
type speaker uint8

const (
	person speaker = iota + 1
	app
	assistant
	toolbox
)

// speakers are the roles of messages in the conventions and of the frameworks behind them.
var speakers = map[string]speaker{
	"user": person, "human": person,
	"system": app, "developer": app,
	"assistant": assistant, "ai": assistant, "model": assistant, "AIMessageChunk": assistant,
	"tool": toolbox, "function": toolbox,
}

// message is one message that a model read or wrote.
type message struct {
	of    speaker
	parts []part
}

// partKind is what a part of a message is.
type partKind uint8

const (
	partText     partKind = iota + 1
	partCall              // the model asks for a tool
	partResponse          // a tool answers
	partThought           // the model's own reasoning
	partUnseen            // content that is no text or was not recorded
)

// part is one part of a message.
type part struct {
	kind   partKind
	text   string
	id     string // of the call, may be empty
	tool   string // may be empty of a response
	args   event.JSON
	result event.JSON // nil: not recorded
	failed bool
	unseen bool // something of the result is no text
	remote bool // the provider of the model ran the tool
}

// texts joins the text parts of a message.
func (m *message) texts() string {
	var texts []string
	for i := range m.parts {
		if m.parts[i].kind == partText {
			texts = append(texts, m.parts[i].text)
		}
	}
	return strings.Join(texts, "\n")
}

// hasKind tells whether the message has a part of the kind.
func (m *message) hasKind(kind partKind) bool {
	for i := range m.parts {
		if m.parts[i].kind == kind {
			return true
		}
	}
	return false
}

// messageList reads a list of messages: structured, or as a JSON text. cut tells that the text ends too early, as a limit on
// the length of attributes leaves it; then the messages before the cut are given.
func messageList(field string, v servedjson.Value) (list []message, cut bool, err *faultError) {
	v, cut, err = structured(field, v)
	if err != nil {
		return nil, false, err
	}
	if v.Kind() == servedjson.Object {
		if inner, ok := v.Get("messages"); ok {
			v = inner
		}
	}
	if v.Kind() == servedjson.Object {
		one, err := readMessage(field, v)
		return []message{one}, cut, err
	}
	if v.Kind() != servedjson.Array {
		return nil, false, wrong(field, "a list of messages", v)
	}
	place := 0
	for item := range v.Elements() {
		m, err := readMessage(field+"."+strconv.Itoa(place), item)
		if err != nil {
			return nil, false, err
		}
		list = append(list, m)
		place++
	}
	return list, cut, nil
}

// structured gives the value that an attribute holds as it is, or as JSON in a string. Of JSON that was cut it gives the
// complete elements.
func structured(field string, v servedjson.Value) (whole servedjson.Value, cut bool, err *faultError) {
	if v.Kind() != servedjson.String {
		return v, false, nil
	}
	text := v.TextBytes(nil)
	whole, syntax := servedjson.Parse(text)
	if syntax == nil {
		return whole, false, nil
	}
	if !errors.Is(syntax, io.ErrUnexpectedEOF) {
		return v, false, &faultError{field, "the text in it is not JSON"}
	}
	return completeElements(bytes.TrimLeft(text, " \t\r\n")), true, nil
}

// completeElements gives the elements of a list that stand before the place where its text was cut.
func completeElements(text []byte) servedjson.Value {
	kept := []byte{'['}
	if len(text) > 0 && text[0] == '[' {
		rest := text[1:]
		for {
			rest = bytes.TrimLeft(rest, ", \t\r\n")
			values, after := servedjson.LeadingValues(rest)
			if len(values) == 0 {
				break
			}
			for _, value := range values {
				kept = append(append(kept, value.Raw()...), ',')
			}
			rest = after
		}
	}
	kept = append(bytes.TrimRight(kept, ","), ']')
	whole, _ := servedjson.Parse(kept) // put together from complete values
	return whole
}

// readMessage reads one message: with parts (OpenTelemetry), with content (OpenAI, Anthropic, the AI SDK), or as LangChain
// writes its own.
func readMessage(field string, v servedjson.Value) (message, *faultError) {
	v = unwrapped(v)
	if v.Kind() == servedjson.String { // a bare text is a person's
		return message{of: person, parts: []part{{kind: partText, text: v.Text()}}}, nil
	}
	if v.Kind() != servedjson.Object {
		return message{}, wrong(field, "a message", v)
	}
	of, err := speakerOf(field, v)
	if err != nil {
		return message{}, err
	}
	m := message{of: of}
	for _, name := range []string{"parts", "content", "contents"} {
		if content, ok := v.Get(name); ok {
			if err := m.addContent(field+"."+name, content); err != nil {
				return m, err
			}
		}
	}
	if err := m.addCalls(field, v); err != nil {
		return m, err
	}
	if m.of == toolbox && !m.hasKind(partResponse) {
		return m.asResponse(v), nil
	}
	return m, nil
}

// unwrapped gives what a serialized object of LangChain was made of.
func unwrapped(v servedjson.Value) servedjson.Value {
	if _, ok := v.Get("lc"); ok {
		if made, ok := v.Get("kwargs"); ok && made.Kind() == servedjson.Object {
			return classed(made, v)
		}
	}
	if data, ok := v.Get("data"); ok && data.Kind() == servedjson.Object { // as LangChain stores messages
		if _, holds := data.Get("content"); holds {
			kind, _ := v.Get("type")
			return typed(data, kind.Text())
		}
	}
	return member(v, "message") // a choice of a chat completion; OpenInference
}

// classes are the kinds of LangChain's messages by the names of their classes, where JavaScript says nothing else.
var classes = map[string]string{
	"HumanMessage": "human", "HumanMessageChunk": "human", "AIMessage": "ai", "AIMessageChunk": "ai", "SystemMessage": "system",
	"SystemMessageChunk": "system", "ToolMessage": "tool", "ToolMessageChunk": "tool", "FunctionMessage": "function",
}

// classed gives what a message was made of, with the kind that its class is of.
func classed(made, v servedjson.Value) servedjson.Value {
	path, _ := v.Get("id")
	class := ""
	for name := range path.Elements() {
		class = name.Text()
	}
	return typed(made, classes[class])
}

// typed gives a message its kind, when it names none.
func typed(made servedjson.Value, kind string) servedjson.Value {
	_, is := made.Get("type")
	_, named := made.Get("role")
	if is || named || kind == "" || made.Len() == 0 {
		return made
	}
	whole := append(append([]byte(`{"type":`), adapter.Quoted(kind)...), ',')
	typed, err := servedjson.Parse(append(whole, made.Raw()[1:]...))
	if err != nil {
		return made // it is put together from complete values, so this does not happen
	}
	return typed
}

func speakerOf(field string, v servedjson.Value) (speaker, *faultError) {
	for _, name := range []string{"role", "type"} {
		named, ok := v.Get(name)
		if !ok {
			continue
		}
		if named.Kind() != servedjson.String {
			return 0, wrong(field+"."+name, "a string", named)
		}
		if of, ok := speakers[named.Text()]; ok {
			return of, nil
		}
		return 0, &faultError{field + "." + name, "names no role that is known here"}
	}
	return 0, &faultError{field + ".role", "is missing"}
}

func (m *message) addContent(field string, content servedjson.Value) *faultError {
	switch content.Kind() {
	case servedjson.Null:
		return nil
	case servedjson.String:
		m.parts = append(m.parts, textPart(content))
		return nil
	case servedjson.Array:
	default:
		return wrong(field, "a string or a list of parts", content)
	}
	place := 0
	for item := range content.Elements() {
		p, err := readPart(field+"."+strconv.Itoa(place), item)
		if err != nil {
			return err
		}
		m.parts = append(m.parts, p)
		place++
	}
	return nil
}

func textPart(v servedjson.Value) part {
	if v.TextIs(redacted) {
		return part{kind: partUnseen}
	}
	return part{kind: partText, text: v.Text()}
}

// addCalls reads the calls that stand beside the content, as OpenAI and LangChain write them.
func (m *message) addCalls(field string, v servedjson.Value) *faultError {
	calls, ok := v.Get("tool_calls")
	if !ok || calls.Kind() == servedjson.Null || m.hasKind(partCall) {
		return nil
	}
	return m.addCallList(field+".tool_calls", calls)
}

func (m *message) addCallList(field string, calls servedjson.Value) *faultError {
	if calls.Kind() != servedjson.Array {
		return wrong(field, "a list", calls)
	}
	for item := range calls.Elements() {
		item = member(item, "tool_call")
		function := member(item, "function")
		m.parts = append(m.parts, part{
			kind: partCall, id: adapter.Text(item, "id", "toolCallId"), tool: adapter.Text(function, "name", "toolName"),
			args: argsOf(function, "arguments", "args", "input"),
		})
	}
	return nil
}

// member gives the object under a name, the value itself when there is none.
func member(v servedjson.Value, name string) servedjson.Value {
	if inner, ok := v.Get(name); ok && inner.Kind() == servedjson.Object {
		return inner
	}
	return v
}

// asResponse makes a message of a tool of its content: the answer to one call.
func (m *message) asResponse(v servedjson.Value) message {
	response := part{
		kind: partResponse, id: adapter.Text(v, "tool_call_id", "toolCallId", "id"), tool: adapter.Text(v, "name"),
		failed: adapter.Text(v, "status") == "error",
	}
	if content, ok := v.Get("content"); ok && !m.hasKind(partUnseen) {
		response.result, response.unseen = resultOf(content)
	} else if text := m.texts(); text != "" {
		response.result = adapter.Quoted(text)
	}
	return message{of: toolbox, parts: []part{response}}
}

func argsOf(v servedjson.Value, names ...string) event.JSON {
	for _, name := range names {
		if found, ok := v.Get(name); ok && found.Kind() != servedjson.Null {
			return adapter.Compact(found)
		}
	}
	return nil
}
