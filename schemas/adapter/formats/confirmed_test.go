package formats_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/turn"
)

// An answer may name what a call of Claude Code succeeded with: the tool confirmed it. What the model only typed, or what
// failed, is held against what was read, as ever.
func TestClaudeCodeConfirms(t *testing.T) {
	const (
		file = `"file_path":"/srv/depot/src/x7.ts"`
		edit = `"old_string":"limit = 48213","new_string":"limit = 59324"`
		done = `"content":"done"`
		no   = `"is_error":true,"content":"File does not exist."`
	)
	for _, tt := range []struct {
		name, tool, input, result, answer string
		want                              string
	}{
		{"a file that was read", "Read", file, `"content":"    41\tlet a\n    42\tlet b"`, "See src/x7.ts:42.", "grounded []"},
		{"its whole path", "Read", file, done, "See /srv/depot/src/x7.ts.", "grounded []"},
		{"a file that was not there", "Read", file, no, "See src/x7.ts.", "unsupported [src/x7.ts]"},
		{"a line that was not read", "Read", file, `"content":"    41\tlet a"`, "See src/x7.ts:4217.", "unsupported [src/x7.ts:4217]"},
		{"another file", "Read", file, done, "See src/x8.ts.", "unsupported [src/x8.ts]"},
		{"an edit", "Edit", file + "," + edit, done, "In src/x7.ts the limit was 48213 and is 59324.", "grounded []"},
		{"an edit that failed", "Edit", file + "," + edit, no, "The limit was 48213 and is 59324.", "unsupported [48213 59324]"},
		{"an edit that was refused, not marked", "Edit", file + "," + edit, `"content":"<tool_use_error>String to replace not found</tool_use_error>"`, "It is 59324.", "unsupported [59324]"},
		{"the same in blocks", "Edit", file + "," + edit, `"content":[{"type":"text","text":"The user doesn't want to proceed with this tool use."}]`, "It is 59324.", "unsupported [59324]"},
		{"another value than the edit's", "Edit", file + "," + edit, done, "It is 59325.", "unsupported [59325]"},
		{"several edits", "MultiEdit", file + `,"edits":[{"old_string":"a"},{` + edit + `}]`, done, "It was 48213 and is 59324.", "grounded []"},
		{"several edits that failed", "MultiEdit", file + `,"edits":[{` + edit + `}]`, no, "It is 59324.", "unsupported [59324]"},
		{"a file that was written", "Write", file + `,"content":"limit = 59324"`, done, "It is in src/x7.ts.", "grounded []"},
		{"what was written", "Write", file + `,"content":"limit = 59324"`, done, "It is 59324.", "unsupported [59324]"},
		{"a notebook", "NotebookEdit", `"notebook_path":"/srv/n7.ipynb","new_source":"59324"`, done, "It is in n7.ipynb.", "grounded []"},
		{"what was put into a notebook", "NotebookEdit", `"notebook_path":"/srv/n7.ipynb","new_source":"59324"`, done, "It is 59324.", "unsupported [59324]"},
		{"what a command was given", "Bash", `"command":"touch /srv/depot/src/x7.ts"`, done, "See src/x7.ts.", "unsupported [src/x7.ts]"},
		{"what was searched for", "Grep", `"pattern":"limit = 59324","path":"/srv"`, `"content":"No files found"`, "It is 59324.", "unsupported [59324]"},
		{"a tool of another name", "mcp__files__Read", file, done, "See src/x7.ts.", "unsupported [src/x7.ts]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rows := fmt.Sprintf(`
				{"type":"user","uuid":"u0","message":{"role":"user","content":"go"}}
				{"type":"assistant","uuid":"u1","message":{"id":"m1","content":[{"type":"tool_use","id":"a","name":%q,"input":{%s}}]}}
				{"type":"user","uuid":"u2","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a",%s}]}}
				{"type":"assistant","uuid":"u3","message":{"id":"m2","content":[{"type":"text","text":%q}]}}`,
				tt.tool, tt.input, tt.result, tt.answer)
			all := verdicts(t, read(t, unindent(rows), "f", "claude-code").events, turn.Calibrated1)
			if len(all) != 1 {
				t.Fatalf("%d verdicts", len(all))
			}
			var values []string
			for _, u := range all[0].Unsupported {
				values = append(values, u.Value)
			}
			if got := fmt.Sprintf("%s %v", all[0].Outcome, values); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// What a call succeeded with reaches the answers after it, in its own conversation, and none before.
func TestClaudeCodeConfirmsFromThenOn(t *testing.T) {
	rows := `
		{"type":"user","uuid":"u0","sessionId":"s","message":{"role":"user","content":"go"}}
		{"type":"assistant","uuid":"u1","sessionId":"s","message":{"id":"m1","content":[{"type":"text","text":"It is x7.ts."}]}}
		{"type":"user","uuid":"u2","sessionId":"s","message":{"role":"user","content":"look"}}
		{"type":"assistant","uuid":"u3","sessionId":"s","message":{"id":"m2","content":[{"type":"tool_use","id":"a","name":"Read","input":{"file_path":"/srv/x7.ts"}},{"type":"tool_use","id":"b","name":"Read","input":{"file_path":"/srv/x7.ts"}}]}}
		{"type":"user","uuid":"u4","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"one"}]}}
		{"type":"user","uuid":"u5","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"two"}]}}
		{"type":"assistant","uuid":"u6","sessionId":"s","message":{"id":"m3","content":[{"type":"text","text":"It is x7.ts."}]}}
		{"type":"user","uuid":"u7","sessionId":"s","message":{"role":"user","content":"again"}}
		{"type":"assistant","uuid":"u8","sessionId":"s","message":{"id":"m4","content":[{"type":"text","text":"It is x7.ts."}]}}
		{"type":"user","uuid":"v0","sessionId":"z","message":{"role":"user","content":"go"}}
		{"type":"assistant","uuid":"v1","sessionId":"z","message":{"id":"n1","content":[{"type":"text","text":"It is x7.ts."}]}}`
	told := read(t, unindent(rows), "f", "claude-code")
	var got []string
	for _, v := range verdicts(t, told.events, turn.Calibrated1) {
		got = append(got, fmt.Sprintf("%s %d %s", v.Conversation, v.Turn, v.Outcome))
	}
	if want := "s 1 unsupported; s 2 grounded; s 3 grounded; z 1 unsupported"; strings.Join(got, "; ") != want {
		t.Errorf("got %s\nwant %s", strings.Join(got, "; "), want)
	}
	if n := strings.Count(strings.Join(told.lines(), "\n"), `app "/srv/x7.ts"`); n != 1 {
		t.Errorf("the file was told %d times", n)
	}
}
