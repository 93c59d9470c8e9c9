package pipeline

import "container/list"

// cache holds the folded conversations, the least recently used first to go. It counts what they take in bytes, also of
// those that were dropped while something of theirs was on its way, until that has arrived.
type cache struct {
	bySubject map[string]*conversation
	order     *list.List // of *conversation, the most recently used in front
	bytes     int
	traces    traces
	dropped   dropped // in this epoch, without a trace
}

// newCache makes the cache of a worker that is to keep to so many bytes.
func newCache(bytes int) cache {
	return cache{
		bySubject: map[string]*conversation{}, order: list.New(), traces: newTraces(), dropped: newDropped(bytes),
	}
}

func (k *cache) get(subject string) *conversation {
	c := k.bySubject[subject]
	if c != nil {
		k.order.MoveToFront(c.place)
	}
	return c
}

// isNew tells that nothing of the subject was seen in this epoch.
func (k *cache) isNew(subject string) bool {
	return k.bySubject[subject] == nil && k.traces.get(subject) == nil && !k.dropped.has(subject)
}

func (k *cache) add(c *conversation) {
	k.bytes -= k.traces.remove(c.subject)
	k.bySubject[c.subject] = c
	c.place = k.order.PushFront(c)
}

func (k *cache) drop(subject string) {
	if c := k.bySubject[subject]; c != nil {
		k.dropped.add(subject)
		k.remove(c)
	}
}

func (k *cache) remove(c *conversation) {
	k.order.Remove(c.place)
	c.place = nil
	delete(k.bySubject, c.subject)
	k.leave(c)
}

// leave takes the bytes of a conversation that was dropped off the count, once nothing holds it any more.
func (k *cache) leave(c *conversation) {
	if c.place == nil && c.busy == 0 {
		k.bytes -= c.bytes
		c.bytes = 0
	}
}

// hold says that something of the conversation is on its way or waits: it stays until release.
func (k *cache) hold(c *conversation) { c.busy++ }

func (k *cache) release(c *conversation) {
	c.busy--
	k.leave(c)
}

// forget drops everything: another worker may have owned the conversations meanwhile. Publishes on their way finish on
// their own, and the guard decides.
func (k *cache) forget() {
	for k.order.Len() > 0 {
		k.remove(k.order.Front().Value.(*conversation))
	}
	k.bytes -= k.traces.bytes
	k.traces = newTraces()
	k.dropped.forget()
}

// measure brings the count of a conversation's bytes up to date.
func (k *cache) measure(c *conversation, bytes int) {
	if c.place == nil {
		return
	}
	k.bytes += bytes - c.bytes
	c.bytes = bytes
}

// evict drops the least recently used conversations that nothing is on its way for, until the rest fits the limit, in
// bytes. The one in use stays, however large it is: it would be read back for its next event. told hears the bytes of
// each. over says that what could not be dropped does not fit.
func (k *cache) evict(limit int, told func(bytes int)) (over bool) {
	for place := k.order.Back(); place != k.order.Front() && k.bytes > limit; {
		c := place.Value.(*conversation)
		place = place.Prev()
		if c.busy > 0 {
			continue
		}
		told(c.bytes)
		k.fade(c)
	}
	for k.traces.bytes > limit/traceShare {
		k.dropped.add(k.traces.oldest().subject)
		k.bytes -= k.traces.dropOldest()
	}
	return k.bytes-k.inUse() > limit
}

// fade drops a conversation and keeps a trace of it.
func (k *cache) fade(c *conversation) {
	left, ok := c.trace()
	if !ok {
		k.drop(c.subject)
		return
	}
	k.remove(c)
	k.bytes += k.traces.add(left)
}

// inUse is what the conversation that was used last takes.
func (k *cache) inUse() int {
	if front := k.order.Front(); front != nil {
		return front.Value.(*conversation).bytes
	}
	return 0
}
