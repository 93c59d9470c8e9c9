package main

import (
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/plumbline-dev/plumbline/core/emptiness"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
)

// TestEveryMetricIsDescribed holds the table of docs/metrics.md against the registry, names and labels.
func TestEveryMetricIsDescribed(t *testing.T) {
	page, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(plumbline_[a-z_]+)` \\|([^|]*)\\|").FindAllStringSubmatch(string(page), -1) {
		said = append(said, row[1]+" "+strings.Join(regexp.MustCompile("[a-z]+").FindAllString(row[2], -1), " "))
	}
	slices.Sort(said)
	if made := described(t); !slices.Equal(said, made) {
		t.Errorf("the page says\n%s\nthe program makes\n%s", strings.Join(said, "\n"), strings.Join(made, "\n"))
	}
}

// described lists the program's own metrics, each with its labels, sorted.
func described(t *testing.T) (metrics []string) {
	t.Helper()
	m := newMetrics(slog.New(slog.DiscardHandler), &state{}, Config{})
	descriptions := make(chan *prometheus.Desc, 1000)
	m.registry.Describe(descriptions)
	close(descriptions)
	of := regexp.MustCompile(`fqName: "(plumbline_[a-z_]+)".* constLabels: {(.*)}, variableLabels: {(.*)}`)
	for d := range descriptions {
		if found := of.FindStringSubmatch(d.String()); found != nil {
			labels := regexp.MustCompile(`([a-z]+)=|([a-z]+)`).FindAllString(regexp.MustCompile(`="[^"]*"`).ReplaceAllString(found[2], "")+" "+found[3], -1)
			slices.Sort(labels)
			metrics = append(metrics, found[1]+" "+strings.Join(labels, " "))
		}
	}
	slices.Sort(metrics)
	return metrics
}

// TestCountingAllocatesNothing holds that an event and a verdict are counted without allocating.
func TestCountingAllocatesNothing(t *testing.T) {
	m := newMetrics(slog.New(slog.DiscardHandler), &state{}, Config{MetricNames: 10})
	row := event.Event{ToolEnd: &event.ToolEnd{Call: event.Call{Tool: "search"}}}
	v := event.EvidenceChecked{Outcome: event.Unsupported, Common: event.Common{Tenant: "acme", Agent: "desk"}, Basis: event.Basis{Ruleset: turn.Calibrated1}}
	count := func() {
		m.Taken(row, pipeline.Taken{Reading: emptiness.NonEmpty, Late: true, Repeat: true})
		m.Verdict(v, 1, time.Millisecond)
		m.Cached(100)
	}
	count() // each name is new once
	if allocated := testing.AllocsPerRun(100, count); allocated > 0 {
		t.Errorf("%v allocations", allocated)
	}
}

func BenchmarkCounting(b *testing.B) {
	m := newMetrics(slog.New(slog.DiscardHandler), &state{}, Config{MetricNames: 10})
	row := event.Event{ToolEnd: &event.ToolEnd{Call: event.Call{Tool: "search"}}}
	for b.Loop() {
		m.Taken(row, pipeline.Taken{Reading: emptiness.NonEmpty})
	}
}
