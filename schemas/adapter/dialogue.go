package adapter

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/plumbline-dev/plumbline/core/event"
)

// Dialogue makes the events of one conversation from its messages, which it is told in their order. A turn begins with
// what the person says; several messages of the person in a row are one turn. Each message of the agent is a step of its
// turn, counted from 1: the iteration of the calls that it makes.
//
// A text of the agent is an answer when no call follows it in its turn and none stands in its step: what is said between
// calls is not meant to be final. Each such text is an answer of its own. An answer names every call of its turn, so that a
// call without a result leaves rows missing and accuses nobody.
type Dialogue struct {
	conversation event.Conversation
	line         int    // of the row that is read
	time         string // of the row that is read
	events       []event.Event
	faults       []RowError

	turn   int    // 0 before the first message
	steps  []step // of the turn
	at     int    // the step that is told of
	spoken bool   // the agent did something in this turn
	calls  []string
	early  said // said before the first turn
	made   map[string]*call
	named  map[string]place
	count  Count
}

// said is what a turn_start says.
type said struct {
	context []string
	unseen  []event.Reason
}

// step is one message of the agent.
type step struct {
	texts []string        // of its rows
	said  map[string]bool // the same texts, and those that others took the place of
	calls bool            // it makes calls
	time  string
}

// place is where in the conversation a step is.
type place struct{ turn, step int }

// call is a call that the record holds, and where.
type call struct {
	turn, step int
	tool       string
	args       event.JSON
	script     *event.Script
	answered   bool
}

// NewDialogue is a conversation of which nothing was told.
func NewDialogue(conversation event.Conversation) *Dialogue {
	return &Dialogue{conversation: conversation, made: map[string]*call{}, named: map[string]place{}}
}

// At says which line, and which time (RFC 3339, empty when not recorded), what is told next is of.
func (d *Dialogue) At(line int, time string) { d.line, d.time = line, time }

// Person tells a message of the person. One without text is of a picture or the like, or was not recorded.
func (d *Dialogue) Person(text string) {
	if d.turn == 0 || d.spoken {
		d.finish()
		d.open()
	}
	said := event.TurnStart{User: &text}
	if text == "" {
		said.Unseen = []event.Reason{event.ContentNotCaptured}
	}
	d.emit(event.Event{TurnStart: &said})
}

// Aside tells what the person says while the agent works: it begins no turn.
func (d *Dialogue) Aside(text string) {
	if d.turn == 0 {
		d.open()
	}
	d.emit(event.Event{TurnStart: &event.TurnStart{User: &text}})
}

// App tells texts that the app put in front of the model.
func (d *Dialogue) App(texts ...string) {
	if d.turn == 0 {
		d.early.context = append(d.early.context, texts...)
		return
	}
	d.emit(event.Event{TurnStart: &event.TurnStart{Context: texts}})
}

// Unseen tells that something of the conversation, up to here, is not in the record.
func (d *Dialogue) Unseen(reason event.Reason) {
	if reason == event.ContentNotCaptured {
		d.count.Unseen++
	}
	if d.turn == 0 {
		d.early.unseen = append(d.early.unseen, reason)
		return
	}
	d.emit(event.Event{TurnStart: &event.TurnStart{Unseen: []event.Reason{reason}}})
}

// open begins the next turn.
func (d *Dialogue) open() {
	d.turn++
	d.steps, d.calls, d.at, d.spoken = nil, nil, -1, false
	if early := d.early; len(early.context)+len(early.unseen) > 0 {
		d.early = said{}
		d.emit(event.Event{TurnStart: &event.TurnStart{Context: early.context, Unseen: early.unseen}})
	}
}

// Step tells that what follows is of a message of the agent. A name that was told before in this turn goes back to that
// message: records split messages, and repeat them; an empty name is always a new one. It is false when the message is of an
// earlier turn, and so a repeat that is not to be told again.
func (d *Dialogue) Step(name string) bool {
	if at, ok := d.named[name]; ok && name != "" {
		if at.turn == d.turn {
			d.at = at.step
		}
		return at.turn == d.turn
	}
	if d.turn == 0 {
		d.open()
	}
	d.steps = append(d.steps, step{})
	d.at, d.spoken = len(d.steps)-1, true
	if name != "" {
		d.named[name] = place{d.turn, d.at}
	}
	return true
}

// step is the step that is told of; one is made when none was.
func (d *Dialogue) step() *step {
	if d.turn == 0 || d.at < 0 {
		d.Step("")
	}
	return &d.steps[d.at]
}

// Say tells the text of the step, as one row holds it, in pieces. What another row of the step said already says nothing,
// nor does the beginning of the last one's; a text that goes on with what the last one began takes its place.
func (d *Dialogue) Say(pieces ...string) {
	text := joined(pieces)
	if text == "" {
		return
	}
	now := d.step()
	now.time = d.time
	last := len(now.texts) - 1
	switch {
	case now.said[text], last >= 0 && strings.HasPrefix(now.texts[last], text):
		return
	case last >= 0 && strings.HasPrefix(text, now.texts[last]):
		now.texts = now.texts[:last]
	case now.said == nil:
		now.said = map[string]bool{}
	}
	now.said[text] = true
	now.texts = append(now.texts, text)
}

// Call tells a call that the step makes; script is the program that it submits, nil for none. A call that the record
// repeats is told once.
func (d *Dialogue) Call(id, tool string, args event.JSON, script *event.Script) {
	d.step().calls = true
	if before := d.made[id]; before != nil && before.turn == d.turn && before.step == d.at+1 {
		return
	}
	d.made[id] = &call{turn: d.turn, step: d.at + 1, tool: tool, args: args, script: script}
	d.calls = append(d.calls, id)
}

// Result tells what came back of a call. Of end, Call is filled in, and of Script the program. A result that the record
// repeats is told again: the last one counts. One of a call that the record does not hold is told under the tool's name
// that end gives, and says that the beginning of the record is missing.
func (d *Dialogue) Result(id string, end event.ToolEnd) {
	made := d.made[id]
	if made == nil {
		made = d.stray(id, end.Call.Tool)
	}
	made.answered = true
	end.Call = event.Call{ID: id, Tool: made.tool, Iteration: made.step, Args: made.args}
	end.Script = submitted(made.script, end.Script)
	d.events = append(d.events, event.Event{Time: d.time, Conversation: d.conversation, Turn: made.turn, ToolEnd: &end})
	d.identify()
}

// stray makes a call of which the record holds only the result.
func (d *Dialogue) stray(id, tool string) *call {
	if d.turn == 0 {
		d.open()
	}
	d.Unseen(event.HistoryIncomplete)
	d.spoken = true
	d.count.Strays++
	made := &call{turn: d.turn, step: d.at + 1, tool: tool}
	d.made[id] = made
	d.calls = append(d.calls, id)
	return made
}

// Begun tells whether a turn began.
func (d *Dialogue) Begun() bool { return d.turn > 0 }

// Made tells whether the call was told.
func (d *Dialogue) Made(id string) bool { return d.made[id] != nil }

// Called gives the tool and the arguments of a call that was told, nothing when it was not.
func (d *Dialogue) Called(id string) (tool string, args event.JSON) {
	if made := d.made[id]; made != nil {
		return made.tool, made.args
	}
	return "", nil
}

// submitted is the program of a call with what its result says of how it went.
func submitted(program, went *event.Script) *event.Script {
	if program == nil {
		return nil
	}
	whole := *program
	if went != nil {
		whole.Label, whole.ExitCode = went.Label, went.ExitCode
	}
	return &whole
}

// End tells that the conversation ends here, as far as the record goes.
func (d *Dialogue) End() { d.finish() }

// finish gives the answers of the turn: the texts of the steps after the last one that makes calls.
func (d *Dialogue) finish() {
	if d.turn == 0 || !d.spoken {
		return
	}
	answers := 0
	for i := d.lastCalls() + 1; i < len(d.steps); i++ {
		if s := d.steps[i]; len(s.texts) > 0 {
			answers++
			d.emit(event.Event{Time: s.time, Answer: &event.Answer{Iteration: i + 1, Text: joined(s.texts), Calls: slices.Clone(d.calls)}})
		}
	}
	if answers == 0 {
		d.count.Silent++
	}
	d.count.Answers += answers
	d.spoken = false
}

// lastCalls is the last step that makes calls, -1 when none does.
func (d *Dialogue) lastCalls() int {
	for i := len(d.steps) - 1; i >= 0; i-- {
		if d.steps[i].calls {
			return i
		}
	}
	return -1
}

// joined is the text of pieces that one message was written in. They follow each other as they are, but for two that would
// make one word or one number of two.
func joined(pieces []string) string {
	var text strings.Builder
	last := ' '
	for _, piece := range pieces {
		if first, _ := utf8.DecodeRuneInString(piece); inWord(last) && inWord(first) {
			text.WriteByte('\n')
		}
		text.WriteString(piece)
		last, _ = utf8.DecodeLastRuneInString(piece)
	}
	return text.String()
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// emit gives an event of the turn.
func (d *Dialogue) emit(e event.Event) {
	if e.Time == "" {
		e.Time = d.time
	}
	e.Conversation, e.Turn = d.conversation, d.turn
	d.events = append(d.events, e)
	d.identify()
}

// identify gives the last event its ID. One that cannot be written is a fault, and is left out: a result that is left
// out is one that never arrived.
func (d *Dialogue) identify() {
	last := len(d.events) - 1
	e, err := Identify(d.events[last])
	if err != nil {
		d.events = d.events[:last]
		d.faults = append(d.faults, RowError{Line: d.line, Detail: err.Error()})
		return
	}
	d.events[last] = e
}

// Drain moves the events that are complete, and the faults, to out.
func (d *Dialogue) Drain(out *Out) {
	out.Events = append(out.Events, d.events...)
	out.Faults = append(out.Faults, d.faults...)
	d.events, d.faults = d.events[:0:0], nil
}

// Count is how much of a kind a conversation holds.
type Count struct {
	// Calls without a result, results of calls that are not in the record, answers, turns that the agent worked on and that
	// have no answer, and times that something was not seen.
	Unanswered, Strays, Answers, Silent, Unseen int
}

// Count counts what was told, after End.
func (d *Dialogue) Count() Count {
	c := d.count
	for _, made := range d.made {
		if !made.answered {
			c.Unanswered++
		}
	}
	return c
}
