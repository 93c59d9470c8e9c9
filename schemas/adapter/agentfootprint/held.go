package agentfootprint

// held is what a conversation keeps to read later events by: its calls, and the names of its turns. A record that is read
// once keeps everything. On a stream it is bounded, and what was kept first goes first, so that what is kept is a matter of
// the events alone.
//
// A call that is not held any more is, when it is told of again, one that began before the record does. An answer of its
// turn cannot name its calls, and says that something of them is missing.
type held struct {
	limit int // in bytes; 0: nothing is counted, and everything is kept
	bytes int
	queue []holding // the one kept first in front
}

// holding is one thing that is kept: a call, or the name of a turn.
type holding struct {
	call *call // nil: a name
	name runTurn
}

// What each thing takes besides its texts, in bytes.
const (
	perCall = 500
	perName = 300
)

func (c *conversation) holdTurn(name runTurn, t *turn) {
	if c.held.limit == 0 {
		if name == t.name {
			c.turns = append(c.turns, t)
		}
		return
	}
	c.held.queue = append(c.held.queue, holding{name: name})
	c.held.bytes += perName + len(name.run)
	c.fit()
}

func (c *conversation) holdCall(made *call) {
	if c.held.limit == 0 {
		return
	}
	c.held.queue = append(c.held.queue, holding{call: made})
	c.measure(made)
}

// measure brings the count of a call's bytes up to date.
func (c *conversation) measure(made *call) {
	if c.held.limit == 0 || c.calls[made.id] != made {
		return
	}
	c.held.bytes -= made.bytes
	made.bytes = perCall + 2*len(made.id) + len(made.tool) + len(made.args)
	if end := made.end; end != nil {
		made.bytes += len(end.Result) + len(end.ModelResult) + len(end.Error) + len(end.Status)
	}
	if made.door != nil {
		made.bytes += len(made.door.Described)
	}
	c.held.bytes += made.bytes
	c.fit()
}

// fit lets go of what was kept first until the rest fits.
func (c *conversation) fit() {
	for c.held.bytes > c.held.limit && len(c.held.queue) > 0 {
		first := c.held.queue[0]
		c.held.queue[0] = holding{}
		c.held.queue = c.held.queue[1:]
		if first.call == nil {
			delete(c.byRun, first.name)
			c.held.bytes -= perName + len(first.name.run)
			continue
		}
		c.held.bytes -= first.call.bytes
		first.call.bytes = 0
		if c.calls[first.call.id] == first.call {
			delete(c.calls, first.call.id)
		}
		first.call.turn.forgotten, first.call.turn.calls = true, nil
	}
}
