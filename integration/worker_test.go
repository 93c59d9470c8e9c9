package integration_test

import (
	"testing"
	"time"

	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

func rules(t testing.TB) *turn.Rules {
	t.Helper()
	rules, err := turn.Policy{Ruleset: turn.Calibrated1}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// start runs the pipeline over the deployment; the function that it gives drains it.
func (d *deployment) start(t testing.TB) (stop func()) {
	t.Helper()
	source, err := jet.OpenSource(t.Context(), d.js, jet.SourceConfig{})
	if err != nil {
		t.Fatal(err)
	}
	sink, err := jet.NewSink(d.nc, jet.SinkConfig{})
	if err != nil {
		t.Fatal(err)
	}
	worker, err := pipeline.NewWorker(pipeline.Config{Rules: rules(t), Grace: 100 * time.Millisecond}, source, sink)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- worker.Run(t.Context()) }()
	return func() {
		source.Drain()
		if err := <-ended; err != nil {
			t.Errorf("Run returned %v after a drain", err)
		}
		if err := sink.Close(t.Context()); err != nil {
			t.Error(err)
		}
		source.Stop()
	}
}
