package evidence

import (
	"bytes"
	"strconv"
)

// addressGroups are the groups of an address of IPv6.
type addressGroups [8]uint16

// addressForms visits the spellings of an address of IPv6 (RFC 4291 section 2.2, RFC 5952): compressed, with every group, and
// with every zero.
func addressForms(id []byte, visit func(form []byte)) {
	if bytes.Count(id, []byte{':'}) < 2 {
		return
	}
	groups, ok := readAddress(id)
	if !ok {
		return
	}
	visit(groups.compressed())
	visit(groups.appendGroups(nil, 0, len(groups), 1))
	visit(groups.appendGroups(nil, 0, len(groups), 4))
}

// readAddress reads groups of hex digits between colons, of which two colons once stand for groups of zero.
func readAddress(id []byte) (groups addressGroups, ok bool) {
	front, back, short := bytes.Cut(id, []byte("::"))
	head, ok := appendGroup(nil, front)
	tail, fine := appendGroup(nil, back)
	if !ok || !fine || len(head)+len(tail) > len(groups) || short == (len(head)+len(tail) == len(groups)) {
		return groups, false
	}
	copy(groups[:], head)
	copy(groups[len(groups)-len(tail):], tail)
	return groups, true
}

// appendGroup reads groups between single colons; of nothing there are none.
func appendGroup(groups []uint16, text []byte) ([]uint16, bool) {
	for more := len(text) > 0; more; {
		var group []byte
		group, text, more = bytes.Cut(text, []byte{':'})
		value, err := strconv.ParseUint(string(group), 16, 16)
		if err != nil || len(group) > 4 || len(groups) == len(addressGroups{}) {
			return nil, false
		}
		groups = append(groups, uint16(value))
	}
	return groups, true
}

// appendGroups writes the groups from one place to another, each with so many digits at least.
func (g *addressGroups) appendGroups(dst []byte, from, to, digits int) []byte {
	for i := from; i < to; i++ {
		if i > from {
			dst = append(dst, ':')
		}
		group := strconv.FormatUint(uint64(g[i]), 16)
		for n := len(group); n < digits; n++ {
			dst = append(dst, '0')
		}
		dst = append(dst, group...)
	}
	return dst
}

// compressed leaves the longest run of two or more groups of zero out, the first of those that are as long.
func (g *addressGroups) compressed() []byte {
	from, to := 0, 0
	for i := 0; i < len(g); i++ {
		start := i
		for i < len(g) && g[i] == 0 {
			i++
		}
		if i-start > to-from {
			from, to = start, i
		}
	}
	if to-from < 2 {
		return g.appendGroups(nil, 0, len(g), 1)
	}
	return g.appendGroups(append(g.appendGroups(nil, 0, from, 1), "::"...), to, len(g), 1)
}
