package formats_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
	"github.com/plumbline-dev/plumbline/schemas/adapter/formats"
)

// recognised is the form that is found, or why none is.
func recognised(text string) string {
	record, err := adapter.Open(strings.NewReader(text), formats.All, "auto")
	if err != nil {
		return err.Error()
	}
	return record.Format.Name
}

func FuzzClaudeCode(f *testing.F)     { fuzz(f, "claude-code") }
func FuzzOpenAI(f *testing.F)         { fuzz(f, "openai") }
func FuzzAnthropic(f *testing.F)      { fuzz(f, "anthropic") }
func FuzzAgentfootprint(f *testing.F) { fuzz(f, "agentfootprint") }
func FuzzAISDK(f *testing.F)          { fuzz(f, "ai-sdk") }
func FuzzInspect(f *testing.F)        { fuzz(f, "inspect") }
func FuzzATIF(f *testing.F)           { fuzz(f, "atif") }
func FuzzLangSmith(f *testing.F)      { fuzz(f, "langsmith") }

// fuzz holds a reader to its laws on every text.
func fuzz(f *testing.F, format string) {
	files, err := filepath.Glob("testdata/same/" + format + "*")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	for _, list := range allDrifts {
		for _, d := range list {
			if d.format == format {
				f.Add([]byte(unindent(d.rows)))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkReader(t, data, format) })
}

// checkReader: a reader does not panic; every fault has a line of the record; every event can be written, has an id and a
// turn; and a record read twice says the same.
func checkReader(t *testing.T, data []byte, format string) {
	t.Helper()
	out, err := readAll(data, format)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Count(data, []byte("\n")) + 1
	for _, fault := range out.Faults {
		if fault.Line < 1 || fault.Line > lines || fault.Detail == "" {
			t.Errorf("fault %q at line %d of %d", fault.Detail, fault.Line, lines)
		}
	}
	again, err := readAll(data, format)
	if err != nil || len(again.Events) != len(out.Events) {
		t.Fatalf("read again: %d events, then %d, %v", len(out.Events), len(again.Events), err)
	}
	for i, e := range out.Events {
		if e.ID == "" || e.ID != again.Events[i].ID || e.Turn < 1 {
			t.Errorf("event %d: id %q, then %q, turn %d", i, e.ID, again.Events[i].ID, e.Turn)
		}
		if _, err := schemas.EncodeEvent(schemas.JSON, e); err != nil {
			t.Errorf("event %d cannot be written: %v", i, err)
		}
	}
}

func readAll(data []byte, format string) (out adapter.Out, err error) {
	record, err := adapter.Open(bytes.NewReader(data), formats.All, format)
	if err != nil {
		return out, err
	}
	reader := record.Format.New(event.Conversation{Tenant: "local", Agent: format, ID: "f"})
	for {
		row, err := record.Next()
		fault, bad := errors.AsType[adapter.RowError](err)
		switch {
		case errors.Is(err, io.EOF):
			reader.End(&out)
			reader.Notes()
			return out, nil
		case bad:
			out.Faults = append(out.Faults, fault)
			if gapped, ok := reader.(adapter.Gapped); ok {
				gapped.Gap(fault.Line, &out)
			}
		case err != nil:
			return out, err
		default:
			reader.Read(row, &out)
		}
	}
}
