package pipeline

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/plumbline-dev/plumbline/core/event"
)

// defect is a reader that broke: trying again gives the same.
type defect struct {
	detail string // what broke and where, without the values it broke on
}

func (d *defect) Error() string { return "a reader broke: " + d.detail }

// Surviving does what calls the readers. What breaks in it becomes an error that trying again does not mend, and that
// ReasonOf knows: one event can never stop the stream. It holds no payload text.
func Surviving(do func() error) (err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = &defect{fmt.Sprintf("%T\n%s", broken, debug.Stack())}
		}
	}()
	return do()
}

// Broken is the error of a reader that broke, with the detail that Surviving gave it.
func Broken(detail string) error { return &defect{detail} }

// IsBroken tells whether an error is of a reader that broke: see Surviving.
func IsBroken(err error) bool {
	_, ok := errors.AsType[*defect](err)
	return ok
}

// buryBroken makes the message that a reader broke on a dead letter.
func (w *Worker) buryBroken(ctx context.Context, t *ticket, d *defect) {
	w.bury(ctx, t, Letter{Message: t.delivery.Message(), Reason: ReasonReaderFailed, Detail: d.detail})
}

// abandon leaves a chain as it is stored: what it should end in cannot be made or not be stored. One of the messages that
// asked for it becomes a dead letter, the one that it is about. The others were read and folded, and are acknowledged as any;
// so are those that ask for it again, while the answer's letter stands.
func (w *Worker) abandon(ctx context.Context, c *conversation, ch *chain, reason, detail string) {
	about := ch.about()
	if about.answers || !ch.buried {
		w.bury(ctx, about, Letter{Message: about.delivery.Message(), Reason: reason, Detail: detail})
	}
	ch.buried = ch.buried || about.answers
	w.finish(c, ch)
}

// about is the ticket of the message that the chain is about: the answer, or the last report of the call. Where the answer
// was judged and acknowledged before, and later events of its turn asked for it again, it is the last of those: something must
// say that what is stored is not the last word.
func (ch *chain) about() *ticket {
	about := ch.tickets[0]
	for _, t := range ch.tickets[1:] {
		newer := t.delivery.Message().Seq > about.delivery.Message().Seq
		if t.answers && !about.answers || t.answers == about.answers && newer {
			about = t
		}
	}
	return about
}

// MaxBroken is how many events of a conversation may break the fold before it is given up: what comes after them is then
// buried as it comes.
const MaxBroken = 16

// InPlaceOf is what is folded in the place of an event of the conversation that breaks the fold: that something was not seen, so
// that no answer after it is accused for what stood there, whatever turn it was of. Every worker and every replay folds the
// same.
func InPlaceOf(name event.Conversation) event.Event {
	return event.Event{Conversation: name, Turn: 1, TurnStart: &event.TurnStart{Unseen: []event.Reason{event.ContentNotCaptured}}}
}
