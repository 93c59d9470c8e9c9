package jet

import (
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
)

// TestStreamReports holds public reports about streams, by the id of their case, where the server shows them. The table
// of all cases stands at the test of the same name in core/turn.
func TestStreamReports(t *testing.T) {
	for _, tt := range []struct {
		id, source string
		test       func(t *testing.T)
	}{
		{"st-silent-consumer", "nats-io/nats.go#1972", silentConsumer},
		{"st-per-subject-limit", "nats-io/nats.net#860", perSubjectLimit},
	} {
		t.Run(tt.id, tt.test)
	}
}

// silentConsumer has the server delete the consumer while the client waits: the source is not ready meanwhile, says why,
// and goes on after the last message that was acknowledged, also with what was stored while there was no consumer.
func silentConsumer(t *testing.T) {
	virtually(t, func(t *testing.T, b *bench) {
		told := make(chan Health, 100)
		s := b.openHere(t, SourceConfig{OnHealth: func(h Health) { told <- h }})
		defer s.Stop()
		b.publish(t, b.event("a"), nil, []byte("1"))
		next(t, s)
		if err := b.js.DeleteConsumer(t.Context(), EventsStream, "plumbline-p0"); err != nil {
			t.Fatal(err)
		}
		seq := b.publish(t, b.event("a"), nil, []byte("2"))
		for next(t, s).Message().Seq != seq { // the first one again, unless its acknowledgement was seen
		}
		var reasons strings.Builder
		for len(told) > 0 {
			if h := <-told; !h.Ready {
				reasons.WriteString(h.Reason)
			}
		}
		if h := s.Health(); !h.Ready || h.Recreated != 1 || !strings.Contains(reasons.String(), "deleted") {
			t.Errorf("health %+v after %q", h, reasons.String())
		}
	})
}

// perSubjectLimit has an event stream that keeps five messages of a subject: the start is refused, and says what to do.
func perSubjectLimit(t *testing.T) {
	b := newBench(t)
	b.wipe(t)
	b.provisionAltered(t, EventsStream, func(s *jetstream.StreamConfig) { s.MaxMsgsPerSubject = 5 })
	if _, err := Check(t.Context(), b.js, ""); err == nil || !strings.Contains(err.Error(), "set max_msgs_per_subject") {
		t.Errorf("Check says %v", err)
	}
}
