package main

import (
	"math"
	"runtime/debug"
)

// memoryBeside is what the process may take beside --cache-bytes before the garbage collector is asked to keep it there:
// 64 MiB for what is in flight (see "Memory" in docs/architecture.md), and as much for the program itself and for garbage
// to gather in. docs/proof.md has what it costs.
const memoryBeside = 128 << 20

// limitMemory keeps the process near its cache and memoryBeside: otherwise the heap may grow to twice what is in use. A
// limit that the environment sets as GOMEMLIMIT counts instead. With the server inside the process there is none, since the
// server's own memory is not counted. restore takes the limit away.
func (c Config) limitMemory() (restore func()) {
	if len(c.NATS.URLs) == 0 || debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return func() {}
	}
	debug.SetMemoryLimit(int64(c.CacheBytes) + memoryBeside)
	return func() { debug.SetMemoryLimit(math.MaxInt64) }
}
