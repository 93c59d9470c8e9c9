package formats_test

// typeDrifts are values of another kind where a message, a call or a result must stand: each is a fault with its line, and
// nothing is accused for what may have stood there.
var typeDrifts = []drift{
	{"a person's message without content", "anthropic", `
		{"role":"user","content":null}
		{"role":"user","content":[null,7]}
		{"role":"assistant","content":"It is 55012."}`, `
		f 1 user ""
		f 1 unseen content_not_captured
		f 1 unseen content_not_captured
		f 1 user ""
		f 1 unseen content_not_captured
		f 1 unseen content_not_captured
		f 1 answer @1 [] "It is 55012."
		fault: line 1: content: want a text or a list of content blocks, found null
		fault: line 2: content.0: want a text or a list of content blocks, found null
		fault: line 2: content.1: want a text or a list of content blocks, found a number`},
	{"a result that is none", "atif", `
		{"schema_version":"ATIF-v1.4","session_id":"s","steps":[{"source":"user","message":"q"},{"source":"agent","message":"","tool_calls":7,"observation":{"results":[7]}},{"source":"agent","message":"a","observation":{"results":"none"}}]}`, `
		s 1 user "q"
		s 1 unseen content_not_captured
		s 1 unseen content_not_captured
		s 1 unseen content_not_captured
		s 1 answer @2 [] "a"
		fault: line 1: steps.1.tool_calls: want a list, found a number
		fault: line 1: steps.1.observation.results.0: want a result, found a number
		fault: line 1: steps.2.observation.results: want a list, found a string`},
	{"messages and calls that are no lists", "inspect", `
		{"samples":[{"id":1,"epoch":1,"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"","tool_calls":7},{"role":"tool","tool_call_id":"a","content":[null]}]}]}`, `
		1 1 user "q"
		1 1 unseen content_not_captured
		1 1 unseen history_incomplete
		1 1 a @1 ""
		1 1 unseen content_not_captured
		fault: line 1: samples.0.messages.1.tool_calls: want a list, found a number
		fault: line 1: samples.0.messages.2.content.0: want a content block, found null`},
	{"a response that is none, a text that is none", "ai-sdk", `
		{"messages":[{"role":"user","content":"q"}],"response":{"messages":7}}
		{"messages":[{"role":"user","parts":[{"type":"text","text":7}]},{"role":"assistant","parts":[{"type":"text","text":"a"}]}]}`, `
		f 1 user "q"
		f 1 unseen content_not_captured
		f-2 1 unseen content_not_captured
		f-2 1 user ""
		f-2 1 unseen content_not_captured
		f-2 1 answer @1 [] "a"
		fault: line 1: response.messages: want a list of messages, found a number
		fault: line 2: messages.0.parts.0.text: want a string, found a number`},
}
