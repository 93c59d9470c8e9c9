package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/replay"
	"github.com/plumbline-dev/plumbline/schemas"
)

// remaking makes the records about one conversation again.
type remaking struct {
	rules    *turn.Rules
	name     event.Conversation
	events   []replay.Event
	subjects event.Subjects
}

// remade is a record that was made again. fault is nil when it is the same.
type remade struct {
	record
	fault *fault
	about uint64 // the event sequence of the answer or of the call's report; 0 when it is not known
}

// all makes the records again, in any order. A verdict is made of the events up to its through; a declaration must be one
// that the call has given at some point.
func (r remaking) all(records []record) (made []remade) {
	state := &keeping{turn.New(r.rules, r.name), map[turn.Name]event.EvidenceChecked{}}
	declared := declarations{}
	wanted := wantedCalls(records)
	records = slices.SortedStableFunc(slices.Values(records), func(a, b record) int {
		return cmp.Compare(a.identity.Through, b.identity.Through)
	})
	next := 0
	foldTo := func(through uint64) {
		for ; next < len(r.events) && r.events[next].Seq <= through; next++ {
			e := r.events[next]
			state.add(e)
			if e.ToolEnd != nil && wanted[callOf{e.Turn, e.ToolEnd.Call.ID}] {
				declared.note(state.State, e)
			}
		}
	}
	for _, one := range records {
		if one.verdict != nil {
			foldTo(one.identity.Through)
			made = append(made, surviving(one, func() remade { return r.verdict(state, one) }))
		}
	}
	foldTo(^uint64(0))
	for _, one := range records {
		if one.coverage != nil {
			made = append(made, r.coverage(declared, one))
		}
	}
	return made
}

// surviving is all of a conversation that may hold events which break the fold: mend puts in their places what stands for them.
// The error is of one that cannot be mended.
func (r remaking) surviving(records []record, mend func(*turn.Rules) error) (made []remade, err error) {
	try := func() error {
		made = r.all(records)
		return nil
	}
	if err = pipeline.Surviving(try); err == nil {
		return made, nil
	}
	if err = mend(r.rules); err == nil {
		err = pipeline.Surviving(try)
	}
	return made, err
}

// keeping is a conversation with the verdicts on the answers that it does not keep, because they came past its limit.
type keeping struct {
	*turn.State
	past map[turn.Name]event.EvidenceChecked
}

func (k *keeping) add(e replay.Event) {
	if effects := k.Fold(e.Seq, e.Event); effects.Past {
		k.past[effects.Answers[0]] = k.Past(e.Seq, e.Event)
	}
}

// judge gives the verdict on an answer, ok is false when no such answer was seen.
func (k *keeping) judge(name turn.Name) (verdict event.EvidenceChecked, ok bool) {
	if verdict, ok = k.Judge(name); !ok {
		verdict, ok = k.past[name]
	}
	return verdict, ok
}

// surviving makes a reader that breaks a fault of the record.
func surviving(one record, do func() remade) (made remade) {
	err := pipeline.Surviving(func() error {
		made = do()
		return nil
	})
	if err != nil {
		return remade{record: one, fault: &fault{What: faultDiffers, Detail: err.Error()}}
	}
	return made
}

func (r remaking) verdict(state *keeping, one record) remade {
	was := one.verdict
	made := remade{record: one, about: was.AnswerSeq}
	if want := r.subjects.Verdict(was.Ruleset, r.name, was.Turn, was.Iteration); want != one.Subject {
		made.fault = &fault{What: faultDiffers, Field: "subject", Stored: one.Subject, Computed: want}
		return made
	}
	now, ok := state.judge(turn.Name{Turn: was.Turn, Iteration: was.Iteration})
	if !ok {
		made.fault = &fault{What: faultGone, Detail: fmt.Sprintf("the answer at event sequence %d is not kept any more", was.AnswerSeq)}
		return made
	}
	payload, err := schemas.EncodeEvidence(one.contentType, now)
	if made.fault = compareBytes(one, payload, err); made.fault != nil && r.lost(was, &now) {
		made.fault = &fault{What: faultGone, Detail: "some of what it rests on is not kept any more"}
	}
	return made
}

// lost tells whether the conversation's first events are not kept any more: the stored verdict knows of calls, or of values
// of earlier turns, that the events do not hold.
func (r remaking) lost(was, now *event.EvidenceChecked) bool {
	if len(r.events) > 0 && r.events[0].Turn == 1 && r.events[0].ToolEnd == nil {
		return false // its first event is kept
	}
	return len(was.Results) > len(now.Results) || was.Grounding.FromPriorTurns > now.Grounding.FromPriorTurns
}

func (r remaking) coverage(declared declarations, one record) remade {
	d := one.coverage
	made := remade{record: one}
	if want := r.subjects.Coverage(d.Ruleset, r.name, d.Turn, d.Call); want != one.Subject {
		made.fault = &fault{What: faultDiffers, Field: "subject", Stored: one.Subject, Computed: want}
		return made
	}
	given := declared[laneOf{callOf{d.Turn, d.Call}, schemas.LaneOf(*d)}]
	if len(given) == 0 {
		made.fault = &fault{What: faultGone, Detail: "the report of the call is not kept any more, or declares nothing"}
		return made
	}
	for _, g := range given {
		made.about = g.seq
		payload, err := schemas.EncodeCoverage(one.contentType, g.CoverageDeclared)
		if made.fault = compareBytes(one, payload, err); made.fault == nil {
			return made
		}
	}
	return made
}

// callOf names a call as subjects do, laneOf what it declared.
type (
	callOf struct {
		turn int
		id   string
	}
	laneOf struct {
		callOf
		lane string
	}
)

func wantedCalls(records []record) map[callOf]bool {
	wanted := map[callOf]bool{}
	for _, r := range records {
		if r.coverage != nil {
			wanted[callOf{r.coverage.Turn, r.coverage.Call}] = true
		}
	}
	return wanted
}

// declarations are what calls have declared, at each point of the conversation.
type declarations map[laneOf][]declaration

type declaration struct {
	event.CoverageDeclared
	seq uint64
}

func (d declarations) note(state *turn.State, e replay.Event) {
	for _, now := range state.Coverage(e.Turn, e.ToolEnd.Call.ID) {
		lane := laneOf{callOf{e.Turn, e.ToolEnd.Call.ID}, schemas.LaneOf(now.CoverageDeclared)}
		d[lane] = append(d[lane], declaration{now.CoverageDeclared, now.Seq})
	}
}

// compareBytes compares what is stored with what is made, nil when they are the same bytes.
func compareBytes(one record, payload []byte, err error) *fault {
	if err != nil {
		return &fault{What: faultDiffers, Detail: "it cannot be made again: " + err.Error()}
	}
	if bytes.Equal(one.Data, payload) {
		return nil
	}
	f := &fault{What: faultDiffers}
	stored, made := asJSON(one, one.Data), asJSON(one, payload)
	f.Field, f.Stored, f.Computed = firstDifference(stored, made)
	if f.Field == "" {
		f.Detail = fmt.Sprintf("the same values in other bytes, from byte %d on", firstByte(one.Data, payload))
	}
	return f
}

// asJSON gives a payload as JSON.
func asJSON(one record, payload []byte) []byte {
	if !schemas.IsMsgpack(one.contentType) {
		return payload
	}
	var v any
	var err error
	if one.verdict != nil {
		v, err = schemas.DecodeEvidence(one.contentType, payload)
	} else {
		v, err = schemas.DecodeCoverage(one.contentType, payload)
	}
	if err != nil {
		return nil // then no field is named
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return text
}

func firstByte(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// firstDifference gives the path of the first value that two JSON texts have different, and both values.
func firstDifference(stored, made []byte) (field, was, is string) {
	a, b := jsontext.NewDecoder(bytes.NewReader(stored)), jsontext.NewDecoder(bytes.NewReader(made))
	for {
		x, errA := a.ReadToken()
		at := pathOf(a)
		was := clipped(x, errA)
		y, errB := b.ReadToken()
		is := clipped(y, errB)
		switch {
		case errA != nil && errB != nil:
			return "", "", ""
		case was != is:
			if other := pathOf(b); other != at {
				at += " (" + other + " is made)"
			}
			return at, was, is
		}
	}
}

func pathOf(d *jsontext.Decoder) string {
	path := string(d.StackPointer())
	if path == "" {
		return "/"
	}
	return path[1:]
}

// maxShown is how many bytes of a value are shown.
const maxShown = 80

func clipped(t jsontext.Token, err error) string {
	switch {
	case errors.Is(err, io.EOF):
		return "the end"
	case err != nil:
		return "no JSON"
	}
	text := t.String()
	if t.Kind() == '"' {
		quoted, err := json.Marshal(text)
		if err != nil {
			return "a text"
		}
		text = string(quoted)
	}
	if len(text) > maxShown {
		text = text[:maxShown] + "…"
	}
	return text
}
