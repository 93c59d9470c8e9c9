package turn

import (
	"slices"

	"github.com/plumbline-dev/plumbline/core/event"
)

// unseen is something of the conversation that the producer says it did not record.
type unseen struct {
	seq    uint64 // of the first event that said so in the turn
	turn   int
	reason event.Reason
}

// foldUnseen takes in what a producer says that it did not record. A word that is no reason still says that something
// is missing.
func (s *State) foldUnseen(seq uint64, turn int, reasons []event.Reason) {
	for _, reason := range reasons {
		if !slices.Contains(event.Reasons, reason) {
			reason = event.ContentNotCaptured
		}
		known := slices.ContainsFunc(s.unseen, func(u unseen) bool { return u.reason == reason && u.turn <= turn })
		if !known && s.keep(seq, unseenBytes) {
			s.unseen = append(s.unseen, unseen{seq, turn, reason})
		}
	}
}

// readableBy tells whether what is missing may have been in front of the model when it gave the answer: it was said up to
// the answer, of no later turn.
func (u unseen) readableBy(a *answer) bool { return u.seq <= a.seq && u.turn <= a.name.Turn }
