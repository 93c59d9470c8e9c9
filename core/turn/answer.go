package turn

import (
	"crypto/sha256"
	"strconv"
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
)

// answer is the answer that stands under a name, and where it was stored.
type answer struct {
	name    Name
	seq     uint64
	content digest
	text    string
	calls   []string
	named   map[string]bool // the same calls
	after   bool
}

// text is a text that exempts values: what the person said or what the app put in front of the model.
type text struct {
	seq  uint64
	turn int
	body string
}

// answerBytes and textBytes are about what each takes beside its text.
const (
	answerBytes = 250
	textBytes   = 120
)

// foldAnswer puts the answer in the place of an earlier one of the same name, unless it says the same.
func (s *State) foldAnswer(seq uint64, turn int, a *event.Answer) {
	name := Name{turn, a.Iteration}
	next := &answer{name: name, seq: seq, text: a.Text, calls: a.Calls, after: a.AfterRevision, content: answerDigest(a)}
	next.named = make(map[string]bool, len(a.Calls))
	for _, id := range a.Calls {
		next.named[id] = true
	}
	if before := s.answers[name]; before != nil {
		if before.content == next.content {
			return
		}
		s.bytes -= len(before.text) + answerBytes
	}
	s.answers[name] = next
	s.declare(seq, turn, a.Calls)
	s.bytes += len(next.text) + answerBytes
}

// lateName is the nth call of an id that a turn's answers name, counted from 1.
type lateName struct {
	call callName
	nth  int
}

// late is a call that was named before it was reported, or never was. Both sequences are of the first time.
type late struct {
	named, reported uint64 // reported is 0 while it was not
}

// missingAt tells whether, as of the sequence, the call was named and not reported.
func (l late) missingAt(seq uint64) bool {
	return l.named < seq && (l.reported == 0 || l.reported > seq)
}

// declare notes the calls that an answer names and of which nothing was reported yet.
func (s *State) declare(seq uint64, turn int, calls []string) {
	s.eachUnreported(turn, calls, func(name lateName) {
		if _, known := s.late[name]; !known {
			s.late[name] = late{named: seq}
			s.bytes += len(name.call.id) + 80
		}
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
func (s *State) foldTexts(seq uint64, turn int, user *string, context []string) {
	if user != nil {
		if facts := s.turns[turn]; facts.opened == 0 {
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
	s.seen[key] = len(s.texts)
	s.texts = append(s.texts, text{seq: seq, turn: turn, body: body})
	s.exempt.AddText([]byte(body))
	s.bytes += len(body) + textBytes
}

// isCorrection tells whether a text is the runtime asking for its answer again (literal-1, "evidenceFromHistory").
func isCorrection(body string) bool {
	return strings.HasPrefix(body, "[evidence check") || strings.HasPrefix(body, "[schema check")
}
