package jet

import (
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nuid"
)

// cover follows what a subscription hands out, by the consumer's own count of deliveries. While that count runs on
// without a gap, nobody else was handed anything and nothing was lost on the way; a gap, a new pin or a new subscription
// is a new epoch. Owned by the goroutine that pulls.
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
		c.epoch = pin + "." + nuid.Next()
	}
	c.next = count + 1
}

// publishedHeader returns the headers as they were published, without the pin that a pinned consumer adds at the end.
func publishedHeader(m *nats.Msg, pinned bool) map[string][]string {
	if pinned {
		dropLast(m.Header, pinHeader)
	}
	if len(m.Header) == 0 {
		return nil
	}
	return m.Header
}

// dropLast takes the value that the server added last off a header: a publisher may have set the same name before.
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
