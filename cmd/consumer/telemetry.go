package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline/telemetry"
)

// sendTelemetry opens what traces and verdicts are sent with: --otel-endpoint or OpenTelemetry's environment asks for it. stop
// sends what waits.
func (s *service) sendTelemetry(ctx context.Context) (stop func(), err error) {
	lost := &losses{log: s.log, count: s.metrics.lost}
	sent, err := telemetry.Open(ctx, telemetry.Config{
		Endpoint: s.config.OTelEndpoint, Version: turn.Engine, Subjects: s.config.Subjects(), Lost: lost.note,
	})
	if err != nil {
		return nil, fmt.Errorf("--otel-endpoint: %w", err)
	}
	s.log.Info("sending traces and verdicts to OpenTelemetry", "endpoint", s.config.OTelEndpoint)
	s.follow = sent
	return func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), min(s.config.DrainTimeout, 5*time.Second))
		defer cancel()
		if err := sent.Close(ctx); err != nil {
			s.log.Warn("stopped with spans and verdicts that were not sent to OpenTelemetry", "error", err)
		}
		lost.last()
	}, nil
}

func checkEndpoint(endpoint string) error {
	if endpoint == "" {
		return nil
	}
	if err := telemetry.CheckEndpoint(endpoint); err != nil {
		return fmt.Errorf("--otel-endpoint %q: %w", endpoint, err)
	}
	return nil
}

// losses counts what was not sent, and says it at most once a minute: a receiver that is gone loses thousands.
type losses struct {
	log   *slog.Logger
	count *prometheus.CounterVec

	mu    sync.Mutex
	said  time.Time // guarded by mu: when it was said last
	since int       // guarded by mu: lost since then
	err   error     // guarded by mu: why, as last known
}

// The ways to be lost, as a label says them.
const (
	lostFull    = "queue_full"
	lostRefused = "not_received"
)

// ofTelemetry makes the counter of what was not sent.
func (m *metrics) ofTelemetry() {
	m.lost = m.counters("telemetry_lost_total", "Spans and verdicts that were not sent to OpenTelemetry.", "signal", "why")
	for _, signal := range telemetry.Signals {
		m.lost.WithLabelValues(signal, lostFull)
		m.lost.WithLabelValues(signal, lostRefused)
	}
}

// sayAgainLost is how often losses are complained of.
const sayAgainLost = time.Minute

func (l *losses) note(lost telemetry.Loss) {
	why := lostFull
	if lost.Err != nil {
		why = lostRefused
	}
	l.count.WithLabelValues(lost.Signal, why).Add(float64(lost.Count))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.since += lost.Count
	l.err = lost.Err
	if l.err == nil {
		l.err = errors.New("more came than could be sent")
	}
	if now := time.Now(); now.Sub(l.said) >= sayAgainLost {
		l.said = now
		l.say()
	}
}

// last says what was lost and not said yet.
func (l *losses) last() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.since > 0 {
		l.say()
	}
}

// say is called with the lock held.
func (l *losses) say() {
	l.log.Warn("spans and verdicts were not sent to OpenTelemetry; the verdicts on the stream are not touched by it", "lost", l.since, "error", l.err)
	l.since = 0
}
