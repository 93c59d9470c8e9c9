package main

import (
	"context"
	"errors"
	"time"
)

// patience is how long a replay waits for a server that is gone: a restart takes less.
const patience = time.Minute

var errGone = errors.New("no server has answered for a minute")

// whileServed gives a context that ends with errGone when connected was never true for as long as patience. stop ends the
// watch, and returns when it has ended.
func whileServed(ctx context.Context, connected func() bool) (served context.Context, stop func()) {
	served, cancel := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for seen := time.Now(); ; {
			select {
			case now := <-tick.C:
				if connected() {
					seen = now
				} else if now.Sub(seen) >= patience {
					cancel(errGone)
				}
			case <-served.Done():
				return
			}
		}
	}()
	return served, func() {
		cancel(nil)
		<-ended
	}
}
