package evidence

// ways are the further ways in which calibrated-1 holds a candidate.
type ways struct {
	// queries: any one of them holds the candidate.
	queries []query
	// together: both of them hold it.
	together [2]query
	// parts: every part held holds it; the parts that are not are what is unsupported.
	parts    []Candidate
	partRule rule
	// literally are the candidates that literal-1 sees in the value: when every one of them is held, the value is not
	// accused of more than literal-1 accuses it of.
	literally []Candidate
	// strict tells that the candidate's own forms do not count: a time with am or pm, a date, a number.
	strict bool
}

// query is one thing to look up: a key of a rule, or a form under a rule's name.
type query struct {
	rule rule
	key  string // in the index of keys; empty when it is a form
	form string
}

// waysOf are the ways in which a spelling that a rule read is held.
func (sp *spelling) waysOf() *ways {
	w := &ways{strict: sp.strict}
	if sp.rule == ruleNumber {
		w.queries = append(w.queries, query{rule: ruleNumber, form: string(keyText(sp.asked[0]))})
	}
	for _, key := range sp.asked {
		w.queries = append(w.queries, query{rule: sp.rule, key: string(key)})
	}
	if sp.together[0] != nil {
		w.together = [2]query{{rule: sp.rule, key: string(sp.together[0])}, {rule: sp.rule, key: string(sp.together[1])}}
	}
	return w
}

// queriesOf lists the keys and forms that a literal value may be held by.
func (s *RuleSet) queriesOf(value []byte) []query {
	var queries []query
	key := func(r rule, kind byte, text []byte) {
		if s.has(r) {
			queries = append(queries, query{rule: r, key: string((&keyBuffer{}).key(r, kind, text))})
		}
	}
	if digits, ok := hexOf(value); ok {
		key(ruleHex, hexKind, digits)
	}
	key(ruleIDPart, idPartKind, value)
	if form, ok := plainNumber(value); ok && s.has(ruleNumber) {
		queries = append(queries, query{rule: ruleNumber, form: string(form)})
		key(ruleNumber, numberKind, form)
	}
	if _, ok := isNumber(value); !ok {
		return queries
	}
	if s.has(ruleNumber) && value[0] != '-' {
		queries = append(queries, query{rule: ruleNumber, form: "-" + string(value)}) // a refund of -2571 is a refund of 2571
	}
	key(ruleNumber, numberKind, value)
	key(ruleDigits, numberKind, value)
	if len(value) == 4 && digitsEnd(value, 0) == 4 {
		key(ruleDate, dateYear, value)
	}
	return queries
}
