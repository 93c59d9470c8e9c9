package formats_test

var inspectDrifts = []drift{
	{"samples of several epochs, an error, a picture", "inspect", `
		{"id":"s","epoch":1,"input":"q","messages":[{"role":"user","content":[{"type":"text","text":"q"},{"type":"image","image":"data:"}]},{"role":"assistant","content":"I look.","tool_calls":[{"id":"a","function":"f","arguments":{"x":1.50}},{"id":"b","function":"g","arguments":{}}]},{"role":"tool","content":"","tool_call_id":"a","function":"f","error":{"type":"timeout","message":"Command timed out"}},{"role":"tool","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}],"tool_call_id":"b","function":"g"},{"role":"user","content":"the picture","tool_call_id":["b"]},{"role":"assistant","content":[{"type":"reasoning","reasoning":"hm"},{"type":"text","text":"done"}]}],"events":[{"event":"tool","id":"z","function":"inner"}]}
		{"id":"s","epoch":2,"input":"q","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"done"}]}`, `
		s 1 unseen content_not_captured
		s 1 user "q"
		s 1 a f@1 "Command timed out" error "Command timed out"
		s 1 b g@1 "one\ntwo"
		s 1 app "the picture"
		s 1 answer @2 [a b] "done"
		s-2 1 user "q"
		s-2 1 answer @1 [] "done"`},
	{"a tool that the provider ran", "inspect", `
		{"eval":{"task":"t"},"samples":[{"id":7,"epoch":1,"input":"q","messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","tool_type":"web_search","id":"w","name":"web_search","arguments":"x","result":"[4417]"},{"type":"text","text":"It is 4417."}]}]}]}`, `
		7 1 user "q"
		7 1 w web_search@1 "[4417]"
		7 1 answer @2 [w] "It is 4417."`},
	{"what stands apart, also where it is not there", "inspect", `
		{"id":"s","epoch":1,"input":"q","messages":[{"role":"user","content":"attachment://one"},{"role":"assistant","content":"attachment://two"}],"attachments":{"one":"a long question"}}`, `
		s 1 user "a long question"
		s 1 unseen content_not_captured`},
	{"what is not known", "inspect", `
		{"event":"tool","id":"a","function":"f"}
		{"eval":{"task":"t"}}
		{"id":"s","epoch":1,"input":"q","messages":[{"role":"user","content":"q"},{"role":"critic","content":"no"},{"role":"assistant","content":[{"type":"hologram"},{"type":"text","text":"a"}]},{"role":"tool","content":"x","function":"f"}]}`, `
		s 1 user "q"
		s 1 unseen content_not_captured
		s 1 unseen content_not_captured
		s 1 unseen content_not_captured
		s 1 answer @1 [] "a"
		fault: line 1: event: is an event alone: give the log or the sample that it is of
		fault: line 2: samples: is missing: want a log with its samples, or a sample
		fault: line 3: messages.1.role: role "critic" is not known
		fault: line 3: messages.2.content.0.type: content of type "hologram" is not known
		fault: line 3: messages.3.tool_call_id: is missing: the call of this result cannot be told`},
}

var atifDrifts = []drift{
	{"results of no call, an action that is no call, a picture", "atif", `
		{"schema_version":"ATIF-v1.4","session_id":"s","agent":{"name":"a"},"steps":[{"step_id":1,"source":"system","message":"be brief"},{"step_id":2,"source":"user","message":"q"},{"step_id":3,"source":"agent","message":"ls","observation":{"results":[{"content":"one"}]}},{"step_id":4,"source":"agent","message":"","tool_calls":[{"tool_call_id":"a","function_name":"shot","arguments":{"x":1.50}}],"observation":{"results":[{"content":[{"type":"text","text":"taken"},{"type":"image","source":{"media_type":"image/png","path":"x.png"}}]},{"content":"and this"}]}},{"step_id":5,"source":"system","message":"","observation":{"results":[{"content":"a warning"}]}},{"step_id":6,"source":"agent","message":"done"}]}`, `
		s 1 app "be brief"
		s 1 user "q"
		s 1 step-3-1 environment@1 "one"
		s 1 a shot@2 "taken"
		s 1 unseen content_not_captured
		s 1 step-4-2 environment@2 "and this"
		s 1 step-5-1 environment@3 "a warning"
		s 1 answer @4 [step-3-1 a step-4-2 step-5-1] "done"`},
	{"a session of two trajectories, one with a sub-agent's", "atif", `
		{"schema_version":"ATIF-v1.7","session_id":"s","agent":{},"continued_trajectory_ref":"next.json","steps":[{"step_id":1,"source":"user","message":"q"},{"step_id":2,"source":"agent","message":"","tool_calls":[{"tool_call_id":"a","function_name":"task","arguments":{}}],"observation":{"results":[{"source_call_id":"a","content":"found","subagent_trajectory_ref":[{"trajectory_id":"t2"}]}]}},{"step_id":3,"source":"agent","message":"found"}],"subagent_trajectories":[{"schema_version":"ATIF-v1.7","trajectory_id":"t2","agent":{},"steps":[{"step_id":1,"source":"user","message":"find"},{"step_id":2,"source":"agent","message":"found"}]}]}
		{"schema_version":"ATIF-v1.7","session_id":"s","agent":{},"steps":[{"step_id":1,"source":"user","message":"q","is_copied_context":true},{"step_id":2,"source":"system","message":"It was 55012.","extra":{"context_management":{"type":"summarization"}}},{"step_id":3,"source":"user","message":"q2"},{"step_id":4,"source":"agent","message":"by rule","llm_call_count":0},{"step_id":5,"source":"agent","message":"done"}]}`, `
		s 1 user "q"
		s 1 a task@1 "found"
		s/t2 1 user "find"
		s 1 answer @2 [a] "found"
		s 2 user "q2"
		s 2 answer @2 [] "done"
		s/t2 1 answer @1 [] "found"`},
	{"what is not known", "atif", `
		{"schema_version":"ATIF-v2.0","session_id":"s","agent":{},"steps":[{"step_id":1,"source":"user","message":"q"},{"step_id":2,"source":"critic","message":"no"},{"step_id":3,"source":"agent","message":[{"type":"hologram"},{"type":"text","text":"a"}],"tool_calls":[{"function_name":"f","arguments":{}}]}]}
		{"schema_version":"ATIF-v1.0","session_id":"s2","agent":{}}`, `
		s 1 unseen content_not_captured
		s 1 user "q"
		s 1 unseen content_not_captured
		s 1 unseen content_not_captured
		s 1 unseen content_not_captured
		s 1 answer @1 [] "a"
		fault: line 1: schema_version: "ATIF-v2.0" is not known: ATIF-v1 is
		fault: line 1: steps.1.source: source "critic" is not known
		fault: line 1: steps.2.message.0.type: content block "hologram" is not known
		fault: line 1: steps.2.tool_calls.0.tool_call_id: is missing: the result of this call cannot be told
		fault: line 2: steps: want a list of steps`},
}
