package formats_test

var langsmithDrifts = []drift{
	{"runs in a run, as JavaScript writes them", "langsmith", `
		{"id":"r1","trace_id":"r1","name":"agent","run_type":"chain","start_time":1000,"end_time":9000,"inputs":{"input":"q"},"outputs":{"output":"done"},"child_runs":[{"id":"r2","name":"ChatOpenAI","run_type":"llm","start_time":2000,"end_time":3000,"inputs":{"messages":[[{"lc":1,"type":"constructor","id":["langchain_core","messages","SystemMessage"],"kwargs":{"content":"be brief"}},{"lc":1,"type":"constructor","id":["langchain_core","messages","HumanMessage"],"kwargs":{"content":"q"}}]]},"outputs":{"generations":[[{"text":"","message":{"lc":1,"type":"constructor","id":["langchain_core","messages","AIMessageChunk"],"kwargs":{"content":"","tool_calls":[{"id":"a","name":"f","args":{"x":1}},{"id":"b","name":"g","args":{}}]}}}]]}},{"id":"r3","name":"f","run_type":"tool","start_time":4000,"end_time":5000,"inputs":{"input":"{\"x\":1}"},"outputs":{"output":{"lc":1,"type":"constructor","id":["langchain_core","messages","ToolMessage"],"kwargs":{"content":"{\"n\": 1.50}","tool_call_id":"a","name":"f"}}}},{"id":"r4","name":"g","run_type":"tool","start_time":4000,"end_time":5000,"inputs":{"input":"{}"},"outputs":{"output":{"content":"no such crate","type":"tool","tool_call_id":"b","status":"error"}}},{"id":"r5","name":"ChatOpenAI","run_type":"llm","start_time":6000,"end_time":7000,"inputs":{"messages":[{"type":"human","data":{"content":"q"}}]},"outputs":{"choices":[{"message":{"role":"assistant","content":"done"}}]}}]}`, `
		r1 1 user "q"
		r1 1 app "be brief"
		r1 1 a f@1 "{\"n\": 1.50}"
		r1 1 b g@1 "no such crate" error true
		r1 1 answer @2 [a b] "done"`},
	{"functions that are traced, a retriever, an error", "langsmith", `
		{"runs":[{"id":"r1","trace_id":"r1","name":"bot","run_type":"chain","start_time":"2031-05-20T09:00:00Z","end_time":"2031-05-20T09:00:09Z","inputs":{"question":"q"},"outputs":{"output":"done"},"extra":{"metadata":{"session_id":"t1"}}},{"id":"r2","trace_id":"r1","parent_run_id":"r1","name":"search","run_type":"retriever","start_time":"2031-05-20T09:00:01","end_time":"2031-05-20T09:00:02","inputs":{"query":"q"},"outputs":{"documents":[{"page_content":"page 4417","type":"Document"}]}},{"id":"r3","trace_id":"r1","parent_run_id":"r1","name":"f","run_type":"tool","start_time":"2031-05-20T09:00:03.5","end_time":"2031-05-20T09:00:04","inputs":{"x":1},"outputs":{"output":[1.50]}},{"id":"r4","trace_id":"r1","parent_run_id":"r1","name":"g","run_type":"tool","start_time":"2031-05-20T09:00:05","end_time":"2031-05-20T09:00:06","inputs":{},"outputs":null,"error":"ValueError('no')"},{"id":"r5","trace_id":"r1","parent_run_id":"r1","name":"template","run_type":"prompt","start_time":"2031-05-20T09:00:06","end_time":"2031-05-20T09:00:06","inputs":{},"outputs":{}},{"id":"r6","trace_id":"r1","parent_run_id":"r1","name":"model","run_type":"llm","start_time":"2031-05-20T09:00:07","end_time":"2031-05-20T09:00:08","inputs":{"prompts":["q"]},"outputs":{"generations":[{"text":"done"}]}}]}`, `
		t1 1 user "q"
		t1 1 app "page 4417"
		t1 1 answer @1 [] "done"
		t1 1 r3 f@1 [1.50]
		t1 1 r4 g@1 null error "ValueError('no')" status content_not_captured`},
	{"a model alone, as Anthropic's is traced", "langsmith", `
		{"id":"r1","name":"ChatAnthropic","run_type":"llm","inputs":{"system":"be brief","messages":[{"role":"user","content":"q"}]},"outputs":{"role":"assistant","content":[{"type":"text","text":"done"}]}}`, `
		r1 1 user "q"
		r1 1 app "be brief"
		r1 1 answer @1 [] "done"`},
	{"what is hidden", "langsmith", `
		{"id":"r1","name":"agent","run_type":"chain","inputs":{},"outputs":{}}
		{"id":"r2","trace_id":"r1","parent_run_id":"r1","name":"f","run_type":"tool","start_time":1000,"end_time":2000,"inputs":{},"outputs":{}}
		{"id":"r3","trace_id":"r1","parent_run_id":"r1","name":"m","run_type":"llm","start_time":3000,"end_time":4000,"inputs":{},"outputs":{"messages":[{"role":"assistant","content":"It is 55012."}]}}`, `
		r1 1 answer @1 [] "It is 55012."
		r1 1 r2 f@1 null status content_not_captured`},
	{"what is not known", "langsmith", `
		{"id":"r1","name":"m","run_type":"llm","inputs":{"messages":[{"role":"user","content":"q"}]},"outputs":{"message":{"role":"assistant","content":"It is 55012."}}}
		{"id":"r2","trace_id":"r1","parent_run_id":"r1","name":"x","run_type":"telepathy","inputs":{},"outputs":{}}
		{"name":"x","run_type":"llm"}
		{"id":"r3","name":"m","run_type":"llm","inputs":{"messages":[{"role":"critic","content":"q"}]},"outputs":{"message":{"role":"assistant","content":"It is 55012."}}}
		7`, `
		r1 1 user "q"
		r1 1 answer @1 [] "It is 55012."
		fault: line 2: run_type: run of type "telepathy" is not known
		fault: line 3: trace_id: is missing, and so is id: the run belongs to no trace
		fault: line 5: want a run, found a number
		fault: line 4: inputs.messages.0.role: run "m": names no role that is known here`},
}
