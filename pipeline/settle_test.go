package pipeline_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v4"

	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/pipetest"
	"github.com/plumbline-dev/plumbline/schemas"
)

// verdictText is a verdict as far as it is told apart by.
func verdictText(through int, policy, outcome string) pipeline.Want {
	return pipeline.Want{Subject: "agent.audit.x", ContentType: schemas.JSON, Payload: fmt.Appendf(nil,
		`{"v":1,"type":"evidence_checked","outcome":%q,"through":%d,"ruleset":"r","policy":%q,"engine":"e"}`, outcome, through, policy)}
}

// declarationText is a declaration of a kind by a call.
func declarationText(kind, checked, policy string) pipeline.Want {
	return pipeline.Want{Subject: "agent.audit.x", ContentType: schemas.JSON, Payload: fmt.Appendf(nil,
		`{"v":1,"type":"coverage_declared","iteration":1,"kind":%q,"checked":%q,"ruleset":"r","policy":%q,"engine":"e"}`, kind, checked, policy)}
}

func settler(sink pipeline.Sink) pipeline.Settler {
	return pipeline.Settler{Sink: sink, Backoff: func() backoff.BackOff { return backoff.NewConstantBackOff(time.Millisecond) }}
}

func TestSettle(t *testing.T) {
	tests := []struct {
		name   string
		stored []pipeline.Want
		want   pipeline.Want
		is     pipeline.Settled
		kept   int // records on the subject at the end
	}{
		{"missing", nil, verdictText(5, "p", "grounded"), pipeline.Published, 1},
		{"the same", []pipeline.Want{verdictText(5, "p", "grounded")}, verdictText(5, "p", "grounded"), pipeline.AlreadyThere, 1},
		{"an earlier revision", []pipeline.Want{verdictText(5, "p", "cannot_tell"), verdictText(7, "p", "grounded")},
			verdictText(5, "p", "cannot_tell"), pipeline.AlreadyThere, 2},
		{"stored rests on later events", []pipeline.Want{verdictText(9, "p", "grounded")}, verdictText(5, "p", "cannot_tell"), pipeline.AlreadyThere, 1},
		{"stored rests on earlier events", []pipeline.Want{verdictText(5, "p", "cannot_tell")}, verdictText(9, "p", "grounded"), pipeline.Published, 2},
		{"another policy", []pipeline.Want{verdictText(5, "q", "grounded")}, verdictText(5, "p", "unsupported"), pipeline.Differs, 1},
		{"another policy, earlier events", []pipeline.Want{verdictText(5, "q", "grounded")}, verdictText(9, "p", "unsupported"), pipeline.Differs, 1},
		{"not what its rules give", []pipeline.Want{verdictText(5, "p", "grounded")}, verdictText(5, "p", "unsupported"), pipeline.Conflicts, 1},
		{"another lane of the subject", []pipeline.Want{declarationText("absence", "a", "p")}, declarationText("ledger", "a", "p"), pipeline.Published, 2},
		{"a later declaration", []pipeline.Want{declarationText("ledger", "a", "p")}, declarationText("ledger", "b", "p"), pipeline.Published, 2},
		{"a declaration by another policy", []pipeline.Want{declarationText("ledger", "a", "q")}, declarationText("ledger", "a", "p"), pipeline.Differs, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sink := pipetest.NewSink()
			for i, w := range tt.stored {
				r := pipeline.Record{Subject: w.Subject, ContentType: w.ContentType, Payload: w.Payload, Revision: i, Supersedes: uint64(i)}
				if err := sink.Publish(t.Context(), r, func(uint64, error) {}); err != nil {
					t.Fatal(err)
				}
			}
			is, err := settler(sink).Settle(t.Context(), tt.want)
			if records := sink.Records("agent.audit.x"); err != nil || is != tt.is || len(records) != tt.kept {
				t.Errorf("settled %d, %v, %d records; want %d and %d", is, err, len(records), tt.is, tt.kept)
			}
			again, err := settler(sink).Settle(t.Context(), tt.want)
			if records := sink.Records("agent.audit.x"); err != nil || again == pipeline.Published || len(records) != tt.kept {
				t.Errorf("settled again %d, %v, %d records", again, err, len(records))
			}
		})
	}
}

// TestSettleRevision holds what a revision says of its chain.
func TestSettleRevision(t *testing.T) {
	sink := pipetest.NewSink()
	for _, w := range []pipeline.Want{declarationText("absence", "a", "p"), declarationText("ledger", "a", "p"), declarationText("absence", "b", "p")} {
		if _, err := settler(sink).Settle(t.Context(), w); err != nil {
			t.Fatal(err)
		}
	}
	var said []string
	for _, r := range sink.Records("agent.audit.x") {
		said = append(said, fmt.Sprint(r.Seq, r.Revision, r.Supersedes))
	}
	if got := strings.Join(said, "; "); got != "1 0 0; 2 0 1; 3 1 2" {
		t.Errorf("the chain is %s", got)
	}
}

// TestSettleFaults meets every fault that may pass, from many goroutines at once: each verdict is stored once, and one of
// them stored it.
func TestSettleFaults(t *testing.T) {
	sink := pipetest.NewSink()
	var published atomic.Int64
	var all sync.WaitGroup
	sink.FailPublishes(5)
	sink.LoseReplies(3)
	sink.Contend(5)
	sink.RefuseStarts(5)
	sink.FailChains(5)
	for i := range 60 {
		all.Go(func() {
			w := verdictText(5, "p", "grounded")
			w.Subject = fmt.Sprint("agent.audit.", i%20)
			is, err := settler(sink).Settle(t.Context(), w)
			if err != nil {
				t.Error(err)
			}
			if is == pipeline.Published {
				published.Add(1)
			}
		})
	}
	all.Wait()
	if records := len(sink.AllRecords()); records != 20 {
		t.Errorf("%d records are stored, want 20", records)
	}
	if n := published.Load(); n < 17 || n > 20 { // a lost reply makes the settler find its own record
		t.Errorf("%d are called published, want 20 but for three lost replies", n)
	}
}
