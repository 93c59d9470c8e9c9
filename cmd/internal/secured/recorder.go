package secured

import (
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Recorder notes every subject that anybody publishes on, requests to the server included. It is for one goroutine.
type Recorder struct {
	nc   *nats.Conn
	sub  *nats.Subscription
	seen map[string]bool
}

// Record starts to note subjects, until the test ends.
func (s *Server) Record(t *testing.T) *Recorder {
	t.Helper()
	r := &Recorder{seen: map[string]bool{}, nc: s.Root(t)}
	var err error
	if r.sub, err = r.nc.SubscribeSync(">"); err != nil {
		t.Fatal(err)
	}
	if err := r.sub.SetPendingLimits(-1, -1); err != nil {
		t.Fatal(err)
	}
	r.look(t)
	return r
}

// look takes in what was published so far.
func (r *Recorder) look(t *testing.T) {
	t.Helper()
	if err := r.nc.Flush(); err != nil {
		t.Fatal(err)
	}
	waiting, _, err := r.sub.Pending()
	for ; err == nil && waiting > 0; waiting-- {
		var m *nats.Msg
		if m, err = r.sub.NextMsg(time.Minute); err == nil {
			r.seen[m.Subject] = true
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Unused lists those of the subject filters that nothing noted so far matches.
func (r *Recorder) Unused(t *testing.T, filters []string) (unused []string) {
	t.Helper()
	r.look(t)
	for _, filter := range filters {
		used := false
		for subject := range r.seen {
			used = used || server.SubjectMatchesFilter(subject, filter)
		}
		if !used {
			unused = append(unused, filter)
		}
	}
	return unused
}
