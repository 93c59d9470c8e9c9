package script

import (
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

func TestReadBlock(t *testing.T) {
	for _, tt := range []struct {
		json string
		ok   bool
	}{
		{`{"index":1,"status":"matched","call":"c","dispatch":2,"label":"failed","exitCode":3,"alsoMatches":1}`, true},
		{`{"index":1,"status":"matched","call":"c","dispatch":1,"label":"succeeded","exitCode":0}`, true},
		{`{"index":1,"status":"matched","call":"c","dispatch":1,"label":"unknown","turn":4,"kind":[]}`, true},
		{`{"index":1,"status":"matched","call":"c","dispatch":1,"label":"failed","exitCode":3221225477}`, true},
		{`{"index":1,"status":"matched","call":"c","dispatch":1,"label":"failed","exitCode":-1}`, true},
		{`{"index":2,"status":"unmatched","reason":"unclosed"}`, true},
		{`{"index":2,"status":"unmatched","reason":"over-size"}`, true},
		{`{"index":2,"status":"unmatched","reason":"no-submission-of-this-turn","hint":"line-endings"}`, true},
		{`{"index":2,"status":"unmatched","reason":"past-the-limit","hint":"line-endings"}`, true},

		{`{"index":0,"status":"unmatched","reason":"unclosed"}`, false},
		{`{"index":1.5,"status":"unmatched","reason":"unclosed"}`, false},
		{`{"index":"1","status":"unmatched","reason":"unclosed"}`, false},
		{`{"status":"unmatched","reason":"unclosed"}`, false},
		{`{"index":1e400,"status":"unmatched","reason":"unclosed"}`, false},
		{`{"index":1,"status":"unmatched"}`, false},
		{`{"index":1,"status":"unmatched","reason":"bored"}`, false},
		{`{"index":1,"status":"unmatched","reason":"unclosed","call":"c"}`, false},
		{`{"index":1,"status":"unmatched","reason":"unclosed","label":"failed"}`, false},
		{`{"index":1,"status":"unmatched","reason":"unclosed","hint":"line-endings"}`, false},
		{`{"index":1,"status":"unmatched","reason":"no-submission-of-this-turn","hint":"case"}`, false},
		{`{"index":1,"status":"matched","dispatch":1,"label":"unknown"}`, false},
		{`{"index":1,"status":"matched","call":"","dispatch":1,"label":"unknown"}`, false},
		{`{"index":1,"status":"matched","call":7,"dispatch":1,"label":"unknown"}`, false},
		{`{"index":1,"status":"matched","call":"c","label":"unknown"}`, false},
		{`{"index":1,"status":"matched","call":"c","dispatch":0,"label":"unknown"}`, false},
		{`{"index":1,"status":"matched","call":"c","dispatch":1}`, false},
		{`{"index":1,"status":"matched","call":"c","dispatch":1,"label":"done"}`, false},
		{`{"index":1,"status":"matched","call":"c","dispatch":1,"label":"succeeded"}`, false},
		{`{"index":1,"status":"matched","call":"c","dispatch":1,"label":"succeeded","exitCode":1}`, false},
		{`{"index":1,"status":"matched","call":"c","dispatch":1,"label":"succeeded","exitCode":null}`, false},
		{`{"index":1,"status":"matched","call":"c","dispatch":1,"label":"failed","exitCode":0}`, false},
		{`{"index":1,"status":"matched","call":"c","dispatch":1,"label":"timed-out","exitCode":1}`, false},
		{`{"index":1,"status":"matched","call":"c","dispatch":1,"label":"unknown","alsoMatches":0}`, false},
		{`{"index":1,"status":"matched","call":"c","dispatch":1,"label":"unknown","reason":"unclosed"}`, false},
		{`{"index":1,"status":"perhaps"}`, false},
		{`[]`, false},
		{`null`, false},
	} {
		got, ok := ReadBlock(parse(t, tt.json))
		if ok != tt.ok {
			t.Errorf("%s: readable %v, want %v", tt.json, ok, tt.ok)
		}
		if !ok && got != (event.ScriptBlock{}) {
			t.Errorf("%s: not readable, yet gives %+v", tt.json, got)
		}
	}
}

func TestReadRecorded(t *testing.T) {
	good, bad := `{"index":1,"status":"unmatched","reason":"unclosed"}`, `{}`
	blocks, unread, ok := ReadRecorded(parse(t, `{"blocks":[`+bad+","+good+strings.Repeat(","+good, 20)+`]}`))
	if !ok || len(blocks) != 15 || unread != 1+6 || blocks[0].Place != 1 || blocks[14].Place != 15 {
		t.Errorf("%d blocks, %d unread, %v", len(blocks), unread, ok)
	}
	if blocks, unread, ok := ReadRecorded(parse(t, `{"blocks":[],"dropped":0}`)); !ok || unread != 0 || len(blocks) != 0 {
		t.Errorf("an empty list: %d blocks, %d unread, %v", len(blocks), unread, ok)
	}
	for _, json := range []string{`{"blocks":{}}`, `{}`, `[]`, `null`, `"blocks"`} {
		if blocks, unread, ok := ReadRecorded(parse(t, json)); !ok || unread != 1 || len(blocks) != 0 {
			t.Errorf("%s: %d blocks, %d unread, %v", json, len(blocks), unread, ok)
		}
	}
	if _, _, ok := ReadRecorded(servedjson.Value{}); ok {
		t.Error("no value reads as scripts")
	}
}

func parse(t *testing.T, json string) servedjson.Value {
	t.Helper()
	v, err := servedjson.Parse([]byte(json))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestCopySharesNothing(t *testing.T) {
	original := event.Scripts{Blocks: []event.ScriptBlock{{ExitCode: new(1)}}, EarlierTurnRows: 2, Dropped: 3}
	copied := Copy(original)
	if copied.EarlierTurnRows != 2 || copied.Dropped != 3 || *copied.Blocks[0].ExitCode != 1 {
		t.Errorf("the copy is %+v", copied)
	}
	*copied.Blocks[0].ExitCode = 2
	copied.Blocks[0].Call = "x"
	if *original.Blocks[0].ExitCode != 1 || original.Blocks[0].Call != "" {
		t.Error("the copy shares data with the original")
	}
}
