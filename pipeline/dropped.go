package pipeline

import "github.com/bits-and-blooms/bloom/v3"

// dropped remembers of which conversations nothing is remembered but that they were there: a Bloom filter over their
// subjects. It never takes one that was dropped for new. It takes a new one for dropped more often the more were dropped;
// such a conversation is read back for nothing. The zero value holds none and takes nothing for new that was added.
type dropped struct {
	bytes  int // of the filter
	filter *bloom.BloomFilter
}

// A filter takes one of droppedShare parts of what the cache may take, beside it, within bounds that hold for any.
// With ten bits for a subject and six hashes about one new conversation of a hundred is read back for nothing.
const (
	droppedShare    = 64
	minDroppedBytes = 4 << 10
	maxDroppedBytes = 4 << 20
	droppedHashes   = 6
)

func newDropped(cacheBytes int) dropped {
	return dropped{bytes: min(max(cacheBytes/droppedShare, minDroppedBytes), maxDroppedBytes)}
}

func (d *dropped) add(subject string) {
	if d.filter == nil {
		d.filter = bloom.New(uint(8*d.bytes), droppedHashes)
	}
	d.filter.AddString(subject)
}

// has tells whether the subject may have been added: false only for one that was not.
func (d *dropped) has(subject string) bool { return d.filter != nil && d.filter.TestString(subject) }

func (d *dropped) forget() {
	if d.filter != nil {
		d.filter.ClearAll()
	}
}
