package main

import (
	"context"
	"slices"
)

// part is something that the consumer runs beside its work.
type part struct {
	wanted bool
	start  func(context.Context) (stop func(), err error)
}

// startParts starts those that are wanted, in their order. stop stops them, the last one first. When one does not start, those
// before it are stopped.
func startParts(ctx context.Context, parts ...part) (stop func(), err error) {
	var stops []func()
	stop = func() {
		for _, stop := range slices.Backward(stops) {
			stop()
		}
	}
	for _, p := range parts {
		if !p.wanted {
			continue
		}
		one, err := p.start(ctx)
		if err != nil {
			stop()
			return nil, err
		}
		stops = append(stops, one)
	}
	return stop, nil
}
