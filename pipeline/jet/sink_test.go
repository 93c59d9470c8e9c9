package jet

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/plumbline-dev/plumbline/pipeline"
)

func TestPublishWaitsForTheWindow(t *testing.T) {
	b := newBench(t)
	s := b.sink(t, SinkConfig{Window: 2})
	release := make(chan struct{})
	entered := make(chan struct{}, 10)
	hold := func(uint64, error) {
		entered <- struct{}{}
		<-release
	}
	record := func(i int) pipeline.Record {
		return pipeline.Record{Subject: fmt.Sprint("agent.audit.x.", i), Payload: []byte("{}")}
	}
	// The first outcome is being handed over and holds no slot any more; the next two hold both.
	for i := range 3 {
		if err := s.Publish(within(t, 15*time.Second), record(i), hold); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			<-entered
		}
	}
	short, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if err := s.Publish(short, record(3), hold); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Publish over a full window: %v", err)
	}
	close(release)
	if _, err := publishTo(t, s, record(3)); err != nil {
		t.Errorf("Publish once there is room: %v", err)
	}
}

func TestOutcomesComeInOrder(t *testing.T) {
	b := newBench(t)
	s := b.sink(t, SinkConfig{Window: 50})
	var order []int
	done := make(chan struct{})
	for i := range 500 {
		r := pipeline.Record{Subject: fmt.Sprint("agent.audit.x.", i%250), Payload: []byte("{}")} // every second half is refused
		err := s.Publish(within(t, 15*time.Second), r, func(uint64, error) {
			if order = append(order, i); i == 499 {
				close(done)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	<-done
	for i, n := range order {
		if i != n {
			t.Fatalf("outcome %d is that of record %d", i, n)
		}
	}
}

func TestEveryRecordHasAnOutcomeWhenTheServerIsGone(t *testing.T) {
	server, err := StartEmbedded(EmbeddedConfig{})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{}
	if b.nc, err = server.Connect(Config{}); err != nil {
		t.Fatal(err)
	}
	defer b.nc.Close()
	s, err := NewSink(b.nc, SinkConfig{Timeout: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	const n = 20
	outcomes := make(chan error, 2*n)
	for i := range n {
		if i == n/2 {
			server.Close()
		}
		r := pipeline.Record{Subject: fmt.Sprint("agent.audit.x.", i)}
		if err := s.Publish(t.Context(), r, func(_ uint64, err error) { outcomes <- err }); err != nil {
			outcomes <- err
		}
	}
	for range n {
		if err := <-outcomes; err == nil || errors.Is(err, pipeline.ErrGuard) {
			t.Errorf("outcome without a stream, and then without a server: %v", err)
		}
	}
	if err := s.Close(within(t, 15*time.Second)); err != nil {
		t.Error(err)
	}
	if len(outcomes) != 0 {
		t.Errorf("%d records have a second outcome", len(outcomes))
	}
}

func TestClosedSink(t *testing.T) {
	b := newBench(t)
	s, err := NewSink(b.nc, SinkConfig{})
	if err != nil {
		t.Fatal(err)
	}
	outcomes := make(chan error, 1)
	if err := s.Publish(t.Context(), pipeline.Record{Subject: "agent.audit.x"}, func(_ uint64, err error) { outcomes <- err }); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Close(within(t, 15*time.Second)); err != nil {
			t.Error(err)
		}
	}
	if err := <-outcomes; err != nil {
		t.Errorf("the record on its way: %v", err)
	}
	if err := s.Publish(t.Context(), pipeline.Record{Subject: "agent.audit.y"}, nil); !errors.Is(err, errSinkClosed) {
		t.Errorf("Publish to a closed sink: %v", err)
	}
}

func TestClosingInAHurryFailsWhatIsOnItsWay(t *testing.T) {
	b := newBench(t)
	s, err := NewSink(b.nc, SinkConfig{})
	if err != nil {
		t.Fatal(err)
	}
	outcomes := make(chan error, 1)
	// Nobody takes this subject and nobody answers, because somebody listens to it.
	mute, err := b.nc.SubscribeSync("nowhere")
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Unsubscribe()
	if err := s.Publish(t.Context(), pipeline.Record{Subject: "nowhere"}, func(_ uint64, err error) { outcomes <- err }); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if err := s.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Close: %v", err)
	}
	if err := <-outcomes; err == nil {
		t.Error("a record that nobody answered for was stored")
	}
}

func TestRecordTooLarge(t *testing.T) {
	b := newBench(t)
	s := b.sink(t, SinkConfig{})
	r := pipeline.Record{Subject: "agent.audit.x", Payload: make([]byte, MaxPayload+1)}
	if _, err := publishTo(t, s, r); !errors.Is(err, pipeline.ErrTooLarge) {
		t.Errorf("a record over the server's limit: %v", err)
	}
	r.Payload = nil
	if _, err := publishTo(t, s, r); err != nil {
		t.Errorf("the record after it: %v", err)
	}
}

// TestForeignRecord reads a chain that something else published into.
func TestForeignRecord(t *testing.T) {
	b := newBench(t)
	s := b.sink(t, SinkConfig{})
	first, err := publishTo(t, s, pipeline.Record{Subject: "agent.audit.x", Payload: []byte("1")})
	if err != nil {
		t.Fatal(err)
	}
	foreign := b.publish(t, "agent.audit.x", nil, []byte("2"))
	chain, err := s.Chain(t.Context(), "agent.audit.x")
	if err != nil || len(chain) != 2 || chain[0].Seq != first || chain[1].Seq != foreign {
		t.Fatalf("chain %+v, %v", chain, err)
	}
	if chain[1].Revision != 1 || chain[1].Supersedes != first {
		t.Errorf("the foreign record is revision %d over %d, want 1 over %d", chain[1].Revision, chain[1].Supersedes, first)
	}
}

func TestLettersThatDoNotFit(t *testing.T) {
	b := newBench(t)
	store := benchStore{b, b.sink(t, SinkConfig{})}
	body := make([]byte, MaxPayload-100)
	many := map[string][]string{}
	for i := range 5000 {
		many[fmt.Sprintf("h%04d", i)] = []string{"v"}
	}
	large := map[string][]string{"X": {strings.Repeat("x", 60<<10)}}
	for i, c := range []struct {
		header map[string][]string
		data   []byte
	}{{large, body}, {large, body[:2<<20]}, {many, []byte("kept")}} {
		l := pipeline.Letter{Reason: "bad_json", Message: pipeline.Message{Seq: uint64(i + 1), Subject: "s", Header: c.header, Data: c.data}}
		if err := store.sink.Bury(t.Context(), l); err != nil {
			t.Fatalf("letter %d: %v", i+1, err)
		}
	}
	got := store.Letters(t)
	if len(got) != 3 {
		t.Fatalf("%d letters, want 3", len(got))
	}
	if n := len(got[0].Data); len(got[0].Header) != 1 || n >= len(body) || n < len(body)-70<<10 {
		t.Errorf("the large body is kept with %d headers and %d bytes of %d", len(got[0].Header), n, len(body))
	}
	if len(got[1].Header["X"]) != 1 || len(got[1].Data) != 2<<20 {
		t.Errorf("a letter that fits was cut: %d headers, %d bytes", len(got[1].Header), len(got[1].Data))
	}
	if n := len(got[2].Header); n < 2000 || n >= len(many) || string(got[2].Data) != "kept" {
		t.Errorf("%d of %d headers kept, body %q", n, len(many), got[2].Data)
	}
	var cuts []string
	err := ReadAll(t.Context(), b.js, DeadStream, "", func(m pipeline.Message) error {
		cuts = append(cuts, strings.Join(m.Header[HeaderCut], "+"))
		return nil
	})
	if err != nil || strings.Join(cuts, ",") != "body,,headers" {
		t.Errorf("what was cut: %q, %v", cuts, err)
	}
}

func TestReadLetterRefusesWhatIsNone(t *testing.T) {
	if _, err := ReadLetter(pipeline.Message{Seq: 4}); err == nil || !strings.Contains(err.Error(), "sequence 4") {
		t.Errorf("a message without headers: %v", err)
	}
}

func TestHeaderNamesStayNames(t *testing.T) {
	if got := headerName("A\rNats-Rollup: all\tx"); got != "A_Nats-Rollup__all_x" {
		t.Errorf("%q", got)
	}
}
