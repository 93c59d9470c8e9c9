package turn

import (
	"slices"

	"github.com/plumbline-dev/plumbline/core/evidence"
)

// fresh is an index of the rows, or of the texts, that one answer may read and of nothing else. The index of everything
// that was seen serves until it is truncated: then it holds what came first, which may be what the answer never saw.
//
// It is kept for the next answer, whose rows mostly begin with the same ones: so each is added once, and judging costs no
// more as the conversation grows. What it holds is a matter of its places alone, so keeping it changes no verdict.
type fresh struct {
	index  *evidence.Index
	places []int // what was added, in order
	owners []int // for each row of the index: its place
}

// of gives an index of just these places, in order. add puts what stands at a place into an index, as any number of rows.
func (f *fresh) of(gate *evidence.Gate, places []int, add func(*evidence.Index, int)) *fresh {
	held := min(len(f.places), len(places))
	switch {
	case f.index == nil || !slices.Equal(f.places[:held], places[:held]):
		*f = fresh{index: evidence.NewIndexFor(gate)}
	case held < len(f.places): // an earlier answer, judged again: the next one goes on with what is kept
		f = &fresh{index: evidence.NewIndexFor(gate)}
	}
	for _, place := range places[len(f.places):] {
		add(f.index, place)
		for len(f.owners) < f.index.Rows() {
			f.owners = append(f.owners, place)
		}
	}
	f.places = append(f.places, places[len(f.places):]...)
	return f
}

// view makes the view of all that the index holds; turn and call say what a place counts as.
func (f *fresh) view(current int32, turn func(place int) int32, call func(place int) string) evidence.View {
	v := evidence.View{Current: current, Turns: make([]int32, len(f.owners)), Calls: make([]string, len(f.owners))}
	for i, place := range f.owners {
		v.Turns[i], v.Calls[i] = turn(place), call(place)
	}
	return v
}

func (f *fresh) bytes() int {
	if f.index == nil {
		return 0
	}
	return f.index.Bytes() + 8*(cap(f.places)+cap(f.owners))
}
