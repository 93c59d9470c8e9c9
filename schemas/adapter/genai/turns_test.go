package genai_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-dev/plumbline/schemas/adapter/genai"
)

// TestTurns holds how spans become turns. want is what told gives; note is part of a note, empty when there is none.
func TestTurns(t *testing.T) {
	u := user("Where?")
	for _, tt := range []struct {
		name  string
		spans []genai.Span
		want  string
		note  string
	}{
		{
			"a call that a span and a message tell of counts once",
			[]genai.Span{
				agent("a", "", 0, 99), chat("c1", "a", 10, list(u), list(asks("k1"))), tool("x", "a", 20, "k1", `{"n": 48213}`),
				chat("c2", "a", 30, list(u, asks("k1"), gives("k1", `{"n":48213}`)), list(says("48213"))),
			},
			"1 user Where?\n1 row k1@1 look_up \"{\\\"n\\\": 48213}\"\n1 answer@2 [k1] 48213\n", "",
		},
		{
			"what the model read is the message's when the two differ",
			[]genai.Span{
				agent("a", "", 0, 99), chat("c1", "a", 10, list(u), list(asks("k1"))), tool("x", "a", 20, "k1", `{"n":48213,"m":1}`),
				chat("c2", "a", 30, list(u, asks("k1"), gives("k1", `"n is 48213"`)), list(says("48213"))),
			},
			"1 user Where?\n1 row k1@1 look_up \"{\\\"n\\\":48213,\\\"m\\\":1}\" model \"n is 48213\"\n1 answer@2 [k1] 48213\n", "",
		},
		{
			"a message that a limit cut short is not what the model read when the span has the whole",
			[]genai.Span{
				agent("a", "", 0, 99), chat("c1", "a", 10, list(u), list(asks("k1"))), tool("x", "a", 20, "k1", "it is 48213 at gate 7"),
				chat("c2", "a", 30, list(u, asks("k1"), gives("k1", `"it is 482"`)), list(says("48213"))),
			},
			"1 user Where?\n1 row k1@1 look_up \"it is 48213 at gate 7\"\n1 answer@2 [k1] 48213\n", "",
		},
		{
			"a result that only a message tells of is a row",
			[]genai.Span{chat("c2", "", 30, list(u, asks("k1"), gives("k1", `[48213]`)), list(says("48213")))},
			"1 user Where?\n1 row k1@1 look_up [48213]\n1 answer@2 [k1] 48213\n", "",
		},
		{
			"a call that is only named leaves its row missing",
			[]genai.Span{
				agent("a", "", 0, 99), chat("c1", "a", 10, list(u), list(asks("k1"))),
				chat("c2", "a", 30, list(u), list(says("48213"))),
			},
			"1 user Where?\n1 answer@2 [k1] 48213\n", "",
		},
		{
			"a call without a name, by the reason why the model stopped",
			[]genai.Span{
				agent("a", "", 0, 99),
				span("c1", "a", "chat gpt", 10, 19, attrs{"gen_ai.operation.name": "chat", "gen_ai.response.finish_reasons": []string{"tool_calls"}}),
				chat("c2", "a", 30, list(u), list(says("48213"))),
			},
			"1 user Where?\n1 answer@2 [call of span c1] 48213\n", "",
		},
		{
			"ids that were not recorded are told apart by the tool and what it was given",
			[]genai.Span{
				agent("a", "", 0, 99),
				chat("c1", "a", 10, list(u), list(message("assistant",
					`{"type":"tool_call","name":"look_up","arguments":{"q":1}},{"type":"tool_call","name":"look_up","arguments":{"q":2}}`))),
				span("x2", "a", "execute_tool look_up", 20, 21, attrs{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look_up", "gen_ai.tool.call.arguments": `{"q": 2}`, "gen_ai.tool.call.result": "two"}),
				span("x1", "a", "execute_tool look_up", 22, 23, attrs{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look_up", "gen_ai.tool.call.arguments": `{"q": 1}`, "gen_ai.tool.call.result": "one"}),
				chat("c2", "a", 30, list(u), list(says("done"))),
			},
			"1 user Where?\n1 row look_up#1@1 look_up \"one\"\n1 row look_up#2@1 look_up \"two\"\n1 answer@2 [look_up#1 look_up#2] done\n", "",
		},
		{
			"a call that was tried again gives what it gave last",
			[]genai.Span{
				agent("a", "", 0, 99), chat("c1", "a", 10, list(u), list(asks("k1"))),
				tool("x", "a", 20, "k1", nil, failed("timeout")), tool("y", "a", 25, "k1", "48213"),
				chat("c2", "a", 40, list(u), list(says("48213"))),
			},
			"1 user Where?\n1 row k1@1 look_up \"48213\"\n1 answer@2 [k1] 48213\n", "",
		},
		{
			"clocks that are equal: the model call that was given less came first",
			[]genai.Span{
				agent("a", "", 0, 0), chat("c9", "a", 0, list(u), list(asks("k1"))), tool("x", "a", 0, "k1", "48213"),
				chat("c1", "a", 0, list(u, asks("k1"), gives("k1", `"48213"`)), list(says("48213"))),
			},
			"1 user Where?\n1 row k1@1 look_up \"48213\"\n1 answer@2 [k1] 48213\n", "",
		},
		{
			"an error is the exception's message, and what the model was told of it is the result",
			[]genai.Span{
				agent("a", "", 0, 99), chat("c1", "a", 10, list(u), list(asks("k1"))),
				tool("x", "a", 20, "k1", nil, failed("failed"), func(s *genai.Span) {
					s.Events = []genai.SpanEvent{{Name: "exception", Attributes: values(attrs{"exception.message": "no route 4417"})}}
				}),
				chat("c2", "a", 30, list(u, asks("k1"), gives("k1", `"Error: no route"`)), list(says("No route."))),
			},
			"1 user Where?\n1 row k1@1 look_up \"Error: no route\" error \"no route 4417\"\n1 answer@2 [k1] No route.\n", "",
		},
		{
			"a loop in a chain: a turn for each thing the person says, each result once",
			[]genai.Span{
				span("r", "", "loop", 0, 99, attrs{"openinference.span.kind": "CHAIN", "session.id": "s"}),
				chat("c1", "r", 10, list(u), list(asks("k1"))), chat("c2", "r", 20, list(u, asks("k1"), gives("k1", `"a"`)), list(says("A."))),
				chat("c3", "r", 30, list(u, asks("k1"), gives("k1", `"a"`), says("A."), user("And?")), list(says("B."))),
			},
			"1 user Where?\n1 row k1@1 look_up \"a\"\n1 answer@2 [k1] A.\n2 user And?\n2 answer@1 [] B.\n", "",
		},
		{
			"what the person adds within an agent's turn is of that turn",
			[]genai.Span{
				agent("a", "", 0, 99), chat("c1", "a", 10, list(u), list(says("A."))),
				chat("c2", "a", 20, list(u, says("A."), user("Shorter.")), list(says("B."))),
			},
			"1 user Where?\n1 answer@1 [] A. interim\n1 user Shorter.\n1 answer@2 [] B.\n", "",
		},
		{
			"earlier turns that are not in the record are told by the messages",
			[]genai.Span{chat("c1", "", 10, list(u, asks("k1"), gives("k1", `"a"`), says("A."), user("And?"), asks("k2"), gives("k2", `"b"`)), list(says("B.")))},
			"1 user Where?\n1 row k1@1 look_up \"a\"\n2 user And?\n2 row k2@1 look_up \"b\"\n2 answer@2 [k2] B.\n", "begin with messages of earlier turns",
		},
		{
			"an agent inside a tool is a conversation of its own",
			[]genai.Span{
				agent("a", "", 0, 99), chat("c1", "a", 10, list(u), list(asks("k1"))), tool("x", "a", 20, "k1", "it is 7"),
				agent("b", "x", 21, 24), chat("c3", "b", 22, list(user("find it")), list(says("it is 7"))),
				chat("c2", "a", 30, list(u, asks("k1"), gives("k1", `"it is 7"`)), list(says("7"))),
			},
			"1 user Where?\n1 row k1@1 look_up \"it is 7\"\n1 answer@2 [k1] 7\n1 user find it\n1 answer@1 [] it is 7\n", "conversation of its own",
		},
		{
			"what else runs inside a tool is the tool's own",
			[]genai.Span{
				agent("a", "", 0, 99), chat("c1", "a", 10, list(u), list(asks("k1"))), tool("x", "a", 20, "k1", "it is 7"),
				chat("c3", "x", 22, list(user("sum up")), list(says("99999"))), tool("y", "x", 23, "", "88888"),
				chat("c2", "a", 30, list(u), list(says("7"))),
			},
			"1 user Where?\n1 row k1@1 look_up \"it is 7\"\n1 answer@2 [k1] 7\n", "2 spans inside tool calls",
		},
		{
			"an agent elsewhere is a call whose result is what it said",
			[]genai.Span{
				agent("a", "", 0, 99), chat("c1", "a", 10, list(u), ""),
				span("b", "a", "invoke_agent far", 20, 25, attrs{"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "far", "gen_ai.output.messages": list(says("gate 4417"))}, remote),
				chat("c2", "a", 30, list(u), list(says("Gate 4417."))),
			},
			"1 user Where?\n1 row b@1 invoke_agent far \"gate 4417\"\n1 answer@2 [b] Gate 4417.\n", "ran elsewhere",
		},
		{
			"a span whose parent is missing stands in the turn that ran at its time",
			[]genai.Span{
				agent("a", "", 0, 99), chat("c1", "a", 10, list(u), list(asks("k1"))), tool("x", "gone", 20, "k1", "48213"),
				chat("c2", "a", 30, list(u), list(says("48213"))),
			},
			"1 user Where?\n1 row k1@1 look_up \"48213\"\n1 answer@2 [k1 span gone] 48213\n", "parents of 1 spans",
		},
		{
			"steps of a chain that is missing are one turn",
			[]genai.Span{
				span("n1", "gone", "agent", 5, 20, attrs{"openinference.span.kind": "CHAIN"}), chat("c1", "n1", 10, list(u), list(asks("k1"))),
				span("n2", "gone", "tools", 20, 30, attrs{"openinference.span.kind": "CHAIN"}), tool("x", "n2", 21, "k1", "48213"),
				span("n3", "gone", "agent", 30, 40, attrs{"openinference.span.kind": "CHAIN"}), chat("c2", "n3", 31, list(u), list(says("48213"))),
			},
			"1 user Where?\n1 row k1@1 look_up \"48213\"\n1 answer@2 [k1] 48213\n", "",
		},
		{
			"two instrumentations of one model call are one",
			[]genai.Span{
				agent("a", "", 0, 99), span("o", "a", "ChatOpenAI", 9, 20, attrs{"openinference.span.kind": "LLM"}),
				chat("c1", "o", 10, list(u), list(says("A."))),
			},
			"1 user Where?\n1 answer@1 [] A.\n", "",
		},
		{
			"a span that was sent twice counts once",
			[]genai.Span{chat("c1", "", 10, list(u), list(says("A."))), chat("c1", "", 10, list(u), list(says("A.")))},
			"1 user Where?\n1 answer@1 [] A.\n", "",
		},
		{
			"parents in a circle",
			[]genai.Span{agent("a", "b", 0, 99), agent("b", "a", 0, 99), chat("c1", "a", 10, list(u), list(says("A.")))},
			"1 user Where?\n1 answer@1 [] A.\n", "",
		},
		{
			"retrieved documents and instructions are what the app put in front of the model",
			[]genai.Span{
				agent("a", "", 0, 99),
				span("r", "a", "retrieve", 5, 6, attrs{"openinference.span.kind": "RETRIEVER", "retrieval.documents.0.document.content": "doc 48213"}),
				span("c", "a", "chat", 10, 20, attrs{"gen_ai.operation.name": "chat", "gen_ai.system_instructions": "Be brief.", "gen_ai.input.messages": list(message("system", `{"type":"text","content":"Be kind."}`), u), "gen_ai.output.messages": list(says("48213"))}),
			},
			"1 user Where? app [\"Be brief.\" \"Be kind.\" \"doc 48213\"]\n1 answer@1 [] 48213\n", "",
		},
		{
			"tools of the model's provider: what came back stands in the same output",
			[]genai.Span{chat("c", "", 10, list(u), list(message("assistant",
				`{"type":"server_tool_call","id":"s1","name":"web_search","server_tool_call":{"type":"web_search"}},`+
					`{"type":"server_tool_call_response","id":"s1","server_tool_call_response":{"type":"web_search","hits":[48213]}},`+
					`{"type":"text","content":"48213"}`)))},
			"1 user Where?\n1 row s1@1 web_search {\"type\":\"web_search\",\"hits\":[48213]}\n1 answer@1 [s1] 48213\n", "",
		},
		{
			"an agent's turn that was not recorded at all",
			[]genai.Span{agent("a", "", 0, 99), chat("c1", "a", 10, "", "")},
			"", "have no answer",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, c, faults := told(t, tt.spans)
			if len(faults) > 0 {
				t.Errorf("faults %v", faults)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("events (- wanted, + given):\n%s", diff)
			}
			notes := strings.Join(c.Notes(), "\n")
			if (notes == "") != (tt.note == "") || !strings.Contains(notes, tt.note) {
				t.Errorf("notes %q, want %q", notes, tt.note)
			}
			inAnyOrder(t, tt.spans, got)
		})
	}
}

// inAnyOrder holds that the order in which spans are given changes nothing.
func inAnyOrder(t *testing.T, spans []genai.Span, want string) {
	t.Helper()
	for seed := range uint64(20) {
		shuffled := slices.Clone(spans)
		random := rand.New(rand.NewPCG(seed, 0))
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if got, _, _ := told(t, shuffled); got != want {
			t.Fatalf("shuffled by %d:\n%s\nwant\n%s", seed, got, want)
		}
	}
}
