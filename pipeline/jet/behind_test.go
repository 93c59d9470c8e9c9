package jet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// behind is an API of the server whose batches are those of a server that is behind: it shows nothing after a sequence.
// What is asked of the stream's leader goes through. It counts the messages that it hands out.
type behind struct {
	nc    *nats.Conn
	shown uint64

	mu     sync.Mutex
	handed map[uint64]int // guarded by mu
}

func (s *behind) times(seq uint64) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.handed[seq]
}

// openBehind serves the API under a prefix of its own, and gives a JetStream that uses it.
func openBehind(t *testing.T, b *bench, shown uint64) (*behind, jetstream.JetStream) {
	t.Helper()
	s := &behind{nc: b.nc, shown: shown, handed: map[uint64]int{}}
	sub, err := b.nc.Subscribe("behind.>", func(m *nats.Msg) { s.answer(t, m) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := sub.Unsubscribe(); err != nil {
			t.Error(err)
		}
	})
	js, err := jetstream.NewWithAPIPrefix(b.nc, "behind")
	if err != nil {
		t.Fatal(err)
	}
	return s, js
}

// answer passes a request on, on its own connection's goroutine, and passes back what a server that is behind has.
func (s *behind) answer(t *testing.T, m *nats.Msg) {
	inbox := s.nc.NewInbox()
	replies, err := s.nc.SubscribeSync(inbox)
	if err != nil {
		t.Error(err)
		return
	}
	defer replies.Unsubscribe() //nolint:errcheck // it ends with the connection at the latest
	subject := "$JS.API." + strings.TrimPrefix(m.Subject, "behind.")
	if err := s.nc.PublishRequest(subject, inbox, m.Data); err != nil {
		t.Error(err)
		return
	}
	for {
		reply, err := replies.NextMsgWithContext(t.Context())
		if err != nil {
			return
		}
		seq, err := strconv.ParseUint(reply.Header.Get(jetstream.SequenceHeader), 10, 64)
		if err != nil { // no message of a batch: the leader's word, or the end of the batch
			s.pass(t, m, reply)
			return
		}
		if seq > s.shown {
			continue
		}
		s.mu.Lock()
		s.handed[seq]++
		s.mu.Unlock()
		pending, err := strconv.ParseUint(reply.Header.Get(pendingHeader), 10, 64)
		if err != nil {
			t.Error(err)
		}
		reply.Header.Set(pendingHeader, strconv.FormatUint(min(pending, s.shown-seq), 10))
		s.pass(t, m, reply)
	}
}

func (s *behind) pass(t *testing.T, m, reply *nats.Msg) {
	if err := s.nc.PublishMsg(&nats.Msg{Subject: m.Reply, Header: reply.Header, Data: reply.Data}); err != nil {
		t.Error(err)
	}
}

// TestHistoryOfAServerThatIsBehind reads what it does not show from the leader, and what it does show once.
func TestHistoryOfAServerThatIsBehind(t *testing.T) {
	b := newBench(t)
	var want []uint64
	for range 12 {
		want = append(want, b.publish(t, b.event("a"), nil, []byte("x")))
	}
	for _, shown := range []uint64{0, 1, 7, 11, 12} {
		t.Run(fmt.Sprint("shows ", shown), func(t *testing.T) {
			server, js := openBehind(t, b, shown)
			for _, atLeast := range []uint64{12, 0} {
				got, err := back(t, newReader(js, EventsStream), b.log("a"), atLeast)
				if err != nil || !slices.Equal(sequences(got), want) {
					t.Errorf("at least %d: %v, %v", atLeast, sequences(got), err)
				}
			}
			if err := b.nc.Flush(); err != nil {
				t.Fatal(err)
			}
			for seq := uint64(1); seq <= 12; seq++ {
				wanted := 0
				if seq <= shown {
					wanted = 2 // once for each of the two readings
				}
				if times := server.times(seq); times != wanted {
					t.Errorf("sequence %d came from the batches %d times, want %d", seq, times, wanted)
				}
			}
		})
	}
}
