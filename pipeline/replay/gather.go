package replay

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"hash/maphash"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/plumbline-dev/plumbline/pipeline"
)

// Stretch is what one reading met of one key, such as a conversation: every message of the key from the first of the
// stretch to its last, in stream order.
type Stretch struct {
	Key      string
	Messages []pipeline.Message
	// Whole tells that the stream holds no other message of the key.
	Whole bool
}

// First is the sequence of the first message.
func (s Stretch) First() uint64 { return s.Messages[0].Seq }

// Last is the sequence of the last message.
func (s Stretch) Last() uint64 { return s.Messages[len(s.Messages)-1].Seq }

// Finding is one thing found about a stretch, at the sequence of one of its messages.
type Finding[T any] struct {
	Seq uint64
	Of  T
}

// Gathering reads a part of a stream once, in order, and puts the messages of each key together. The zero values of
// Workers and Bytes are the defaults.
type Gathering struct {
	// Read visits the part in stream order. It returns the visitor's error as it is.
	Read func(ctx context.Context, visit func(pipeline.Message) error) error
	// Key names what a message belongs to.
	Key func(pipeline.Message) string
	// Totals are how many messages the whole stream holds of each key, those outside the part too. A stretch is looked
	// at as soon as that many were met.
	Totals Totals
	// Workers is how many stretches are looked at at once; 0 is 1.
	Workers int
	// Bytes bounds the messages held in memory; 0 is DefaultBytes. When they do not fit, the oldest stretch is looked at
	// although more of its key follows: the rest is a stretch of its own.
	Bytes int
	// Reached is told after every change how far the findings are complete: each one at or before the sequence was
	// emitted. It is called by one goroutine at a time. Nil is nobody.
	Reached func(seq uint64) error
}

// DefaultBytes is the bound of a Gathering that names none.
const DefaultBytes = 256 << 20

// Totals counts messages by key; a Gathering uses them up. It keeps eight bytes of a key instead of the key: two keys
// that share them count as one, and then their stretches only end later.
type Totals struct {
	seed  maphash.Seed
	byKey map[uint64]total
}

type total struct {
	left uint32 // messages that were not met yet
	cut  bool   // some of those that were met are in an earlier stretch
}

// NewTotals counts nothing yet.
func NewTotals() Totals { return Totals{maphash.MakeSeed(), map[uint64]total{}} }

// Add counts n messages of the key.
func (t Totals) Add(key string, n uint64) {
	hash := maphash.String(t.seed, key)
	had := t.byKey[hash]
	had.left += uint32(n)
	t.byKey[hash] = had
}

// met takes one message off and tells whether none is left.
func (t Totals) met(key string) (last bool) {
	hash := maphash.String(t.seed, key)
	had, ok := t.byKey[hash]
	if !ok || had.left == 0 {
		return false
	}
	had.left--
	t.byKey[hash] = had
	return had.left == 0
}

// cut notes that a stretch of the key ended before the key did.
func (t Totals) cut(key string) {
	hash := maphash.String(t.seed, key)
	had := t.byKey[hash]
	had.cut = true
	t.byKey[hash] = had
}

func (t Totals) wasCut(key string) bool { return t.byKey[maphash.String(t.seed, key)].cut }

// The bytes that a message and a stretch take beside the message's own.
const (
	messageBytes = 200
	stretchBytes = 400
)

// Each looks at every stretch of the part, several at once, and emits what was found in the order of its sequences,
// whatever the number of workers. emit is called by one goroutine at a time. The first error ends it; when ctx ends,
// what was emitted until then is complete up to the sequence that Reached was told last.
func Each[T any](ctx context.Context, g Gathering, look func(context.Context, Stretch) ([]Finding[T], error), emit func(Finding[T]) error) error {
	group, ctx := errgroup.WithContext(ctx)
	a := &gatherer[T]{
		Gathering: g, look: look, emit: emit, open: map[string]*stretch[T]{}, ended: make(chan *stretch[T]), freed: make(chan struct{}, 1),
	}
	a.Bytes = cmp.Or(a.Bytes, DefaultBytes)
	for range max(1, g.Workers) {
		group.Go(func() error { return a.work(ctx) })
	}
	group.Go(func() error {
		defer close(a.ended)
		return a.read(ctx)
	})
	return group.Wait()
}

// gatherer is one run of Each.
type gatherer[T any] struct {
	Gathering
	look  func(context.Context, Stretch) ([]Finding[T], error)
	emit  func(Finding[T]) error
	ended chan *stretch[T] // to be looked at
	freed chan struct{}    // holds a token after memory was freed

	open map[string]*stretch[T] // owned by read

	mu      sync.Mutex
	order   []*stretch[T] // guarded by mu: those not emitted, by their first message
	bytes   int           // guarded by mu: of those
	waiting findings[T]   // guarded by mu: found, and something before them may still be
	seen    uint64        // guarded by mu: the last sequence read
	failed  error         // guarded by mu: of emit or Reached; nothing is emitted or reached after it
}

// stretch is a Stretch on its way.
type stretch[T any] struct {
	Stretch
	first uint64
	bytes int  // guarded by mu
	given bool // to the workers; owned by read
	done  bool // guarded by mu
	found []Finding[T]
}

func (a *gatherer[T]) read(ctx context.Context) error {
	err := a.Read(ctx, func(m pipeline.Message) error { return a.take(ctx, m) })
	if err != nil {
		return err
	}
	a.mu.Lock()
	rest := a.order
	a.mu.Unlock()
	for _, s := range rest {
		if !s.given {
			if err := a.end(ctx, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// take puts the message to its stretch, and ends the stretch with its key's last message.
func (a *gatherer[T]) take(ctx context.Context, m pipeline.Message) error {
	key := a.Key(m)
	s := a.open[key]
	size := len(m.Data) + len(m.Subject) + messageBytes
	if s == nil {
		s = &stretch[T]{Stretch: Stretch{Key: key}, first: m.Seq}
		a.open[key] = s
		size += stretchBytes
	}
	s.Messages = append(s.Messages, m)
	a.count(s, m.Seq, size)
	if a.Totals.met(key) {
		s.Whole = !a.Totals.wasCut(key)
		if err := a.end(ctx, s); err != nil {
			return err
		}
	}
	return a.fit(ctx)
}

func (a *gatherer[T]) count(s *stretch[T], seq uint64, size int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s.bytes == 0 {
		a.order = append(a.order, s)
	}
	s.bytes += size
	a.bytes += size
	a.seen = seq
}

// end gives the stretch to the workers.
func (a *gatherer[T]) end(ctx context.Context, s *stretch[T]) error {
	s.given = true
	delete(a.open, s.Key)
	select {
	case a.ended <- s:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// fit waits until the messages held fit. The oldest stretch is what holds the others up: it is ended.
func (a *gatherer[T]) fit(ctx context.Context) error {
	for {
		a.mu.Lock()
		if a.bytes <= a.Bytes {
			a.mu.Unlock()
			return nil
		}
		oldest := a.order[0]
		a.mu.Unlock()
		if !oldest.given {
			a.Totals.cut(oldest.Key)
			if err := a.end(ctx, oldest); err != nil {
				return err
			}
			continue
		}
		select {
		case <-a.freed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (a *gatherer[T]) work(ctx context.Context) error {
	for s := range a.ended {
		found, err := a.look(ctx, s.Stretch)
		if err == nil {
			err = a.settle(s, found)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// settle takes in what was found of a stretch, and emits everything that nothing can come before any more.
func (a *gatherer[T]) settle(s *stretch[T], found []Finding[T]) error {
	for _, f := range found {
		if f.Seq < s.First() || f.Seq > s.Last() {
			return fmt.Errorf("replay: a finding at sequence %d, outside its stretch", f.Seq)
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	s.found, s.done, s.Messages = found, true, nil
	popped := false
	for ; len(a.order) > 0 && a.order[0].done; a.order = a.order[1:] {
		a.bytes -= a.order[0].bytes
		for _, f := range a.order[0].found {
			a.waiting.add(f)
		}
		a.order[0].found = nil
		popped = true
	}
	if !popped {
		return nil
	}
	select {
	case a.freed <- struct{}{}:
	default:
	}
	return a.emitReached()
}

// emitReached emits the findings before the first stretch that was not looked at. The lock is held. After an error it
// emits nothing more: the finding that failed would be passed over.
func (a *gatherer[T]) emitReached() error {
	reached := a.seen
	if len(a.order) > 0 {
		reached = a.order[0].first - 1
	}
	for a.failed == nil && len(a.waiting.list) > 0 && a.waiting.list[0].Seq <= reached {
		a.failed = a.emit(a.waiting.next())
	}
	if a.failed == nil && a.Reached != nil {
		a.failed = a.Reached(reached)
	}
	return a.failed
}

// findings are in the order of their sequences, those of one sequence in the order in which they were added.
type findings[T any] struct {
	list  []placed[T]
	added int
}

type placed[T any] struct {
	Finding[T]
	place int
}

func (f *findings[T]) add(one Finding[T]) {
	f.added++
	heap.Push(f, placed[T]{one, f.added})
}

func (f *findings[T]) next() Finding[T] { return heap.Pop(f).(placed[T]).Finding }

// Len, Less, Swap, Push and Pop are for package heap.
func (f *findings[T]) Len() int { return len(f.list) }

// Less orders by sequence.
func (f *findings[T]) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(f.list[i].Seq, f.list[j].Seq), cmp.Compare(f.list[i].place, f.list[j].place)) < 0
}

// Swap exchanges two.
func (f *findings[T]) Swap(i, j int) { f.list[i], f.list[j] = f.list[j], f.list[i] }

// Push appends one.
func (f *findings[T]) Push(x any) { f.list = append(f.list, x.(placed[T])) }

// Pop removes the last one.
func (f *findings[T]) Pop() any {
	last := f.list[len(f.list)-1]
	f.list[len(f.list)-1] = placed[T]{}
	f.list = f.list[:len(f.list)-1]
	return last
}
