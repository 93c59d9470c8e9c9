package coverage

import (
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// Verdict says how much of the time that was asked about the store held.
type Verdict string

// The verdicts.
const (
	FullyHeld  Verdict = "covered"
	PartlyHeld Verdict = "partly-held"
	NotHeld    Verdict = "not-held"
	Unknown    Verdict = "unknown"
)

// leastFirst orders the verdicts by how little was held, where not knowing is less than knowing that all was.
var leastFirst = [...]Verdict{NotHeld, PartlyHeld, Unknown, FullyHeld}

// LeastHeld is the verdict over several: the least held of them. Words that are no verdict are passed over; when nothing
// is left, ok is false.
func LeastHeld(verdicts []Verdict) (least Verdict, ok bool) {
	for _, candidate := range leastFirst {
		for _, v := range verdicts {
			if v == candidate {
				return v, true
			}
		}
	}
	return "", false
}

// Interval is a closed interval of time: both ends belong to it.
type Interval struct {
	From, To Instant
}

// Period is what a read asked for in time and what the store held of it.
type Period struct {
	Queried Interval
	// Held is what the store holds; when HeldKnown is false it said "unknown".
	Held      Interval
	HeldKnown bool
	// ReadAt is when the store was read, nil when it was not said.
	ReadAt *Instant

	value    servedjson.Value // as it was written
	spelling Spelling         // of its keys
}

// Verdict compares the two intervals: covered when the store held all that was asked about, not held when the two share
// no instant, else partly held.
func (p Period) Verdict() Verdict {
	switch q, h := p.Queried, p.Held; {
	case !p.HeldKnown:
		return Unknown
	case h.From.Compare(q.From) <= 0 && h.To.Compare(q.To) >= 0:
		return FullyHeld
	case h.To.Compare(q.From) < 0 || h.From.Compare(q.To) > 0:
		return NotHeld
	}
	return PartlyHeld
}

// JSON is the period as a record keeps it: queried, held and readAt, with the instants as they were written.
func (p Period) JSON() event.JSON { return p.appendJSON(nil, Author) }

func (p Period) appendJSON(dst []byte, spelling Spelling) []byte {
	queried, _ := p.value.Get("queried")
	held, _ := p.value.Get("held")
	dst = appendInterval(append(dst, `{"queried":`...), queried)
	dst = append(dst, `,"held":`...)
	if p.HeldKnown {
		dst = appendInterval(dst, held)
	} else {
		dst = append(dst, `"unknown"`...)
	}
	if p.ReadAt != nil {
		readAt, _ := p.value.Get(p.spelling.readAtKey())
		dst = appendMember(dst, spelling.readAtKey(), readAt.Raw())
	}
	return append(dst, '}')
}

func appendInterval(dst []byte, v servedjson.Value) []byte {
	from, _ := v.Get("from")
	to, _ := v.Get("to")
	dst = append(append(dst, `{"from":`...), from.Raw()...)
	dst = append(append(dst, `,"to":`...), to.Raw()...)
	return append(dst, '}')
}

// Spelling is how the keys of a declaration are written.
type Spelling uint8

// The spellings. Wire is what travels (read_at), Author what a tool's author writes (readAt).
const (
	Wire Spelling = iota
	Author
)

// pick is the one of two spellings of a key.
func (s Spelling) pick(author, wire string) string {
	if s == Author {
		return author
	}
	return wire
}

// readAtKey is how the instant of the read is spelt.
func (s Spelling) readAtKey() string { return s.pick("readAt", "read_at") }

// ReadPeriod reads a period: queried, held (an interval or the word "unknown") and, when given, the instant of the read.
// Instants are read leniently. The error is a *FieldError that names the first field that is wrong: keys that a period
// does not have come first, then queried, held and the instant of the read (literal-1.md, coverage, Period). The Period
// keeps the bytes of v.
func ReadPeriod(v servedjson.Value, spelling Spelling) (Period, error) {
	if err := checkKeys("period", v, "queried", "held", spelling.readAtKey()); err != nil {
		return Period{}, err
	}
	return readPeriod(v, spelling)
}

// servedPeriod reads a period as it travels, where the runtime may have added the verdict's word. Only the word that
// the instants give may stand there: any other makes the period unreadable.
func servedPeriod(v servedjson.Value) (Period, bool) {
	if checkKeys("period", v, "queried", "held", "read_at", "verdict") != nil {
		return Period{}, false
	}
	p, err := readPeriod(v, Wire)
	word, added := v.Get("verdict")
	return p, err == nil && (!added || word.TextIs(string(p.Verdict())))
}

func readPeriod(v servedjson.Value, spelling Spelling) (p Period, err error) {
	p.value, p.spelling = v, spelling
	queried, _ := v.Get("queried")
	if p.Queried, err = readInterval("period.queried", queried, `an object with "from" and "to"`); err != nil {
		return Period{}, err
	}
	held, _ := v.Get("held")
	if p.HeldKnown = !held.TextIs("unknown"); p.HeldKnown {
		p.Held, err = readInterval("period.held", held, `an object with "from" and "to", or the word "unknown"`)
		if err != nil {
			return Period{}, err
		}
	}
	if readAt, ok := v.Get(spelling.readAtKey()); ok {
		at, err := readInstant("period."+spelling.readAtKey(), readAt)
		if err != nil {
			return Period{}, err
		}
		p.ReadAt = &at
	}
	return p, nil
}

func readInterval(field string, v servedjson.Value, want string) (i Interval, err error) {
	if v.Kind() != servedjson.Object {
		return i, &FieldError{field, "must be " + want + shown(v)}
	}
	if err := checkKeys(field, v, "from", "to"); err != nil {
		return i, err
	}
	from, _ := v.Get("from")
	if i.From, err = readInstant(field+".from", from); err != nil {
		return i, err
	}
	to, _ := v.Get("to")
	if i.To, err = readInstant(field+".to", to); err != nil {
		return i, err
	}
	if i.From.Compare(i.To) > 0 {
		return i, &FieldError{field, "ends before it begins"}
	}
	return i, nil
}

func readInstant(field string, v servedjson.Value) (Instant, error) {
	at, ok := ParseInstant(v.TextBytes(nil), Lenient)
	if !ok {
		return at, &FieldError{field, "must be an ISO 8601 instant with a zone, such as 2031-09-26T09:00:00Z" + shown(v)}
	}
	return at, nil
}
