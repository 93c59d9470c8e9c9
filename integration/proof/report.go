package main

import (
	"fmt"
	"slices"
	"time"
)

// print writes what was found and tells whether all is as it should be.
func (r *round) print() bool {
	o, l := r.oracle, r.ledger
	holds := r.settled && l.none() && len(r.field.complaints()) == 0
	fmt.Fprintf(r.out, "\n%-36s %d\n%-36s %d\n%-36s %d\n", "events stored", o.events, "answers judged", o.answers, "declarations", o.declared)
	for kind, name := range findingNames {
		fmt.Fprintf(r.out, "%-36s %d\n", name, l.counts[kind])
	}
	fmt.Fprintf(r.out, "%-36s %s\n", "faults", r.faultCounts())
	fmt.Fprintf(r.out, "%-36s %d\n", "consumers that gave up, started anew", r.field.gaveUp())
	fmt.Fprintf(r.out, "%-36s %d\n", "publishes tried again", r.producer.retries.Load())
	fmt.Fprintf(r.out, "%-36s %s, %.0f events/s, %.0f answers/s\n", "until all was judged", r.took.Round(time.Second),
		float64(o.events)/r.took.Seconds(), float64(o.answers)/r.took.Seconds())
	fmt.Fprintf(r.out, "%-36s %s\n", "answer stored to first verdict", spread(o.delays))
	fmt.Fprintf(r.out, "%-36s %s\n", "kill to the next owner's first verdict", r.takeoverLine())
	if !r.settled {
		fmt.Fprintf(r.out, "not everything was finished %s after the last fault\n", r.Settle)
	}
	for _, said := range slices.Concat(l.words, r.field.complaints()) {
		fmt.Fprintln(r.out, said)
	}
	if !holds {
		fmt.Fprintf(r.out, "It does NOT hold. Again: --seed %d --answers %d; the times of faults depend on the machine. See %s\n", r.Seed, r.Answers, r.field.dir)
		return false
	}
	fmt.Fprintln(r.out, "It holds.")
	return true
}

// faultCounts says how often what was done.
func (r *round) faultCounts() string {
	counts := map[string]int{}
	for _, f := range r.trouble.made() {
		what := "consumers " + string(f.kind)
		if f.server {
			what = "leaders " + string(f.kind)
		}
		counts[what]++
	}
	said := ""
	for _, what := range []string{"consumers killed", "consumers paused", "consumers stopped", "leaders killed", "leaders stopped"} {
		if said != "" {
			said += ", "
		}
		said += fmt.Sprintf("%d %s", counts[what], what)
	}
	return said
}

// spread says how the times lie.
func spread(times []time.Duration) string {
	if len(times) == 0 {
		return "none measured"
	}
	slices.Sort(times)
	at := func(share float64) time.Duration {
		return times[int(share*float64(len(times)-1))].Round(time.Millisecond)
	}
	return fmt.Sprintf("p50 %s, p99 %s, longest %s (%d measured)", at(.5), at(.99), at(1), len(times))
}
