package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/nats-io/nats.go"

	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/pipeline/policy"
)

// state is what the rest of the world may ask of a running consumer. It is safe for concurrent use.
type state struct {
	mu         sync.Mutex
	reason     string // why it is not ready, of its own; empty once it was started
	nc         *nats.Conn
	membership error               // of the last beat
	known      bool                // placed was said
	placed     []int               // partitions that fall to this consumer
	partitions map[int]*jet.Source // those that are open
	all        int                 // partitions of the event stream
	rules      *policy.Set         // that conversations are judged by
}

// starting says what the consumer is busy with instead of working.
func (s *state) starting(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reason = reason
}

// started says that it works, over this connection, on some of all partitions.
func (s *state) started(nc *nats.Conn, all int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reason, s.nc, s.partitions, s.all = "", nc, map[int]*jet.Source{}, all
}

// judges says by which rules it judges from now on.
func (s *state) judges(rules *policy.Set) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = rules
}

// beat says whether this member could show itself to the others.
func (s *state) beat(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.membership = err
}

// places says which partitions fall to this consumer.
func (s *state) places(partitions []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.placed, s.known = partitions, true
}

// opened says that a partition is worked on from now on.
func (s *state) opened(partition int, source *jet.Source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.partitions[partition] = source
}

// closed says that a partition is not worked on any more.
func (s *state) closed(partition int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.partitions, partition)
}

// notReady is why an event that is published now, to a partition that falls to this consumer, would not be judged;
// empty when it would be.
func (s *state) notReady() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.reason != "":
		return s.reason
	case !s.nc.IsConnected():
		return "no connection to NATS"
	case s.membership != nil:
		return s.membership.Error()
	case !s.known:
		return "no partitions were placed yet"
	}
	for _, partition := range s.placed {
		source := s.partitions[partition]
		if source == nil {
			return fmt.Sprintf("partition %d is not open yet", partition)
		}
		if health := source.Health(); !health.Ready {
			return health.Reason
		}
	}
	return ""
}

// lag is how many events of a partition wait to be handed out, and how many were and are not finished.
type lag struct {
	waiting    uint64
	unfinished int
}

// choices are the partitions of the event stream, 0 while that is not known, and the rules, nil likewise.
func (s *state) choices() (partitions int, rules *policy.Set) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all, s.rules
}

// backlog is the lag of each partition that is worked on.
func (s *state) backlog() map[int]lag {
	s.mu.Lock()
	defer s.mu.Unlock()
	lags := map[int]lag{}
	for partition, source := range s.partitions {
		health := source.Health()
		lags[partition] = lag{health.Waiting, health.Unacked}
	}
	return lags
}

// placement tells the state what falls to this consumer.
type placement struct {
	*jet.Members
	state *state
}

// Next waits until other partitions fall to this consumer.
func (p placement) Next(ctx context.Context) ([]int, error) {
	partitions, err := p.Members.Next(ctx)
	if err == nil {
		p.state.places(partitions)
	}
	return partitions, err
}
