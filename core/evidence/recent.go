package evidence

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// repeats remembers tokens of the value that is being added: rows of a list repeat their keys and many of their values,
// and what is written the same way adds the same forms. It only spares work: a token that it forgot goes the whole way.
type repeats [256]seen

// seen is a token that stood in the value: where, and the hash of how it is written.
type seen struct {
	start, end, hash uint32
}

// known tells whether the token, key or leaf, stood in the value before, and remembers it.
func (r *repeats) known(raw []byte, t servedjson.Token) bool { return r.knownAs(raw, t, t.IsKey()) }

// knownAs is known for a token that adds something else in another role.
func (r *repeats) knownAs(raw []byte, t servedjson.Token, other bool) bool {
	text := raw[t.Start:t.End]
	hash := mix(text)
	if other {
		hash = ^hash
	}
	place := &r[byte(hash)]
	before := *place
	now := seen{t.Start, t.End, uint32(hash >> 8)}
	if before.hash == now.hash && bytes.Equal(raw[before.start:before.end], text) {
		return true
	}
	*place = now
	return false
}

// mix spreads texts by their length and their first and last bytes.
func mix(text []byte) uint64 {
	mixed := uint64(len(text))
	switch n := len(text); {
	case n >= 8:
		mixed += binary.LittleEndian.Uint64(text) ^ binary.LittleEndian.Uint64(text[n-8:])<<1
	case n >= 4:
		mixed += uint64(binary.LittleEndian.Uint32(text))<<32 | uint64(binary.LittleEndian.Uint32(text[n-4:]))
	case n > 0:
		mixed += uint64(text[0])<<24 | uint64(text[n/2])<<16 | uint64(text[n-1])<<8
	}
	const odd = 0x9E3779B97F4A7C15
	return bits.ReverseBytes64(mixed * odd)
}
