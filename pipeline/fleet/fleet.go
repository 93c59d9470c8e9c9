// Package fleet makes up what a fleet of agents publishes: tenants, agents, conversations, turns, calls with their
// results, and answers that quote them. It answers "what do a million conversations look like?", for programs that
// measure and for those that prove.
//
// The sizes are those of real dialogues (see sizes.go); the contents are made up. It holds no clock and no state of the
// world: the same Config gives the same events. Sizes are bytes, conversations count from 0, turns from 1.
package fleet

import (
	"cmp"
	"fmt"
	"math/rand/v2"

	"github.com/plumbline-dev/plumbline/core/event"
)

// Config says which fleet is made up. The zero value is one whose events all come, once, and in order.
type Config struct {
	Seed    uint64
	Tenants int // 0: 8
	Agents  int // of each tenant; 0: 4
	// PromptBytes is how long the text is that the app puts in front of the model: it comes with the first answer of a
	// conversation. 0: as long as in the dialogues.
	PromptBytes int
	Disorder    Disorder
}

// Disorder says which share of the events, from 0 to 1, does not come as one would like.
type Disorder struct {
	Late     float64 // of calls: their report comes after their answer
	Missing  float64 // of answers: they name a call that nothing is ever heard of
	Unnamed  float64 // of answers: they do not say which calls they made
	Again    float64 // of events: they come a second time, later in their turn
	Replaced float64 // of calls: a second report says something else
	Changed  float64 // of answers: a second one under the same name says something else
	Invented float64 // of answers: they assert a value that nobody gave
	Absent   float64 // of calls: they found nothing and declare where they looked
	Msgpack  float64 // of conversations: their events are MessagePack
}

// Rough is a fleet in which everything goes wrong now and then.
var Rough = Disorder{
	Late: .05, Missing: .03, Unnamed: .2, Again: .03, Replaced: .02, Changed: .03, Invented: .1, Absent: .05, Msgpack: .1,
}

// Item is one event as it is published.
type Item struct {
	Event   event.Event
	Msgpack bool
	// Again says that the same event came before: its publisher does not let the server drop it.
	Again bool
}

// Fleet makes the events up. It is never changed and may be shared.
type Fleet struct {
	config Config
}

// New is the fleet of the configuration.
func New(c Config) *Fleet {
	c.Tenants = cmp.Or(c.Tenants, 8)
	c.Agents = cmp.Or(c.Agents, 4)
	c.PromptBytes = cmp.Or(c.PromptBytes, promptBytes)
	return &Fleet{c}
}

// Conversation names a conversation.
func (f *Fleet) Conversation(n int) event.Conversation {
	return event.Conversation{
		Tenant: fmt.Sprintf("tenant-%d", n%f.config.Tenants),
		Agent:  fmt.Sprintf("agent-%d", n/f.config.Tenants%f.config.Agents),
		ID:     fmt.Sprintf("c%d", n),
	}
}

// Turns is how many turns a conversation has.
func (f *Fleet) Turns(n int) int { return turns.draw(f.random(n, 0)) }

// Turn gives the events of one turn, in the order in which they are published.
func (f *Fleet) Turn(n, turn int) []Item {
	w := writer{
		Config: f.config, r: f.random(n, turn), conversation: f.Conversation(n), turn: turn,
		msgpack: f.random(n, 0).Float64() < f.config.Disorder.Msgpack,
	}
	return w.write()
}

// random is the same for the same place in the fleet, whatever was drawn elsewhere.
func (f *Fleet) random(n, turn int) *rand.Rand {
	return rand.New(rand.NewPCG(f.config.Seed, uint64(n)<<8|uint64(turn)))
}
