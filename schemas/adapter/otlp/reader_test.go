package otlp_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
	"github.com/plumbline-dev/plumbline/schemas/adapter/genai"
	"github.com/plumbline-dev/plumbline/schemas/adapter/otlp"
)

// protoOf gives the rows of a JSON file as messages in protobuf.
func protoOf(t testing.TB, file []byte) [][]byte {
	t.Helper()
	var list [][]byte
	for line := range bytes.Lines(file) {
		traces, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(line)
		if err != nil {
			t.Fatal(err)
		}
		message, err := (&ptrace.ProtoMarshaler{}).MarshalTraces(traces)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, message)
	}
	return list
}

// The same file in every form of the protocol gives the same events.
func TestForms(t *testing.T) {
	file := fixture(t, "opentelemetry.jsonl")
	want := readAll(t, file, "otlp")
	if len(want.events) == 0 || len(want.faults) > 0 {
		t.Fatalf("%d events, faults %v", len(want.events), want.faults)
	}
	var bare, prefixed, varints []byte
	for _, m := range protoOf(t, file) {
		bare = append(bare, m...) // messages behind one another are one message
		prefixed = append(binary.BigEndian.AppendUint32(prefixed, uint32(len(m))), m...)
		varints = append(binary.AppendUvarint(varints, uint64(len(m))), m...)
	}
	rows := bytes.Split(bytes.TrimSpace(file), []byte("\n"))
	snake := strings.NewReplacer(
		"resourceSpans", "resource_spans", "scopeSpans", "scope_spans", "traceId", "trace_id", "spanId", "span_id",
		"parentSpanId", "parent_span_id", "startTimeUnixNano", "start_time_unix_nano", "stringValue", "string_value",
		`"kind":3`, `"kind":"SPAN_KIND_CLIENT"`, `"status":{}`, `"status":{"code":"STATUS_CODE_UNSET"}`,
	).Replace(string(file))
	for _, tt := range []struct {
		name, format string
		data         []byte
	}{
		{"one message", "auto", bare},
		{"behind four bytes", "auto", prefixed},
		{"behind varints", "auto", varints},
		{"protobuf by name", "otlp", varints},
		{"snake case", "auto", []byte(snake)},
		{"an array", "auto", []byte("[" + string(bytes.Join(rows, []byte(","))) + "]")},
		{"over many lines", "auto", []byte(strings.ReplaceAll(string(file), `{"resource":`, "\n{\n\"resource\":"))},
		{"rows in another order", "auto", bytes.Join([][]byte{rows[2], rows[1], rows[0]}, []byte("\n"))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := readAll(t, tt.data, tt.format)
			if len(got.faults) > 0 {
				t.Errorf("faults %v", got.faults)
			}
			if diff := cmp.Diff(want.events, got.events); diff != "" {
				t.Errorf("events differ (- JSON lines):\n%s", diff)
			}
		})
	}
}

// one is a row of one span, with its attributes written as given.
func one(attributes string) string {
	return `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331",` +
		`"name":"chat gpt","startTimeUnixNano":"1","endTimeUnixNano":2,"attributes":[` + attributes + `]}]}]}]}`
}

// What cannot be read is said with its line, its span and its attribute, and the rest is read on.
func TestFaultsOfRows(t *testing.T) {
	sound := one(`{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},{"key":"gen_ai.output.messages","value":{"stringValue":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"It is 55012.\"}]}]"}}`)
	for _, tt := range []struct {
		name, row string
		want      adapter.RowError // Detail: a part of it
	}{
		{"cut", sound[:80], adapter.RowError{Line: 2, Detail: "ends too early"}},
		{"no spans", `{"hello":1}`, adapter.RowError{Line: 2, Field: "resourceSpans", Detail: "is missing"}},
		{"spans that are a string", `{"resourceSpans":"x"}`, adapter.RowError{Line: 2, Field: "resourceSpans", Detail: "is not as the protocol has it"}},
		{"a value of the wrong kind", one(`{"key":"a","value":{"stringValue":7}}`), adapter.RowError{Line: 2, Field: "resourceSpans", Detail: "is not as the protocol has it"}},
		{"an id that is no hexadecimal", strings.Replace(sound, "0af7", "zzzz", 1), adapter.RowError{Line: 2, Field: "resourceSpans", Detail: "is not as the protocol has it"}},
		{"no ids", strings.Replace(sound, `"spanId":"b7ad6b7169203331",`, "", 1), adapter.RowError{Line: 2, Field: "traceId or spanId", Detail: `span "chat gpt": is missing`}},
		{"an attribute of the wrong kind", strings.Replace(one(`{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},{"key":"gen_ai.input.messages","value":{"intValue":"7"}}`), "b7ad", "b7ae", 1), adapter.RowError{Line: 2, Field: "gen_ai.input.messages", Detail: `span "chat gpt": want a list of messages, found a number`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := readAll(t, []byte(sound+"\n"+tt.row+"\n"), "otlp")
			if len(got.faults) != 1 {
				t.Fatalf("faults %v", got.faults)
			}
			f := got.faults[0]
			if f.Line != tt.want.Line || f.Field != tt.want.Field || !strings.Contains(f.Detail, tt.want.Detail) {
				t.Errorf("fault %#v, want %#v", f, tt.want)
			}
			if strings.Contains(f.Detail, "55012") {
				t.Errorf("%q quotes content", f.Detail)
			}
			if len(got.events) == 0 {
				t.Error("the row before it gave nothing")
			}
		})
	}
}

// A record in which nothing is of an agent is an error that says so, never an empty result.
func TestNoAgent(t *testing.T) {
	got := readAll(t, []byte(one(`{"key":"http.request.method","value":{"stringValue":"GET"}}`)), "auto")
	if len(got.events) > 0 || len(got.faults) != 1 || !strings.Contains(got.faults[0].Error(), "none of its 1 spans tells of an agent") {
		t.Errorf("events %v, faults %v", got.events, got.faults)
	}
}

// Rows of other signals are passed over, and noted; no agent's trace among others is lost.
func TestOtherSignalsAndTraces(t *testing.T) {
	file := "{\"resourceLogs\":[]}\n" + one(`{"key":"http.request.method","value":{"stringValue":"GET"}}`) + "\n" + string(fixture(t, "agents.jsonl"))
	got := readAll(t, []byte(file), "auto")
	notes := strings.Join(got.notes, "\n")
	if len(got.faults) > 0 || !strings.Contains(notes, "1 rows of logs") || !strings.Contains(notes, "1 traces hold no span of an agent") {
		t.Errorf("faults %v, notes %q", got.faults, notes)
	}
	if want := readAll(t, fixture(t, "agents.jsonl"), "auto"); len(got.events) != len(want.events) {
		t.Errorf("%d events, want %d", len(got.events), len(want.events))
	}
}

// Structured values are served as they were said: digits, order, nesting.
func TestStructuredValues(t *testing.T) {
	row := one(`{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}},{"key":"gen_ai.tool.call.result","value":{"kvlistValue":{"values":[` +
		`{"key":"z","value":{"intValue":"9223372036854775807"}},{"key":"a","value":{"doubleValue":57.21}},{"key":"b","value":{"boolValue":true}},` +
		`{"key":"n","value":{}},{"key":"l","value":{"arrayValue":{"values":[{"stringValue":"x"},{"doubleValue":1e21},{"bytesValue":"aGk="},{"doubleValue":"NaN"}]}}}]}}}`)
	got := readAll(t, []byte(row), "auto")
	if len(got.faults) > 0 || len(got.events) != 1 {
		t.Fatalf("faults %v, events %v", got.faults, got.events)
	}
	want := `{"z":9223372036854775807,"a":57.21,"b":true,"n":null,"l":["x",1e+21,"aGk=","NaN"]}`
	if result := string(got.events[0].ToolEnd.Result); result != want {
		t.Errorf("result %s, want %s", result, want)
	}
}

// FuzzRead holds of any bytes: reading them ends, does it again the same, and gives events that can be written.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"opentelemetry.jsonl", "openinference.jsonl", "traceloop.jsonl", "vercel.jsonl", "events.jsonl"} {
		file := fixture(f, name)
		f.Add(file)
		f.Add(bytes.Join(protoOf(f, file), nil))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if first, again := gave(data), gave(data); first != again {
			t.Errorf("%s\nagain\n%s", first, again)
		}
	})
}

// gave reads bytes as one row of either form.
func gave(data []byte) string {
	var b strings.Builder
	for _, decode := range []func([]byte, int) ([]genai.Span, []adapter.RowError){otlp.DecodeJSON, otlp.DecodeProto} {
		spans, faults := decode(data, 1)
		fmt.Fprintln(&b, len(spans), faults)
		reader := otlp.Format.New(event.Conversation{Tenant: "local", Agent: "a", ID: "c"})
		var out adapter.Out
		row := adapter.Row{Line: 1, Document: 1, Data: data}
		if v, err := servedjson.Parse(data); err == nil {
			row.Value = v
		}
		reader.Read(row, &out)
		reader.End(&out)
		for _, e := range out.Events {
			named, err := adapter.Identify(e)
			fmt.Fprintln(&b, named.ID, err)
			if err != nil {
				panic(err)
			}
		}
		fmt.Fprintln(&b, out.Faults, reader.Notes())
	}
	return b.String()
}

// Plumbline's own spans are no part of what an agent did: a consumer may send its traces where it takes traces from.
func TestOwnSpansArePassedOver(t *testing.T) {
	file := fixture(t, "opentelemetry.jsonl")
	want := readAll(t, file, "otlp")
	own := `{"resourceSpans":[{"scopeSpans":[{"scope":{"name":"github.com/plumbline-dev/plumbline"},"spans":[{"traceId":"00000000000000000000000000000aff",` +
		`"spanId":"00000000000000ff","name":"plumbline.take","attributes":[{"key":"gen_ai.conversation.id","value":{"stringValue":"mine"}}]}]}]}]}` + "\n"
	got := readAll(t, append([]byte(own), file...), "otlp")
	if diff := cmp.Diff(want.events, got.events); diff != "" || len(got.faults) > 0 {
		t.Errorf("with Plumbline's own spans (-without +with), faults %v:\n%s", got.faults, diff)
	}
}

// An answer and a result name the spans that they were read from.
func TestEventsNameTheirSpans(t *testing.T) {
	answers, named := 0, map[string]bool{}
	for _, e := range readAll(t, fixture(t, "opentelemetry.jsonl"), "otlp").events {
		if e.TurnStart != nil {
			continue
		}
		if e.Origin == nil || len(e.Origin.Trace) != 32 || len(e.Origin.Span) != 16 {
			t.Fatalf("%s of turn %d is of %+v", e.Kind(), e.Turn, e.Origin)
		}
		if e.Answer != nil {
			answers++
			named[e.Origin.Trace+e.Origin.Span] = true
		}
	}
	if answers == 0 || len(named) != answers {
		t.Errorf("%d answers are of %d spans", answers, len(named))
	}
}
