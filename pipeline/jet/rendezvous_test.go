package jet

import (
	"fmt"
	"slices"
	"testing"
)

func owners(members []string, partitions int) map[int]string {
	all := map[int]string{}
	for _, m := range slices.Compact(slices.Sorted(slices.Values(members))) {
		for _, p := range place(members, partitions, m) {
			if other, taken := all[p]; taken {
				panic(fmt.Sprintf("partition %d falls to %s and to %s", p, other, m))
			}
			all[p] = m
		}
	}
	return all
}

func names(n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("host-%d", i))
	}
	return out
}

// Every partition falls to exactly one member, none gets more than its even share, and the order in which members are
// known does not matter.
func TestPlacement(t *testing.T) {
	for _, partitions := range []int{1, 3, 16, 100} {
		for n := 1; n <= 20; n++ {
			members := names(n)
			all := owners(members, partitions)
			if len(all) != partitions {
				t.Errorf("%d members, %d partitions: %d have an owner", n, partitions, len(all))
			}
			for _, m := range members {
				if got := len(place(members, partitions, m)); got > (partitions+n-1)/n {
					t.Errorf("%d members, %d partitions: %s has %d", n, partitions, m, got)
				}
			}
			slices.Reverse(members)
			for p, owner := range owners(append(members, members[0]), partitions) {
				if all[p] != owner {
					t.Errorf("%d members known in another order: partition %d moves", n, p)
				}
			}
		}
	}
}

// One that joins takes its share; besides, few partitions move between those that stay.
func TestPlacementMovesLittle(t *testing.T) {
	const partitions = 64
	for n := 1; n < 12; n++ {
		before, after := owners(names(n), partitions), owners(names(n+1), partitions)
		moved := 0
		for p := range partitions {
			if before[p] != after[p] {
				moved++
			}
		}
		if share := (partitions + n) / (n + 1); moved < partitions/(n+1)/2 || moved > 2*share {
			t.Errorf("%d members and one more: %d of %d partitions move, its share is %d", n, moved, partitions, share)
		}
	}
}

func TestPlacementOfNobody(t *testing.T) {
	if mine := place(nil, 4, "a"); mine != nil {
		t.Errorf("a member that is not among the members has %v", mine)
	}
}
