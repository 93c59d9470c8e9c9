package turn

import (
	"bytes"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/evidence"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// Standing is why a value of an answer is not accused, or that it is.
type Standing string

// The standings of a value.
const (
	Read        Standing = "read"        // a call's result holds it
	Said        Standing = "said"        // the person or the app said it
	Computed    Standing = "computed"    // it derives from numbers that results hold
	Unsupported Standing = "unsupported" // it stands nowhere
)

// Explained is one value of an answer, and what holds it.
type Explained struct {
	Value    string // whole
	Shape    string
	Spans    []event.Span // where it stands in the answer
	Standing Standing
	// Holders are what holds it by itself, in stream order, the first of them; More tells that there were others. A value
	// whose parts stand in several rows is read and has none.
	Holders []Holder
	More    bool

	spelled []string // as in the answer, and in the value's one spelling
}

// Holder is a place that holds a value: a result, an error's message, or a text that was said.
type Holder struct {
	Seq  uint64 // of the event
	Turn int
	Call *event.Call // nil for a text that was said
	// Field is result or error of a call, and text for what was said.
	Field string
	// Path is the JSON pointer (RFC 6901) to the smallest part that holds the value, of the JSON that the model was served;
	// "" for all of it. It goes into no string that holds JSON.
	Path string
	// At is where the value is spelled as in the answer, [start, end) in bytes of the part's text; nil when it is spelled
	// otherwise.
	At *event.Span
}

// maxHolders is how many holders of one value are named.
const maxHolders = 20

// maxParts is how many parts of results are looked into for one answer. When they are used up the larger part is named.
const maxParts = 50_000

// Explain says of each value of the answer that Judge looks up what holds it, in the order of the answer; ok is false when
// no such answer is kept. It reads the record by the same rules that the verdict is made by, and changes nothing. It takes
// a few times as long as a verdict.
func (s *State) Explain(name Name) (values []Explained, ok bool) {
	a := s.answers[name]
	if a == nil || a.replaced != 0 {
		return nil, false
	}
	v := s.viewOf(a)
	x := &explainer{s: s, candidates: s.rules.gate.Extract(a.text, s.readScripts(v).Cuts)}
	x.standings(v)
	for i := range s.texts {
		if t := &s.texts[i]; t.readableBy(a) {
			x.look(Said, content{place: Holder{Seq: t.seq, Turn: t.turn, Field: "text"}, text: []byte(t.body)})
		}
	}
	for _, place := range v.inScope(s.rules.policy.Scope) {
		for _, c := range s.rows[place].explained() {
			x.look(Read, c)
		}
	}
	return x.values, true
}

// explainer is one explanation in the making.
type explainer struct {
	s          *State
	candidates []evidence.Candidate
	values     []Explained // of the candidates
	parts      int         // that were looked into
}

// standings is what the whole record says of each candidate.
func (x *explainer) standings(v view) {
	index, served := x.s.servedView(v)
	exempt, exemptView := x.s.exemptView(v.answer)
	record := evidence.Record{Served: index, ServedView: served, Exempt: exempt, ExemptView: exemptView, Figures: x.s.figures(v)}
	x.values = make([]Explained, len(x.candidates))
	for i := range x.candidates {
		c := &x.candidates[i]
		x.values[i] = Explained{
			Value: c.Value, Shape: c.Shape, Spans: c.Spans, Standing: standingOf(evidence.Check(x.candidates[i:i+1], record)),
		}
		if len(c.Spans) > 0 {
			x.values[i].spelled = append(x.values[i].spelled, v.answer.text[c.Spans[0][0]:c.Spans[0][1]])
		}
		x.values[i].spelled = append(x.values[i].spelled, c.Value)
	}
}

func standingOf(j evidence.Judgement) Standing {
	switch {
	case len(j.Unsupported) > 0:
		return Unsupported
	case len(j.Computed) > 0:
		return Computed
	case j.LookedUp == 0:
		return Said
	}
	return Read
}

// content is a text that may hold values, and where it is.
type content struct {
	place  Holder
	text   []byte
	served bool // by a tool
	parts  bool // it may be JSON, of which a part is named
}

// explained are the row's contents, with where each stands.
func (r *row) explained() []content {
	place := Holder{Seq: r.seq, Turn: r.turn, Call: &r.call}
	fields := []string{"result", "error"}
	if r.read == nil {
		fields = fields[1:]
	}
	contents := r.contents()
	made := make([]content, len(contents))
	for i := range contents {
		place.Field = fields[i]
		made[i] = content{place: place, text: contents[i], served: true, parts: true}
	}
	return made
}

// look finds out which of the values of a standing the content holds.
func (x *explainer) look(standing Standing, c content) {
	var among []int
	for i := range x.values {
		if x.values[i].Standing == standing {
			among = append(among, i)
		}
	}
	x.narrow(x.heldBy(among, c), c, 0)
}

// heldBy gives those of the candidates that the content holds by itself.
func (x *explainer) heldBy(among []int, c content) (held []int) {
	if len(among) == 0 {
		return nil
	}
	index := evidence.NewIndexFor(x.s.rules.gate)
	if c.served {
		index.AddResult(c.text, x.s.rules.policy.Placeholders)
	} else {
		index.AddText(c.text)
	}
	record := evidence.Record{
		Served: index, ServedView: evidence.View{Turns: make([]int32, index.Rows()), Calls: make([]string, index.Rows())},
		Exempt: evidence.NewIndexFor(x.s.rules.gate),
	}
	for _, i := range among {
		if len(evidence.Check(x.candidates[i:i+1], record).Unsupported) == 0 {
			held = append(held, i)
		}
	}
	return held
}

// maxNesting is how deep the smallest part is looked for.
const maxNesting = 32

// narrow names the smallest parts of the content that hold the values, which the whole of it does.
func (x *explainer) narrow(held []int, c content, depth int) {
	if len(held) == 0 {
		return
	}
	inside := map[int]bool{}
	if c.parts && depth < maxNesting {
		for path, part := range partsOf(c.text) {
			if x.parts++; x.parts > maxParts {
				break
			}
			next := c
			next.place.Path += "/" + path
			next.text = servedText(slices.Clone(part.Raw()))
			next.parts = part.Kind() == servedjson.Array || part.Kind() == servedjson.Object
			of := x.heldBy(held, next)
			for _, i := range of {
				inside[i] = true
			}
			x.narrow(of, next, depth+1)
		}
	}
	for _, i := range held {
		if !inside[i] {
			x.values[i].add(c)
		}
	}
}

func (e *Explained) add(c content) {
	if len(e.Holders) == maxHolders {
		e.More = true
		return
	}
	place := c.place
	for _, spelled := range e.spelled {
		if at := bytes.Index(c.text, []byte(spelled)); at >= 0 {
			place.At = &event.Span{at, at + len(spelled)}
			break
		}
	}
	e.Holders = append(e.Holders, place)
}

// partsOf visits the elements of a JSON array, or the members of an object, under their tokens of a JSON pointer. Any other
// text has none.
func partsOf(text []byte) iter.Seq2[string, servedjson.Value] {
	return func(yield func(string, servedjson.Value) bool) {
		v, err := servedjson.Parse(text)
		if err != nil {
			return
		}
		if v.Kind() == servedjson.Array {
			i := 0
			for element := range v.Elements() {
				if !yield(strconv.Itoa(i), element) {
					return
				}
				i++
			}
			return
		}
		for name, member := range v.Members() {
			if !yield(pointerToken.Replace(name.Text()), member) {
				return
			}
		}
	}
}

// pointerToken escapes a token of a JSON pointer (RFC 6901, section 3).
var pointerToken = strings.NewReplacer("~", "~0", "/", "~1")
