package main

import (
	"log/slog"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
)

// metrics counts and logs what the workers do. No label and no log line holds anything that was said, nor the name of
// a tenant, an agent or a conversation. It is safe for concurrent use.
type metrics struct {
	log      *slog.Logger
	registry *prometheus.Registry

	verdicts, declared, dead, retried    *prometheus.CounterVec
	superseded, rebuilt, reread, evicted prometheus.Counter
}

var _ pipeline.Observer = (*metrics)(nil)

func newMetrics(log *slog.Logger, s *state) *metrics {
	m := &metrics{log: log, registry: prometheus.NewRegistry()}
	m.verdicts = m.counters("verdicts_total", "Verdicts stored, revisions included.", "outcome", "ruleset")
	m.superseded = m.counter("verdicts_superseded_total", "Verdicts that took the place of an earlier one of their answer.")
	m.declared = m.counters("coverage_declared_total", "Declarations of calls stored.", "kind", "ruleset")
	m.dead = m.counters("dead_letters_total", "Messages that could not be read.", "reason")
	for _, reason := range pipeline.Reasons {
		m.dead.WithLabelValues(reason) // 0 until it counts: a rate needs a start
	}
	m.rebuilt = m.counter("conversations_rebuilt_total", "Conversations that were read back from the event stream.")
	m.reread = m.counter("messages_reread_total", "Messages that were read back for it.")
	m.evicted = m.counter("conversations_evicted_total", "Conversations dropped from memory to keep within --cache-bytes.")
	m.retried = m.counters("retries_total", "Faults that may pass, by what was tried.", "doing")
	m.gauge("ready", "1 when an event that is published now would be judged.", func() float64 {
		if s.notReady() == "" {
			return 1
		}
		return 0
	})
	m.gauge("partitions", "Partitions of the event stream that this consumer works on.", func() float64 { return float64(s.working()) })
	m.gauge("events_waiting", "Events that were not taken yet, as the server last said.", func() float64 {
		waiting, _ := s.backlog()
		return waiting
	})
	m.gauge("events_unfinished", "Events that were taken and not acknowledged, as the server last said.", func() float64 {
		_, unfinished := s.backlog()
		return unfinished
	})
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

const namespace = "plumbline"

func (m *metrics) counters(name, help string, labels ...string) *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
	m.registry.MustRegister(c)
	return c
}

func (m *metrics) counter(name, help string) prometheus.Counter {
	c := prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help})
	m.registry.MustRegister(c)
	return c
}

func (m *metrics) gauge(name, help string, value func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, value))
}

// Verdict counts a verdict.
func (m *metrics) Verdict(v event.EvidenceChecked, revision int) {
	m.verdicts.WithLabelValues(string(v.Outcome), v.Ruleset).Inc()
	if revision > 0 {
		m.superseded.Inc()
	}
}

// Declared counts a declaration; one that was withdrawn is none.
func (m *metrics) Declared(c event.CoverageDeclared) {
	if c.Withdrawn {
		return
	}
	m.declared.WithLabelValues(c.Declared, c.Ruleset).Inc()
}

// Buried counts a dead letter, and logs where in the event stream the message stands.
func (m *metrics) Buried(l pipeline.Letter) {
	m.dead.WithLabelValues(l.Reason).Inc()
	m.log.Warn("a message could not be read and is a dead letter now",
		"sequence", strconv.FormatUint(l.Seq, 10), "reason", l.Reason, "detail", l.Detail)
}

// Rebuilt counts a conversation that was read back.
func (m *metrics) Rebuilt(messages int) {
	m.rebuilt.Inc()
	m.reread.Add(float64(messages))
}

// Evicted counts a conversation that was dropped from memory.
func (m *metrics) Evicted(int) { m.evicted.Inc() }

// Retried counts and logs a fault that may pass.
func (m *metrics) Retried(doing string, err error, after time.Duration) {
	m.retried.WithLabelValues(doing).Inc()
	m.log.Warn("trying again", "doing", doing, "error", err, "after", after)
}
