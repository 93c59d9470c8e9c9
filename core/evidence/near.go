package evidence

import "bytes"

// Near is a value that a call's result does hold.
type Near struct {
	Value string
	Call  string
	Turn  int
}

// Nearest gives the form, of the same kind as a value, that is spelt most like it among the rows that the view lets be
// read: a help for a person, never a verdict. The first of equals wins. ok is false when none differs in at most a third
// of the value's characters, three at most. It looks at maxNear forms.
func (ix *Index) Nearest(value string, v View) (near Near, ok bool) {
	near, ok = ix.nearest(value, nil, v)
	if !ok && ix.keys != nil {
		near, ok = ix.keys.nearest(value, []byte{byte(ruleIDPart), idPartKind}, v)
	}
	return near, ok
}

// nearest is Nearest among the forms that begin with the head, which is no part of the value.
func (ix *Index) nearest(value string, head []byte, v View) (near Near, ok bool) {
	wanted := []byte(value)
	limit := min(3, len(wanted)/3)
	_, numeric := isNumber(wanted)
	for place := 0; place < len(ix.entries) && place < maxNear && limit > 0; place++ {
		form, headed := bytes.CutPrefix(ix.form(place), head)
		if !headed || len(form) > min(len(wanted)+limit, maxNearLength) || len(form) < len(wanted)-limit || countDigits(form) == 0 {
			continue
		}
		if _, number := isNumber(form); number != numeric {
			continue
		}
		distance := editDistance(wanted, form, limit)
		if distance > limit || distance == 0 {
			continue
		}
		if row, turn, visible := ix.newestRow(place, v); visible {
			near = Near{Value: string(form), Turn: turn}
			if row < len(v.Calls) {
				near.Call = v.Calls[row]
			}
			ok, limit = true, distance-1
		}
	}
	return near, ok
}

// The bounds of one search for a near value.
const (
	maxNear       = 20_000 // forms
	maxNearLength = 64     // bytes of a form
)

// newestRow gives the newest visible row that holds the form at a place.
func (ix *Index) newestRow(place int, v View) (row, turn int, ok bool) {
	for at := ix.entries[place].newest; at >= 0; at = ix.postings[at].older {
		if t := v.turn(ix.postings[at].row); t >= 0 {
			return int(ix.postings[at].row), int(t), true
		}
	}
	return 0, 0, false
}

// editDistance is how many bytes must be put in, left out or changed to make a into b, or more than the limit.
func editDistance(a, b []byte, limit int) int {
	var rows [2][maxNearLength + 1]int
	if len(a) > maxNearLength {
		return limit + 1
	}
	before, now := rows[0][:len(a)+1], rows[1][:len(a)+1]
	for i := range before {
		before[i] = i
	}
	for j := 1; j <= len(b); j++ {
		now[0] = j
		least := j
		for i := 1; i <= len(a); i++ {
			change := before[i-1]
			if a[i-1] != b[j-1] {
				change++
			}
			now[i] = min(change, before[i]+1, now[i-1]+1)
			least = min(least, now[i])
		}
		if least > limit {
			return limit + 1
		}
		before, now = now, before
	}
	return before[len(a)]
}
