package jet

import "testing"

// TestCover follows what a subscription hands out: after how many deliveries a new epoch begins, and whether everything
// that the stream keeps is handed out in it.
func TestCover(t *testing.T) {
	type seen struct {
		count uint64
		pin   string
	}
	for _, tt := range []struct {
		name   string
		before uint64
		all    bool
		seen   []seen
		epochs int
		whole  bool
	}{
		{"from the start", 0, true, []seen{{1, ""}, {2, ""}}, 1, true},
		{"from the start, pinned", 0, true, []seen{{1, "a"}, {2, "a"}}, 1, true},
		{"from the middle of the stream", 0, false, []seen{{1, "a"}, {2, "a"}}, 1, false},
		{"a durable that was used before", 7, true, []seen{{8, "a"}, {9, "a"}}, 1, false},
		{"somebody else was handed one first", 0, true, []seen{{2, "a"}, {3, "a"}}, 1, false},
		{"somebody else was handed one in between", 0, true, []seen{{1, "a"}, {3, "a"}}, 2, false},
		{"a new pin", 0, true, []seen{{1, "a"}, {2, "b"}, {3, "b"}}, 2, false},
		{"a new pin and a gap", 0, true, []seen{{1, "a"}, {5, "b"}}, 2, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newCover(tt.before, tt.all)
			epochs := map[string]bool{}
			for _, s := range tt.seen {
				c.see(s.count, s.pin)
				epochs[c.epoch] = true
			}
			if len(epochs) != tt.epochs || c.whole != tt.whole {
				t.Errorf("%d epochs, whole %v; want %d, %v", len(epochs), c.whole, tt.epochs, tt.whole)
			}
		})
	}
}
