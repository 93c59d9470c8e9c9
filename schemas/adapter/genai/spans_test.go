package genai_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter/genai"
)

// attrs are the attributes of a span, as values that JSON can write.
type attrs map[string]any

// span makes a span of the trace t. Its times are in milliseconds.
func span(id, parent, name string, start, end uint64, a attrs, change ...func(*genai.Span)) genai.Span {
	s := genai.Span{
		Trace: "t", ID: id, Parent: parent, Name: name, Start: start * 1e6, End: end * 1e6, Service: "desk",
		Attributes: values(a), Line: 1,
	}
	for _, c := range change {
		c(&s)
	}
	return s
}

func values(a attrs) map[string]servedjson.Value {
	all := map[string]servedjson.Value{}
	for name, v := range a {
		text, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		if raw, ok := v.(rawJSON); ok {
			text = []byte(raw)
		}
		if all[name], err = servedjson.Parse(text); err != nil {
			panic(err)
		}
	}
	return all
}

// rawJSON is a value of an attribute as it is written.
type rawJSON string

func failed(message string) func(*genai.Span) {
	return func(s *genai.Span) { s.Failed, s.Message = true, message }
}

func remote(s *genai.Span) { s.Remote = true }

func dropped(s *genai.Span) { s.Dropped = 3 }

// agent, chat and tool are spans as the OpenTelemetry conventions have them.
func agent(id, parent string, start, end uint64, change ...func(*genai.Span)) genai.Span {
	return span(id, parent, "invoke_agent desk", start, end, attrs{"gen_ai.operation.name": "invoke_agent"}, change...)
}

func chat(id, parent string, start uint64, in, out string, change ...func(*genai.Span)) genai.Span {
	a := attrs{"gen_ai.operation.name": "chat"}
	if in != "" {
		a["gen_ai.input.messages"] = in
	}
	if out != "" {
		a["gen_ai.output.messages"] = out
	}
	return span(id, parent, "chat gpt", start, start+9, a, change...)
}

func tool(id, parent string, start uint64, call string, result any, change ...func(*genai.Span)) genai.Span {
	a := attrs{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look_up"}
	if call != "" {
		a["gen_ai.tool.call.id"] = call
	}
	if result != nil {
		a["gen_ai.tool.call.result"] = result
	}
	return span(id, parent, "execute_tool look_up", start, start+5, a, change...)
}

// user, asks, gives and says are messages; list joins them.
func user(text string) string { return message("user", `{"type":"text","content":`+quote(text)+`}`) }
func says(text string) string {
	return message("assistant", `{"type":"text","content":`+quote(text)+`}`)
}

func asks(call string) string {
	return message("assistant", `{"type":"tool_call","id":`+quote(call)+`,"name":"look_up","arguments":{"q":1}}`)
}

func gives(call, result string) string {
	return message("tool", `{"type":"tool_call_response","id":`+quote(call)+`,"response":`+result+`}`)
}

func message(role, parts string) string {
	return `{"role":"` + role + `","parts":[` + parts + `]}`
}

func quote(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func list(messages ...string) string { return "[" + strings.Join(messages, ",") + "]" }

// told is what a converter gave for spans, an event a line:
//
//	<turn> user <text>
//	<turn> app <texts>
//	<turn> row <call>@<iteration> <tool> <result> [model <result>] [error <error>] [status <status>]
//	<turn> answer@<iteration> [<calls>] <text> [interim] [unseen <reasons>]
func told(t testing.TB, spans []genai.Span) (lines string, c *genai.Converter, faults []genai.Fault) {
	t.Helper()
	events, c, faults := convert(spans)
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "%d ", e.Turn)
		switch {
		case e.TurnStart != nil:
			if e.TurnStart.User != nil {
				fmt.Fprintf(&b, "user %s ", *e.TurnStart.User)
			}
			if e.TurnStart.Context != nil {
				fmt.Fprintf(&b, "app %q", e.TurnStart.Context)
			}
		case e.ToolEnd != nil:
			b.WriteString(rowLine(e.ToolEnd))
		case e.Answer != nil:
			b.WriteString(answerLine(e.Answer))
		}
		b.WriteString("\n")
	}
	return strings.ReplaceAll(b.String(), " \n", "\n"), c, faults
}

// convert reads the spans trace by trace.
func convert(spans []genai.Span) ([]event.Event, *genai.Converter, []genai.Fault) {
	c := genai.New(event.Conversation{Tenant: "acme", Agent: "agent"})
	byTrace, order := map[string][]genai.Span{}, []string{}
	for _, s := range spans {
		if byTrace[s.Trace] == nil {
			order = append(order, s.Trace)
		}
		byTrace[s.Trace] = append(byTrace[s.Trace], s)
	}
	var faults []genai.Fault
	for _, id := range order {
		faults = append(faults, c.Read(byTrace[id])...)
	}
	events, err := c.Flush(nil)
	if err != nil {
		panic(err)
	}
	return events, c, faults
}

func rowLine(end *event.ToolEnd) string {
	line := fmt.Sprintf("row %s@%d %s %s", end.Call.ID, end.Call.Iteration, end.Call.Tool, end.Result)
	if end.ModelResult != nil {
		line += " model " + string(end.ModelResult)
	}
	if end.Error != nil {
		line += " error " + string(end.Error)
	}
	if end.Status != "" {
		line += " status " + end.Status
	}
	return line
}

func answerLine(a *event.Answer) string {
	line := fmt.Sprintf("answer@%d %v %s", a.Iteration, a.Calls, a.Text)
	if a.Interim {
		line += " interim"
	}
	if a.Unseen != nil {
		line += fmt.Sprintf(" unseen %v", a.Unseen)
	}
	return line
}
