package turn

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"strconv"

	"github.com/plumbline-dev/plumbline/core/coverage"
	"github.com/plumbline-dev/plumbline/core/emptiness"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// digest tells contents apart: the first half of a SHA-256.
type digest [16]byte

// row is what one report of a finished call said.
type row struct {
	seq      uint64
	replaced uint64 // the sequence of the next report of the same call, 0 when this is the last
	turn     int
	call     event.Call // without its arguments
	content  digest     // of everything that a verdict may rest on

	read   event.JSON // what the model read, nil when it was not captured
	door   *event.Door
	script *event.Script // of the last report of the call that carried one
	// submitted is the sequence of that report, 0 when none carried one.
	submitted uint64
	failed    bool
	message   []byte // the text of the error, nil when the runtime gave none
	reading   emptiness.Reading
	declared  []coverage.Fact
	// withdrawn are the kinds that an earlier report of the call declared and this one does not.
	withdrawn []coverage.Kind
	capped    bool // the result was cut before the model read it
	redacted  bool // a redactor's placeholder stands in it
}

// foldRow takes in the report of a call. A report that says what the last one of the call said changes nothing.
func (s *State) foldRow(seq uint64, turn int, end *event.ToolEnd) {
	r := newRow(seq, turn, end)
	before := s.reportBefore(&r)
	if before != nil && s.rows[*before].content == r.content {
		return
	}
	text := servedText(r.read)
	r.declared = factsOf(&r, text)
	if !s.keep(seq, r.bytes()) {
		s.skipRow(seq, turn, r.call)
		return
	}
	r.reading = s.emptinessOf(&r, text)
	place := len(s.rows)
	if before == nil {
		s.reportFirst(&r, place)
	} else {
		r.follow(&s.rows[*before])
		*before = place
	}
	s.indexRow(&r, place, text)
	s.rows = append(s.rows, r)
	s.lacking = s.lacking || r.capped || r.redacted || r.read == nil
	s.scripts = s.scripts || r.script != nil
}

// bytes is what the row counts, see limit.go. What it declares is read from what was served, and held beside it.
func (r *row) bytes() int {
	bytes := rowBytes + len(r.call.ID) + len(r.call.Tool) + len(r.read) + len(r.message)
	if r.script != nil {
		bytes += len(r.script.Program)
	}
	if r.door != nil {
		bytes += len(r.door.Described)
	}
	if len(r.declared) > 0 {
		bytes += factBytes*len(r.declared) + len(r.read)
	}
	return bytes
}

// follow takes the place of the call's report before. What that one submitted stays submitted (readers.md, "Script
// match": the last row per call that carries script); what it declared and this one does not is withdrawn.
func (r *row) follow(before *row) {
	before.replaced = r.seq
	if r.script == nil {
		r.script, r.submitted = before.script, before.submitted
	}
	for _, kind := range coverageKinds {
		if before.filed(kind) && !r.declares(kind) {
			r.withdrawn = append(r.withdrawn, kind)
		}
	}
}

// reportBefore gives where the last report of the row's call is kept, nil when this is the first.
func (s *State) reportBefore(r *row) *int {
	places := s.calls[callName{r.turn, r.call.ID}]
	for i := range places {
		if s.rows[places[i]].call.Iteration == r.call.Iteration {
			return &places[i]
		}
	}
	return nil
}

// ReadingOf is what the last report of the call reads as; empty when none was kept.
func (s *State) ReadingOf(turn int, call event.Call) emptiness.Emptiness {
	for _, place := range s.calls[callName{turn, call.ID}] {
		if r := &s.rows[place]; r.call.Iteration == call.Iteration {
			return r.reading.Emptiness
		}
	}
	return ""
}

// reportFirst notes that a call was reported: the answers that named it waited for it.
func (s *State) reportFirst(r *row, place int) {
	name := callName{r.turn, r.call.ID}
	s.calls[name] = append(s.calls[name], place)
	awaited := lateName{name, len(s.calls[name])}
	if _, ok := s.late[awaited]; ok {
		s.late[awaited] = r.seq
	}
}

func newRow(seq uint64, turn int, end *event.ToolEnd) row {
	r := row{
		seq: seq, turn: turn,
		call: event.Call{ID: end.Call.ID, Tool: end.Call.Tool, Iteration: end.Call.Iteration},
		read: end.Read(), door: end.Door, script: end.Script, failed: end.Failed(),
	}
	if r.script != nil {
		r.submitted = seq
	}
	if r.failed {
		r.message = messageOf(end.Error)
	}
	r.content = r.contentDigest()
	return r
}

// messageOf is the text of an error that says something: the model read it as what came back. A bare true says nothing.
func messageOf(err event.JSON) []byte {
	if string(err) == "true" {
		return nil
	}
	return servedText(err)
}

// servedText is a JSON value as a model is served it: a string is its text, anything else its JSON.
func servedText(j event.JSON) []byte {
	if len(j) == 0 || j[0] != '"' {
		return j
	}
	v, err := servedjson.Parse(j)
	if err != nil {
		return j // an event.JSON is valid, so this is a caller's mistake; reading it as text loses nothing
	}
	return v.TextBytes(nil)
}

// indexRow adds what the row holds, whose text is given, to the index of what was served.
func (s *State) indexRow(r *row, place int, text []byte) {
	for _, content := range r.contentsWith(text) {
		facts := s.served.AddResult(content, s.rules.policy.Placeholders)
		r.capped = r.capped || facts.Capped
		r.redacted = r.redacted || facts.Placeholder
		s.owners = append(s.owners, int32(place))
		s.carrier = append(s.carrier, r.call.ID)
	}
}

// contents are the texts of the row that ground values: what the model read, and the error's message.
func (r *row) contents() [][]byte { return r.contentsWith(servedText(r.read)) }

func (r *row) contentsWith(text []byte) [][]byte {
	var contents [][]byte
	if r.read != nil {
		contents = append(contents, text)
	}
	if r.message != nil {
		contents = append(contents, r.message)
	}
	return contents
}

// contentDigest is over everything a verdict can rest on: not over ids, times, durations or arguments.
func (r *row) contentDigest() digest {
	h := sha256.New()
	hashField(h, []byte(r.call.Tool))
	hashField(h, []byte(strconv.Itoa(r.call.Iteration)))
	hashField(h, r.read)
	hashField(h, r.message)
	hashField(h, []byte(strconv.FormatBool(r.failed)))
	if r.door != nil {
		hashField(h, []byte{flag(r.door.Absent), flag(r.door.Bounded)})
		hashField(h, r.door.Described)
	}
	if r.script != nil {
		hashField(h, []byte(r.script.Program))
		hashField(h, []byte(r.script.Label))
		if r.script.ExitCode != nil {
			hashField(h, []byte(strconv.Itoa(*r.script.ExitCode)))
		}
	}
	return digestOf(h)
}

// hashField adds a field so that no two lists of fields look alike. A nil field is not an empty one.
func hashField(h hash.Hash, b []byte) {
	var size [8]byte
	if b == nil {
		binary.BigEndian.PutUint64(size[:], 1<<63)
	} else {
		binary.BigEndian.PutUint64(size[:], uint64(len(b)))
	}
	h.Write(size[:])
	h.Write(b)
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func digestOf(h hash.Hash) digest {
	var sum [sha256.Size]byte
	h.Sum(sum[:0])
	return digest(sum[:len(digest{})])
}
