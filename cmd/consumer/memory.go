package main

import (
	"math"
	"runtime/debug"
)

// memoryBeside is what the process may take beside --cache-bytes before the garbage collector is asked to keep it there:
// what is on its way (about 20 MiB with sixteen partitions), the program itself, and room in which garbage may gather. With
// 96 MiB the collector takes about as much time as without a limit, and the process half the memory (docs/proof.md).
const memoryBeside = 96 << 20

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
