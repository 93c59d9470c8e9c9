package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Partition is a source over one partition that can be given up.
type Partition interface {
	Source
	// Drain asks for no more messages: Next hands out what was on its way and then returns ErrClosed.
	Drain()
	// Close ends the source at once and lets another member have the partition. What it cannot give up in time another
	// member gets later.
	Close(ctx context.Context) error
}

// Placement tells which partitions fall to this member. Members may disagree for a while: two then work on one
// partition, or none does until they agree. Neither changes a verdict or loses one.
type Placement interface {
	// Next waits until other partitions fall to this member than it said before, and returns all of them; the first
	// call says what falls to it now. It returns an error only when ctx ends.
	Next(ctx context.Context) ([]int, error)
}

// MemberConfig is what a Member needs to know. Worker.Rules, Placement, Open and Sink are required.
type MemberConfig struct {
	// Worker is how each partition is worked on. Its CacheBytes is for all of them together.
	Worker Config
	// Placement tells what to work on.
	Placement Placement
	// Open opens a partition. It is called again, with growing pauses, until it does or the partition falls to another.
	Open func(ctx context.Context, partition int) (Partition, error)
	// Sink stores what all partitions make.
	Sink Sink
	// Drain is how long finishing what is in hand may take, when a partition falls to another member or the member
	// stops; 0 is DefaultDrain.
	Drain time.Duration
}

// DefaultDrain is how long finishing what is in hand may take.
const DefaultDrain = 10 * time.Second

// ErrUnfinished says that a member stopped with messages in hand. They are handed out again, to it or another.
var ErrUnfinished = errors.New("stopped in the middle of its work")

// Member works on the partitions that fall to it, each with a Worker of its own: it opens a partition when it falls to
// it, and when it falls to another it takes nothing more, finishes what is in hand and gives the partition up.
//
// A crash leaves what a crash of each Worker leaves. Two members that work on one partition store the same, and the
// sink's guard lets each verdict in once.
type Member struct {
	cfg      MemberConfig
	adoption adoption

	// Owned by Run.
	rules  Rules // of the shifts that begin
	placed []int // partitions that fall to this member, in order
	shifts map[int]*shift
	ended  chan *shift
}

// NewMember checks the configuration.
func NewMember(cfg MemberConfig) (*Member, error) {
	if cfg.Placement == nil || cfg.Open == nil || cfg.Sink == nil {
		return nil, errors.New("pipeline: MemberConfig.Placement, Open or Sink is missing")
	}
	if cfg.Drain < 0 {
		return nil, errors.New("pipeline: MemberConfig.Drain may not be negative")
	}
	if cfg.Drain == 0 {
		cfg.Drain = DefaultDrain
	}
	var err error
	if cfg.Worker, err = cfg.Worker.validate(); err != nil {
		return nil, err
	}
	return &Member{cfg: cfg, adoption: newAdoption(), rules: cfg.Worker.Rules, shifts: map[int]*shift{}, ended: make(chan *shift)}, nil
}

// Run works until ctx ends and then finishes what is in hand: nil when it did, ErrUnfinished when that took longer than
// Drain. It returns earlier, with the reason, when a partition cannot be worked on any more.
func (m *Member) Run(ctx context.Context) error {
	hard, kill := context.WithCancel(context.WithoutCancel(ctx)) // a stop is soft: what is in hand is finished
	defer kill()
	err := m.work(ctx, hard)
	m.place(hard, nil)
	for len(m.shifts) > 0 {
		s := <-m.ended
		if s.unfinished {
			err = errors.Join(err, ErrUnfinished)
		}
		err = errors.Join(err, m.end(hard, s))
	}
	return err
}

// work follows the placement until ctx ends or a partition cannot be worked on.
func (m *Member) work(ctx, hard context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	placements := m.follow(ctx)
	defer func() {
		stop()
		for range placements { // until it has ended
		}
	}()
	for {
		select {
		case placed, ok := <-placements:
			if !ok {
				return nil
			}
			m.place(hard, placed)
		case <-m.adoption.ready:
			m.adopt()
		case s := <-m.ended:
			if err := m.end(hard, s); err != nil {
				return err
			}
		}
	}
}

// follow hands the placements over; the channel is closed when ctx ends.
func (m *Member) follow(ctx context.Context) <-chan []int {
	placements := make(chan []int)
	go func() {
		defer close(placements)
		for {
			placed, err := m.cfg.Placement.Next(ctx)
			if err != nil {
				return
			}
			select {
			case placements <- placed:
			case <-ctx.Done():
				return
			}
		}
	}()
	return placements
}

// place begins what falls to the member and was not worked on, and gives up what no longer does. A partition that comes
// back while it is given up begins again once that is done.
func (m *Member) place(hard context.Context, placed []int) {
	m.placed = placed
	for _, p := range placed {
		if m.shifts[p] == nil {
			m.begin(hard, p)
		}
	}
	for p, s := range m.shifts {
		if !slices.Contains(placed, p) {
			s.leave()
		}
	}
	m.share()
}

func (m *Member) begin(hard context.Context, partition int) {
	s := newShift(&m.cfg, m.rules, partition)
	m.shifts[partition] = s
	go func() {
		s.run(hard)
		m.ended <- s
	}()
}

// end takes in that a shift is over.
func (m *Member) end(hard context.Context, s *shift) error {
	delete(m.shifts, s.partition)
	if s.err != nil {
		return fmt.Errorf("partition %d: %w", s.partition, s.err)
	}
	if slices.Contains(m.placed, s.partition) {
		m.begin(hard, s.partition)
	}
	m.share()
	return nil
}

// share divides the cache among the partitions in hand.
func (m *Member) share() {
	for _, s := range m.shifts {
		s.resize(max(1, m.cfg.Worker.CacheBytes/len(m.shifts)))
	}
}
