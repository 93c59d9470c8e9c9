package jet

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// place tells which partitions fall to a member, in order, when these are the members: every member that knows the same
// ones comes to the same answer, without asking another. Each partition goes to the member with the highest weight for
// it (rendezvous hashing), but no member gets more than its even share, rounded up. So one that joins or leaves moves
// about its own share and little more.
//
// It decides only who works where. That two members may for a while disagree costs work, never a verdict: the pin lets
// one of them be served, and the guard refuses what the other stores again.
func place(members []string, partitions int, self string) []int {
	members = slices.Compact(slices.Sorted(slices.Values(members)))
	most := (partitions + len(members) - 1) / max(1, len(members))
	loads := make(map[string]int, len(members))
	var mine []int
	for p := range partitions {
		owner := heaviest(members, p, func(m string) bool { return loads[m] < most })
		loads[owner]++
		if owner == self {
			mine = append(mine, p)
		}
	}
	return mine
}

// heaviest is the member with the highest weight for the partition among those that may have it.
func heaviest(members []string, partition int, may func(string) bool) (owner string) {
	var most uint64
	for _, m := range members {
		if w := weight(m, partition); may(m) && (owner == "" || w > most) {
			owner, most = m, w
		}
	}
	return owner
}

func weight(member string, partition int) uint64 {
	sum := sha256.Sum256(binary.BigEndian.AppendUint32([]byte(member), uint32(partition)))
	return binary.BigEndian.Uint64(sum[:])
}
