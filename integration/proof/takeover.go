package main

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// handover is a consumer taking a partition or giving it up, as its log says.
type handover struct {
	at        time.Time
	consumer  *process
	partition int
	took      bool
}

// readHandovers reads the logs of the consumers, in the order of time.
func readHandovers(consumers []*process) ([]handover, error) {
	var all []handover
	for _, consumer := range consumers {
		log, err := os.Open(consumer.log)
		if err != nil {
			return nil, err
		}
		lines := bufio.NewScanner(log)
		for lines.Scan() {
			if h, ok := parseHandover(lines.Text()); ok {
				h.consumer = consumer
				all = append(all, h)
			}
		}
		log.Close() //nolint:errcheck // it was only read
		if err := lines.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", consumer.log, err)
		}
	}
	slices.SortStableFunc(all, func(a, b handover) int { return a.at.Compare(b.at) })
	return all, nil
}

// parseHandover reads a line of a consumer's log.
func parseHandover(line string) (h handover, ok bool) {
	took, gave := strings.Contains(line, `msg="took a partition"`), strings.Contains(line, `msg="gave a partition up"`)
	if !took && !gave {
		return h, false
	}
	at, _, _ := strings.Cut(strings.TrimPrefix(line, "time="), " ")
	_, partition, _ := strings.Cut(line, "partition=")
	var errs [2]error
	h.at, errs[0] = time.Parse(time.RFC3339Nano, at)
	h.partition, errs[1] = strconv.Atoi(strings.TrimSpace(partition))
	h.took = took
	return h, cmp.Or(errs[0], errs[1]) == nil
}

// takeovers gives, for every partition of every consumer that was killed, the time from the kill until the first verdict
// of the partition that its next owner stored: the first one stored after another process took it. A partition that
// nobody took after the kill, or that had nothing to be judged any more, is left out.
func takeovers(faults []fault, handovers []handover, landed map[int][]time.Time) []time.Duration {
	for _, times := range landed {
		slices.SortFunc(times, time.Time.Compare)
	}
	var all []time.Duration
	for _, f := range faults {
		if f.kind != killed || f.server {
			continue
		}
		for _, partition := range owned(f, handovers) {
			if first, ok := firstAfter(f.at, partition, handovers, landed[partition]); ok {
				all = append(all, first.Sub(f.at))
			}
		}
	}
	return all
}

// owned lists the partitions of the fault's target at the time of the fault.
func owned(f fault, handovers []handover) (partitions []int) {
	has := map[int]bool{}
	for _, h := range handovers {
		if h.consumer == f.target && h.at.Before(f.at) {
			has[h.partition] = h.took
		}
	}
	for partition, is := range has {
		if is {
			partitions = append(partitions, partition)
		}
	}
	return partitions
}

func firstAfter(at time.Time, partition int, handovers []handover, landed []time.Time) (time.Time, bool) {
	next := slices.IndexFunc(handovers, func(h handover) bool {
		return h.took && h.partition == partition && h.at.After(at)
	})
	if next < 0 {
		return time.Time{}, false
	}
	place, _ := slices.BinarySearchFunc(landed, handovers[next].at, time.Time.Compare)
	if place == len(landed) {
		return time.Time{}, false
	}
	return landed[place], true
}

// takeoverLine is what the report says of it.
func (r *round) takeoverLine() string {
	handovers, err := readHandovers(r.field.running)
	if err != nil {
		return fmt.Sprintf("not measured: %v", err)
	}
	return spread(takeovers(r.trouble.made(), handovers, r.oracle.landed))
}
