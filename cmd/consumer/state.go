package main

import (
	"sync"

	"github.com/nats-io/nats.go"

	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// state is what the rest of the world may ask of a running consumer. It is safe for concurrent use.
type state struct {
	mu      sync.Mutex
	reason  string // why it is not ready, of its own; empty once it was started
	nc      *nats.Conn
	sources []*jet.Source
}

// starting says what the consumer is busy with instead of working.
func (s *state) starting(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reason = reason
}

// started says that it works, over this connection and these sources.
func (s *state) started(nc *nats.Conn, sources []*jet.Source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reason, s.nc, s.sources = "", nc, sources
}

// notReady is why an event that is published now would not be judged, empty when it would be.
func (s *state) notReady() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reason != "" {
		return s.reason
	}
	if !s.nc.IsConnected() {
		return "no connection to NATS"
	}
	for _, source := range s.sources {
		if health := source.Health(); !health.Ready {
			return health.Reason
		}
	}
	return ""
}

// backlog is how many events wait to be handed out, and how many were and are not finished.
func (s *state) backlog() (waiting, unfinished float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, source := range s.sources {
		health := source.Health()
		waiting += float64(health.Waiting)
		unfinished += float64(health.Unacked)
	}
	return waiting, unfinished
}
