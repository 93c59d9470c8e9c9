package pipeline

import (
	"context"
	"slices"
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
	seq  uint64
	acks int
}

func (d *counted) Message() Message { return Message{Seq: d.seq} }
func (d *counted) Ack() error       { d.acks++; return nil }

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
			sink, delivery := &letters{}, &counted{seq: 7}
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

// Of the messages that asked for what cannot be judged, only the answer is buried, and only once: the rows were read. Where the
// answer was acknowledged before, the last row says that what is stored is not the last word.
func TestOnlyTheAnswerIsBuried(t *testing.T) {
	rules, err := turn.Policy{Ruleset: turn.Literal1}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	answer := func(seq uint64) *ticket { return &ticket{delivery: &counted{seq: seq}, answers: true} }
	row := func(seq uint64) *ticket { return &ticket{delivery: &counted{seq: seq}} }
	for _, tt := range []struct {
		name  string
		asked [][]*ticket // one time after the other
		want  []uint64
	}{
		{"the answer among rows", [][]*ticket{{row(3), answer(7), row(9)}}, []uint64{7}},
		{"rows after it", [][]*ticket{{answer(7)}, {row(9), row(12)}}, []uint64{7}},
		{"rows alone", [][]*ticket{{row(9), row(12), row(11)}}, []uint64{12}},
		{"the answer again", [][]*ticket{{answer(7)}, {answer(8), row(9)}}, []uint64{7, 8}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sink := &letters{}
			w, err := NewWorker(Config{Rules: rules}, nil, sink)
			if err != nil {
				t.Fatal(err)
			}
			broken := &conversation{}
			ch := &chain{pace: w.cfg.Backoff()}
			for _, tickets := range tt.asked {
				for _, held := range tickets {
					held.worker = w
					held.hold()
					w.inFlight++
				}
				ch.tickets = tickets
				w.start(t.Context(), broken, target{}, ch)
				for _, held := range tickets {
					if d := held.delivery.(*counted); d.acks != 1 {
						t.Errorf("sequence %d: %d acknowledgements", d.seq, d.acks)
					}
				}
			}
			var buried []uint64
			for _, l := range sink.buried {
				buried = append(buried, l.Seq)
			}
			if !slices.Equal(buried, tt.want) {
				t.Errorf("buried %v, want %v", buried, tt.want)
			}
		})
	}
}
