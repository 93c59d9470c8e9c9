package telemetry_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/telemetry"
)

// BenchmarkFollowed is what it costs the work to follow one message with a verdict: sampled, and not.
func BenchmarkFollowed(b *testing.B) {
	for name, flags := range map[string]string{"sampled": "01", "not sampled": "00"} {
		b.Run(name, func(b *testing.B) {
			taking := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
			defer taking.Close()
			sent, err := telemetry.Open(b.Context(), telemetry.Config{Endpoint: taking.URL})
			if err != nil {
				b.Fatal(err)
			}
			m := message(map[string][]string{"traceparent": {"00-" + traceID + "-" + producerID + "-" + flags}})
			v := verdict(event.Grounded)
			b.ReportAllocs()
			for b.Loop() {
				f := sent.Take(m)
				for _, step := range []string{pipeline.StepFold, pipeline.StepJudge, pipeline.StepStore} {
					f.Step(step)(nil)
				}
				f.Verdict(v, 0)
				f.End(false)
			}
			b.StopTimer()
			closed(b, sent, 5*time.Second)
		})
	}
}
