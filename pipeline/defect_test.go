package pipeline

import (
	"context"
	"testing"

	"github.com/plumbline-dev/plumbline/core/turn"
)

// letters is a sink that holds no records, and buries.
type letters struct {
	Sink
	buried []Letter
}

func (s *letters) Bury(_ context.Context, l Letter) error {
	s.buried = append(s.buried, l)
	return nil
}

func (*letters) Chain(context.Context, string) ([]Stored, error) { return nil, nil }

// counted is a delivery that counts its acknowledgements.
type counted struct {
	Delivery
	acks int
}

func (*counted) Message() Message { return Message{Seq: 7} }
func (d *counted) Ack() error     { d.acks++; return nil }

// A judgement that breaks is buried and its message acknowledged once, wherever the judgement was asked for: the worker
// can still be drained, and takes as many messages as before.
func TestBrokenJudgementIsBuried(t *testing.T) {
	rules, err := turn.Policy{Ruleset: turn.Literal1}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	for name, begin := range map[string]func(*Worker, context.Context, *conversation, target, *chain){
		"judged": (*Worker).start, "after the guard refused": (*Worker).reconcile,
	} {
		t.Run(name, func(t *testing.T) {
			sink, delivery := &letters{}, &counted{}
			w, err := NewWorker(Config{Rules: rules}, nil, sink)
			if err != nil {
				t.Fatal(err)
			}
			held := &ticket{worker: w, delivery: delivery}
			held.hold()
			w.inFlight++
			broken := &conversation{} // without a state, which is what its readers break on
			ch := &chain{pace: w.cfg.Backoff(), tickets: []*ticket{held}}
			w.begin(broken, ch)
			begin(w, t.Context(), broken, target{}, ch)
			if len(sink.buried) != 1 || sink.buried[0].Reason != ReasonReaderFailed || sink.buried[0].Seq != 7 {
				t.Errorf("buried %+v, want sequence 7 as %s", sink.buried, ReasonReaderFailed)
			}
			if delivery.acks != 1 || w.inFlight != 0 || w.underway != 0 || ch.busy || broken.busy != 0 {
				t.Errorf("%d acknowledgements, %d in flight, %d underway, busy %v %d", delivery.acks, w.inFlight, w.underway, ch.busy, broken.busy)
			}
		})
	}
}
