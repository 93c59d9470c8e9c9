package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// sample is what the consumer says of itself at one moment. Memory is in bytes.
type sample struct {
	at       time.Duration // since the beginning
	handled  int64         // events that were handed to it
	resident float64
	live     float64 // of the heap: what is allocated and not collected yet
	system   float64 // what the runtime has of the system, less what it gave back
	routines float64
	verdicts float64
	rebuilt  float64 // conversations that were read back
	evicted  float64
}

// readMetrics scrapes the consumer.
func readMetrics(ctx context.Context, address string) (s sample, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return s, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return s, err
	}
	defer response.Body.Close() //nolint:errcheck // it was read
	released := 0.0
	into := map[string]*float64{
		"process_resident_memory_bytes": &s.resident, "go_memstats_heap_alloc_bytes": &s.live, "go_goroutines": &s.routines,
		"go_memstats_sys_bytes": &s.system, "go_memstats_heap_released_bytes": &released, "plumbline_verdicts_total": &s.verdicts,
		"plumbline_conversations_rebuilt_total": &s.rebuilt, "plumbline_conversations_evicted_total": &s.evicted,
	}
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), " ")
		name, _, labelled := strings.Cut(name, "{")
		if labelled {
			value = value[strings.LastIndexByte(value, ' ')+1:]
		}
		if field := into[name]; field != nil {
			n, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return s, fmt.Errorf("metric %s: %w", name, err)
			}
			*field += n
		}
	}
	s.system -= released
	return s, lines.Err()
}

// valueAfter is the word that follows the key in a log, empty when there is none.
func valueAfter(log, key string) string {
	_, rest, _ := strings.Cut(log, key)
	word, _, ended := strings.Cut(rest, "\n")
	if !ended {
		return ""
	}
	return strings.TrimSpace(word)
}

const sampleHead = "    time      events  events/s  verdicts  read back/s  evicted/s  resident MiB  heap MiB  runtime MiB  goroutines"

// line is one line of the table: the peaks of the samples, and the rates from the first to the last.
func line(of []sample) string {
	first, last := of[0], of[len(of)-1]
	seconds := (last.at - first.at).Seconds()
	return fmt.Sprintf("%8s %11d %9.0f %9.0f %12.0f %10.0f %13.0f %9.0f %12.0f %11.0f", last.at.Round(time.Second), last.handled,
		float64(last.handled-first.handled)/seconds, last.verdicts, (last.rebuilt-first.rebuilt)/seconds,
		(last.evicted-first.evicted)/seconds, peak(of, sample.residentMiB), peak(of, sample.heapMiB), peak(of, sample.systemMiB),
		peak(of, sample.goroutines))
}

func (s sample) residentMiB() float64 { return s.resident / mebibyte }
func (s sample) heapMiB() float64     { return s.live / mebibyte }
func (s sample) systemMiB() float64   { return s.system / mebibyte }
func (s sample) goroutines() float64  { return s.routines }

// peak is the largest of something.
func peak(of []sample, what func(sample) float64) float64 {
	most := 0.0
	for _, s := range of {
		most = max(most, what(s))
	}
	return most
}
