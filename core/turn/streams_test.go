package turn

import (
	"slices"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
)

// TestStreamReports holds public reports about streams, by the id of their case, where the fold alone shows them. The
// other cases are held by tests of the same name:
//
//	st-dup-window                 here
//	st-clock-skew                 here
//	st-per-subject-limit          here (the verdict) and in pipeline/jet (the start)
//	st-redelivered-after-ackwait  pipeline
//	st-poison                     pipeline
//	st-stalled-ackpending         pipeline
//	st-memory                     pipeline
//	st-backfill-double            pipeline
//	st-rules-change               pipeline/whatif
//	st-silent-consumer            pipeline/jet
func TestStreamReports(t *testing.T) {
	for _, tt := range []struct {
		id, source string
		test       func(t *testing.T)
	}{
		{"st-dup-window", "nats-io/nats-server#7302", dupWindow},
		{"st-clock-skew", "elastic/kibana#24072", clockSkew},
		{"st-per-subject-limit", "nats-io/nats.net#860", perSubjectLimit},
	} {
		t.Run(tt.id, tt.test)
	}
}

// dupWindow stores a result again after the duplicate window: calls are told apart by turn and id, not by arrival.
func dupWindow(t *testing.T) {
	s := dialogue(`
		row 1 t1-c1@0 {"order":44170}
		row 1 t1-c1@0 {"order":44170}
		answer 1@1 it is 44170`).fold(t, calibrated(t))
	v := judge(t, s, 1, 1)
	if len(s.Things()) != 1 || v.Grounding.ToolResultsThisTurn != 1 || len(v.Results) != 1 || v.Outcome != event.Grounded {
		t.Errorf("%d things, %d results, %s", len(s.Things()), len(v.Results), v.Outcome)
	}
}

// clockSkew has producers whose clocks run backwards: the order is the stream's.
func clockSkew(t *testing.T) {
	d := dialogue(`
		user 1 which order?
		app 1 be brief
		row 1 a@0 {"order":44170}
		answer 1@1 it is 44170
		answer 1@1 it is 44171`)
	skewed := New(calibrated(t), event.Conversation{Tenant: "acme", Agent: "desk", ID: "c1"})
	for i, e := range d.events(t) {
		e.Time = []string{"2026-01-05T10:00:00Z", "", "2026-01-04T10:00:00Z", "2026-01-03T10:00:00Z", "2026-01-02T10:00:00Z"}[i]
		skewed.Fold(uint64(i+1), e)
	}
	v := judge(t, skewed, 1, 1)
	if v.Outcome != event.Unsupported || values(v) != "44171" || v.AnswerSeq != 5 || len(v.Results) != 1 {
		t.Errorf("%s of %q, answer %d, %d results: want what stands last in the stream", v.Outcome, values(v), v.AnswerSeq, len(v.Results))
	}
}

// perSubjectLimit keeps the last events of a subject only: what the first turn held was not seen, and nothing is accused.
func perSubjectLimit(t *testing.T) {
	kept := dialogue(`
		row 2 b@0 {"state":"open"}
		answer 2@1 order 44170 is open`).fold(t, calibrated(t))
	v := judge(t, kept, 2, 1)
	if v.Outcome != event.CannotTell || values(v) != "44170" {
		t.Errorf("%s of %q, want %s of 44170", v.Outcome, values(v), event.CannotTell)
	}
	if slices.Contains(v.Reasons, event.HistoryIncomplete) {
		return
	}
	t.Errorf("reasons %v, want %s among them", v.Reasons, event.HistoryIncomplete)
}
