package pipetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/plumbline-dev/plumbline/pipeline"
)

// Store is what TestSink needs of an implementation: an empty store.
type Store interface {
	Sink() pipeline.Sink
	// Subject makes a subject that the store takes records on.
	Subject(name string) string
	// Letters returns what is buried, in order.
	Letters(t *testing.T) []pipeline.Letter
}

// TestSink holds an implementation against what pipeline.Sink says. open is called once per subtest.
func TestSink(t *testing.T, open func(t *testing.T) Store) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, s *sinkTest)
	}{
		{"stores a record as it is", testStored},
		{"keeps a revision chain", testChain},
		{"refuses a record that does not follow", testGuard},
		{"stores one of many that race", testRace},
		{"gives each outcome once", testOutcomes},
		{"gives up with the context", testPublishCancel},
		{"reads an empty chain", testEmptyChain},
		{"buries a letter as it is", testLetter},
		{"buries a letter once", testBuryTwice},
		{"lets no header of a letter act", testHostileLetter},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, &sinkTest{t: t, store: open(t)}) })
	}
}

type sinkTest struct {
	t     *testing.T
	store Store
}

func (s *sinkTest) ctx() context.Context {
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	s.t.Cleanup(cancel)
	return ctx
}

func (s *sinkTest) record(name, payload string, revision int, supersedes uint64) pipeline.Record {
	return pipeline.Record{
		Subject: s.store.Subject(name), ContentType: "application/json", Payload: []byte(payload), Revision: revision, Supersedes: supersedes,
	}
}

// publish waits for the outcome.
func (s *sinkTest) publish(r pipeline.Record) (seq uint64, err error) {
	s.t.Helper()
	done := make(chan struct{})
	started := s.store.Sink().Publish(s.ctx(), r, func(n uint64, e error) {
		seq, err = n, e
		close(done)
	})
	if started != nil {
		s.t.Fatalf("Publish: %v", started)
	}
	select {
	case <-done:
	case <-time.After(patience):
		s.t.Fatal("Publish: no outcome")
	}
	return seq, err
}

func (s *sinkTest) must(r pipeline.Record) uint64 {
	s.t.Helper()
	seq, err := s.publish(r)
	if err != nil || seq == 0 {
		s.t.Fatalf("publish to %s: sequence %d, %v", r.Subject, seq, err)
	}
	return seq
}

func (s *sinkTest) chain(name string) []pipeline.Stored {
	s.t.Helper()
	chain, err := s.store.Sink().Chain(s.ctx(), s.store.Subject(name))
	if err != nil {
		s.t.Fatalf("Chain: %v", err)
	}
	return chain
}

func (s *sinkTest) same(got pipeline.Stored, seq uint64, want pipeline.Record) {
	s.t.Helper()
	same := got.Seq == seq && got.Subject == want.Subject && got.ContentType == want.ContentType &&
		string(got.Payload) == string(want.Payload) && got.Revision == want.Revision && got.Supersedes == want.Supersedes
	if !same {
		s.t.Errorf("stored %+v, want %+v at %d", got, want, seq)
	}
}

func testStored(t *testing.T, s *sinkTest) {
	r := s.record("a", `{"v":1}`, 0, 0)
	seq := s.must(r)
	chain := s.chain("a")
	if len(chain) != 1 {
		t.Fatalf("%d records, want 1", len(chain))
	}
	s.same(chain[0], seq, r)
}

func testChain(t *testing.T, s *sinkTest) {
	var before uint64
	var want []pipeline.Record
	var seqs []uint64
	for revision := range 3 {
		r := s.record("a", fmt.Sprint("revision ", revision), revision, before)
		before = s.must(r)
		want, seqs = append(want, r), append(seqs, before)
		s.must(s.record(fmt.Sprint("other ", revision), "x", 0, 0))
	}
	chain := s.chain("a")
	if len(chain) != len(want) {
		t.Fatalf("%d records, want %d", len(chain), len(want))
	}
	for i, r := range want {
		s.same(chain[i], seqs[i], r)
	}
}

func testGuard(t *testing.T, s *sinkTest) {
	first := s.must(s.record("a", "first", 0, 0))
	for _, r := range []pipeline.Record{
		s.record("a", "first", 0, 0), s.record("a", "second", 1, first+1), s.record("b", "second", 1, first),
	} {
		if seq, err := s.publish(r); !errors.Is(err, pipeline.ErrGuard) || seq != 0 {
			t.Errorf("publish to %s over %d: sequence %d, %v; want pipeline.ErrGuard", r.Subject, r.Supersedes, seq, err)
		}
	}
	second := s.must(s.record("a", "second", 1, first))
	if _, err := s.publish(s.record("a", "third", 2, first)); !errors.Is(err, pipeline.ErrGuard) {
		t.Errorf("publish over a superseded record: %v, want pipeline.ErrGuard", err)
	}
	if chain := s.chain("a"); len(chain) != 2 || chain[1].Seq != second {
		t.Errorf("the chain has %d records after refusals, want 2", len(chain))
	}
}

func testRace(t *testing.T, s *sinkTest) {
	var all sync.WaitGroup
	for writer := range 8 {
		all.Go(func() {
			for i := range 10 {
				_, err := s.publish(s.record(fmt.Sprint("subject ", i), fmt.Sprint("writer ", writer), 0, 0))
				if err != nil && !errors.Is(err, pipeline.ErrGuard) {
					t.Errorf("writer %d: %v", writer, err)
				}
			}
		})
	}
	all.Wait()
	for i := range 10 {
		if n := len(s.chain(fmt.Sprint("subject ", i))); n != 1 {
			t.Errorf("subject %d holds %d records, want 1", i, n)
		}
	}
}

func testOutcomes(t *testing.T, s *sinkTest) {
	const records = 200
	var mu sync.Mutex
	outcomes := make([]int, records)
	var seqs []uint64
	var all sync.WaitGroup
	all.Add(records)
	for i := range records {
		err := s.store.Sink().Publish(s.ctx(), s.record(fmt.Sprint("n", i), "x", 0, 0), func(seq uint64, err error) {
			mu.Lock()
			defer mu.Unlock()
			outcomes[i]++
			if err == nil {
				seqs = append(seqs, seq)
			}
			all.Done()
		})
		if err != nil {
			t.Fatalf("Publish: %v", err)
		}
	}
	all.Wait()
	mu.Lock()
	defer mu.Unlock()
	slices.Sort(seqs)
	if n := len(slices.Compact(seqs)); n != records {
		t.Errorf("%d different sequences for %d records", n, records)
	}
	for i, n := range outcomes {
		if n != 1 {
			t.Errorf("record %d has %d outcomes", i, n)
		}
	}
}

func testPublishCancel(t *testing.T, s *sinkTest) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	called := make(chan struct{}, 1)
	err := s.store.Sink().Publish(ctx, s.record("a", "x", 0, 0), func(uint64, error) { called <- struct{}{} })
	if err == nil {
		<-called // it was on its way before the context was looked at, and then it has an outcome
		return
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Publish with an ended context: %v", err)
	}
	s.must(s.record("b", "x", 0, 0))
	if len(called) != 0 || len(s.chain("a")) != 0 {
		t.Error("Publish failed, and yet the record was published")
	}
}

func testEmptyChain(t *testing.T, s *sinkTest) {
	if chain := s.chain("nothing"); chain == nil || len(chain) != 0 {
		t.Errorf("chain of an empty subject: %#v, want an empty slice", chain)
	}
}

func letter(reason string, seq uint64, header map[string][]string, data string) pipeline.Letter {
	return pipeline.Letter{Reason: reason, Detail: "the field turn is not a whole number", Message: pipeline.Message{
		Seq: seq, Subject: "agent.log.0.t.a.c", Header: header, Data: []byte(data),
	}}
}

func (s *sinkTest) bury(l pipeline.Letter) {
	s.t.Helper()
	if err := s.store.Sink().Bury(s.ctx(), l); err != nil {
		s.t.Errorf("Bury: %v", err)
	}
}

func (s *sinkTest) buried(want ...pipeline.Letter) {
	s.t.Helper()
	got := s.store.Letters(s.t)
	if len(got) != len(want) {
		s.t.Fatalf("%d letters, want %d", len(got), len(want))
	}
	for i, w := range want {
		if got[i].Reason != w.Reason || got[i].Detail != w.Detail {
			s.t.Errorf("letter %d: %q, %q; want %q, %q", i, got[i].Reason, got[i].Detail, w.Reason, w.Detail)
		}
		(&sourceTest{t: s.t}).same("letter", got[i].Message, w.Message)
	}
}

func testLetter(t *testing.T, s *sinkTest) {
	with := letter("bad_json", 7, map[string][]string{"Content-Type": {"application/json"}, "X": {"1", "2"}}, "{")
	without := letter("unknown_type", 8, nil, "")
	s.bury(with)
	s.bury(without)
	s.buried(with, without)
}

func testBuryTwice(t *testing.T, s *sinkTest) {
	one, otherSeq, otherReason := letter("bad_json", 7, nil, "{"), letter("bad_json", 8, nil, "{"), letter("wrong_subject", 7, nil, "{")
	for _, l := range []pipeline.Letter{one, one, otherSeq, otherReason, one} {
		s.bury(l)
	}
	s.buried(one, otherSeq, otherReason)
}

// testHostileLetter buries originals whose headers would make a JetStream server delete, expire, refuse or reroute.
func testHostileLetter(t *testing.T, s *sinkTest) {
	hostile := map[string][]string{
		"Nats-Rollup": {"all"}, "Nats-TTL": {"1s"}, "Nats-Msg-Id": {"same"}, "Nats-Expected-Stream": {"OTHER"},
		"Nats-Expected-Last-Sequence": {"99"}, "Nats-Expected-Last-Subject-Sequence": {"99"}, "Nats-Expected-Last-Msg-Id": {"x"},
		"Nats-Schedule": {"@every 1s"}, "Nats-Batch-Id": {"b"}, "Nats-Incr": {"1"}, "Status": {"404"},
		"Plumbline-Reason": {"forged"}, "Plumbline-Sequence": {"1"},
	}
	first, second := letter("bad_json", 1, hostile, ""), letter("bad_json", 2, hostile, "{")
	s.bury(first)
	s.bury(second)
	s.buried(first, second)
}
