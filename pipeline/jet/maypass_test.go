package jet

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

func TestMayPass(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		want bool
	}{
		{"no answer in time", fmt.Errorf("make stream: %w", context.DeadlineExceeded), true},
		{"nobody answers", nats.ErrNoResponders, true},
		{"no leader yet", &jetstream.APIError{Code: 503, ErrorCode: 10008}, true},
		{"not enabled for the account", jetstream.ErrJetStreamNotEnabledForAccount, false},
		{"no such stream", jetstream.ErrStreamNotFound, false},
		{"stopped", context.Canceled, false},
		{"a setting that is refused", errors.New("stream AGENT_EVENTS does not allow direct get"), false},
	} {
		if got := MayPass(tt.err); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
