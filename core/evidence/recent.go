package evidence

import (
	"bytes"
	"encoding/binary"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// repeats remembers tokens of the value that is being added: rows of a list repeat their keys and many of their values,
// and what is written the same way adds the same forms. It only spares work: a token that it forgot goes the whole way.
type repeats [256]servedjson.Token

// known tells whether the token, key or leaf, stood in the value before, and remembers it.
func (r *repeats) known(raw []byte, t servedjson.Token) bool {
	text := raw[t.Start:t.End]
	slot := &r[slotOfText(text)]
	before := *slot
	*slot = t
	return before.End != 0 && before.IsKey() == t.IsKey() && bytes.Equal(raw[before.Start:before.End], text)
}

// slotOfText spreads texts by their length and their first and last bytes.
func slotOfText(text []byte) byte {
	const odd = 0x9E3779B97F4A7C15
	mixed := uint64(len(text))
	switch n := len(text); {
	case n >= 8:
		mixed += binary.LittleEndian.Uint64(text) ^ binary.LittleEndian.Uint64(text[n-8:])<<1
	case n >= 4:
		mixed += uint64(binary.LittleEndian.Uint32(text))<<32 | uint64(binary.LittleEndian.Uint32(text[n-4:]))
	case n > 0:
		mixed += uint64(text[0])<<24 | uint64(text[n/2])<<16 | uint64(text[n-1])<<8
	}
	return byte(mixed * odd >> 56)
}
