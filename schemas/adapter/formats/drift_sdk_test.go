package formats_test

var aisdkDrifts = []drift{
	{"every kind of output", "ai-sdk", `
		{"role":"user","content":"q"}
		{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{"x":1.50}},{"type":"tool-call","toolCallId":"b","toolName":"f","input":{}},{"type":"tool-call","toolCallId":"c","toolName":"f","input":{}},{"type":"tool-call","toolCallId":"d","toolName":"f","input":{}},{"type":"tool-call","toolCallId":"e","toolName":"f","input":{}},{"type":"tool-call","toolCallId":"g","toolName":"f","input":{}}]}
		{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"f","output":{"type":"text","value":"{\"n\":1.50}"}},{"type":"tool-result","toolCallId":"b","toolName":"f","output":{"type":"json","value":{"n": 1.50}}},{"type":"tool-result","toolCallId":"c","toolName":"f","output":{"type":"error-text","value":"no such crate"}},{"type":"tool-result","toolCallId":"d","toolName":"f","output":{"type":"error-json","value":{"code":404}}},{"type":"tool-result","toolCallId":"e","toolName":"f","output":{"type":"execution-denied","reason":"not today"}},{"type":"tool-result","toolCallId":"g","toolName":"f","output":{"type":"content","value":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}}]}
		{"role":"assistant","content":[{"type":"text","text":"do"},{"type":"text","text":"ne"}]}`, `
		f 1 user "q"
		f 1 a f@1 "{\"n\":1.50}"
		f 1 b f@1 {"n":1.50}
		f 1 c f@1 "no such crate" error true
		f 1 d f@1 {"code":404} error true
		f 1 e f@1 "not today" error true
		f 1 g f@1 "one\ntwo"
		f 1 answer @2 [a b c d e g] "do\nne"`},
	{"what is no text", "ai-sdk", `
		{"role":"user","content":[{"type":"image","image":"data:"},{"type":"text","text":"what is this?"}]}
		{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"shot","input":{}},{"type":"file","data":"x","mediaType":"image/png"}]}
		{"role":"tool","content":[{"type":"tool-approval-response","approvalId":"p","approved":true},{"type":"tool-result","toolCallId":"a","toolName":"shot","output":{"type":"content","value":[{"type":"text","text":"taken"},{"type":"media","data":"x","mediaType":"image/png"}]}}]}
		{"role":"assistant","content":"It shows 55012."}`, `
		f 1 user "what is this?"
		f 1 unseen content_not_captured
		f 1 a shot@1 "taken"
		f 1 unseen content_not_captured
		f 1 answer @2 [a] "It shows 55012."`},
	{"a tool that the provider ran", "ai-sdk", `
		{"role":"user","content":"q"}
		{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool-call","toolCallId":"a","toolName":"web_search","input":{},"providerExecuted":true},{"type":"tool-result","toolCallId":"a","toolName":"web_search","output":{"type":"json","value":[4417]}},{"type":"text","text":"It is 4417."}]}`, `
		f 1 user "q"
		f 1 a web_search@1 [4417]
		f 1 answer @2 [a] "It is 4417."`},
	{"version 4", "ai-sdk", `
		{"role":"user","content":"q"}
		{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","args":{"x":1}}]}
		{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"f","result":{"n":5},"isError":true}]}
		{"id":"m1","role":"assistant","content":"five","parts":[{"type":"step-start"},{"type":"tool-invocation","toolInvocation":{"state":"result","step":0,"toolCallId":"b","toolName":"g","args":{},"result":"six"}},{"type":"step-start"},{"type":"text","text":"six"}]}`, `
		f 1 user "q"
		f 1 a f@1 {"n":5} error true
		f 1 b g@2 "six"
		f 1 answer @3 [a b] "six"`},
	{"the states of a call", "ai-sdk", `
		{"id":"m0","role":"user","parts":[{"type":"text","text":"q"},{"type":"data-page","data":{"order":4417}},{"type":"file","mediaType":"image/png","url":"data:"}]}
		{"id":"m1","role":"assistant","parts":[{"type":"step-start"},{"type":"tool-f","toolCallId":"a","state":"output-error","input":{},"errorText":"no such crate"},{"type":"tool-f","toolCallId":"b","state":"output-denied","input":{},"approval":{"id":"p","approved":false,"reason":"not today"}},{"type":"tool-f-g","toolCallId":"c","state":"input-available","input":{}},{"type":"tool-f","toolCallId":"d","state":"output-available","preliminary":true,"input":{},"output":"soon"},{"type":"data-chart","data":{"n":1}},{"type":"text","text":"a"}]}
		{"id":"m2","role":"user","parts":[{"type":"text","text":"q2"}]}
		{"id":"m3","role":"assistant","parts":[{"type":"text","text":"b"},{"type":"source-url","sourceId":"s","url":"https://x"}]}`, `
		f 1 app "{\"order\":4417}"
		f 1 unseen content_not_captured
		f 1 user "q"
		f 1 a f@1 "no such crate" error true
		f 1 b f@1 "not today" error true
		f 1 answer @2 [a b c d] "a"
		f 2 user "q2"
		f 2 unseen content_not_captured
		f 2 answer @1 [] "b"`},
	{"what useChat sends, what generateText was asked and gave back", "ai-sdk", `
		{"id":"chat-1","trigger":"submit-message","messages":[{"id":"m0","role":"system","parts":[{"type":"text","text":"be brief"}]},{"id":"m1","role":"user","parts":[{"type":"text","text":"q"}]},{"id":"m2","role":"assistant","parts":[{"type":"text","text":"a"}]}]}
		{"instructions":"be brief","messages":[{"role":"user","content":"q"}],"response":{"messages":[{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"f","output":{"type":"text","value":"5"}}]},{"role":"assistant","content":"five"}]}}`, `
		chat-1 1 app "be brief"
		chat-1 1 user "q"
		chat-1 1 answer @1 [] "a"
		f 1 app "be brief"
		f 1 user "q"
		f 1 a f@1 "5"
		f 1 answer @2 [a] "five"`},
	{"what is not known", "ai-sdk", `
		{"role":"user","content":"q"}
		{"role":"critic","content":"no"}
		{"role":"assistant","content":[{"type":"hologram"},{"type":"tool-call","toolName":"f","input":{}},{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}},{"type":"tool-call","toolCallId":"b","toolName":"f","input":{}}]}
		{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","output":{"type":"hologram","value":1}},{"type":"tool-result","toolCallId":"b"},{"type":"hologram"}]}
		{"id":"m","role":"assistant","parts":[{"type":"hologram"},{"type":"tool-f","toolCallId":"c","state":"dreaming"},{"type":"text","text":"a"}]}
		7`, `
		f 1 user "q"
		f 1 unseen content_not_captured
		f 1 unseen content_not_captured
		f 1 unseen content_not_captured
		f 1 a f@1 ""
		f 1 unseen content_not_captured
		f 1 unseen content_not_captured
		f 1 unseen content_not_captured
		f 1 unseen content_not_captured
		f 1 unseen content_not_captured
		fault: line 2: role: role "critic" is not known
		fault: line 3: content.0.type: part of type "hologram" is not known
		fault: line 3: content.1.toolCallId: is missing: the result of this call cannot be told
		fault: line 4: content.0.output.type: output of type "hologram" is not known
		fault: line 4: content.1.output: is missing
		fault: line 4: content.2.type: part of type "hologram" is not known
		fault: line 5: parts.0.type: part of type "hologram" is not known
		fault: line 5: parts.1.state: state "dreaming" is not known
		fault: line 6: want an object: a message, or a conversation with messages`},
}
