package fleet

import (
	"reflect"
	"slices"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
	"github.com/plumbline-dev/plumbline/schemas"
)

// some are the first events of the traffic.
func some(f *Fleet, open, n int) []Item {
	var items []Item
	for item := range f.Traffic(open) {
		if items = append(items, item); len(items) == n {
			break
		}
	}
	return items
}

func TestTheSameFleetSaysTheSame(t *testing.T) {
	c := Config{Seed: 7, Disorder: Rough}
	first := some(New(c), 20, 2000)
	if !reflect.DeepEqual(first, some(New(c), 20, 2000)) {
		t.Error("it says something else the second time")
	}
	c.Seed = 8
	if reflect.DeepEqual(first, some(New(c), 20, 2000)) {
		t.Error("another seed says the same")
	}
}

// TestOpen holds that the traffic begins with every conversation and keeps that many open.
func TestOpen(t *testing.T) {
	seen := map[event.Conversation]int{}
	for i, item := range some(New(Config{}), 100, 5000) {
		seen[item.Event.Conversation]++
		if i < 100 && len(seen) != i+1 {
			t.Fatalf("event %d goes on with a conversation before all are open", i)
		}
	}
	if len(seen) < 200 {
		t.Errorf("%d conversations in all: none ended and made room", len(seen))
	}
}

// TestRough holds that every event can be sent and read, and that each kind of disorder is among them.
func TestRough(t *testing.T) {
	rules, err := turn.Policy{Ruleset: turn.Calibrated1}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	history := replay.New(rules)
	again, packed := 0, 0
	for i, item := range some(New(Config{Disorder: Rough}), 50, 5000) {
		encoding := schemas.JSON
		if item.Msgpack {
			encoding = schemas.Msgpack
			packed++
		}
		if item.Again {
			again++
		}
		data, err := schemas.EncodeEvent(encoding, item.Event)
		if err != nil {
			t.Fatal(err)
		}
		e, err := schemas.Decode(encoding, data)
		if err != nil {
			t.Fatal(err)
		}
		history.Add(uint64(i+1), e)
	}
	outcomes := map[event.Outcome]int{}
	declared, missing, late := 0, 0, 0
	for out := range history.Outputs() {
		if out.Coverage != nil {
			declared++
			continue
		}
		outcomes[out.Evidence.Outcome]++
		if slices.Contains(out.Evidence.Reasons, event.RowsMissing) {
			missing++
		}
		if out.Evidence.Through > out.Evidence.AnswerSeq {
			late++
		}
	}
	for _, outcome := range []event.Outcome{event.Grounded, event.Unsupported, event.NothingAsserted, event.CannotTell} {
		if outcomes[outcome] == 0 {
			t.Errorf("no answer is %s", outcome)
		}
	}
	if again == 0 || packed == 0 || declared == 0 || missing == 0 || late == 0 {
		t.Errorf("%d repeated, %d in MessagePack, %d declared, %d with a call missing, %d with a late one",
			again, packed, declared, missing, late)
	}
	t.Logf("%v", outcomes)
}

// TestOrdered holds that nothing of a fleet in order is late, missing or repeated.
func TestOrdered(t *testing.T) {
	f := New(Config{})
	for n := range 200 {
		for turn := 1; turn <= f.Turns(n); turn++ {
			items := f.Turn(n, turn)
			last := items[len(items)-1].Event.Answer
			if last == nil || len(last.Calls) != len(items)-1 {
				t.Fatalf("conversation %d, turn %d does not end with an answer that names its calls", n, turn)
			}
		}
	}
}

func BenchmarkTraffic(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		some(New(Config{Disorder: Rough}), 100, 10_000)
	}
	b.ReportMetric(float64(b.N)*10_000/b.Elapsed().Seconds(), "events/s")
}
