package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/parquet-go/parquet-go"

	"github.com/plumbline-dev/plumbline/cmd/internal/cli"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/pipeline/whatif"
)

// copyAudits stores what another server's audit stream holds, as change leaves it.
func (h *history) copyAudits(from *history, change func(pipeline.Message) []byte) {
	h.t.Helper()
	err := jet.ReadAll(h.t.Context(), from.js, jet.AuditStream, "", func(m pipeline.Message) error {
		_, err := h.js.PublishMsg(h.t.Context(), &nats.Msg{Subject: m.Subject, Header: m.Header, Data: change(m)})
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

// TestVerifyFindsATamperedByte changes one byte of each stored record in turn of a few, and finds exactly that one, with the
// field that the byte is of.
func TestVerifyFindsATamperedByte(t *testing.T) {
	honest := newHistory(t, 4)
	honest.publish(bundled(t))
	honest.must("--publish")
	if _, stderr := honest.must("--verify"); !strings.HasPrefix(stderr, "134 stored records are what the rules give, 0 differ, 0 rest") {
		t.Fatalf("what is honest is not taken for it:\n%s", stderr)
	}
	for _, tt := range []struct {
		name, old, new, field string
	}{
		{"an outcome", `"outcome":"grounded"`, `"outcome":"grounde_"`, "outcome"},
		{"a number", `"candidates":6`, `"candidates":7`, "candidates"},
		{"a value", `"fromThisTurn":6`, `"fromThisTurn":5`, "grounding/fromThisTurn"},
		{"no JSON", `"reasons":[]`, `"reasons":[}`, ""},
		{"another answer's place", `"iteration":1`, `"iteration":8`, "subject"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHistory(t, 4)
			h.publish(bundled(t))
			var seq, at uint64
			var subject string
			h.copyAudits(honest, func(m pipeline.Message) []byte {
				if at++; seq == 0 && bytes.Contains(m.Data, []byte(tt.old)) {
					seq, subject = at, m.Subject
					return bytes.Replace(m.Data, []byte(tt.old), []byte(tt.new), 1)
				}
				return m.Data
			})
			code, stdout, stderr := h.play("--verify")
			var found fault
			if err := json.Unmarshal([]byte(stdout), &found); err != nil {
				t.Fatalf("%v in\n%s%s", err, stdout, stderr)
			}
			if code != cli.Differs || found.Seq != seq || found.Subject != subject || found.What != faultDiffers || found.Field != tt.field {
				t.Errorf("code %d, %+v, want field %q of sequence %d, %s", code, found, tt.field, seq, subject)
			}
			if !strings.HasPrefix(stderr, "133 stored records are what the rules give, 1 differ") {
				t.Error(stderr)
			}
			h.endsAgain(code, "--verify")
		})
	}
}

// endsAgain holds that a replay that is done ends with its code also when it is asked for again, and says what it gave.
func (h *history) endsAgain(code int, args ...string) {
	h.t.Helper()
	args = append(args, "--resume", "again")
	_, _, first := h.play(args...)
	again, stdout, stderr := h.play(args...)
	_, sum, _ := strings.Cut(first, "\n") // what comes after its name
	if again != code || stdout != "" || !strings.Contains(stderr, "replay again is done") || sum == "" || !strings.HasSuffix(stderr, sum) {
		h.t.Errorf("again: code %d, want %d\n%safter\n%s", again, code, stderr, first)
	}
}

// TestVerifyOfNothing holds that a verification that proves nothing does not end as one that does.
func TestVerifyOfNothing(t *testing.T) {
	h := newHistory(t, 1)
	fails := func(want string, args ...string) {
		t.Helper()
		code, _, stderr := h.play(append(args, "--verify")...)
		if code != cli.Unfinished || !strings.Contains(stderr, "nothing was verified: "+want) {
			t.Errorf("%v: code %d\n%s", args, code, stderr)
		}
	}
	fails("no record is stored")
	h.publish(mixedEvents(500))
	fails("no record is stored")
	h.must("--publish", "--rules", "literal-1")
	fails("no record is stored", "--rules", "calibrated-1")
	h.must("--verify", "--rules", "literal-1")
	fails("no record is stored", "--rules", "literal-1", "--tenant", "nobody")
	file := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(file, []byte("minDigits: 6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	fails("run the engine that is named", "--policy", file, "--rules", "literal-1")
	h.purge(event.Conversation{Tenant: "t", Agent: "a0", ID: "c3"})
	fails("what the records rest on is not kept any more", "--rules", "literal-1", "--conversation", "c3")
}

// TestVerifyTellsWhatItCannot counts apart what another policy made, and what rests on events that are gone. Neither is a
// difference.
func TestVerifyTellsWhatItCannot(t *testing.T) {
	h := newHistory(t, 1)
	h.publish(mixedEvents(500))
	file := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(file, []byte("tenants: {t: {agents: {a1: {minDigits: 6}}}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.must("--publish", "--policy", file)
	h.purge(event.Conversation{Tenant: "t", Agent: "a0", ID: "c3"})
	stdout, stderr := h.must("--verify", "--summary", "json")
	var totals verifyTotals
	if err := json.Unmarshal([]byte(stderr), &totals); err != nil {
		t.Fatal(err)
	}
	others := 0
	for _, n := range totals.Others {
		others += n
	}
	if totals.Same != 66 || totals.Differs != 0 || totals.Gone != 1 || others != 33 {
		t.Errorf("%+v", totals)
	}
	if !strings.Contains(stdout, `"what":"gone"`) || strings.Count(stdout, "\n") != 1 {
		t.Error(stdout)
	}
	if _, stderr = h.must("--publish"); !strings.Contains(stderr, " 0 published, 66 already there, 33 left as other rules") {
		t.Errorf("another policy's verdicts are not left:\n%s", stderr)
	}
	if stdout, _ = h.must("--diff"); stdout != "" { // the numbers have six digits, so minDigits changes nothing but the digest
		t.Errorf("a change: %s", stdout)
	}
}

// TestDiffExplainsEveryChange holds that each change between the two rulesets on the bundled conversations is said with the
// rule that makes it: between two sets of rules, and against what one of them stored.
func TestDiffExplainsEveryChange(t *testing.T) {
	h := newHistory(t, 1)
	h.publish(bundled(t))
	code, byRules, stderr := h.play("--diff", "--rules", "literal-1", "--against", "calibrated-1", "--exit-code")
	if code != cli.Differs || !strings.HasPrefix(stderr, "26 of 134 verdicts change\n") || !strings.Contains(stderr, "  agent airline: 26\n  tool book_reservation: 7\n") {
		t.Fatalf("code %d\n%s", code, stderr)
	}
	h.must("--publish", "--rules", "literal-1")
	code, stored, stderr := h.play("--diff", "--stored", "literal-1", "--exit-code")
	if code != cli.Differs {
		t.Fatalf("code %d\n%s", code, stderr)
	}
	if diff := cmp.Diff(linesOf(byRules), linesOf(stored)); diff != "" {
		t.Errorf("against stored verdicts it is another change: %s", diff)
	}
	for _, line := range linesOf(byRules) {
		var ch whatif.Change
		if err := json.Unmarshal([]byte(line), &ch); err != nil {
			t.Fatal(err)
		}
		if !explained(ch) {
			t.Errorf("not explained: %s", line)
		}
	}
	text, _ := h.must("--diff", "--rules", "literal-1", "--against", "calibrated-1", "--text")
	if !strings.Contains(text, "\nairline/task0-trial0 turn 5: unsupported → grounded\n    no longer listed: 7504069 (id-part)\n") {
		t.Error(text)
	}
	_, stderr = h.must("--diff", "--exit-code")
	if !strings.Contains(stderr, "answers without a stored verdict: 134") || !strings.Contains(stderr, "nothing was compared: --stored") {
		t.Error(stderr)
	}
}

// TestParquet holds the rows against the lines of JSON.
func TestParquet(t *testing.T) {
	h := newHistory(t, 1)
	h.publish(bundled(t))
	want, _ := h.must()
	file := filepath.Join(t.TempDir(), "verdicts.parquet")
	h.must("--out", file)
	rows, err := parquet.ReadFile[parquetRow](file)
	if err != nil {
		t.Fatal(err)
	}
	lines := linesOf(want)
	if len(rows) != len(lines) {
		t.Fatalf("%d rows, want %d", len(rows), len(lines))
	}
	for i, row := range rows {
		var v event.EvidenceChecked
		if err := json.Unmarshal([]byte(lines[i]), &v); err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(row.Type, row.Seq, row.Conversation, row.Turn, row.Outcome, len(row.Unsupported), row.Through, row.Policy)
		if row.Payload != lines[i] || got != fmt.Sprint(v.Type, v.AnswerSeq, v.Conversation, v.Turn, v.Outcome, len(v.Unsupported), v.Through, v.Policy) {
			t.Errorf("row %d is %+v, the line %s", i, row, lines[i])
		}
	}
}

// TestVerifyPastTheLimit makes verdicts again on answers that came when their conversation was full.
func TestVerifyPastTheLimit(t *testing.T) {
	h := newHistory(t, 1)
	h.publish(mixedEvents(500))
	file := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(file, []byte("conversationBytes: 1000\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	lines, _ := h.must("--policy", file)
	if strings.Count(lines, `"turn_oversize"`) != 100 {
		t.Fatalf("not every answer came when its conversation was full:\n%.2000s", lines)
	}
	h.must("--publish", "--policy", file)
	if _, stderr := h.must("--verify", "--policy", file); !strings.HasPrefix(stderr, "100 stored records are what the rules give, 0 differ, 0 rest") {
		t.Error(stderr)
	}
}

// purge takes the events of a conversation out of the stream.
func (h *history) purge(c event.Conversation) {
	h.t.Helper()
	events, err := h.js.Stream(h.t.Context(), jet.EventsStream)
	if err != nil {
		h.t.Fatal(err)
	}
	if err := events.Purge(h.t.Context(), jetstream.WithPurgeSubject(event.Subjects{}.Log(0, c))); err != nil {
		h.t.Fatal(err)
	}
}
