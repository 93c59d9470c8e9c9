package pipeline

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
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

// IsBroken tells whether an error is of a reader that broke: see Surviving.
func IsBroken(err error) bool {
	_, ok := errors.AsType[*defect](err)
	return ok
}

// buryBroken makes the message that a reader broke on a dead letter.
func (w *Worker) buryBroken(ctx context.Context, t *ticket, d *defect) {
	w.bury(ctx, t, Letter{Message: t.delivery.Message(), Reason: ReasonReaderFailed, Detail: d.detail})
}

// abandon leaves a chain as it is stored: what it should end in cannot be made or not be stored. The messages that asked
// for it become dead letters.
func (w *Worker) abandon(ctx context.Context, c *conversation, ch *chain, reason, detail string) {
	for _, held := range ch.tickets {
		w.bury(ctx, held, Letter{Message: held.delivery.Message(), Reason: reason, Detail: detail})
	}
	w.finish(c, ch)
}
