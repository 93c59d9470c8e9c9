package fleet

import "math/rand/v2"

// quantiles are the sizes of something in the bundled airline dialogues, each as frequent as the next: the smallest, the
// largest, and those at even steps between. A test of package integration holds them against the dialogues.
type quantiles []int

var (
	// ResultBytes is how long what a call gives is.
	ResultBytes = quantiles{
		0, 0, 2, 5, 6, 19, 72, 316, 628, 630, 632, 673, 697, 710, 744, 774, 801, 844, 944, 1230, 8117,
	}
	// AnswerBytes is how long an answer is.
	AnswerBytes = quantiles{46, 140, 185, 222, 242, 266, 304, 395, 501, 588, 1208}
	// UserBytes is how long what a person says is.
	UserBytes = quantiles{19, 45, 63, 75, 88, 100, 113, 129, 150, 175, 285}
	// turns is how many turns a conversation has.
	turns = quantiles{3, 4, 5, 6, 6, 7, 7, 8, 8, 10, 12}
)

// promptBytes is how long the prompt of the dialogues is: all of them have the same.
const promptBytes = 6155

// draw gives one size: between two steps all are as frequent.
func (q quantiles) draw(r *rand.Rand) int {
	at := r.Float64() * float64(len(q)-1)
	step := int(at)
	low, high := q[step], q[step+1]
	return low + int((at-float64(step))*float64(high-low)+.5)
}

// callsPerTurn is how many of the dialogues' turns made so many calls, from none to eleven.
var callsPerTurn = []int{68, 41, 14, 6, 3, 0, 1, 3, 1, 0, 0, 1}

func drawCalls(r *rand.Rand) int {
	all := 0
	for _, count := range callsPerTurn {
		all += count
	}
	place := r.IntN(all)
	for calls, count := range callsPerTurn {
		if place -= count; place < 0 {
			return calls
		}
	}
	return 0
}
