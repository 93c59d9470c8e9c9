package turn

import (
	"crypto/sha256"
	"slices"
	"strconv"
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
)

// answer is an answer under a name, and where it was stored.
type answer struct {
	name    Name
	seq     uint64
	content digest
	text    string
	calls   []string
	named   map[string]bool // the same calls
	after   bool

	awaits   []lateName // the calls that it names and of which nothing was reported before it
	replaced uint64     // sequence of the answer that took its place, 0 while it stands
	cut      uint64     // sequence of the first thing it rests on that was not read, see limit.go; 0: all was
}

// text is a text that exempts values: what the person said or what the app put in front of the model.
type text struct {
	seq  uint64
	turn int
	body string
}

// foldAnswer puts the answer in the place of an earlier one of the same name, unless it says the same.
func (s *State) foldAnswer(seq uint64, turn int, facts *turnFacts, a *event.Answer) {
	next := newAnswer(seq, turn, a)
	before := s.answers[next.name]
	if before != nil && before.content == next.content {
		return
	}
	s.eachUnreported(turn, next.calls, func(name lateName) { next.awaits = append(next.awaits, name) })
	kept := s.keep(seq, next.bytes())
	if before != nil && before.replaced == 0 {
		before.replaced, before.text = seq, ""
	}
	if !kept {
		return
	}
	s.answers[next.name] = next
	facts.answers = append(slices.DeleteFunc(facts.answers, func(a *answer) bool { return a == before }), next)
	if len(next.awaits) > 0 {
		s.awaiting = append(s.awaiting, next)
	}
	for _, name := range next.awaits {
		s.late[name] = 0
	}
}

func newAnswer(seq uint64, turn int, a *event.Answer) *answer {
	made := &answer{
		name: Name{turn, a.Iteration}, seq: seq, content: answerDigest(a), text: a.Text, calls: a.Calls,
		named: make(map[string]bool, len(a.Calls)), after: a.AfterRevision,
	}
	for _, id := range a.Calls {
		made.named[id] = true
	}
	return made
}

// bytes is what the answer counts, see limit.go.
func (a *answer) bytes() int {
	bytes := answerBytes + len(a.text)
	for _, id := range a.calls {
		bytes += namedBytes + len(id)
	}
	return bytes + awaitBytes*len(a.awaits)
}

// lateName is the nth call of an id that a turn's answers name, counted from 1.
type lateName struct {
	call callName
	nth  int
}

// awaitsAt tells whether, as of the sequence, the answer stood and a call that it names was not reported.
func (s *State) awaitsAt(a *answer, seq uint64) bool {
	if a.seq >= seq || a.replaced != 0 && a.replaced < seq {
		return false
	}
	return slices.ContainsFunc(a.awaits, func(name lateName) bool {
		reported := s.late[name]
		return reported == 0 || reported > seq
	})
}

// eachUnreported visits the named calls of which nothing was reported, in their order. An id that is named twice stands
// for two calls.
func (s *State) eachUnreported(turn int, calls []string, visit func(lateName)) {
	times := make(map[string]int, len(calls))
	for _, id := range calls {
		times[id]++
		name := lateName{callName{turn, id}, times[id]}
		if len(s.calls[name.call]) < name.nth {
			visit(name)
		}
	}
}

func answerDigest(a *event.Answer) digest {
	h := sha256.New()
	hashField(h, []byte(a.Text))
	hashField(h, []byte(strconv.FormatBool(a.AfterRevision)))
	for _, list := range [][]string{a.Calls, userOf(a.User), a.Context, wordsOf(a.Unseen)} {
		hashField(h, []byte(strconv.Itoa(len(list))))
		for _, item := range list {
			hashField(h, []byte(item))
		}
	}
	return digestOf(h)
}

func wordsOf(reasons []event.Reason) []string {
	words := make([]string, len(reasons))
	for i, reason := range reasons {
		words[i] = string(reason)
	}
	return words
}

func userOf(user *string) []string {
	if user == nil {
		return nil
	}
	return []string{*user}
}

// couldRead tells whether the answer could have read a call of its own turn: it names the call, or it names none and
// the call is of an iteration not after its own.
func (a *answer) couldRead(turn int, call event.Call) bool {
	if turn < a.name.Turn { // an earlier turn that the answer's turn goes on with
		return true
	}
	if len(a.named) > 0 {
		return a.named[call.ID]
	}
	return call.Iteration <= a.name.Iteration
}

// foldTexts takes in what the person and the app said. A text that begins like one of the runtime's own corrections
// exempts nothing, and a turn that it opens is no turn of its own.
func (s *State) foldTexts(seq uint64, turn int, facts *turnFacts, user *string, context []string) {
	if user != nil {
		if facts.opened == 0 {
			facts.opened, facts.correction = seq, isCorrection(*user)
		}
		s.foldText(seq, turn, *user, &s.userSeen)
	}
	for _, body := range context {
		s.foldText(seq, turn, body, &s.contextSeen)
	}
}

func (s *State) foldText(seq uint64, turn int, body string, seen *uint64) {
	if isCorrection(body) {
		return
	}
	if *seen == 0 {
		*seen = seq
	}
	h := sha256.New()
	h.Write([]byte(body))
	key := digestOf(h)
	first, ok := s.seen[key]
	if ok && s.texts[first].turn <= turn {
		return // an earlier text of no later turn says the same: whoever may read this one may read that one
	}
	if !s.keep(seq, textBytes+len(body)) {
		return
	}
	s.seen[key] = len(s.texts)
	s.texts = append(s.texts, text{seq: seq, turn: turn, body: body})
	s.exempt.AddText([]byte(body))
}

// isCorrection tells whether a text is the runtime asking for its answer again (literal-1, "evidenceFromHistory").
func isCorrection(body string) bool {
	return strings.HasPrefix(body, "[evidence check") || strings.HasPrefix(body, "[schema check")
}
