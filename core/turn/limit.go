package turn

import "github.com/plumbline-dev/plumbline/core/event"

// A conversation is taken in up to the policy's conversationBytes. What is kept is counted in stream order, in a measure
// that depends on the events alone: the bytes of the texts, and a fixed number for each thing beside them. With the first
// thing that does not fit the conversation is full, for good: from there on nothing is kept, whatever its size, so that
// what a state holds is the beginning of its conversation, and is bounded.
//
// An answer from before that point rests on what was kept, and on the first report from after it that it could have
// read: that report was not read, so nothing is accused (turn_oversize). It stays so; further reports change nothing.
// An answer from after that point is not kept. It rests on what was kept and on itself, and never changes: Past judges it
// from its event.

// DefaultConversationBytes is how much of a conversation is taken in when a policy does not say, and
// MaxConversationBytes the most that it may say: places in an index are counted in 32 bits.
const (
	DefaultConversationBytes = 32 << 20
	MaxConversationBytes     = 1 << 30
)

// What each thing counts beside its texts, in bytes: about what it takes in memory.
const (
	turnBytes   = 100
	rowBytes    = 600
	answerBytes = 250
	textBytes   = 120
	unseenBytes = 40
	namedBytes  = 60  // a call that an answer names
	awaitBytes  = 140 // a call that was named before it was reported
	factBytes   = 300 // what a row declares
)

// keep counts something of the event at the sequence that is to be kept; false says that the conversation is full and
// that it may not be.
func (s *State) keep(seq uint64, bytes int) bool {
	if s.full == 0 && s.kept+bytes > s.rules.policy.ConversationBytes {
		s.full = seq
	}
	if s.full != 0 {
		return false
	}
	s.kept += bytes
	return true
}

// isPast tells whether the event at the sequence came when the conversation was full.
func (s *State) isPast(seq uint64) bool { return s.full != 0 && seq >= s.full }

// Full tells whether the conversation passed its limit: later events are not kept.
func (s *State) Full() bool { return s.full != 0 }

// Kept is how much of the conversation is taken in, in the measure of Policy.ConversationBytes.
func (s *State) Kept() int { return s.kept }

// Bytes is about how much memory the state holds.
func (s *State) Bytes() int {
	return s.kept + s.served.Bytes() + s.exempt.Bytes() + s.freshServed.bytes() + s.freshExempt.bytes()
}

// skipRow notes that the report of a call is not read. An answer that could have read it rests on that.
func (s *State) skipRow(seq uint64, turn int, call event.Call) {
	for _, a := range s.answers {
		if a.cut == 0 && a.name.Turn == turn && a.couldRead(turn, call) {
			a.cut = seq
		}
	}
}

// cutBy lists the answers that rest on that the report at the sequence was not read.
func (s *State) cutBy(seq uint64) []Name {
	var names []Name
	for name, a := range s.answers {
		if a.cut == seq && a.replaced == 0 {
			names = append(names, name)
		}
	}
	return sortedNames(names)
}

// isPastAnswer tells whether the answer at the sequence is not kept: it came when the conversation was full, and does
// not repeat the answer that stood under its name then.
func (s *State) isPastAnswer(seq uint64, turn int, a *event.Answer) bool {
	if !s.isPast(seq) {
		return false
	}
	before := s.answers[Name{turn, a.Iteration}]
	return before == nil || before.replaced != 0 && before.replaced <= seq || before.content != answerDigest(a)
}

// Past gives the verdict on an answer that Effects.Past names: the event and its sequence are those that were folded. It
// changes nothing of the state, and gives the same bytes however much is folded after it.
func (s *State) Past(seq uint64, e event.Event) event.EvidenceChecked {
	a := newAnswer(seq, e.Turn, e.Answer)
	a.cut = seq
	return s.judge(a)
}
