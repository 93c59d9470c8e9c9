package evidence

import "bytes"

// ways are the further ways in which calibrated-1 holds a candidate.
type ways struct {
	// queries: any one of them holds the candidate.
	queries []query
	// together: both of them hold it.
	together [2]query
	// parts: every part held holds it; the parts that are not are what is unsupported, or the whole of it.
	parts    []Candidate
	partRule rule
	whole    bool
	// literally are the candidates that literal-1 sees in the value: when every one of them is held, the value is not
	// accused of more than literal-1 accuses it of.
	literally []Candidate
	// strict tells that the candidate's own forms do not count: a time with am or pm, a date, a number.
	strict bool
	// dressed tells that the candidate's value is the number of its token by the number rule.
	dressed bool
	// places are where a literal token stands, the first few: what stands around it may say more (context.go). All of
	// them must hold it.
	places []place
}

// place is where a token stands in a folded text.
type place struct {
	text []byte
	at   piece
}

// maxPlaces bounds the places that are looked at of one value.
const maxPlaces = 16

// query is one thing to look up: a key of a rule, or a form under a rule's name.
type query struct {
	rule rule
	key  string // in the index of keys; empty when it is a form
	form string
}

// waysOf are the ways in which a spelling that a rule read is held.
func (sp *spelling) waysOf() *ways {
	w := &ways{strict: sp.strict}
	if sp.named != nil && (sp.rule != ruleNumber || rule(sp.asked.keys[0][0]) == ruleNumber) {
		w.queries = append(w.queries, query{rule: sp.rule, form: string(sp.named)})
		if sp.rule == ruleNumber && sp.named[0] != '-' {
			w.queries = append(w.queries, query{rule: ruleNumber, form: "-" + string(sp.named)})
		}
	}
	for _, key := range sp.asked.all() {
		w.queries = append(w.queries, query{rule: sp.rule, key: string(key)})
	}
	if sp.together[0] != nil {
		w.together = [2]query{{rule: sp.rule, key: string(sp.together[0])}, {rule: sp.rule, key: string(sp.together[1])}}
	}
	return w
}

// queryList gathers what a literal value may be held by.
type queryList struct {
	rules   *RuleSet
	queries []query
	buf     []byte
}

// queriesOf lists the keys and forms that a candidate may be held by beside its own.
func (s *RuleSet) queriesOf(c *Candidate) []query {
	q := queryList{rules: s}
	value, token := []byte(c.Value), []byte(c.Token)
	if c.Token == "" {
		token = value
	}
	q.addHex(token)
	q.addID(value, token)
	q.addNumber(value, token)
	q.addDay(token)
	return q.queries
}

func (q *queryList) key(r rule, kind byte, text []byte) {
	if q.rules.has(r) {
		q.buf = append(append(q.buf[:0], byte(r), kind), text...)
		q.queries = append(q.queries, query{rule: r, key: string(q.buf)})
	}
}

func (q *queryList) form(r rule, form []byte) {
	if q.rules.has(r) {
		q.queries = append(q.queries, query{rule: r, form: string(form)})
	}
}

func (q *queryList) addHex(token []byte) {
	var room [maxHex]byte
	if digits, ok := appendHex(room[:0], token); ok {
		q.key(ruleHex, hexKind, digits)
		q.form(ruleHex, digits)
	}
}

func (q *queryList) addID(value, token []byte) {
	if !q.rules.has(ruleIDPart) {
		return
	}
	q.key(ruleIDPart, idPartKind, value)
	typedForms(token, func(form []byte) {
		q.form(ruleIDPart, form)
		q.key(ruleIDPart, idPartKind, form)
		if digitsEnd(form, 0) == len(form) {
			q.key(ruleGroups, groupsKind, form)
		}
	})
	askedForms(token, func(form []byte) {
		q.form(ruleIDPart, form)
		q.key(ruleIDPart, idPartKind, form)
	})
	if number, ok := prefixedNumber(token); ok {
		q.key(ruleIDPart, idFieldKind, shortest(bytes.Clone(number), 0))
	}
	if at, ok := namedVersion(token); ok {
		q.form(ruleIDPart, token[at.start:at.end])
		q.key(ruleIDPart, idPartKind, token[at.start:at.end])
	}
	var room [maxJoined]byte
	if joined, changed, ok := appendJoined(room[:0], token); ok {
		q.key(ruleIDPart, idJoinedKind, joined)
		if changed {
			q.form(ruleIDPart, joined)
		}
	}
}

func (q *queryList) addNumber(value, token []byte) {
	form, ok := appendPlain(nil, token)
	if isScientific(token) && !ok {
		form, ok = token, true
	}
	if ok && q.rules.has(ruleNumber) {
		if isLong(form) && isScientific(token) && q.rules.has(ruleDigits) {
			q.key(ruleDigits, exactKind, appendExact(nil, token))
		} else {
			q.form(ruleNumber, form)
			q.key(ruleNumber, numberKind, form)
		}
	}
	var room [2 * maxJoined]byte
	if digits, ok := appendUngrouped(room[:0], token); ok {
		q.key(ruleGroups, groupsKind, digits)
		q.form(ruleGroups, shortest(digits, 0))
	}
	if _, ok := isNumber(value); !ok {
		q.key(ruleGroups, groupsKind, value)
		q.key(ruleList, numberKind, value)
		return
	}
	if value[0] != '-' {
		negative := append([]byte{'-'}, value...) // a refund of -2571 is a refund of 2571
		q.form(ruleNumber, negative)
		q.key(ruleList, numberKind, negative)
	}
	q.key(ruleNumber, numberKind, value)
	q.key(ruleNumber, percentKind, value)
	q.key(ruleDigits, numberKind, value)
	q.key(ruleRange, numberKind, value)
	q.key(ruleList, numberKind, value)
	q.key(ruleGroups, groupsKind, value)
	if _, tail := splitTail(token); isGluedUnit(tail) {
		q.key(ruleNumber, unitedKind, append(bytes.Clone(value), tail...))
	}
}

func (q *queryList) addDay(token []byte) {
	if digits, ok := namedZone(token); ok {
		q.key(ruleClock, clockZone, digits[:])
	}
	if d, ok := compactDate(token); ok {
		digits := d.digits()
		q.key(ruleDate, dateFull, digits[:])
	}
	if digits, ok := yearMonth(token); ok {
		q.key(ruleDate, dateMonth, digits[:])
	}
	if year, ok := seasonOf(token); ok {
		q.key(ruleDate, dateSeason, year)
	}
	year, ok := aroundYear(token)
	if ok {
		q.form(ruleDate, year)
	} else if year = token; len(token) != 4 || digitsEnd(token, 0) != 4 {
		return
	}
	q.key(ruleDate, dateYear, year)
}
