package script

import (
	"math"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// ReadBlock reads one recorded block verdict, checked field by field as Match files it; ok is false when any field is one
// that Match does not file. Further fields are not read (seed 002, blockVerdictOf).
func ReadBlock(v servedjson.Value) (b event.ScriptBlock, ok bool) {
	if v.Kind() != servedjson.Object {
		return b, false
	}
	index, ok := wholeFrom(v, "index", 1)
	if !ok {
		return b, false
	}
	b = event.ScriptBlock{Index: *index, Status: textAt(v, "status")}
	switch b.Status {
	case Matched:
		return readMatched(v, b)
	case Unmatched:
		return readUnmatched(v, b)
	}
	return event.ScriptBlock{}, false
}

func readMatched(v servedjson.Value, b event.ScriptBlock) (event.ScriptBlock, bool) {
	dispatch, dispatched := wholeFrom(v, "dispatch", 1)
	b.Call, b.Label = textAt(v, "call"), textAt(v, "label")
	if b.Call == "" || !dispatched || has(v, "reason") || has(v, "hint") {
		return event.ScriptBlock{}, false
	}
	b.Dispatch = *dispatch
	if has(v, "exitCode") {
		code, ok := wholeFrom(v, "exitCode", -maxWhole)
		if !ok {
			return event.ScriptBlock{}, false
		}
		b.ExitCode = code
	}
	if has(v, "alsoMatches") {
		also, ok := wholeFrom(v, "alsoMatches", 1)
		if !ok {
			return event.ScriptBlock{}, false
		}
		b.AlsoMatches = *also
	}
	if !exitCodeFits(b.Label, b.ExitCode) {
		return event.ScriptBlock{}, false
	}
	return b, true
}

func readUnmatched(v servedjson.Value, b event.ScriptBlock) (event.ScriptBlock, bool) {
	for _, key := range [...]string{"call", "dispatch", "label", "exitCode", "alsoMatches"} {
		if has(v, key) {
			return event.ScriptBlock{}, false
		}
	}
	b.Reason, b.Hint = textAt(v, "reason"), textAt(v, "hint")
	compared := b.Reason == NoSubmission || b.Reason == PastTheLimit
	if !compared && b.Reason != OverSize && b.Reason != Unclosed {
		return event.ScriptBlock{}, false
	}
	if has(v, "hint") && (b.Hint != HintLineEndings || !compared) {
		return event.ScriptBlock{}, false
	}
	return b, true
}

func has(v servedjson.Value, key string) bool {
	_, ok := v.Get(key)
	return ok
}

// textAt is the text at a key, empty when none stands there: no field of a verdict is empty text.
func textAt(v servedjson.Value, key string) string {
	text, _ := v.Get(key)
	return text.Text()
}

// maxWhole is the largest whole number that JSON carries exactly everywhere; an event's exit code goes as far.
const maxWhole = 1<<53 - 1

// wholeFrom is the whole number at a key, of at least the minimum.
func wholeFrom(v servedjson.Value, key string, least float64) (*int, bool) {
	number, _ := v.Get(key)
	f := number.Float()
	if number.Kind() != servedjson.Number || f != math.Trunc(f) || f < least || f > maxWhole {
		return nil, false
	}
	n := int(f)
	return &n, true
}

// Recorded is a block verdict that was read back, with its place in the record's list, from 0.
type Recorded struct {
	Place   int
	Verdict event.ScriptBlock
}

// ReadRecorded reads the scripts of a recorded verdict back: the block verdicts that Match files, at their places, and
// how many others there are. It looks at no more places than Match fills; what is no {blocks: […]} counts as one that
// could not be read. ok is false when v is no value: the record carries no scripts (seed 002, recordedBlocks).
func ReadRecorded(v servedjson.Value) (blocks []Recorded, unread int, ok bool) {
	if v.IsZero() {
		return nil, 0, false
	}
	list, _ := v.Get("blocks")
	if list.Kind() != servedjson.Array {
		return nil, 1, true
	}
	unread = max(0, list.Len()-MaxBlocks)
	place := 0
	for item := range list.Elements() {
		if place == MaxBlocks {
			break
		}
		if verdict, readable := ReadBlock(item); readable {
			blocks = append(blocks, Recorded{place, verdict})
		} else {
			unread++
		}
		place++
	}
	return blocks, unread, true
}

// Copy gives scripts that share nothing with the original.
func Copy(s event.Scripts) event.Scripts {
	blocks := make([]event.ScriptBlock, len(s.Blocks))
	for i, b := range s.Blocks {
		if b.ExitCode != nil {
			code := *b.ExitCode
			b.ExitCode = &code
		}
		blocks[i] = b
	}
	s.Blocks = blocks
	return s
}
