package jet

import (
	"errors"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/plumbline-dev/plumbline/pipeline"
)

// delivery is one handing out of a stored message.
type delivery struct {
	msg         *nats.Msg
	message     pipeline.Message
	stored      time.Time
	redelivered bool
	epoch       string
	whole       bool
}

func (d *delivery) Message() pipeline.Message { return d.message }
func (d *delivery) Stored() time.Time         { return d.stored }
func (d *delivery) Redelivered() bool         { return d.redelivered }
func (d *delivery) Epoch() string             { return d.epoch }

// Ack sends the acknowledgement. It can be lost on the way: then the message is handed out again.
func (d *delivery) Ack() error { return once(d.msg.Ack()) }

// Working starts the server's wait for an acknowledgement anew.
func (d *delivery) Working() error { return once(d.msg.InProgress()) }

// Retry gives the message back. Others are handed out before it.
func (d *delivery) Retry(after time.Duration) error { return once(d.msg.NakWithDelay(after)) }

// once forgives a second word about the same message.
func once(err error) error {
	if errors.Is(err, nats.ErrMsgAlreadyAckd) {
		return nil
	}
	return err
}
