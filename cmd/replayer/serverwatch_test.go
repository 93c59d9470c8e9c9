package main

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// A server that comes back in time ends nothing, one that stays away ends the replay.
func TestWhileServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var up atomic.Bool
		served, stop := whileServed(t.Context(), up.Load)
		defer stop()
		time.Sleep(patience - 2*time.Second)
		up.Store(true)
		time.Sleep(2 * time.Second)
		up.Store(false)
		time.Sleep(patience - 2*time.Second)
		if err := served.Err(); err != nil {
			t.Fatalf("a restart ended it: %v", context.Cause(served))
		}
		time.Sleep(4 * time.Second)
		if cause := context.Cause(served); !errors.Is(cause, errGone) {
			t.Fatalf("the server is gone, and the cause is %v", cause)
		}
	})
}

// What ends because the server is gone says how to go on, though nothing can be saved any more.
func TestGoneSaysHowToGoOn(t *testing.T) {
	served, cancel := context.WithCancelCause(t.Context())
	cancel(errGone)
	b := &book{id: "j1", replays: &jet.Replays{}}
	err := b.interrupted(served, errors.New("read a conversation back"))
	if !errors.Is(err, errGone) || !strings.Contains(err.Error(), "--resume j1") {
		t.Errorf("it says %q", err)
	}
}

// An event that waits for a server that is gone names it, and says to run it again.
func TestGoneIsSaidOfAnEvent(t *testing.T) {
	served, cancel := context.WithCancelCause(t.Context())
	cancel(errGone)
	p := &publisher{ctx: served, empty: true, known: map[event.Conversation]map[string]bool{}}
	err := p.add(event.Event{ID: "e1"})
	if !errors.Is(err, errGone) || !strings.Contains(err.Error(), "run it again") {
		t.Errorf("it says %v", err)
	}
}
