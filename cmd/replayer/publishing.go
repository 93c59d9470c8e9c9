package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/plumbline-dev/plumbline/cmd/internal/report"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
)

// publishing stores the verdicts of the range that are missing. Doing it again stores nothing: the guard of each subject
// refuses, and what is there is compared.
type publishing struct {
	past   *past
	totals publishTotals // changed by steps
}

// publishTotals count what became of the verdicts and declarations.
type publishTotals struct {
	Published    int            `json:"published"`
	AlreadyThere int            `json:"alreadyThere"`
	Differs      int            `json:"differs"`   // others are stored, made by other rules or another engine
	Conflicts    int            `json:"conflicts"` // others are stored under the name of the same rules and engine
	Judged       report.Summary `json:"judged"`
}

func (p *publishing) pass(context.Context) (pass, error) { return p.past.overEvents(), nil }

func (p *publishing) look(ctx context.Context, s replay.Stretch) ([]replay.Finding[step], error) {
	j, err := p.past.judge(ctx, s)
	if err != nil {
		return nil, err
	}
	found := make([]replay.Finding[step], len(j.outputs), len(j.outputs)+1)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(publishAtOnce)
	for i, out := range j.outputs {
		group.Go(func() error {
			do, err := p.settle(ctx, out)
			found[i] = replay.Finding[step]{Seq: out.Seq, Of: do}
			return err
		})
	}
	return append(found, p.past.counted(j, &p.totals.Judged)), group.Wait()
}

// publishAtOnce is how many records of one conversation are on their way at once.
const publishAtOnce = 16

// settle stores one output where it is missing, and gives the step that counts what became of it.
func (p *publishing) settle(ctx context.Context, out replay.Output) (step, error) {
	w, err := out.Want(p.past.layout.Subjects)
	if err != nil {
		return nil, err
	}
	if len(w.Subject) > event.MaxSubject {
		return p.unpublished(out, pipeline.ReasonSubjectTooLong), nil
	}
	settled, err := p.past.settler.Settle(ctx, w)
	if errors.Is(err, pipeline.ErrTooLarge) {
		return p.unpublished(out, pipeline.ReasonVerdictTooLarge), nil
	}
	return func() error {
		p.count(settled, w.Subject)
		return nil
	}, err
}

// unpublished is the step that names an output which no server takes. The consumer makes its event a dead letter.
func (p *publishing) unpublished(out replay.Output, reason string) step {
	return func() error {
		var dead report.Tally
		dead.Dead(reason)
		p.totals.Judged.Add(dead.Summary())
		p.past.console.unread(pipeline.Letter{
			Message: pipeline.Message{Seq: out.Seq}, Reason: reason, Detail: "nothing can be published about it",
		})
		return nil
	}
}

func (p *publishing) count(settled pipeline.Settled, subject string) {
	switch settled {
	case pipeline.Published:
		p.totals.Published++
	case pipeline.AlreadyThere:
		p.totals.AlreadyThere++
	case pipeline.Differs:
		p.totals.Differs++
	case pipeline.Conflicts:
		if p.totals.Conflicts++; p.totals.Conflicts <= maxUnread {
			p.past.console.say(subject + " holds something that its own rules and engine do not give: see --verify")
		}
	}
}

func (p *publishing) state() any       { return &p.totals }
func (p *publishing) output() *outFile { return nil }

func (p *publishing) sum() error {
	t := p.totals
	if p.past.Summary == "json" {
		return cmp.Or(json.NewEncoder(p.past.console).Encode(t), unreadOf(t.Judged))
	}
	said := fmt.Sprintf("%d published, %d already there", t.Published, t.AlreadyThere)
	if t.Differs > 0 {
		said += fmt.Sprintf(", %d left as other rules or another engine made them: see --diff", t.Differs)
	}
	if t.Conflicts > 0 {
		said += fmt.Sprintf(", %d left that are not what their own rules give: see --verify", t.Conflicts)
	}
	return p.past.summarize(t.Judged, []string{said})
}
