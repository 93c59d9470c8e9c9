// Package turn folds the events of one conversation, in stream order, into what a verdict rests on, and judges answers
// over it with the three readers. It answers "given these events, what is to be said about this answer?".
//
// A State is a value of one conversation: no clock, no I/O, nothing shared. It is a cache of the conversation's
// subject: dropping it and folding the subject again gives the same State, and so the same bytes of every verdict.
// Sequences are stream sequences; turns and iterations are the producer's whole numbers.
package turn

import (
	"cmp"
	"slices"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/evidence"
)

// State is everything of one conversation that a verdict may rest on. It is not safe for concurrent use.
type State struct {
	rules        *Rules
	conversation event.Conversation
	last         uint64 // the highest sequence folded

	turns    map[int]*turnFacts
	answers  map[Name]*answer
	awaiting []*answer // those that awaited calls; a replaced one counts for the answers given while it stood

	rows  []row               // every row, replaced ones too, in stream order
	calls map[callName][]int  // the last row of each call, as its place in rows; more than one when an id is used again
	late  map[lateName]uint64 // calls that an answer named before they were reported, and when they were; 0: never yet
	texts []text              // every text that exempts, in stream order

	lacking bool // a row is capped, redacted or was not captured
	scripts bool // a row submitted a program

	served  *evidence.Index // of the rows
	owners  []int32         // per row of served: its place in rows
	carrier []string        // per row of served: its call's id
	exempt  *evidence.Index // of the texts: row i is texts[i]
	seen    map[digest]int  // texts that were indexed: the place of the first

	freshServed, freshExempt fresh // in use once the index of everything is truncated

	unseen []unseen // what producers said that they did not record, in stream order

	userSeen    uint64 // sequence of the first event that said what the person wrote, 0 when none did
	contextSeen uint64 // the same of what the app put in front of the model

	kept int    // of the events, in the measure of limit.go
	full uint64 // sequence of the first event that was not kept whole, 0 while all were
}

// Name names an answer in its conversation. A second answer under the same name takes the place of the first.
type Name struct {
	Turn, Iteration int
}

// callName is how answers and subjects name a call of a turn. Real runtimes use an id again in one turn: then the
// iterations tell the calls apart.
type callName struct {
	turn int
	id   string
}

// turnFacts is what is known of a turn besides its rows, texts and answers.
type turnFacts struct {
	first      uint64 // sequence of the turn's first event
	opened     uint64 // sequence of the first event that said what the person wrote, 0 when none did
	correction bool   // that text was the runtime's own correction
	answers    []*answer
}

// New is the state of a conversation of which nothing was seen.
func New(rules *Rules, conversation event.Conversation) *State {
	return &State{
		rules:        rules,
		conversation: conversation,
		turns:        map[int]*turnFacts{},
		answers:      map[Name]*answer{},
		calls:        map[callName][]int{},
		late:         map[lateName]uint64{},
		served:       evidence.NewIndexFor(rules.gate),
		exempt:       evidence.NewIndexFor(rules.gate),
		seen:         map[digest]int{},
	}
}

// Conversation names the conversation whose state it is.
func (s *State) Conversation() event.Conversation { return s.conversation }

// Rules are the rules that the conversation is judged by.
func (s *State) Rules() *Rules { return s.rules }

// Last is the highest sequence folded, 0 when none was.
func (s *State) Last() uint64 { return s.last }

// Thing is something there is to say about a conversation: the verdict on an answer, or what a call declared.
type Thing struct {
	Seq    uint64 // of the answer, or of the call's last report
	Answer *Name  // nil for a call
	Turn   int    // of the call
	Call   string
	// Iteration tells apart the calls of a turn that share an id.
	Iteration int
}

// Things lists the answers that stand and the calls that declared something or withdrew it, in stream order. What came
// past the conversation's limit is not kept, and not listed.
func (s *State) Things() []Thing {
	var things []Thing
	for name, a := range s.answers {
		if a.replaced == 0 {
			things = append(things, Thing{Seq: a.seq, Answer: &name})
		}
	}
	for i := range s.rows {
		if r := &s.rows[i]; r.replaced == 0 && len(r.declared)+len(r.withdrawn) > 0 {
			things = append(things, Thing{Seq: r.seq, Turn: r.turn, Call: r.call.ID, Iteration: r.call.Iteration})
		}
	}
	slices.SortFunc(things, func(a, b Thing) int { return cmp.Compare(a.Seq, b.Seq) })
	return things
}

func (n Name) compare(m Name) int {
	if n.Turn != m.Turn {
		return n.Turn - m.Turn
	}
	return n.Iteration - m.Iteration
}

// Effects is what an event gives reason to look at again. Naming something that did not change is harmless: judging it
// again gives the same bytes.
type Effects struct {
	// Answers are the answers whose verdict can have changed, by turn and iteration.
	Answers []Name
	// Past tells that the event is an answer past the conversation's limit: State.Past judges it, and Answers names it.
	Past bool
	// Turn and Call name the calls whose coverage can have changed; Call is nil when none did.
	Turn int
	Call *string
}

// Fold takes in the next event of the conversation and says what it concerns. Events come in stream order: one whose
// sequence was passed already changes nothing, it is only asked what it concerns. An event that repeats what is known
// (the same call with the same result, the same answer) changes nothing either, so its sequence is never what a
// verdict rests on.
func (s *State) Fold(seq uint64, e event.Event) Effects {
	if seq > s.last {
		s.last = seq
		s.fold(seq, e)
	}
	return s.effects(seq, e)
}

// Pass notes that the message at the sequence says no event.
func (s *State) Pass(seq uint64) { s.last = max(s.last, seq) }

func (s *State) fold(seq uint64, e event.Event) {
	if e.Before != nil {
		s.fold(seq, *e.Before)
	}
	facts := s.turns[e.Turn]
	if facts == nil {
		facts = &turnFacts{first: seq}
		if s.keep(seq, turnBytes) {
			s.turns[e.Turn] = facts
		}
	}
	switch {
	case e.TurnStart != nil:
		s.foldTexts(seq, e.Turn, facts, e.TurnStart.User, e.TurnStart.Context)
		s.foldUnseen(seq, e.Turn, e.TurnStart.Unseen)
	case e.ToolEnd != nil:
		s.foldRow(seq, e.Turn, e.ToolEnd)
	case e.Answer != nil:
		s.foldTexts(seq, e.Turn, facts, e.Answer.User, e.Answer.Context)
		s.foldUnseen(seq, e.Turn, e.Answer.Unseen)
		s.foldAnswer(seq, e.Turn, facts, e.Answer)
	}
}

func (s *State) effects(seq uint64, e event.Event) Effects {
	switch {
	case e.ToolEnd != nil && s.isPast(seq):
		return Effects{Answers: s.cutBy(seq)}
	case e.ToolEnd != nil:
		return Effects{Answers: s.readersOf(e.Turn, e.ToolEnd.Call), Turn: e.Turn, Call: &e.ToolEnd.Call.ID}
	case e.Answer != nil:
		return Effects{Answers: []Name{{e.Turn, e.Answer.Iteration}}, Past: s.isPastAnswer(seq, e.Turn, e.Answer)}
	}
	return Effects{}
}

// readersOf lists the answers that could have read the call: those of its turn, and of the turns that go on with it.
func (s *State) readersOf(turn int, call event.Call) []Name {
	var names []Name
	for t := turn; t == turn || s.goesOn(t); t++ {
		facts := s.turns[t]
		if facts == nil {
			break
		}
		for _, a := range facts.answers {
			if a.replaced == 0 && s.firstTurnOf(t, a.seq) <= turn && a.couldRead(turn, call) {
				names = append(names, a.name)
			}
		}
	}
	return sortedNames(names)
}

// goesOn tells whether the turn was opened by the runtime's own correction.
func (s *State) goesOn(turn int) bool {
	facts := s.turns[turn]
	return facts != nil && facts.correction
}

func sortedNames(names []Name) []Name {
	slices.SortFunc(names, Name.compare)
	return names
}

// firstTurnOf is the turn in which the exchange began that the turn belongs to, as known at the sequence: a turn opened
// by the runtime's own correction is no turn of its own, it goes on with the one before.
func (s *State) firstTurnOf(turn int, asOf uint64) int {
	for {
		facts, before := s.turns[turn], s.turns[turn-1]
		if facts == nil || !facts.correction || facts.opened > asOf || before == nil || before.first > asOf {
			return turn
		}
		turn--
	}
}

// Latest gives the latest turn that an answer was given in, also one whose place another answer took, and the latest in
// which a call declared something, also one that withdrew it; 0 when there is none.
func (s *State) Latest() (answered, declared int) {
	for name := range s.answers {
		answered = max(answered, name.Turn)
	}
	for i := range s.rows {
		if r := &s.rows[i]; len(r.declared) > 0 {
			declared = max(declared, r.turn)
		}
	}
	return answered, declared
}
