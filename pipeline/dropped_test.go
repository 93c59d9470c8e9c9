package pipeline

import (
	"fmt"
	"testing"
)

// A conversation that was dropped is never taken for new; one that was not is, nearly always, also when very many were dropped.
func TestDroppedAreNeverNew(t *testing.T) {
	const many = 20_000
	k := newCache(16 << 20)
	for i := range many {
		c := &conversation{subject: fmt.Sprint("dropped.", i)}
		k.add(c)
		k.drop(c.subject)
	}
	taken := 0
	for i := range many {
		if k.isNew(fmt.Sprint("dropped.", i)) {
			t.Fatalf("conversation %d was dropped and is taken for new", i)
		}
		if k.isNew(fmt.Sprint("new.", i)) {
			taken++
		}
	}
	if taken < many*95/100 {
		t.Errorf("%d of %d new conversations are taken for new, want nearly all", taken, many)
	}
	k.forget()
	if !k.isNew("dropped.0") {
		t.Error("another epoch remembers what was dropped in the one before it")
	}
}

// A trace that goes leaves behind that its conversation was there.
func TestTraceThatGoesIsRemembered(t *testing.T) {
	k := newCache(0)
	k.bytes += k.traces.add(trace{subject: "once"})
	k.evict(0, func(int) {})
	if k.isNew("once") {
		t.Error("the conversation of a trace that went is taken for new")
	}
}
