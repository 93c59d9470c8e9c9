package formats_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// drift is a record, a row a line, and what it says.
type drift struct {
	name, format string
	rows, want   string
}

// allDrifts are those of all readers.
var allDrifts = [][]drift{chatDrifts, responsesDrifts, anthropicDrifts, claudeDrifts, footprintDrifts, aisdkDrifts, langsmithDrifts, inspectDrifts, atifDrifts, typeDrifts}

// The forms drift: each reader takes the shapes that its runtime is known to write, and says where one is not known.
func TestDrifts(t *testing.T) {
	for _, list := range allDrifts {
		for _, tt := range list {
			t.Run(tt.format+"/"+tt.name, func(t *testing.T) {
				got := strings.Join(read(t, unindent(tt.rows), "f", tt.format).lines(), "\n")
				if diff := cmp.Diff(unindent(tt.want), got); diff != "" {
					t.Errorf("- wanted, + given:\n%s", diff)
				}
			})
		}
	}
}

// unindent drops the white space around every line.
func unindent(text string) string {
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(lines, "\n")
}

var chatDrifts = []drift{
	{"a result as text, list, object", "openai", `
		{"role":"user","content":"q"}
		{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\"x\":1.50}"}},{"id":"b","type":"function","function":{"name":"f","arguments":{}}},{"id":"c","type":"custom","custom":{"name":"g","input":"raw"}}]}
		{"role":"tool","tool_call_id":"a","content":"[1.50, 98765432109876543210]"}
		{"role":"tool","tool_call_id":"b","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}
		{"role":"tool","toolCallId":"c","content":{"n": 1.50},"status":"error"}
		{"role":"assistant","content":"done"}`, `
		f 1 user "q"
		f 1 a f@1 "[1.50, 98765432109876543210]"
		f 1 b f@1 "one\ntwo"
		f 1 c g@1 {"n":1.50} error true
		f 1 answer @2 [a b c] "done"`},
	{"the first tools had no ids", "openai", `
		{"role":"user","content":"q"}
		{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}
		{"role":"function","name":"f","content":"one"}
		{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}
		{"role":"function","name":"f","content":"two"}
		{"role":"assistant","content":"done"}`, `
		f 1 user "q"
		f 1 function_call-1 f@1 "one"
		f 1 function_call-2 f@2 "two"
		f 1 answer @3 [function_call-1 function_call-2] "done"`},
	{"a picture, a refusal, a voice", "openai", `
		{"role":"user","content":[{"type":"text","text":"what is this?"},{"type":"image_url","image_url":{"url":"data:"}}]}
		{"role":"assistant","content":null,"refusal":"I will not say."}
		{"role":"user","content":"and this?"}
		{"role":"assistant","content":null,"audio":{"id":"x","transcript":"A bell."}}`, `
		f 1 user "what is this?"
		f 1 unseen content_not_captured
		f 1 answer @1 [] "I will not say."
		f 2 user "and this?"
		f 2 answer @1 [] "A bell."`},
	{"a call without a result", "openai", `
		{"role":"user","content":"q"}
		{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]}
		{"role":"assistant","content":"It is 55012."}`, `
		f 1 user "q"
		f 1 answer @2 [a] "It is 55012."`},
	{"the beginning is missing", "openai", `
		{"role":"tool","tool_call_id":"a","content":"5"}
		{"role":"assistant","content":"It is 55012."}`, `
		f 1 unseen history_incomplete
		f 1 a @0 "5"
		f 1 answer @1 [a] "It is 55012."`},
	{"lines of conversations", "openai", `
		{"messages":[{"role":"user","content":"q1"},{"role":"assistant","content":"a1"}]}
		{"messages":[{"role":"system","content":"s"},{"role":"user","content":"q2"},{"role":"assistant","content":"a2"}],"tools":[]}
		{"messages":[{"role":"user","content":"q3"}],"choices":[{"message":{"role":"assistant","content":"a3"}},{"message":{"role":"assistant","content":"other"}}]}`, `
		f 1 user "q1"
		f 1 answer @1 [] "a1"
		f-2 1 app "s"
		f-2 1 user "q2"
		f-2 1 answer @1 [] "a2"
		f-3 1 user "q3"
		f-3 1 answer @1 [] "a3"`},
	{"an array of messages", "openai", `[{"role":"user","content":"q"},
		{"role":"assistant","content":"a"}]`, `
		f 1 user "q"
		f 1 answer @1 [] "a"`},
	{"what is not known", "openai", `
		{"role":"user","content":"q"}
		{"role":"critic","content":"no"}
		{"role":"assistant","content":[{"type":"hologram"},{"type":"text","text":"a"}]}
		{"role":"assistant","tool_calls":[{"id":"a","type":"dance"},{"type":"function","function":{"name":"f"}}]}
		{"role":"tool","content":"x"}
		7`, `
		f 1 user "q"
		f 1 unseen content_not_captured
		f 1 unseen content_not_captured
		f 1 unseen content_not_captured
		f 1 unseen content_not_captured
		f 1 unseen content_not_captured
		f 1 answer @1 [] "a"
		fault: line 2: role: role "critic" is not known
		fault: line 3: content.0.type: content block "hologram" is not known
		fault: line 4: tool_calls.0.type: call of type "dance" is not known
		fault: line 4: tool_calls.1.id: is missing: the result of this call cannot be told
		fault: line 5: tool_call_id: is missing: the call of this result cannot be told
		fault: line 6: want an object: a message, an item, a response or a conversation`},
	{"a line that is no JSON", "openai", `
		{"role":"user","content":"q"}
		{"role":"assistant","content":
		{"role":"assistant","content":"It is 55012."}`, `
		f 1 user "q"
		f 1 unseen content_not_captured
		f 1 answer @1 [] "It is 55012."
		fault: line 2: not JSON: the text ends too early`},
}

var responsesDrifts = []drift{
	{"an output as a list of blocks", "openai", `
		{"type":"message","role":"user","content":"q"}
		{"type":"custom_tool_call","call_id":"k1","name":"exec","input":"run"}
		{"type":"custom_tool_call_output","call_id":"k1","output":[{"type":"input_text","text":"Script completed"},{"type":"input_text","text":"{}"}]}`, `
		f 1 user "q"
		f 1 k1 exec@1 "Script completed\n{}"`},
	{"responses that go on with one another", "openai", `
		{"object":"response","id":"r1","status":"in_progress","input":"q1","output":[{"type":"function_call","id":"fc","call_id":"a","name":"f","arguments":"{}"}]}
		{"object":"response","id":"r1","status":"completed","output":[{"type":"function_call","id":"fc","call_id":"a","name":"f","arguments":"{}"}]}
		{"object":"response","id":"r2","previous_response_id":"r1","input":[{"type":"function_call_output","call_id":"a","output":"5"}],"output":[{"type":"message","id":"m","role":"assistant","content":[{"type":"output_text","text":"five"}]}]}`, `
		f 1 user "q1"
		f 1 a f@1 "5"
		f 1 answer @2 [a] "five"`},
	{"what is said on the way to the answer", "openai", `
		{"role":"user","content":"q"}
		{"type":"message","id":"m1","role":"assistant","phase":"commentary","content":[{"type":"output_text","text":"I think of 55012."}]}
		{"type":"message","id":"m2","role":"assistant","phase":"final_answer","content":[{"type":"output_text","text":"five"}]}`, `
		f 1 user "q"
		f 1 answer @2 [] "five"`},
	{"a response to one that is not here", "openai", `
		{"object":"response","id":"r2","previous_response_id":"r1","instructions":"be brief","output":[{"type":"message","id":"m","role":"assistant","content":[{"type":"output_text","text":"five"}]}]}`, `
		f 1 app "be brief"
		f 1 unseen history_incomplete
		f 1 answer @1 [] "five"`},
	{"tools that the platform runs", "openai", `
		{"role":"user","content":"q"}
		{"type":"web_search_call","id":"ws","status":"completed","action":{"type":"search","query":"x"}}
		{"type":"file_search_call","id":"fs","status":"completed","queries":["x"],"results":[{"file_id":"f1","text":"page 4417"}]}
		{"type":"code_interpreter_call","id":"ci","status":"completed","code":"print(4417)","outputs":[{"type":"logs","logs":"4417"}]}
		{"type":"mcp_call","id":"mc","name":"t","server_label":"s","arguments":"{}","output":"8823","error":null}
		{"type":"mcp_call","id":"me","name":"t","server_label":"s","arguments":"{}","output":null,"error":"no such tool"}
		{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}`, `
		f 1 user "q"
		f 1 ws web_search@1 null status content_not_captured
		f 1 fs file_search@2 [{"file_id":"f1","text":"page 4417"}]
		f 1 ci code_interpreter@3 [{"type":"logs","logs":"4417"}] ran "print(4417)" in python:
		f 1 mc t@4 "8823"
		f 1 me t@5 null error "no such tool"
		f 1 answer @6 [ws fs ci mc me] "done"`},
	{"a screenshot, a reference, an unknown item", "openai", `
		{"role":"user","content":"q"}
		{"type":"computer_call","id":"x","call_id":"c","action":{"type":"screenshot"}}
		{"type":"computer_call_output","call_id":"c","output":{"type":"computer_screenshot","image_url":"data:"}}
		{"type":"item_reference","id":"msg_9"}
		{"type":"teleport_call","id":"t"}
		{"type":"message","role":"assistant","content":"done"}`, `
		f 1 user "q"
		f 1 c computer@1 ""
		f 1 unseen content_not_captured
		f 1 unseen history_incomplete
		f 1 unseen content_not_captured
		f 1 answer @2 [c] "done"
		fault: line 5: type: item of type "teleport_call" is not known`},
}

var anthropicDrifts = []drift{
	{"a result as text, list, nothing, error", "anthropic", `
		{"role":"user","content":"q"}
		{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{"x":1.50}},{"type":"tool_use","id":"b","name":"f","input":{}},{"type":"tool_use","id":"c","name":"f","input":{}},{"type":"tool_use","id":"d","name":"f","input":{}}]}
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"{\"build\":20440}"},{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"{\"build\":20440}"},{"type":"text","text":"status: failed"}]},{"type":"tool_result","tool_use_id":"c"},{"type":"tool_result","tool_use_id":"d","content":"no such build","is_error":true},{"type":"text","text":"hurry"}]}
		{"role":"assistant","content":[{"type":"text","text":"Build "},{"type":"text","text":"20440","citations":[]},{"type":"text","text":"."}]}`, `
		f 1 user "q"
		f 1 a f@1 "{\"build\":20440}"
		f 1 b f@1 "{\"build\":20440}\nstatus: failed"
		f 1 c f@1 ""
		f 1 d f@1 "no such build" error true
		f 1 user "hurry"
		f 1 answer @2 [a b c d] "Build 20440."`},
	{"a picture in a result", "anthropic", `
		{"role":"user","content":"q"}
		{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"shot","input":{}}]}
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"taken"},{"type":"image","source":{"type":"base64","data":"x"}}]}]}
		{"role":"assistant","content":"It shows 55012."}`, `
		f 1 user "q"
		f 1 a shot@1 "taken"
		f 1 unseen content_not_captured
		f 1 answer @2 [a] "It shows 55012."`},
	{"documents", "anthropic", `
		{"role":"user","content":[{"type":"document","title":"t","source":{"type":"text","media_type":"text/plain","data":"page 4417"}},{"type":"document","source":{"type":"content","content":[{"type":"text","text":"page 8823"}]}},{"type":"text","text":"q"}]}
		{"role":"assistant","content":"a"}
		{"role":"user","content":[{"type":"document","source":{"type":"file","file_id":"x"}}]}
		{"role":"assistant","content":"b"}`, `
		f 1 user "t\npage 4417\npage 8823\nq"
		f 1 answer @1 [] "a"
		f 2 user ""
		f 2 unseen content_not_captured
		f 2 unseen content_not_captured
		f 2 answer @1 [] "b"`},
	{"a search that the platform ran", "anthropic", `
		{"role":"user","content":"q"}
		{"role":"assistant","id":"m1","content":[{"type":"text","text":"I look."},{"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"x"}},{"type":"web_search_tool_result","tool_use_id":"s","content":[{"type":"web_search_result","url":"u","title":"4417 seals","encrypted_content":"E"}]},{"type":"text","text":"It is 4417."}],"stop_reason":"end_turn"}`, `
		f 1 user "q"
		f 1 s web_search@1 [{"type":"web_search_result","url":"u","title":"4417 seals","encrypted_content":"E"}]
		f 1 unseen content_not_captured
		f 1 answer @2 [s] "It is 4417."`},
	{"a request with its response", "anthropic", `
		{"system":"be brief","messages":[{"role":"user","content":"q"}],"response":{"role":"assistant","id":"m","content":[{"type":"text","text":"a"}]}}
		{"custom_id":"x","result":{"type":"succeeded","message":{"role":"assistant","id":"m","content":[{"type":"text","text":"b"}]}}}`, `
		f 1 app "be brief"
		f 1 user "q"
		f 1 answer @1 [] "a"
		f-2 1 answer @1 [] "b"`},
	{"what is not known", "anthropic", `
		{"role":"user","content":"q"}
		{"role":"assistant","content":[{"type":"hologram"},{"type":"text","text":"a"}]}
		{"role":"critic","content":"no"}
		{"role":"user","content":[{"type":"tool_result","content":"x"}]}`, `
		f 1 user "q"
		f 1 unseen content_not_captured
		f 1 unseen content_not_captured
		f 1 unseen content_not_captured
		f 1 answer @1 [] "a"
		fault: line 2: content.0.type: content block "hologram" is not known
		fault: line 3: role: role "critic" is not known
		fault: line 4: content.0.tool_use_id: is missing: the call of this result cannot be told`},
}
