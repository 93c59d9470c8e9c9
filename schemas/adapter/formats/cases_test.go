package formats_test

import (
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
)

// Cases that were reported of tools that read transcripts, by the names that they go by here.
func TestReportedCases(t *testing.T) {
	for _, tt := range []struct {
		name, format string
		rows         string
		want         string // of every verdict: outcome, reasons, unsupported values, readings of the calls
	}{
		{"ad-claude-dup-lines", "claude-code", `
			{"type":"user","uuid":"u0","message":{"role":"user","content":"List it."}}
			{"type":"assistant","uuid":"u1","message":{"id":"m1","content":[{"type":"text","text":"Loo 5501"}]}}
			{"type":"assistant","uuid":"u2","message":{"id":"m1","content":[{"type":"tool_use","id":"k1","name":"Bash","input":{"command":"ls"}}]}}
			{"type":"assistant","uuid":"u3","message":{"id":"m1","content":[{"type":"text","text":"Loo 55012 looking."}]}}
			{"type":"user","uuid":"u4","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"k1","content":"pump-4417"}]}}
			{"type":"assistant","uuid":"u5","message":{"id":"m2","content":[{"type":"text","text":"There is pump-4417."}]}}`,
			"grounded prompt_not_captured [] k1 unknown"},
		{"ad-inprogress-then-complete", "openai", `
			{"object":"response","id":"x1","status":"in_progress","instructions":"i","input":"q","output":[{"type":"message","id":"m1","role":"assistant","content":[{"type":"output_text","text":"It is 55"}]}]}
			{"object":"response","id":"x1","status":"completed","instructions":"i","input":"q","output":[{"type":"message","id":"m1","role":"assistant","content":[{"type":"output_text","text":"It is 55012."}]}]}`,
			"unsupported  [55012]"},
		{"a searching model cites what is not recorded", "openai", `
			{"role":"user","content":"q"}
			{"role":"assistant","content":"It has 98765 people.","annotations":[{"type":"url_citation","url_citation":{"url":"u","title":"t"}}]}`,
			"cannot_tell content_not_captured,prompt_not_captured [98765]"},
		{"ad-codex-array-output", "openai", `
			{"role":"user","content":"q"}
			{"type":"custom_tool_call","call_id":"k1","name":"exec","input":"x"}
			{"type":"custom_tool_call_output","call_id":"k1","output":[{"type":"input_text","text":"Script completed"},{"type":"input_text","text":"{}"}]}
			{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]}`,
			"nothing_asserted prompt_not_captured [] k1 unknown"},
		{"ev-mcp-array", "anthropic", `
			{"role":"user","content":"build?"}
			{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"lookup","input":{}}]}
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"{\"build\":20440}"},{"type":"text","text":"status: failed"}]}]}
			{"role":"assistant","content":"Build 20440 failed."}`,
			"grounded prompt_not_captured [] c1 unknown"},
		{"ev-typed-exempt-missing-system", "openai", `
			{"role":"user","content":"when?"}
			{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"lookup","arguments":"{}"}}]}
			{"role":"tool","tool_call_id":"c1","content":"{\"ok\":true}"}
			{"role":"assistant","content":"Our change window is 2031-05-15, reference POL-2231."}`,
			"unsupported prompt_not_captured [2031-05-15 pol-2231] c1 unknown"},
		{"em-structured-only", "agentfootprint", `
			{"type":"agentfootprint.agent.turn_start","payload":{"turnIndex":0,"userPrompt":"q"},"meta":{"runId":"r"}}
			{"type":"agentfootprint.stream.tool_start","payload":{"toolName":"f","toolCallId":"c1","args":{}},"meta":{"runId":"r"}}
			{"type":"agentfootprint.stream.tool_end","payload":{"toolCallId":"c1","result":{"content":[],"structuredContent":{"id":20117,"lat":48.1},"isError":false}},"meta":{"runId":"r"}}
			{"type":"agentfootprint.agent.turn_end","payload":{"finalContent":"It is 20117.","iterationCount":2},"meta":{"runId":"r"}}`,
			"grounded prompt_not_captured [] c1 non-empty"},
		{"em-silent-script", "claude-code", `
			{"type":"user","uuid":"u0","message":{"role":"user","content":"any activity?"}}
			{"type":"assistant","uuid":"u1","message":{"id":"m1","content":[{"type":"tool_use","id":"c1","name":"Bash","input":{"command":"python find.py"}}]}}
			{"type":"user","uuid":"u2","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"(Bash completed with no output)"}]}}
			{"type":"assistant","uuid":"u3","message":{"id":"m2","content":[{"type":"text","text":"There was no relevant activity."}]}}`,
			"nothing_asserted prompt_not_captured [] c1 undeclared-empty"},
		{"no result is no fabrication", "openai", `
			{"role":"user","content":"q"}
			{"role":"assistant","tool_calls":[{"id":"k1","type":"function","function":{"name":"f","arguments":"{}"}}]}
			{"role":"assistant","content":"It is 55012."}`,
			"cannot_tell rows_missing,prompt_not_captured [55012]"},
		{"a picture may hold it", "anthropic", `
			{"role":"user","content":[{"type":"image","source":{"type":"base64","data":"x"}},{"type":"text","text":"read it"}]}
			{"role":"assistant","content":"It is 55012."}`,
			"cannot_tell content_not_captured,prompt_not_captured [55012]"},
		{"what was compacted may hold it", "claude-code", `
			{"type":"user","uuid":"u3","parentUuid":"gone","message":{"role":"user","content":"q2"}}
			{"type":"assistant","uuid":"u4","parentUuid":"u3","message":{"id":"m2","content":[{"type":"text","text":"It was 55012."}]}}`,
			"cannot_tell prompt_not_captured,history_incomplete [55012]"},
		{"a row that is not known may hold it", "claude-code", `
			{"type":"user","uuid":"u3","message":{"role":"user","content":"q2"}}
			{"type":"telepathy","uuid":"u5","content":"55012"}
			{"type":"assistant","uuid":"u4","message":{"id":"m2","content":[{"type":"text","text":"It was 55012."}]}}`,
			"cannot_tell content_not_captured,prompt_not_captured [55012]"},
		{"what a run hides may hold it", "langsmith", `
			{"id":"r1","name":"agent","run_type":"chain","inputs":{"input":"q"},"outputs":{}}
			{"id":"r2","trace_id":"r1","parent_run_id":"r1","name":"f","run_type":"tool","start_time":1000,"end_time":2000,"inputs":{},"outputs":{}}
			{"id":"r3","trace_id":"r1","parent_run_id":"r1","name":"m","run_type":"llm","start_time":3000,"end_time":4000,"inputs":{"messages":[{"role":"user","content":"q"}]},"outputs":{"messages":[{"role":"assistant","content":"It is 55012."}]}}`,
			"cannot_tell content_not_captured,prompt_not_captured [55012] r2 unknown"},
		{"what a run says is held against what the others read", "langsmith", `
			{"id":"r1","name":"agent","run_type":"chain","inputs":{"input":"q"},"outputs":{}}
			{"id":"r2","trace_id":"r1","parent_run_id":"r1","name":"f","run_type":"tool","start_time":1000,"end_time":2000,"inputs":{},"outputs":{"output":"seal 48213"}}
			{"id":"r3","trace_id":"r1","parent_run_id":"r1","name":"m","run_type":"llm","start_time":3000,"end_time":4000,"inputs":{"messages":[{"role":"user","content":"q"}]},"outputs":{"messages":[{"role":"assistant","content":"It is 48213, not 55012."}]}}`,
			"unsupported prompt_not_captured [55012] r2 unknown"},
		{"a run that is not known may hold it", "langsmith", `
			{"id":"r1","name":"m","run_type":"llm","inputs":{"messages":[{"role":"user","content":"q"}]},"outputs":{"message":{"role":"assistant","content":"It is 55012."}}}
			{"id":"r2","trace_id":"r1","parent_run_id":"r1","name":"x","run_type":"telepathy","inputs":{},"outputs":{}}`,
			"cannot_tell rows_missing,prompt_not_captured [55012]"},
		{"a result that Inspect cut may have held it", "inspect", `
			{"id":"s","epoch":1,"input":"q","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"","tool_calls":[{"id":"a","function":"f","arguments":{}}]},{"role":"tool","content":"page","tool_call_id":"a","function":"f"},{"role":"assistant","content":"It is 55012."}],"events":[{"event":"tool","id":"a","function":"f","truncated":[90000,16384]}]}`,
			"cannot_tell result_capped,prompt_not_captured [55012] a unknown"},
		{"an answer that is submitted grounds nothing by itself", "inspect", `
			{"id":"s","epoch":1,"input":"q","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"","tool_calls":[{"id":"a","function":"submit","arguments":{"answer":"It is 55012."}}]},{"role":"tool","content":"It is 55012.","tool_call_id":"a","function":"submit"}]}`,
			"unsupported prompt_not_captured [55012]"},
		{"a sub-agent's report that only its trajectory holds", "atif", `
			{"schema_version":"ATIF-v1.7","session_id":"s","agent":{},"steps":[{"step_id":1,"source":"user","message":"q"},{"step_id":2,"source":"agent","message":"","tool_calls":[{"tool_call_id":"a","function_name":"task","arguments":{}}],"observation":{"results":[{"source_call_id":"a","subagent_trajectory_ref":[{"session_id":"x","trajectory_path":"x.json"}]}]}},{"step_id":3,"source":"agent","message":"It is 55012."}]}`,
			"cannot_tell content_not_captured,prompt_not_captured [55012] a unknown"},
		{"the prompt is known to say it", "claude-code", `
			{"type":"user","uuid":"u3","cwd":"/srv/job-55012","gitBranch":"fix/4417-seal","timestamp":"2031-05-15T10:00:00Z","message":{"role":"user","content":"q"}}
			{"type":"assistant","uuid":"u4","message":{"id":"m2","model":"claude-opus-4-5-20251101","content":[{"type":"text","text":"In /srv/job-55012 on fix/4417-seal, 2031-05-15, by claude-opus-4-5-20251101."}]}}`,
			"grounded prompt_not_captured []"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, v := range verdicts(t, read(t, unindent(tt.rows), "f", tt.format).events, turn.Calibrated1) {
				got = append(got, judged(v))
			}
			if said := strings.Join(got, "; "); said != tt.want {
				t.Errorf("got  %s\nwant %s", said, tt.want)
			}
		})
	}
}

func judged(v event.EvidenceChecked) string {
	var reasons, values []string
	for _, reason := range v.Reasons {
		reasons = append(reasons, string(reason))
	}
	for _, u := range v.Unsupported {
		values = append(values, u.Value)
	}
	var said strings.Builder
	said.WriteString(string(v.Outcome) + " " + strings.Join(reasons, ",") + " [" + strings.Join(values, " ") + "]")
	for _, r := range v.Results {
		said.WriteString(" " + r.Call + " " + r.Emptiness)
	}
	return said.String()
}

// The form is found by the first rows, or it is said that it cannot be.
func TestRecognised(t *testing.T) {
	for _, tt := range []struct{ name, rows, want string }{
		{"nothing", "\n\n", "native"},
		{"native", `{"v":1,"type":"answer"}`, "native"},
		{"a bad line first", "{\"v\":1\n" + `{"v":1,"type":"answer"}`, "native"},
		{"chat that only talks, with a system message", `{"role":"system","content":"s"}` + "\n" + `{"role":"user","content":"q"}`, "openai"},
		{"chat by its tool", `{"role":"user","content":"q"}` + "\n" + `{"role":"tool","tool_call_id":"x","content":"y"}`, "openai"},
		{"messages by their blocks", `{"role":"user","content":"q"}` + "\n" + `{"role":"assistant","content":[{"type":"tool_use"}]}`, "anthropic"},
		{"a request by its system", `{"system":"s","messages":[{"role":"user","content":"q"}]}`, "anthropic"},
		{"a request by its prompt's role", `{"messages":[{"role":"system","content":"s"},{"role":"user","content":"q"}]}`, "openai"},
		{"a session by its first title", `{"type":"summary","summary":"t","leafUuid":"u"}`, "claude-code"},
		{"a session by what precedes it", `{"type":"queue-operation","operation":"enqueue","sessionId":"s"}`, "claude-code"},
		{"a response", `{"object":"response","output":[]}`, "openai"},
		{"a Codex session", `{"timestamp":"t","type":"session_meta","payload":{"id":"x"}}`, "openai"},
		{"a recording", `{"events":[{"type":"agentfootprint.agent.turn_start"}]}`, "agentfootprint"},
		{"the parts of the AI SDK", `{"role":"user","content":"q"}` + "\n" + `{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}}]}`, "ai-sdk"},
		{"its results first", `[{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","output":{"type":"text","value":"x"}}]}]`, "ai-sdk"},
		{"its request, with a system text", `{"system":"s","messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool-call"}]}]}`, "ai-sdk"},
		{"its user interface", `{"id":"m","role":"user","parts":[{"type":"text","text":"q"}]}`, "ai-sdk"},
		{"a run", `{"id":"r1","name":"m","run_type":"llm","inputs":{},"outputs":{}}`, "langsmith"},
		{"a log of Inspect", `{"version":2,"status":"success","eval":{"task":"t"},"samples":[]}`, "inspect"},
		{"a sample of Inspect", `{"id":"s","epoch":1,"input":"q","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"","tool_calls":[{"id":"a","function":"f","arguments":{}}]},{"role":"tool","content":"x","tool_call_id":"a","function":"f"}]}`, "inspect"},
		{"a trajectory", `{"schema_version":"ATIF-v1.6","agent":{},"steps":[]}`, "atif"},
		{"a trajectory of a bare version", `{"schema_version":"1.4","steps":[{"step_id":1,"source":"user","message":"q"}]}`, "atif"},
		{"only talk", `{"role":"user","content":"q"}` + "\n" + `{"role":"assistant","content":"a"}`, "cannot be told: it may be openai or anthropic; name it with --format"},
		{"something else", `{"a":1}`, "of no format that is known here: name it with --format native, "},
		{"cut off", "{\n \"messages\": [\n  {\"role\": \"us", "no row of it is JSON (the first, on line 3: not JSON: the text ends too early), so its format cannot be told"},
		{"no JSON", "hello\nyou", "no row of it is JSON (the first, on line 1: not JSON (byte 0)), so its format cannot be told"},
		{"blank lines, one with a space", "\n\n \n", "native"},
		{"gzip", "\x1f\x8b\x08\x00\x01\x02\x03", "it is compressed with gzip: unpack it first"},
		{"UTF-16", "\xff\xfe{\x00}\x00\n\x00", "it is written in UTF-16: write it in UTF-8 first"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := recognised(tt.rows); got != tt.want && (len(tt.want) < 20 || !strings.Contains(got, tt.want)) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
