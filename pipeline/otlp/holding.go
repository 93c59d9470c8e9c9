package otlp

import (
	"cmp"
	"slices"
	"time"

	"github.com/plumbline-dev/plumbline/schemas/adapter/genai"
)

// heldTrace is the spans of a trace that came so far.
type heldTrace struct {
	id     string
	spans  []genai.Span
	ids    map[string]bool // of the spans
	bytes  int
	last   time.Time // of its last span
	rooted bool      // its root came
	given  bool      // its events were given; more spans may still come
}

// holding keeps the spans of traces. A trace that was given is kept for spans of it that come later, as long as there is
// room.
type holding struct {
	traces map[string]*heldTrace
	bytes  int
}

func newHolding() holding { return holding{traces: map[string]*heldTrace{}} }

// add keeps spans, each once, and gives their traces, by their ids.
func (h *holding) add(spans []genai.Span, now time.Time) []*heldTrace {
	touched := map[string]*heldTrace{}
	for _, s := range spans {
		t := h.traces[s.Trace]
		if t == nil {
			t = &heldTrace{id: s.Trace, ids: map[string]bool{}}
			h.traces[s.Trace] = t
		}
		touched[s.Trace] = t
		t.last = now
		if t.ids[s.ID] {
			continue
		}
		size := sizeOf(s)
		t.ids[s.ID] = true
		t.spans = append(t.spans, s)
		t.rooted = t.rooted || s.Parent == ""
		t.bytes += size
		h.bytes += size
	}
	return sorted(touched)
}

// sizeOf is about how many bytes a span takes.
func sizeOf(s genai.Span) int {
	size := 400 + len(s.Name) + len(s.Message)
	for name, v := range s.Attributes {
		size += 80 + len(name) + len(v.Raw())
	}
	for _, e := range s.Events {
		for name, v := range e.Attributes {
			size += 80 + len(name) + len(v.Raw())
		}
	}
	return size
}

func sorted(traces map[string]*heldTrace) []*heldTrace {
	list := make([]*heldTrace, 0, len(traces))
	for _, t := range traces {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b *heldTrace) int { return cmp.Or(a.last.Compare(b.last), cmp.Compare(a.id, b.id)) })
	return list
}

// idle lists the traces that were not given and had no span since, the oldest first.
func (h *holding) idle(since time.Time) []*heldTrace {
	return slices.DeleteFunc(sorted(h.traces), func(t *heldTrace) bool { return t.given || t.last.After(since) })
}

// trim drops traces that were given, the oldest first, until no more than so many bytes are held.
func (h *holding) trim(most int) {
	for _, t := range sorted(h.traces) {
		if h.bytes <= most {
			return
		}
		if t.given {
			h.drop(t)
		}
	}
}

// overflow makes room: it drops what was given, and then takes out the traces that did not end, the oldest first. Those are
// to be given as they are.
func (h *holding) overflow(most int) []*heldTrace {
	if h.bytes <= most {
		return nil
	}
	h.trim(most / 2)
	var over []*heldTrace
	for _, t := range sorted(h.traces) {
		if h.bytes <= most {
			break
		}
		h.drop(t)
		over = append(over, t)
	}
	return over
}

func (h *holding) drop(t *heldTrace) {
	delete(h.traces, t.id)
	h.bytes -= t.bytes
}
