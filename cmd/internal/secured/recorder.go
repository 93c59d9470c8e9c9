package secured

import (
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Recorder notes every subject that anybody publishes on, requests to the server included. It is for one goroutine.
type Recorder struct {
	nc   *nats.Conn
	came chan *nats.Msg
	seen map[string]bool
}

// Record starts to note subjects, until the test ends.
func (s *Server) Record(t *testing.T) *Recorder {
	t.Helper()
	r := &Recorder{seen: map[string]bool{}, nc: s.Root(t), came: make(chan *nats.Msg, 1<<17)} // more than a test makes
	if _, err := r.nc.ChanSubscribe(">", r.came); err != nil {
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
	if err := r.nc.LastError(); err != nil { // it came too fast to be noted
		t.Fatal(err)
	}
	for len(r.came) > 0 {
		r.seen[(<-r.came).Subject] = true
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
