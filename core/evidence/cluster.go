package evidence

import "bytes"

// located is a literal token and where it stands in the folded text.
type located struct {
	token     string
	at        piece
	candidate Candidate
	asserts   bool
	values    int // how many it counts as: more when it is a list
}

// cluster is a run of tokens and spellings each of which overlaps another, and where it stands in the folded text.
type cluster struct {
	tokens    []located
	spellings []spelling
	at        piece
}

// nextSpelling is the speller of a text, one spelling ahead.
type nextSpelling struct {
	speller speller
	spelling
	ok bool // there is one
}

func newNextSpelling(rules *RuleSet, text []byte) *nextSpelling {
	n := &nextSpelling{speller: speller{rules: rules, text: text}}
	n.advance()
	return n
}

func (n *nextSpelling) advance() {
	sp := n.speller.find()
	if n.ok = sp != nil; n.ok {
		n.spelling = *sp
	}
}

// touches tells whether the next spelling that ends behind the start of a place overlaps it. Those before are passed.
func (n *nextSpelling) touches(at piece) bool {
	for n.ok && n.end <= at.start {
		n.advance()
	}
	return n.ok && n.start < at.end
}

// cluster takes what runs into the first token and the spelling that it touches.
func (n *nextSpelling) cluster(tokens []located) cluster {
	c := cluster{at: piece{min(tokens[0].at.start, n.start), tokens[0].at.end}}
	taken := 0
	for {
		switch {
		case n.ok && n.start < c.at.end:
			c.at.end = max(c.at.end, n.end)
			c.spellings = append(c.spellings, n.spelling)
			n.advance()
		case taken < len(tokens) && tokens[taken].at.start < c.at.end:
			c.at.end = max(c.at.end, tokens[taken].at.end)
			taken++
		default:
			c.tokens = tokens[:taken]
			return c
		}
	}
}

// asserted are what the tokens assert literally.
func (c *cluster) asserted() []Candidate {
	var candidates []Candidate
	for _, t := range c.tokens {
		if t.asserts {
			candidates = append(candidates, t.candidate)
		}
	}
	return candidates
}

// asserts tells whether literal-1 would look at any of the tokens, or a spelled number has so many digits.
func (c *cluster) asserts(minDigits int) bool {
	for i := range c.spellings {
		if sp := &c.spellings[i]; sp.data || sp.rule == ruleNumber && countDigits(sp.named) >= minDigits {
			return true
		}
	}
	for _, t := range c.tokens {
		if t.asserts {
			return true
		}
	}
	return false
}

func (c *cluster) strict() bool {
	for i := range c.spellings {
		if !c.spellings[i].strict {
			return false
		}
	}
	return true
}

// spelledOut tells whether nothing stands in the cluster beside its spellings but what joins them.
func (c *cluster) spelledOut(text []byte) bool {
	at := c.at.start
	for i := range c.spellings {
		sp := &c.spellings[i]
		if !joins(text[at:max(at, sp.start)]) {
			return false
		}
		at = max(at, sp.end)
	}
	return joins(text[min(at, c.at.end):c.at.end])
}

// joins tells whether a text only joins spellings: the T and the zone of a stamp, the signs of ranges and amounts.
func joins(b []byte) bool {
	b = bytes.TrimLeft(b, "Tt")
	b = bytes.TrimRight(b, "Zz")
	if len(b) == 6 && (b[0] == '+' || b[0] == '-') && b[3] == ':' && isDigit(b[1]) {
		return true // the offset of a zone
	}
	const joining = "-/ ,.:+$#" + string(rune(noBreak))
	return len(bytes.Trim(b, joining)) == 0
}
