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

// metrics counts and logs what the workers do. No label and no log line holds anything that was said. Labels hold the
// names of tenants, agents and tools up to a bound, see names; log lines hold none. It is safe for concurrent use.
type metrics struct {
	log      *slog.Logger
	registry *prometheus.Registry
	agents   *names // pairs of a tenant and an agent
	tools    *names

	events, verdicts, unsupported        *prometheus.CounterVec
	results, repeats                     *prometheus.CounterVec
	declared, dead, retried              *prometheus.CounterVec
	redelivered, late                    prometheus.Counter
	superseded, rebuilt, reread, evicted prometheus.Counter
	cached                               prometheus.Gauge
	waited, decision                     prometheus.Histogram
	passedOver, lost                     *prometheus.CounterVec
	policies                             *prometheus.CounterVec
	refused                              prometheus.Gauge
}

var _ pipeline.Observer = (*metrics)(nil)

// newMetrics makes the metrics of a consumer that is configured so and stands so.
func newMetrics(log *slog.Logger, s *state, c Config) *metrics {
	m := &metrics{log: log, registry: prometheus.NewRegistry(), agents: newNames(c.MetricNames), tools: newNames(c.MetricNames)}
	m.ofEvents()
	m.ofVerdicts()
	m.ofMemory(c)
	m.ofTelemetry()
	m.ofPolicy()
	m.registry.MustRegister(standing{s}, buildInfo(), collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) ofEvents() {
	m.events = m.counters("events_total", "Events that were taken in, each time they were handed out.", "type")
	for _, kind := range []event.Kind{event.KindTurnStart, event.KindToolEnd, event.KindAnswer} {
		m.events.WithLabelValues(string(kind)) // 0 until it counts: a rate needs a start
	}
	m.redelivered = m.counter("events_redelivered_total", "Events that were handed out again.")
	m.waited = m.histogram("event_wait_seconds", "Time from when an event was stored, by the server's clock, until this consumer took it in for the first time.",
		[]float64{.001, .005, .01, .05, .1, .5, 1, 5, 10, 60, 300, 1800, 7200, 86400})
	m.late = m.counter("late_reports_total", "Reports of calls that came after an answer that could have read them.")
	m.results = m.counters("results_total", "Reported results of calls, by what came back.", "tool", "reading")
	m.repeats = m.counters("identical_retries_total", "Calls that gave what an earlier call of the same tool, with the same arguments, gave in the same turn.", "tool")
	m.dead = m.counters("dead_letters_total", "Messages that could not be read.", "reason")
	for _, reason := range pipeline.Reasons {
		m.dead.WithLabelValues(reason)
	}
	m.passedOver = m.counters("envelopes_passed_over_total", "Envelopes of agentfootprint that no answer could rest on.", "area")
	m.retried = m.counters("retries_total", "Faults that may pass, by what was tried.", "doing")
}

func (m *metrics) ofVerdicts() {
	m.verdicts = m.counters("verdicts_total", "Verdicts stored, revisions included.", "outcome", "ruleset", "tenant", "agent")
	m.unsupported = m.counters("unsupported_values_total", "Values of unsupported answers that stand in nothing that was read, revisions included.", "tenant", "agent")
	m.superseded = m.counter("verdicts_superseded_total", "Verdicts that took the place of an earlier one of their answer.")
	m.declared = m.counters("coverage_declared_total", "Declarations of calls stored.", "kind", "ruleset")
	m.decision = m.histogram("decision_duration_seconds", "Time from when this consumer was handed what asked for a verdict until the verdict was stored, the wait for named calls included.",
		[]float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30})
}

func (m *metrics) ofMemory(c Config) {
	m.rebuilt = m.counter("conversations_rebuilt_total", "Conversations that were read back from the event stream.")
	m.reread = m.counter("messages_reread_total", "Messages that were read back for it.")
	m.evicted = m.counter("conversations_evicted_total", "Conversations dropped from memory to keep within --cache-bytes.")
	m.cached = prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Name: "cache_bytes", Help: "Memory that open conversations take."})
	limit := prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Name: "cache_limit_bytes", Help: "What --cache-bytes lets them take."})
	limit.Set(float64(c.CacheBytes))
	m.registry.MustRegister(m.cached, limit)
}

func (m *metrics) ofPolicy() {
	m.policies = m.counters("policy_changes_total", "Changes of the policy file, by what became of them.", "result")
	for _, result := range []string{policyTaken, policyRefused} {
		m.policies.WithLabelValues(result)
	}
	m.refused = prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Name: "policy_refused", Help: "1 while the policy file is wrong and the policy before is in use."})
	m.registry.MustRegister(m.refused)
}

// What became of a change of the policy file.
const (
	policyTaken   = "taken"
	policyRefused = "refused"
)

const namespace = "plumbline"

func (m *metrics) counters(name, help string, labels ...string) *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
	m.registry.MustRegister(c)
	return c
}

func (m *metrics) histogram(name, help string, buckets []float64) prometheus.Histogram {
	h := prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets})
	m.registry.MustRegister(h)
	return h
}

func (m *metrics) counter(name, help string) prometheus.Counter {
	c := prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help})
	m.registry.MustRegister(c)
	return c
}

// Taken counts an event. What it reports is counted when it is handed out for the first time.
func (m *metrics) Taken(e event.Event, t pipeline.Taken) {
	m.events.WithLabelValues(string(e.Kind())).Inc()
	if t.Again {
		m.redelivered.Inc()
		return
	}
	m.waited.Observe(t.Waited.Seconds())
	if t.Late {
		m.late.Inc()
	}
	if t.Reading != "" {
		m.results.WithLabelValues(m.tools.label(e.ToolEnd.Call.Tool), string(t.Reading)).Inc()
	}
	if t.Repeat {
		m.repeats.WithLabelValues(m.tools.label(e.ToolEnd.Call.Tool)).Inc()
	}
}

// Verdict counts a verdict.
func (m *metrics) Verdict(v event.EvidenceChecked, revision int, took time.Duration) {
	tenant, agent := m.agents.pair(v.Tenant, v.Agent)
	m.verdicts.WithLabelValues(string(v.Outcome), v.Ruleset, tenant, agent).Inc()
	if v.Outcome == event.Unsupported {
		m.unsupported.WithLabelValues(tenant, agent).Add(float64(len(v.Unsupported) + v.UnsupportedOmitted))
	}
	m.decision.Observe(took.Seconds())
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

// PassedOver counts an envelope that holds nothing an answer could rest on.
func (m *metrics) PassedOver(area string) { m.passedOver.WithLabelValues(area).Inc() }

// Cached follows what open conversations take.
func (m *metrics) Cached(change int) { m.cached.Add(float64(change)) }

// Retried counts and logs a fault that may pass.
func (m *metrics) Retried(doing string, err error, after time.Duration) {
	m.retried.WithLabelValues(doing).Inc()
	m.log.Warn("trying again", "doing", doing, "error", err, "after", after)
}
