package main

import (
	"net/http"
	"strings"
	"testing"
)

// TestPprof asks for a profile: on its own address, on this machine alone, and not beside the metrics.
func TestPprof(t *testing.T) {
	p := start(t, "--store-dir", t.TempDir(), "--port=0", "--http=127.0.0.1:0", "--pprof=:0")
	health := "http://" + await(t, &p.stderr, `msg="serving health and metrics" address=(\S+)`)
	profiles := await(t, &p.stderr, `msg="serving profiles" address=(\S+)`)
	if !strings.HasPrefix(profiles, "127.0.0.1:") {
		t.Errorf("profiles are served on %s", profiles)
	}
	if status, body := get(t, "http://"+profiles+"/debug/pprof/goroutine?debug=1"); status != http.StatusOK || !strings.Contains(body, "goroutine profile") {
		t.Errorf("status %d: %q", status, body)
	}
	for _, url := range []string{health + "/debug/pprof/", "http://" + profiles + "/metrics"} {
		if status, _ := get(t, url); status != http.StatusNotFound {
			t.Errorf("%s: status %d", url, status)
		}
	}
	await(t, &p.stderr, "msg=ready") // a server that is stopped while it makes a stream leaves goroutines behind
	p.stop()
	p.end(t)
}
