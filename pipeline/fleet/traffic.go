package fleet

import (
	"iter"
	"math/rand/v2"
)

// place is how far a conversation has come.
type place struct {
	conversation int32
	turn         uint8
	next         uint8 // of the turn's events
}

// Traffic gives the events of a fleet that has so many conversations open at a time, without end: first the first event
// of each, and then the next event of any. A conversation that ends makes room for the next one. It takes about eight
// bytes for each open conversation, and makes a turn up again for each of its events.
func (f *Fleet) Traffic(open int) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		r := rand.New(rand.NewPCG(f.config.Seed, ^uint64(0)))
		places := make([]place, open)
		opened := 0
		for i := range places {
			places[i] = place{conversation: int32(i), turn: 1}
			opened++
			if !yield(f.step(&places[i], &opened)) {
				return
			}
		}
		for yield(f.step(&places[r.IntN(open)], &opened)) {
		}
	}
}

// step gives the next event at the place and moves it on.
func (f *Fleet) step(p *place, opened *int) Item {
	n := int(p.conversation)
	items := f.Turn(n, int(p.turn))
	item := items[p.next]
	if p.next++; int(p.next) == len(items) {
		p.turn, p.next = p.turn+1, 0
	}
	if int(p.turn) > f.Turns(n) {
		*p = place{conversation: int32(*opened), turn: 1}
		*opened++
	}
	return item
}
