package agentfootprint

import (
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
	"github.com/plumbline-dev/plumbline/schemas/adapter"
)

// conversation is one session, or one run that belongs to none.
type conversation struct {
	names event.Conversation
	count int   // turns so far
	last  *turn // that began last, nil before any
	byRun map[runTurn]*turn
	calls map[string]*call
	held  held

	turns       []*turn // all, for those who tell of a whole record
	withheld    *int    // of the reader
	notCaptured int
	prompted    bool // something of the prompt was recorded

	// give takes what an event says, in order.
	give func(e row, made event.Event)
}

// runTurn names a turn as the runtime does.
type runTurn struct {
	run   string
	index int
}

// turn is one turn, by its number from 1.
type turn struct {
	name      runTurn
	number    int
	iteration int
	calls     []*call
	opened    bool // it was told what the person said
	ended     bool
	revised   bool // a draft was sent back
	forgotten bool // some of the calls are not held any more
}

// call is a call of a turn.
type call struct {
	id        string
	turn      *turn
	iteration int
	tool      string
	args      event.JSON
	door      *event.Door
	end       *event.ToolEnd // nil before it ended
	bytes     int            // as held
}

func newConversation(names event.Conversation, give func(row, event.Event)) *conversation {
	return &conversation{names: names, withheld: new(int), byRun: map[runTurn]*turn{}, calls: map[string]*call{}, give: give}
}

func nameOf(e row) runTurn {
	return runTurn{adapter.Text(e.meta, "runId"), whole(e.payload, "turnIndex", whole(e.meta, "turnIndex", 0))}
}

// begin gives the turn that an event opens. The same run's turn, exported twice, is one.
func (c *conversation) begin(e row) *turn {
	name := nameOf(e)
	if t := c.byRun[name]; t != nil {
		return t
	}
	if c.last != nil && c.last.name == name {
		return c.last
	}
	c.count++
	t := &turn{name: name, number: c.count}
	c.last = t
	c.byRun[name] = t
	c.holdTurn(name, t)
	return t
}

// turnOf gives the turn of an event. A run without a beginning goes on with the turn that is open: a run that was paused
// is gone on with under another name.
func (c *conversation) turnOf(e row) *turn {
	name := nameOf(e)
	if t := c.byRun[name]; t != nil {
		return t
	}
	if c.last != nil && !c.last.ended {
		c.byRun[name] = c.last
		c.holdTurn(name, c.last)
		return c.last
	}
	return c.begin(e)
}

func (c *conversation) toolStart(e row) {
	id, _ := e.payload.Get("toolCallId")
	t := c.turnOf(e)
	made := c.callOf(id.Text(), t)
	made.tool = adapter.Text(e.payload, "toolName")
	args, _ := e.payload.Get("args")
	made.args = adapter.Compact(args)
	made.iteration = whole(e.meta, "iterIndex", t.iteration)
	c.measure(made)
}

// callOf gives the call of an id. An id that stands for a call of an earlier turn, which ended, is another call now.
func (c *conversation) callOf(id string, t *turn) *call {
	made := c.calls[id]
	if made == nil || made.turn != t && made.end != nil && t.number > made.turn.number {
		made = &call{id: id, turn: t, iteration: t.iteration}
		c.calls[id] = made
		t.calls = append(t.calls, made)
		c.holdCall(made)
	}
	return made
}

func (c *conversation) toolEnd(e row) {
	id, _ := e.payload.Get("toolCallId")
	result, _ := e.payload.Get("result")
	failed, _ := e.payload.Get("error")
	made := c.calls[id.Text()]
	if made == nil {
		made = c.callOf(id.Text(), c.turnOf(e))
		c.unseen(e, event.HistoryIncomplete) // it began before this record does
	}
	made.end = c.endOf(e, result, failed)
	if tool := adapter.Text(e.payload, "toolName"); made.tool == "" {
		made.tool = tool
	}
	c.report(e, made)
	c.measure(made)
}

// endOf reads the end of a call.
func (c *conversation) endOf(e row, result, failed servedjson.Value) *event.ToolEnd {
	end := &event.ToolEnd{Result: adapter.Compact(result), Status: adapter.Text(e.payload, "status")}
	if end.Result == nil {
		end.Result = event.JSON("null")
	}
	read, _ := e.payload.Get("modelResult")
	end.ModelResult = adapter.Compact(read)
	switch failed.Kind() {
	case servedjson.True, servedjson.String, servedjson.Object:
		end.Error = adapter.Compact(failed)
	}
	if took, _ := e.payload.Get("durationMs"); took.Kind() == servedjson.Number {
		end.DurationMs = adapter.Compact(took)
	}
	if end.ModelResult == nil && withheld(result.Text()) {
		end.Result, end.Status = event.JSON("null"), event.StatusNotCaptured
		c.notCaptured++
	}
	if read.IsZero() {
		read = result
	}
	c.limits(e, read)
	return end
}

// limits says what of a result was not recorded: pictures, or what an audit export cut.
func (c *conversation) limits(e row, read servedjson.Value) {
	if content, _ := adapter.ReadResult(read, ""); content.Unseen {
		c.unseen(e, event.ContentNotCaptured)
	}
	if !e.bounded {
		return
	}
	cut := false
	servedjson.Walk(read, func(leaf servedjson.Value, _ bool) {
		if leaf.Kind() == servedjson.String {
			text := leaf.Text()
			cut = cut || isCut(text) || strings.HasPrefix(text, "…+") || text == "[truncated: depth]"
		}
	})
	if cut {
		c.unseen(e, event.ResultCapped)
	}
}

// The runtime's own record of a call comes before its end or after it: then the call is reported again.

func (c *conversation) absent(e row) {
	c.doorOf(e, func(d *event.Door) { d.Absent = true })
}

func (c *conversation) bounded(e row) {
	c.doorOf(e, func(d *event.Door) { d.Bounded = true })
}

func (c *conversation) described(e row) {
	semantics, _ := e.payload.Get("semantics")
	c.doorOf(e, func(d *event.Door) { d.Described = adapter.Compact(semantics) })
}

func (c *conversation) doorOf(e row, change func(*event.Door)) {
	made := c.callOf(adapter.Text(e.payload, "toolCallId"), c.turnOf(e))
	if made.door == nil {
		made.door = &event.Door{}
	}
	change(made.door)
	if made.tool == "" {
		made.tool = adapter.Text(e.payload, "toolName")
	}
	if made.end != nil {
		c.report(e, made)
	}
	c.measure(made)
}

// report gives the end of a call as it is known by now.
func (c *conversation) report(e row, made *call) {
	end := *made.end
	end.Call = event.Call{ID: made.id, Tool: made.tool, Iteration: made.iteration, Args: made.args}
	if made.door != nil {
		door := *made.door
		end.Door = &door
	}
	c.add(e, made.turn, event.Event{ToolEnd: &end})
}

// tell gives what a turn_start says.
func (c *conversation) tell(e row, t *turn, said event.TurnStart) {
	c.add(e, t, event.Event{TurnStart: &said})
}

// unseen tells that something was not recorded, in the turn that is open.
func (c *conversation) unseen(e row, reason event.Reason) {
	c.add(e, &turn{number: max(c.count, 1)}, event.Event{TurnStart: &event.TurnStart{Unseen: []event.Reason{reason}}})
}

func (c *conversation) add(e row, t *turn, made event.Event) {
	made.Time, made.Conversation, made.Turn = timeOf(e), c.names, t.number
	c.give(e, made)
}

func (c *conversation) unanswered() (n int) {
	for _, t := range c.turns {
		for _, made := range t.calls {
			if made.end == nil {
				n++
			}
		}
	}
	return n
}
