package main

import (
	"fmt"
	"slices"
	"time"
)

// judge says whether the bound held and whether anything grew, and prints why not.
func (w *watch) judge() bool {
	most, last := peak(w.samples, sample.residentMiB), w.samples[len(w.samples)-1]
	broken := slices.Concat(w.overBound(most), w.growth(), w.field.complaints())
	if last.handled < int64(w.Open) {
		broken = append(broken, fmt.Sprintf(
			"only %d of %d conversations were opened: it is no proof for more; give it longer", last.handled, w.Open))
	}
	fmt.Fprintf(w.out, "\n%d events handled, %.0f verdicts; at most %.0f MiB resident: the cache's %d and %.0f more, of the %d that are allowed\n",
		last.handled, last.verdicts, most, w.Cache, most-float64(w.Cache), w.Above)
	for _, said := range broken {
		fmt.Fprintln(w.out, said)
	}
	if len(broken) > 0 {
		fmt.Fprintf(w.out, "It does NOT hold. See %s\n", w.field.dir)
		return false
	}
	fmt.Fprintln(w.out, "It holds.")
	return true
}

func (w *watch) overBound(most float64) []string {
	if most <= float64(w.Cache+w.Above) {
		return nil
	}
	return []string{fmt.Sprintf("%.0f MiB were resident, and the bound is %d + %d MiB", most, w.Cache, w.Above)}
}

// growthTakes is how long a run must be to tell growth from a warm-up.
const growthTakes = 3 * time.Minute

// growth compares the peaks of the second and of the last third of the time.
func (w *watch) growth() (grown []string) {
	if w.For < growthTakes {
		fmt.Fprintf(w.out, "\n%s is too short to tell whether anything grows: %s is not\n", w.For, growthTakes)
		return nil
	}
	second, third := between(w.samples, 1./3, 2./3), between(w.samples, 2./3, 1)
	megabytes := 16 + .1*float64(w.Cache+w.Above)
	for _, one := range []struct {
		name   string
		what   func(sample) float64
		spread float64 // what is no growth
	}{
		{"MiB of resident memory", sample.residentMiB, megabytes}, {"MiB of heap", sample.heapMiB, megabytes},
		{"goroutines", sample.goroutines, 16},
	} {
		if was, is := peak(second, one.what), peak(third, one.what); is > was+one.spread {
			grown = append(grown, fmt.Sprintf("%s: at most %.0f in the second third of the time, %.0f in the last", one.name, was, is))
		}
	}
	return grown
}

// between are the samples of a part of the time, from share to share.
func between(of []sample, from, to float64) []sample {
	return of[int(from*float64(len(of))):int(to*float64(len(of)))]
}
