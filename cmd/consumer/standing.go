package main

import (
	"runtime"
	"runtime/debug"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/plumbline-dev/plumbline/core/turn"
)

// standing says at every scrape how the consumer stands.
type standing struct{ state *state }

var (
	readyDesc      = desc("ready", "1 when an event that is published now would be judged.")
	partitionsDesc = desc("partitions", "Partitions of the event stream that this consumer works on.")
	allDesc        = desc("stream_partitions", "Partitions that the event stream has; some consumer should work on each.")
	policyDesc     = desc("policy_info", "1, with the digest of the policy that is in use, and of what it says of agents without settings of their own.", "digest", "base")
	waitingDesc    = desc("events_waiting", "Events of a partition in hand that were not taken yet, as the server last said.", "partition")
	unfinishedDesc = desc("events_unfinished", "Events of a partition in hand that were taken and not acknowledged, as the server last said.", "partition")
)

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, labels, nil)
}

// Describe names the metrics.
func (standing) Describe(into chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{readyDesc, partitionsDesc, allDesc, policyDesc, waitingDesc, unfinishedDesc} {
		into <- d
	}
}

// Collect gives them.
func (s standing) Collect(into chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		into <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	ready := 0.0
	if s.state.notReady() == "" {
		ready = 1
	}
	gauge(readyDesc, ready)
	all, rules := s.state.choices()
	if all > 0 {
		gauge(allDesc, float64(all))
	}
	if rules != nil {
		gauge(policyDesc, 1, rules.Digest(), rules.Base().Digest())
	}
	lags := s.state.backlog()
	gauge(partitionsDesc, float64(len(lags)))
	for partition, l := range lags {
		gauge(waitingDesc, float64(l.waiting), strconv.Itoa(partition))
		gauge(unfinishedDesc, float64(l.unfinished), strconv.Itoa(partition))
	}
}

// buildInfo says which build this is.
func buildInfo() prometheus.Collector {
	revision := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = s.Value
			}
		}
	}
	g := prometheus.NewGauge(prometheus.GaugeOpts{
		Namespace: namespace, Name: "build_info", Help: "1, with the engine that verdicts name and what it was built from.",
		ConstLabels: prometheus.Labels{"engine": turn.Engine, "revision": revision, "goversion": runtime.Version()},
	})
	g.Set(1)
	return g
}
