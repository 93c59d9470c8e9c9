package main

import (
	"math"
	"runtime/debug"
	"testing"

	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

func TestLimitMemory(t *testing.T) {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		t.Fatal("GOMEMLIMIT is set: run the tests without it")
	}
	elsewhere := Config{NATS: jet.Config{URLs: []string{"nats://127.0.0.1:1"}}, CacheBytes: 128 << 20}
	limited := func(c Config) int64 {
		defer c.limitMemory()()
		return debug.SetMemoryLimit(-1)
	}
	if got := limited(elsewhere); got != 128<<20+memoryBeside {
		t.Errorf("the limit is %d", got)
	}
	if got := debug.SetMemoryLimit(-1); got != math.MaxInt64 {
		t.Errorf("afterwards it is %d", got)
	}
	if got := limited(Config{CacheBytes: 128 << 20}); got != math.MaxInt64 {
		t.Errorf("with the server inside it is %d", got)
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 40))
	if got := limited(elsewhere); got != 1<<40 {
		t.Errorf("one that was set is %d now", got)
	}
}
