package genai

import (
	"slices"
	"strconv"
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// toolRun is what a tool span recorded of a call.
type toolRun struct {
	span   *Span
	id     string // of the call, empty when not recorded
	tool   string
	args   event.JSON
	result event.JSON // nil: not recorded
	err    event.JSON // nil: it did not fail
	unseen bool       // something of the result is no text
}

// toolRunOf reads a tool span.
func toolRunOf(s *Span) (toolRun, *faultError) {
	run := toolRun{span: s}
	var err *faultError
	if run.id, err = s.text("gen_ai.tool.call.id", "tool.id", "tool_call.id", "ai.toolCall.id"); err != nil {
		return run, err
	}
	if run.tool, err = toolName(s); err != nil {
		return run, err
	}
	if v, field := s.value("gen_ai.tool.call.arguments", "ai.toolCall.args", "tool_arguments", "input.value", "traceloop.entity.input"); field != "" {
		run.args = adapter.Compact(v)
	}
	run.readResult(s)
	if s.Failed {
		run.err = errorOf(s)
	}
	return run, nil
}

// toolName gives the tool's name; a span that records none is named for what it runs.
func toolName(s *Span) (string, *faultError) {
	name, err := s.text("gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name")
	if err != nil || name != "" {
		return name, err
	}
	for _, prefix := range []string{"execute_tool ", "running tool: ", "tools/call "} {
		if rest, ok := strings.CutPrefix(s.Name, prefix); ok {
			return rest, nil
		}
	}
	return s.Name, nil
}

// readResult reads the result: of any kind, since emitters write objects, lists and text; LangChain's wrapping is taken
// off.
func (run *toolRun) readResult(s *Span) {
	v, field := s.value("gen_ai.tool.call.result", "ai.toolCall.result", "tool_response", "output.value", "traceloop.entity.output")
	if field == "" {
		return
	}
	inner, id, failed := toolMessage(v)
	if run.id == "" {
		run.id = id
	}
	run.result, run.unseen = resultOf(inner)
	if failed {
		run.err = event.JSON("true")
	}
}

// toolMessage gives the content of a message that a framework made of a result: LangChain's ToolMessage as it is, or
// serialized, or under output. Another value is its own content.
func toolMessage(v servedjson.Value) (content servedjson.Value, id string, failed bool) {
	whole, _, err := structured("", v)
	if err != nil || whole.Kind() != servedjson.Object {
		return v, "", false
	}
	if inner, ok := whole.Get("output"); ok && onlyKeys(whole, "output", "kwargs", "color", "observation_prefix", "llm_prefix", "name") {
		if inner.Kind() == servedjson.Object {
			if content, id, failed := toolMessage(inner); id != "" {
				return content, id, failed
			}
		}
		if _, fromLangChain := whole.Get("kwargs"); fromLangChain {
			return inner, "", false
		}
		return v, "", false
	}
	made := unwrapped(whole)
	id = adapter.Text(made, "tool_call_id")
	content, ok := made.Get("content")
	if id == "" || !ok {
		return v, "", false
	}
	return content, id, adapter.Text(made, "status") == "error"
}

func onlyKeys(v servedjson.Value, names ...string) bool {
	for key := range v.Members() {
		if !contains(names, key) {
			return false
		}
	}
	return true
}

func contains(names []string, key servedjson.Value) bool {
	return slices.ContainsFunc(names, key.TextIs)
}

// errorOf is what a failed span says of its error: the exception's message, the status's, the type, or just that it failed.
func errorOf(s *Span) event.JSON {
	for _, e := range s.Events {
		if m := e.Attributes["exception.message"]; e.Name == "exception" && m.Kind() == servedjson.String && !m.TextIs("") {
			return adapter.Compact(m)
		}
	}
	if s.Message != "" {
		return adapter.Quoted(s.Message)
	}
	if kind := s.word("error.type"); kind != "" {
		return adapter.Quoted(kind)
	}
	return event.JSON("true")
}

// durationMs is how long the span ran, in milliseconds.
func (s *Span) durationMs() event.JSON {
	if s.End < s.Start {
		return nil
	}
	micros := (s.End - s.Start) / 1000
	return servedjson.AppendJSNumber(nil, float64(micros)/1000)
}

// limits are the lengths that attributes are commonly cut to: OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT, exporters' and backends'.
var limits = map[int]bool{
	255: true, 256: true, 512: true, 1000: true, 1024: true, 2000: true, 2048: true, 4000: true, 4095: true, 4096: true,
	8191: true, 8192: true, 10000: true, 12000: true, 16384: true, 32766: true, 32767: true, 32768: true, 65535: true,
	65536: true,
}

// atLimit tells whether a text is exactly as long as one that was cut: in characters or in bytes.
func atLimit(text string) bool {
	if len(text) < 255 {
		return false
	}
	runes := 0
	for range text {
		runes++
	}
	return limits[len(text)] || limits[runes]
}

// resultOf gives a result as an event carries it: a list of content blocks is their text. unseen tells that something of it
// is no text, such as a picture. A text that is as long as a limit is given as one that was capped (readers.md,
// "readResult"): what stood after it was not recorded. JSON that ends too early shows that by itself.
func resultOf(v servedjson.Value) (result event.JSON, unseen bool) {
	content, fault := adapter.ReadResult(v, "")
	if fault != nil {
		return adapter.Compact(v), true
	}
	if content.JSON != nil || !atLimit(content.Text) || isJSON(content.Text) {
		return content.Value(), content.Unseen
	}
	capped := append([]byte(`{"truncated":true,"reason":"as long as a limit on attributes: `), strconv.Itoa(len(content.Text))...)
	capped = append(capped, ` bytes","head":`...)
	return append(servedjson.AppendQuoted(capped, []byte(content.Text)), '}'), content.Unseen
}

// isJSON tells whether a text is one whole object or array.
func isJSON(text string) bool {
	if text == "" || text[0] != '{' && text[0] != '[' {
		return false
	}
	_, err := servedjson.Parse([]byte(text))
	return err == nil
}
