package jet

import "sync"

// Health is how a source stands.
type Health struct {
	Ready  bool   // messages that are stored now would be handed out
	Reason string // why it is not ready, empty when it is
	// Restarts counts the subscriptions that had to be made anew, Recreated the durables that had been deleted.
	Restarts, Recreated uint64
	// Waiting counts the messages that were not handed out yet, Unacked those that were and are not acknowledged, as
	// the server last said.
	Waiting uint64
	Unacked int
}

// healthBook adds up the state of a source's durables.
type healthBook struct {
	tell func(Health)

	mu    sync.Mutex // held while telling, so that changes are told in order
	parts map[string]*durableHealth
	order []string
	total Health
}

type durableHealth struct {
	err     error
	waiting uint64
	unacked int
}

func newHealthBook(tell func(Health)) *healthBook {
	return &healthBook{tell: tell, parts: map[string]*durableHealth{}}
}

// update changes one durable's part, and the counters, under the lock, and tells of what came out.
func (b *healthBook) update(name string, change func(part *durableHealth, total *Health)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	part, ok := b.parts[name]
	if !ok {
		part = &durableHealth{}
		b.parts[name] = part
		b.order = append(b.order, name)
	}
	before := b.total
	change(part, &b.total)
	b.sum()
	if b.tell != nil && b.total != before {
		b.tell(b.total)
	}
}

// sum makes the total of the parts. The lock is held.
func (b *healthBook) sum() {
	t := &b.total
	t.Ready, t.Reason, t.Waiting, t.Unacked = true, "", 0, 0
	for _, name := range b.order {
		part := b.parts[name]
		t.Waiting += part.waiting
		t.Unacked += part.unacked
		if part.err != nil && t.Ready {
			t.Ready, t.Reason = false, name+": "+part.err.Error()
		}
	}
}

func (b *healthBook) now() Health {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.total
}
