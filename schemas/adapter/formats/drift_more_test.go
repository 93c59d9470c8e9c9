package formats_test

var claudeDrifts = []drift{
	{"a message over several rows, a text begun and then whole", "claude-code", `
		{"type":"user","uuid":"u0","parentUuid":null,"message":{"role":"user","content":"q"}}
		{"type":"assistant","uuid":"u1","message":{"id":"m1","content":[{"type":"text","text":"Loo"}]}}
		{"type":"assistant","uuid":"u2","message":{"id":"m1","content":[{"type":"text","text":"Looking done."}]}}
		{"type":"assistant","uuid":"u2","message":{"id":"m1","content":[{"type":"text","text":"Looking done."}]}}`, `
		f 1 user "q"
		f 1 answer @1 [] "Looking done."`},
	{"results between the rows of one message", "claude-code", `
		{"type":"user","uuid":"u0","message":{"role":"user","content":"q"}}
		{"type":"assistant","uuid":"u1","message":{"id":"m1","content":[{"type":"tool_use","id":"a","name":"Read","input":{}}]}}
		{"type":"user","uuid":"u2","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"one"}]}}
		{"type":"assistant","uuid":"u3","message":{"id":"m1","content":[{"type":"tool_use","id":"b","name":"Read","input":{}}]}}
		{"type":"user","uuid":"u4","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"two"}]}}
		{"type":"assistant","uuid":"u5","message":{"id":"m2","content":[{"type":"text","text":"done"}]}}`, `
		f 1 user "q"
		f 1 a Read@1 "one"
		f 1 b Read@1 "two"
		f 1 answer @2 [a b] "done"`},
	{"how a program went", "claude-code", `
		{"type":"user","uuid":"u0","message":{"role":"user","content":"q"}}
		{"type":"assistant","uuid":"u1","message":{"id":"m1","content":[{"type":"tool_use","id":"a","name":"Bash","input":{"command":"ls"}},{"type":"tool_use","id":"b","name":"Bash","input":{"command":"false"}},{"type":"tool_use","id":"c","name":"Bash","input":{"command":"sleep 9"}},{"type":"tool_use","id":"d","name":"Bash","input":{"command":"rm x"}},{"type":"tool_use","id":"e","name":"Bash","input":{"command":"serve"}}]}}
		{"type":"user","uuid":"u2","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"(Bash completed with no output)"}]},"toolUseResult":{"stdout":"","stderr":"","interrupted":false}}
		{"type":"user","uuid":"u3","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"Exit code 2\nno","is_error":true}]},"toolUseResult":"Error: Exit code 2\nno"}
		{"type":"user","uuid":"u4","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"Command timed out after 2m 0.0s","is_error":true}]}}
		{"type":"user","uuid":"u5","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"d","content":"The user doesn't want to proceed with this tool use. The tool use was rejected","is_error":true},{"type":"text","text":"[Request interrupted by user for tool use]"}]}}
		{"type":"user","uuid":"u6","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"e","content":"Command running in background with ID: b1"}]},"toolUseResult":{"stdout":"","backgroundTaskId":"b1"}}`, `
		f 1 user "q"
		f 1 a Bash@1 "" ran "ls" in bash:succeeded 0
		f 1 b Bash@1 "Exit code 2\nno" error true ran "false" in bash:failed 2
		f 1 c Bash@1 "Command timed out after 2m 0.0s" error true ran "sleep 9" in bash:timed-out
		f 1 d Bash@1 "The user doesn't want to proceed with this tool use. The tool use was rejected" error true ran "rm x" in bash:refused
		f 1 e Bash@1 "Command running in background with ID: b1" ran "serve" in bash:unknown`},
	{"a session that goes on with an older one repeats its rows", "claude-code", `
		{"type":"user","uuid":"u0","parentUuid":null,"sessionId":"old","message":{"role":"user","content":"q"}}
		{"type":"assistant","uuid":"u1","parentUuid":"u0","sessionId":"old","message":{"id":"m1","content":[{"type":"text","text":"a"}]}}
		{"type":"user","uuid":"u0","parentUuid":null,"sessionId":"old","message":{"role":"user","content":"q"}}
		{"type":"assistant","uuid":"u1","parentUuid":"u0","sessionId":"old","message":{"id":"m1","content":[{"type":"text","text":"a"}]}}
		{"type":"user","uuid":"u2","parentUuid":"u1","sessionId":"new","message":{"role":"user","content":"q2"}}
		{"type":"assistant","uuid":"u3","parentUuid":"u2","sessionId":"new","message":{"id":"m2","content":[{"type":"text","text":"b"}]}}`, `
		old 1 user "q"
		old 1 answer @1 [] "a"
		old 2 user "q2"
		old 2 answer @1 [] "b"`},
	{"two sessions in one file", "claude-code", `
		{"type":"user","uuid":"u0","parentUuid":null,"sessionId":"s1","message":{"role":"user","content":"q"}}
		{"type":"assistant","uuid":"u1","parentUuid":"u0","sessionId":"s1","message":{"id":"m1","content":[{"type":"text","text":"a"}]}}
		{"type":"user","uuid":"v0","parentUuid":null,"sessionId":"s2","message":{"role":"user","content":"q"}}
		{"type":"assistant","uuid":"v1","parentUuid":"v0","sessionId":"s2","message":{"id":"n1","content":[{"type":"text","text":"a"}]}}`, `
		s1 1 user "q"
		s2 1 user "q"
		s1 1 answer @1 [] "a"
		s2 1 answer @1 [] "a"`},
	{"a sub-agent in the same file", "claude-code", `
		{"type":"user","uuid":"u0","sessionId":"s","message":{"role":"user","content":"q"}}
		{"type":"assistant","uuid":"u1","parentUuid":"u0","sessionId":"s","message":{"id":"m1","content":[{"type":"tool_use","id":"t","name":"Task","input":{"prompt":"p"}}]}}
		{"type":"user","uuid":"x0","parentUuid":null,"isSidechain":true,"sessionId":"s","message":{"role":"user","content":"p"}}
		{"type":"assistant","uuid":"x1","parentUuid":"x0","isSidechain":true,"sessionId":"s","message":{"id":"n1","content":[{"type":"text","text":"found"}]}}
		{"type":"user","uuid":"u2","parentUuid":"u1","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"found"}]}]}}
		{"type":"assistant","uuid":"u3","parentUuid":"u2","sessionId":"s","message":{"id":"m2","content":[{"type":"text","text":"done"}]}}`, `
		s 1 user "q"
		s/sidechain-x0 1 user "p"
		s 1 t Task@1 "found"
		s 1 answer @2 [t] "done"
		s/sidechain-x0 1 answer @1 [] "found"`},
	{"compacted, with what was before in the file", "claude-code", `
		{"type":"user","uuid":"u0","parentUuid":null,"message":{"role":"user","content":"q"}}
		{"type":"assistant","uuid":"u1","parentUuid":"u0","message":{"id":"m1","content":[{"type":"text","text":"a"}]}}
		{"type":"system","subtype":"compact_boundary","uuid":"b","parentUuid":null,"logicalParentUuid":"u1","content":"Conversation compacted"}
		{"type":"user","uuid":"u2","parentUuid":"b","isCompactSummary":true,"isVisibleInTranscriptOnly":true,"message":{"role":"user","content":"This session is being continued. It was 55012."}}
		{"type":"user","uuid":"u3","parentUuid":"u2","message":{"role":"user","content":"q2"}}
		{"type":"assistant","uuid":"u4","parentUuid":"u3","message":{"id":"m2","content":[{"type":"text","text":"b"}]}}`, `
		f 1 user "q"
		f 1 answer @1 [] "a"
		f 2 user "q2"
		f 2 answer @1 [] "b"`},
	{"compacted, of what is not in the file", "claude-code", `
		{"type":"summary","summary":"Pump work","leafUuid":"u9"}
		{"type":"system","subtype":"compact_boundary","uuid":"b","parentUuid":null,"logicalParentUuid":"gone","content":"Conversation compacted"}
		{"type":"user","uuid":"u2","parentUuid":"b","isCompactSummary":true,"message":{"role":"user","content":"It was 55012."}}
		{"type":"user","uuid":"u3","parentUuid":"u2","message":{"role":"user","content":"q2"}}
		{"type":"assistant","uuid":"u4","parentUuid":"u3","message":{"id":"m2","content":[{"type":"text","text":"It was 55012."}]}}`, `
		f 1 unseen history_incomplete
		f 1 user "q2"
		f 1 answer @1 [] "It was 55012."`},
	{"what the app writes under the person's name", "claude-code", `
		{"type":"user","uuid":"u0","message":{"role":"user","content":"q"}}
		{"type":"assistant","uuid":"u1","message":{"id":"m1","content":[{"type":"tool_use","id":"t","name":"Read","input":{}}]}}
		{"type":"user","uuid":"u2","isMeta":true,"message":{"role":"user","content":"<system-reminder>4417</system-reminder>"}}
		{"type":"user","uuid":"u3","message":{"role":"user","content":"<task-notification>8823</task-notification>"}}
		{"type":"user","uuid":"u4","origin":{"kind":"hook"},"message":{"role":"user","content":"stop"}}
		{"type":"attachment","uuid":"u5","attachment":{"type":"queued_command","prompt":"also check 7"}}
		{"type":"attachment","uuid":"u6","attachment":{"type":"file","filename":"a","content":"5"}}
		{"type":"system","uuid":"s1","subtype":"local_command","content":"<command-name>/cost</command-name>"}
		{"type":"system","uuid":"s2","subtype":"away_summary","content":"It was 55012."}
		{"type":"assistant","uuid":"u7","isApiErrorMessage":true,"message":{"id":"e","model":"<synthetic>","content":[{"type":"text","text":"API Error: 50012"}]}}
		{"type":"assistant","uuid":"u8","message":{"id":"m2","content":[{"type":"text","text":"a"}]}}`, `
		f 1 user "q"
		f 1 app "<system-reminder>4417</system-reminder>"
		f 1 app "<task-notification>8823</task-notification>"
		f 1 app "stop"
		f 1 user "also check 7"
		f 1 app "{\"type\":\"file\",\"filename\":\"a\",\"content\":\"5\"}"
		f 1 app "<command-name>/cost</command-name>"
		f 1 answer @2 [t] "a"`},
	{"a picture that the app attached, a PDF that it puts behind a result", "claude-code", `
		{"type":"user","uuid":"u0","message":{"role":"user","content":"q"}}
		{"type":"attachment","uuid":"u1","attachment":{"type":"file","filename":"a.png","content":{"type":"image","file":{"type":"image/png"}}}}
		{"type":"assistant","uuid":"u2","message":{"id":"m1","content":[{"type":"tool_use","id":"t","name":"Read","input":{}}]}}
		{"type":"user","uuid":"u3","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"PDF file read"}]}}
		{"type":"user","uuid":"u4","isMeta":true,"message":{"role":"user","content":[{"type":"document","source":{"type":"base64"}}]}}
		{"type":"assistant","uuid":"u5","message":{"id":"m2","content":[{"type":"text","text":"a"}]}}`, `
		f 1 user "q"
		f 1 app "{\"type\":\"file\",\"filename\":\"a.png\",\"content\":{\"type\":\"image\",\"file\":{\"type\":\"image/png\"}}}"
		f 1 unseen content_not_captured
		f 1 t Read@1 "PDF file read"
		f 1 unseen content_not_captured
		f 1 answer @2 [t] "a"`},
	{"a result that was cleared, a picture", "claude-code", `
		{"type":"user","uuid":"u0","message":{"role":"user","content":[{"type":"text","text":"q"},{"type":"image","source":{"type":"base64"}}]}}
		{"type":"assistant","uuid":"u1","message":{"id":"m1","content":[{"type":"tool_use","id":"t","name":"Read","input":{}}]}}
		{"type":"user","uuid":"u2","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"[Old tool result content cleared]"}]}}`, `
		f 1 user "q"
		f 1 unseen content_not_captured
		f 1 t Read@1 null status content_not_captured`},
	{"stream-json", "claude-code", `
		{"type":"system","subtype":"init","session_id":"s","cwd":"/srv","tools":[]}
		{"type":"user","session_id":"s","parent_tool_use_id":null,"message":{"role":"user","content":"q"}}
		{"type":"assistant","session_id":"s","parent_tool_use_id":null,"message":{"id":"m1","content":[{"type":"tool_use","id":"t","name":"Task","input":{}}]}}
		{"type":"assistant","session_id":"s","parent_tool_use_id":"t","message":{"id":"n1","content":[{"type":"text","text":"found"}]}}
		{"type":"user","session_id":"s","parent_tool_use_id":null,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"found"}]}}
		{"type":"assistant","session_id":"s","parent_tool_use_id":null,"message":{"id":"m2","content":[{"type":"text","text":"done"}]}}
		{"type":"result","subtype":"success","session_id":"s","result":"done"}`, `
		s 1 user "q"
		s 1 t Task@1 "found"
		s 1 answer @2 [t] "done"
		s/t 1 answer @1 [] "found"`},
	{"what is not known", "claude-code", `
		{"type":"user","uuid":"u0","message":{"role":"user","content":"q"}}
		{"type":"telepathy","uuid":"u1"}
		{"uuid":"u2"}
		{"type":"assistant","uuid":"u3","message":{"id":"m1","content":[{"type":"hologram"},{"type":"text","text":"a"}]}}`, `
		f 1 user "q"
		f 1 unseen content_not_captured
		f 1 unseen content_not_captured
		f 1 answer @1 [] "a"
		fault: line 2: type: row of type "telepathy" is not known
		fault: line 3: type: is missing: want a row of a session
		fault: line 4: message.content.0.type: content block "hologram" is not known`},
}

var footprintDrifts = []drift{
	{"the door, before the end and after it", "agentfootprint", `
		{"type":"agentfootprint.agent.turn_start","payload":{"turnIndex":0,"userPrompt":"q"},"meta":{"runId":"r"}}
		{"type":"agentfootprint.stream.tool_start","payload":{"toolName":"f","toolCallId":"a","args":{"x":1.50}},"meta":{"runId":"r","iterIndex":1}}
		{"type":"agentfootprint.tools.absent","payload":{"toolName":"f","toolCallId":"a","iteration":1,"checked":[{"what":"x"}]},"meta":{"runId":"r"}}
		{"type":"agentfootprint.stream.tool_end","payload":{"toolCallId":"a","result":{"af_absent":true,"checked":["x"]},"durationMs":1.5,"status":"success"},"meta":{"runId":"r"}}
		{"type":"agentfootprint.tools.coverage_declared","payload":{"toolName":"f","toolCallId":"a","iteration":1},"meta":{"runId":"r"}}
		{"type":"agentfootprint.tools.semantics_declared","payload":{"toolCallId":"a","semantics":{"facts":[1.50]}},"meta":{"runId":"r"}}
		{"type":"agentfootprint.agent.evidence_checked","payload":{"iteration":2,"afterRevision":true},"meta":{"runId":"r"}}
		{"type":"agentfootprint.agent.turn_end","payload":{"turnIndex":0,"finalContent":"done","iterationCount":3},"meta":{"runId":"r"}}`, `
		r 1 user "q"
		r 1 a f@1 {"af_absent":true,"checked":["x"]} status success door absent=true bounded=false described=
		r 1 a f@1 {"af_absent":true,"checked":["x"]} status success door absent=true bounded=true described=
		r 1 a f@1 {"af_absent":true,"checked":["x"]} status success door absent=true bounded=true described={"facts":[1.50]}
		r 1 answer @3 [a] "done" after a revision`},
	{"a session of several runs, one paused, one exported twice", "agentfootprint", `
		{"type":"agentfootprint.agent.turn_start","payload":{"turnIndex":0,"userPrompt":"q"},"meta":{"runId":"r1","sessionId":"s","tenant":"acme"}}
		{"type":"agentfootprint.stream.tool_start","payload":{"toolName":"f","toolCallId":"a","args":{}},"meta":{"runId":"r1","sessionId":"s","tenant":"acme","iterIndex":1}}
		{"type":"agentfootprint.stream.tool_end","payload":{"toolCallId":"a","result":5,"modelResult":"five"},"meta":{"runId":"r2","sessionId":"s","tenant":"acme"}}
		{"type":"agentfootprint.agent.turn_end","payload":{"turnIndex":0,"finalContent":"five","iterationCount":2},"meta":{"runId":"r2","sessionId":"s","tenant":"acme"}}
		{"type":"agentfootprint.agent.turn_start","payload":{"turnIndex":0,"userPrompt":"q2"},"meta":{"runId":"r3","sessionId":"s","tenant":"acme"}}
		{"type":"agentfootprint.agent.turn_start","payload":{"turnIndex":0,"userPrompt":"q2"},"meta":{"runId":"r3","sessionId":"s","tenant":"acme"}}
		{"type":"agentfootprint.agent.turn_end","payload":{"turnIndex":0,"finalContent":"six","iterationCount":1},"meta":{"runId":"r3","sessionId":"s","tenant":"acme"}}`, `
		s 1 user "q"
		s 1 a f@1 5 read as "five"
		s 1 answer @2 [a] "five"
		s 2 user "q2"
		s 2 user "q2"
		s 2 answer @1 [] "six"`},
	{"content that was not recorded", "agentfootprint", `
		{"eventType":"agentfootprint.agent.turn_start","payload":{"turnIndex":0,"userPrompt":"[12 chars]"},"meta":{"runId":"r"}}
		{"eventType":"agentfootprint.stream.tool_start","payload":{"toolName":"f","toolCallId":"a","args":"[keys: x]"},"meta":{"runId":"r"}}
		{"eventType":"agentfootprint.stream.tool_end","payload":{"toolCallId":"a","result":"[type: object]"},"meta":{"runId":"r"}}
		{"eventType":"agentfootprint.agent.turn_end","payload":{"turnIndex":0,"finalContent":"[1234 chars]","iterationCount":2},"meta":{"runId":"r"}}`, `
		r 1 unseen prompt_not_captured
		r 1 a f@0 null status content_not_captured`},
	{"a recording, errors, a prompt", "agentfootprint", `
		{"events":[{"type":"agentfootprint.agent.turn_start","payload":{"turnIndex":0,"userPrompt":"q"},"meta":{"runId":"r"}},{"type":"agentfootprint.context.injected","payload":{"source":"skill","contentSummary":"the st","rawContent":"the steps"},"meta":{"runId":"r"}},{"type":"agentfootprint.context.injected","payload":{"source":"base","contentSummary":"You are"},"meta":{"runId":"r"}},{"type":"agentfootprint.context.injected","payload":{"source":"user","contentSummary":"q"},"meta":{"runId":"r"}},{"type":"agentfootprint.stream.tool_start","payload":{"toolName":"f","toolCallId":"a","args":{}},"meta":{"runId":"r"}},{"type":"agentfootprint.stream.tool_end","payload":{"toolCallId":"a","result":{"content":[{"type":"image","data":"x"}],"isError":false},"error":true},"meta":{"runId":"r"}},{"type":"agentfootprint.cost.tick","payload":{},"meta":{"runId":"r"}}]}`, `
		r 1 user "q"
		r 1 app "the steps"
		r 1 app "You are"
		r 1 unseen prompt_not_captured
		r 1 unseen content_not_captured
		r 1 a f@0 {"content":[{"type":"image","data":"x"}],"isError":false} error true`},
	{"what is not known", "agentfootprint", `
		{"type":"agentfootprint.agent.turn_start","payload":{"turnIndex":0,"userPrompt":"q"},"meta":{"runId":"r"}}
		{"type":"agentfootprint.telepathy.read","payload":{},"meta":{"runId":"r"}}
		{"type":"agentfootprint.stream.tool_end","payload":{"toolCallId":"a"},"meta":{"runId":"r"}}
		{"type":"agentfootprint.stream.tool_end","payload":{"result":1},"meta":{}}
		{"type":"other.event"}
		{"type":"agentfootprint.agent.turn_end","payload":{"finalContent":"It is 55012."},"meta":{"runId":"r"}}`, `
		r 1 user "q"
		r 1 unseen content_not_captured
		r 1 unseen content_not_captured
		r 1 unseen content_not_captured
		r 1 unseen content_not_captured
		r 1 answer @0 [] "It is 55012."
		fault: line 2: type: event "agentfootprint.telepathy.read" is not known
		fault: line 3: payload.result: is missing, or of another kind
		fault: line 4: meta.runId: is missing: the event belongs to no run
		fault: line 5: type: event "other.event" is not one of agentfootprint's`},
}
