package evidence

// spelling is a value that a folded text spells in a way of its own, found by one of the rules that read text: where it
// stands, and the keys that it is known by.
type spelling struct {
	rule       rule
	start, end int
	// asked are the keys that an answer's value is looked up by: it is held when one of them is, or when both of
	// together are.
	asked    keyList
	together [2][]byte
	// served are the keys that a served text is known by.
	served keyList
	// named is the value in its one spelling, when it is not named by the text as it stands.
	named []byte
	// loose is a number that literal-1 sees in the spelling: held, it holds the value.
	loose []byte
	// strict tells that the rule alone decides: the tokens inside are not looked up by their own forms.
	strict bool
	// data tells that the value is data whatever literal-1 sees in it.
	data bool
	// grouped tells that the value may also be held group by group.
	grouped bool
}

// speller finds the spellings of a folded text, from left to right, none inside another. It reads the text once.
type speller struct {
	rules *RuleSet
	text  []byte
	next  int
	keys  keyBuffer
	one   spelling // the last one that was found
}

// keyBuffer keeps keys together: a rule's byte, the byte of a kind of it, then the canonical text.
type keyBuffer struct {
	bytes []byte
}

// keyList is a few keys, kept without room of their own.
type keyList struct {
	keys [4][]byte
	n    int
}

func (l *keyList) add(key []byte) {
	l.keys[l.n] = key
	l.n++
}

// set makes the list the one key.
func (l *keyList) set(key []byte) { l.keys[0], l.n = key, 1 }

func (l *keyList) all() [][]byte { return l.keys[:l.n] }

// keyHead is how many bytes of a key stand before its text.
const keyHead = 2

// key adds a key; a part is canonical text.
func (k *keyBuffer) key(r rule, kind byte, parts ...[]byte) []byte {
	start := len(k.bytes)
	k.bytes = append(k.bytes, byte(r), kind)
	for _, part := range parts {
		k.bytes = append(k.bytes, part...)
	}
	return k.bytes[start:len(k.bytes):len(k.bytes)]
}

// find gives the next spelling, nil at the end. It is valid until the next one is asked for, its keys until the keys are
// emptied.
func (s *speller) find() *spelling {
	for i := s.next; i < len(s.text); {
		end := i + 1
		switch kind := byteKinds[s.text[i]]; {
		case kind&kindDigit != 0:
			end = digitsEnd(s.text, i)
		case kind&kindLetter != 0:
			end = wordEnd(s.text, i)
		}
		if mayOpen(s.text, i, end) && beginsSpelling(s.text, i) {
			if sp := s.read(i); sp != nil {
				s.next = sp.end
				return sp
			}
		}
		i = end
	}
	s.next = len(s.text)
	return nil
}

// beginsSpelling tells whether a spelling may begin at text[i]: a digit that no word or number runs into, the first
// letter of a word, or what opens a phone number.
func beginsSpelling(text []byte, i int) bool {
	switch c := text[i]; {
	case isLetter(c):
		return i == 0 || !isAlphanumeric(text[i-1])
	case c == '+' || c == '(':
		return i+1 < len(text) && (isDigit(text[i+1]) || c == '+' && text[i+1] == '(')
	case !isDigit(c):
		return false
	case i < 2 || !isDigit(text[i-2]):
		return i == 0 || !isAlphanumeric(text[i-1])
	}
	switch c := text[i-1]; c {
	case 'T', 't':
		return true // the time of an ISO stamp
	case ':':
		return opensTime(text, i-1)
	case '.', ',':
		return false
	default:
		return !isAlphanumeric(c)
	}
}

// read tries the rules at text[i]: the most particular first. It is nil when none reads anything there.
func (s *speller) read(i int) *spelling {
	opens, digit := !isAlphanumeric(s.text[i]), isDigit(s.text[i])
	if s.rules.has(ruleDate) && !opens {
		if sp := s.date(i); sp != nil {
			return sp
		}
	}
	if s.rules.has(ruleClock) && digit {
		if sp := s.clock(i); sp != nil {
			return sp
		}
	}
	if s.rules.has(ruleGroups) {
		if sp := s.group(i); sp != nil {
			return sp
		}
	}
	if s.rules.has(ruleNumber) && digit {
		return s.number(i)
	}
	return nil
}

// spell keeps what was read until the next spelling is.
func (s *speller) spell(sp spelling) *spelling {
	s.one = sp
	return &s.one
}
