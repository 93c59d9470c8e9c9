package jet

import (
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// cover follows what a subscription hands out, by the consumer's own count of deliveries. While that count runs on
// without a gap, nobody else was handed anything and nothing was lost on the way; a gap, a new pin or a new subscription
// is a new epoch. Only the first epoch of a durable can be whole: a later one does not hand out again what was
// acknowledged before it. Owned by the goroutine that pulls.
type cover struct {
	epoch string
	pin   string
	next  uint64 // the consumer's count that the next delivery must have
	whole bool   // everything that the stream keeps is handed out in this epoch
}

// newCover starts an epoch. before is how often the consumer has delivered; all tells that it starts with the stream.
func newCover(before uint64, all bool) *cover {
	return &cover{epoch: nuid.Next(), next: before + 1, whole: all && before == 0}
}

// see takes in a delivery with its count and pin, which is empty when the consumer is not pinned.
func (c *cover) see(count uint64, pin string) {
	if count != c.next {
		c.whole = false
		c.epoch = nuid.Next()
	}
	if pin != c.pin {
		c.pin = pin
		c.whole = c.whole && count == 1 // a server that starts again pins the same owner anew, without a gap in its count
		c.epoch = pin + "." + nuid.Next()
	}
	c.next = count + 1
}

// ownerGroup is the priority group of a durable that is made here: one of its members at a time is served.
const ownerGroup = "owner"

// pinning is how a consumer keeps to one owner at a time; the zero value does not.
type pinning struct {
	group string
	ttl   time.Duration // until an owner that asks for nothing has lost it
}

func pinningOf(c jetstream.ConsumerConfig) pinning {
	if c.PriorityPolicy != jetstream.PriorityPolicyPinned || len(c.PriorityGroups) == 0 {
		return pinning{}
	}
	return pinning{group: c.PriorityGroups[0], ttl: c.PinnedTTL}
}

// take takes the owner's id off the headers of a delivery. A publisher's header of that name is none.
func (p pinning) take(h nats.Header) string {
	if p.group == "" {
		return ""
	}
	pin := lastValue(h, pinHeader)
	dropLast(h, pinHeader)
	return pin
}

// published is the headers as a message has them: nil when there are none.
func published(h nats.Header) map[string][]string {
	if len(h) == 0 {
		return nil
	}
	return h
}

// dropLast takes the value that the server added off a header: a publisher may have set the same name before it.
func dropLast(h nats.Header, name string) {
	if values := h[name]; len(values) > 1 {
		h[name] = values[:len(values)-1]
	} else {
		delete(h, name)
	}
}

// lastValue is the value that the server added to a header, empty when there is none.
func lastValue(h nats.Header, name string) string {
	if values := h[name]; len(values) > 0 {
		return values[len(values)-1]
	}
	return ""
}
