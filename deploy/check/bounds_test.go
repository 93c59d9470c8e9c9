package check

import (
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

const (
	// leaving is what a stop may take beyond the drain timeout: saying so to the others, and closing.
	leaving = 10 * time.Second
	// beside is what a consumer may take beside its cache: docs/proof.md.
	beside = 160 << 20
)

// holdGrace holds the time that a consumer has to stop in against the time that it may take.
func holdGrace(t *testing.T, where string, grace time.Duration, env map[string]string) {
	t.Helper()
	drain, err := time.ParseDuration(env["PLUMBLINE_DRAIN_TIMEOUT"])
	if err != nil {
		t.Errorf("%s: PLUMBLINE_DRAIN_TIMEOUT: %v", where, err)
	}
	if grace < drain+leaving {
		t.Errorf("%s is killed after %s, but may drain for %s and needs %s to leave", where, grace, drain, leaving)
	}
}

// holdMemory holds a bound of memory against what the consumer may take.
func holdMemory(t *testing.T, where string, limit int64, env map[string]string) {
	t.Helper()
	// A MiB of the consumer is a Mi of Kubernetes.
	cache, err := resource.ParseQuantity(env["PLUMBLINE_CACHE_BYTES"][:len(env["PLUMBLINE_CACHE_BYTES"])-1])
	if err != nil {
		t.Fatalf("%s: PLUMBLINE_CACHE_BYTES: %v", where, err)
	}
	if want := cache.Value() + beside; limit < want {
		t.Errorf("%s may take %d bytes, but the cache and what is beside it take %d", where, limit, want)
	}
}

// readPolicy has the consumer itself read a policy: it refuses one before it looks for a server.
func readPolicy(t *testing.T, file string) {
	holdPolicy(t, filepath.Join(deploy, file))
}

func holdPolicy(t *testing.T, file string) {
	t.Helper()
	consumer := exec.Command(program(t, "consumer"), "--policy", file, "--provision-only", "--store-dir", t.TempDir(), "--port", "0")
	if out, err := consumer.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
