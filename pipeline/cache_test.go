package pipeline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/plumbline-dev/plumbline/core/turn"
)

// model is a cache as simply as it can be said: its conversations, the one used last at the end.
type model struct {
	open  []*conversation
	bytes map[*conversation]int // of those open, and of those dropped that something is on its way for
	busy  map[*conversation]int
}

func (m *model) use(c *conversation) {
	m.open = append(slices.DeleteFunc(m.open, func(o *conversation) bool { return o == c }), c)
}

func (m *model) drop(c *conversation) {
	m.open = slices.DeleteFunc(m.open, func(o *conversation) bool { return o == c })
	if m.busy[c] == 0 {
		delete(m.bytes, c)
	}
}

func (m *model) total() (total int) {
	for _, bytes := range m.bytes {
		total += bytes
	}
	return total
}

// evict drops the one used longest ago of those that may go, while they do not fit.
func (m *model) evict(limit int) (dropped []int) {
	for m.total() > limit {
		at := slices.IndexFunc(m.open, func(c *conversation) bool { return m.busy[c] == 0 })
		if at < 0 || at == len(m.open)-1 {
			break
		}
		dropped = append(dropped, m.bytes[m.open[at]])
		m.drop(m.open[at])
	}
	return dropped
}

func (m *model) over(limit int) bool {
	if len(m.open) == 0 {
		return m.total() > limit
	}
	return m.total()-m.bytes[m.open[len(m.open)-1]] > limit
}

// TestCacheIsItsModel runs seeded operations on a cache and on its model.
func TestCacheIsItsModel(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 9))
		k, m := newCache(0), &model{bytes: map[*conversation]int{}, busy: map[*conversation]int{}}
		var held []*conversation
		for step := range 300 {
			switch r.IntN(8) {
			case 0, 1, 2:
				subject := fmt.Sprint(r.IntN(12))
				c := k.get(subject)
				if c == nil {
					c = &conversation{subject: subject}
					k.add(c)
				}
				m.use(c)
				bytes := r.IntN(60)
				k.measure(c, bytes)
				m.bytes[c] = bytes
			case 3:
				if len(m.open) > 0 {
					c := m.open[r.IntN(len(m.open))]
					k.hold(c)
					m.busy[c]++
					held = append(held, c)
				}
			case 4:
				if len(held) > 0 {
					c := held[0]
					held = held[1:]
					k.release(c)
					if m.busy[c]--; m.busy[c] == 0 && !slices.Contains(m.open, c) {
						delete(m.bytes, c)
					}
				}
			case 5:
				if len(m.open) > 0 {
					c := m.open[r.IntN(len(m.open))]
					k.drop(c.subject)
					m.drop(c)
				}
			case 6:
				limit := r.IntN(300)
				var got []int
				over := k.evict(limit, func(bytes int) { got = append(got, bytes) })
				if want := m.evict(limit); !slices.Equal(got, want) || over != m.over(limit) {
					t.Fatalf("seed %d step %d: evicted %v, over %v, want %v, %v", seed, step, got, over, want, m.over(limit))
				}
			case 7:
				if r.IntN(10) == 0 {
					k.forget()
					for len(m.open) > 0 {
						m.drop(m.open[0])
					}
				}
			}
			if k.bytes != m.total() || k.order.Len() != len(m.open) || len(k.bySubject) != len(m.open) {
				t.Fatalf("seed %d step %d: %d bytes of %d conversations, want %d of %d",
					seed, step, k.bytes, k.order.Len(), m.total(), len(m.open))
			}
		}
	}
}

// Of a conversation with very many answers only the newest chains are remembered, and all that something is done about.
func TestSettledChainsAreForgotten(t *testing.T) {
	c := &conversation{chains: map[target]*chain{}}
	of := func(n int) *chain {
		t := verdictOf(turn.Name{Turn: n})
		return c.chain(t, func() *chain { return &chain{target: t} })
	}
	for n := range 2 * maxSettled {
		ch := of(n)
		if n%2 == 0 {
			c.settle(ch)
		}
		if n%10 == 0 {
			c.settle(of(0)) // judged again and again
		}
	}
	if unsettled, settled := maxSettled, c.settled.Len(); settled != maxSettled || len(c.chains) != unsettled+settled {
		t.Errorf("%d chains, %d of them settled; want %d and %d", len(c.chains), settled, 2*maxSettled, maxSettled)
	}
	for n := range 2 * maxSettled {
		c.settle(of(n))
	}
	if len(c.chains) != maxSettled || c.chains[verdictOf(turn.Name{Turn: 2*maxSettled - 1})] == nil {
		t.Errorf("%d chains remembered, want the newest %d", len(c.chains), maxSettled)
	}
}
