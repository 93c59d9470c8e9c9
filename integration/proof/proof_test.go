package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"
)

// TestMain lets the commands start the test program as a server.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "node" {
		main()
	}
	os.Exit(m.Run())
}

// prove runs a command and gives what it printed.
func prove(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), args, &stdout, &stderr); code != exitHolds {
		t.Fatalf("code %d\n%s\n%s", code, stdout.String(), stderr.String())
	}
	return stdout.String()
}

// TestChaos is make chaos for a moment: real processes, some of them killed, a few hundred answers.
func TestChaos(t *testing.T) {
	said := prove(t, "chaos", "--answers=500", "--open=100", "--consumers=2", "--partitions=4", "--pause=1s", "--faults=2")
	for _, part := range []string{"lost                                 0", "doubled                              0", "It holds."} {
		if !strings.Contains(said, part) {
			t.Errorf("it does not say %q:\n%s", part, said)
		}
	}
}

// TestSoak is make soak for a moment.
func TestSoak(t *testing.T) {
	said := prove(t, "soak", "--for=10s", "--open=100", "--cache=16", "--above=400", "--partitions=2", "--every=2s")
	if lines := strings.Count(said, "\n"); lines < 5 || !strings.Contains(said, "It holds.") {
		t.Errorf("it says:\n%s", said)
	}
}

// TestBound shows the judgement of a soak what it is there to find.
func TestBound(t *testing.T) {
	steady := func(int) sample {
		return sample{handled: 1000, resident: 200 * mebibyte, live: 90 * mebibyte, routines: 50}
	}
	tests := []struct {
		name string
		at   func(second int) sample
		want string // part of what is said
	}{
		{"steady", steady, "at most 200 MiB resident: the cache's 128 and 72 more"},
		{"over the bound", func(second int) sample {
			s := steady(second)
			if second == 50 {
				s.resident = 300 * mebibyte
			}
			return s
		}, "300 MiB were resident, and the bound is 128 + 128 MiB"},
		{"the heap grows", func(second int) sample {
			s := steady(second)
			s.live += float64(second) * mebibyte / 2
			return s
		}, "MiB of heap: at most 190 in the second third of the time, 240 in the last"},
		{"goroutines grow", func(second int) sample {
			s := steady(second)
			s.routines += float64(second)
			return s
		}, "goroutines: at most 249 in the second third of the time, 349 in the last"},
		{"too few were opened", func(second int) sample {
			s := steady(second)
			s.handled = 3
			return s
		}, "only 3 of 500 conversations were opened"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			w := &watch{soak: &soak{For: 5 * time.Minute, Open: 500, Cache: 128, Above: 128}, field: &field{dir: "here"}, out: &out}
			for second := range 300 {
				w.samples = append(w.samples, tt.at(second))
			}
			if holds := w.judge(); holds != (tt.name == "steady") || !strings.Contains(out.String(), tt.want) {
				t.Errorf("%v:\n%s", holds, out.String())
			}
		})
	}
}

func TestUsage(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"chaos", "--answers=some"}, &stdout, &stderr); code != exitUsage || !strings.Contains(stderr.String(), "--answers") {
		t.Errorf("code %d, %s", code, stderr.String())
	}
}

// TestTakeovers holds the time of a takeover: from the kill to the first verdict after another took the partition.
func TestTakeovers(t *testing.T) {
	at := func(second int) time.Time { return time.Unix(int64(second), 0) }
	one, other := &process{name: "one"}, &process{name: "other"}
	handovers := []handover{
		{at(1), one, 0, true}, {at(1), one, 1, true}, {at(2), one, 1, false}, {at(2), other, 1, true}, {at(14), other, 0, true},
	}
	landed := map[int][]time.Time{0: {at(5), at(11), at(17), at(20)}, 1: {at(6), at(12)}}
	got := takeovers([]fault{{kind: killed, target: one, at: at(10)}, {kind: paused, target: other, at: at(12)}}, handovers, landed)
	if len(got) != 1 || got[0] != 7*time.Second {
		t.Errorf("%v, want 7s: the partition that was given up before is not counted, nor what was on its way", got)
	}
}

func TestParseHandover(t *testing.T) {
	h, ok := parseHandover(`time=2026-12-01T03:50:42.156Z level=INFO msg="took a partition" partition=11`)
	if !ok || !h.took || h.partition != 11 || h.at.UnixMilli() != 1796097042156 {
		t.Errorf("%v %v", h, ok)
	}
	if _, ok := parseHandover(`time=2026-12-01T03:50:42.156Z level=INFO msg=ready partitions=16`); ok {
		t.Error("another line is taken for one")
	}
}
