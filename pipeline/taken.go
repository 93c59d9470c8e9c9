package pipeline

import (
	"hash/maphash"
	"time"

	"github.com/plumbline-dev/plumbline/core/emptiness"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
)

// Taken is what became of an event that was taken in, for those who count. No verdict rests on it.
type Taken struct {
	// Again tells that the event was handed out before, to this worker or another: what it says was counted then.
	Again bool
	// Waited is how long the event was stored, by the store's clock, before it was taken in; 0 when that is not known, and
	// when it was handed out before.
	Waited time.Duration
	// Late tells that the event reports a call that an answer of before could have read: the answer is judged again.
	Late bool
	// Repeat tells that the event reports a call that gave what an earlier call of its turn gave: of the same tool, for
	// the same arguments, the same result. A conversation that was dropped from memory tells of none until it is read
	// back, and a turn of none past its first 256 results.
	Repeat bool
	// Reading is what the call that the event reports came back with; empty when it reports none, and past the limit of
	// its conversation.
	Reading emptiness.Emptiness
}

// taken says what became of the event that was folded last.
func (c *conversation) taken(d Delivery, effects turn.Effects, e event.Event) Taken {
	t := Taken{Again: d.Redelivered()}
	if e.ToolEnd != nil {
		t.Late, t.Repeat = len(effects.Answers) > 0, c.results.repeats
		t.Reading = c.state.ReadingOf(e.Turn, e.ToolEnd.Call)
	}
	return t
}

// taken tells the observer of an event. Messages that say none are not told of.
func (w *Worker) taken(by *ticket, e event.Event, t Taken) {
	if e.Kind() == "" {
		return
	}
	if stored := by.delivery.Stored(); !t.Again && !stored.IsZero() {
		t.Waited = max(0, by.taken.Sub(stored))
	}
	w.cfg.Observer.Taken(e, t)
}

// maxResults is how many results of one turn are remembered.
const maxResults = 256

// results tells apart what the calls of a turn gave. Only the turn under way is remembered. The zero value holds nothing.
type results struct {
	turn    int
	given   []given
	repeats bool // the event that was noted last
}

// given is one result, by its hash, with that of the call that gave it.
type given struct{ result, call uint64 }

// callOf names a call in its turn.
type callOf struct {
	id        string
	iteration int
}

// seed is the process's own: of what it hashes, only a count leaves the process.
var seed = maphash.MakeSeed()

// note takes in an event, and says in repeats whether it reports a call that repeats another.
func (r *results) note(e event.Event) {
	r.repeats = false
	if e.Turn != r.turn {
		r.turn, r.given = e.Turn, nil
	}
	if e.ToolEnd == nil || e.ToolEnd.Read() == nil && e.ToolEnd.Error == nil {
		return
	}
	this := given{resultHash(e.ToolEnd), maphash.Comparable(seed, callOf{e.ToolEnd.Call.ID, e.ToolEnd.Call.Iteration})}
	same := false
	for _, before := range r.given {
		if before == this {
			return // another report of the same call
		}
		same = same || before.result == this.result
	}
	r.repeats = same
	if len(r.given) < maxResults {
		r.given = append(r.given, this)
	}
}

// resultHash is of what was asked of which tool and what came back.
func resultHash(end *event.ToolEnd) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	h.WriteString(end.Call.Tool)
	for _, field := range [...][]byte{end.Call.Args, end.Read(), end.Error} {
		h.WriteByte(0) // no byte of JSON
		h.Write(field)
	}
	return h.Sum64()
}

// bytes is what it takes in memory.
func (r *results) bytes() int { return 16 * cap(r.given) }

// tellCached tells the observer what the cache takes now.
func (w *Worker) tellCached(bytes int) {
	if bytes != w.cached {
		w.cfg.Observer.Cached(bytes - w.cached)
		w.cached = bytes
	}
}
