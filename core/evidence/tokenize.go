package evidence

// byteKind sorts bytes for the tokenizer, the normalizer and the rules that read tokens. Every byte that is not ASCII
// separates.
type byteKind uint16

const (
	kindToken    byteKind = 1 << iota // A-Z a-z 0-9 : _ - / . % + @ # $
	kindComma                         // part of a token between two digits, else it separates
	kindLeading                       // of the run stripped in front: $ # @ + ' " ` ( [ { <
	kindTrailing                      // of the run stripped behind: . , ; : ! ? % ' " ` ) ] } >
	kindUpper                         // A-Z
	kindDigit                         // 0-9
	kindLetter                        // A-Z a-z
	kindX                             // x X, between the numbers of a size
	kindPoint                         // .
	kindJoin                          // - _
	kindApart                         // what sets a component of an id apart: / : # @
)

var byteKinds = func() (t [256]byteKind) {
	mark := func(kind byteKind, set string) {
		for _, c := range []byte(set) {
			t[c] |= kind
		}
	}
	mark(kindToken|kindLetter|kindUpper, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	mark(kindToken|kindLetter, "abcdefghijklmnopqrstuvwxyz")
	mark(kindToken|kindDigit, "0123456789")
	mark(kindToken, ":_-/.%+@#$")
	mark(kindX, "xX")
	mark(kindPoint, ".")
	mark(kindJoin, "-_")
	mark(kindApart, "/:#@")
	mark(kindComma, ",")
	mark(kindLeading, "$#@+'\"`([{<")
	mark(kindTrailing, ".,;:!?%'\"`)]}>")
	return t
}()

// Tokenizer gives the tokens of a text, each in its one spelling, and where each stands. It reads the text once, keeps
// it, and does not allocate once its buffer has grown to the longest token. Its zero value has no token.
type Tokenizer struct {
	text []byte
	next int // where to look for the next piece
	// kinds are those of the bytes of the last token and of what was stripped around it.
	kinds byteKind
	normalizer
}

// NewTokenizer is a tokenizer over the text.
func NewTokenizer(text []byte) *Tokenizer { return &Tokenizer{text: text} }

// Reset starts over with another text and keeps the buffer.
func (z *Tokenizer) Reset(text []byte) { z.text, z.next = text, 0 }

// Next gives the next token: its spelling, valid until the next call, and the byte offsets in the text of what is left
// of it after stripping. The spelling is part of the text when nothing changes. Tokens that strip to nothing are left
// out. ok is false at the end.
func (z *Tokenizer) Next() (token []byte, start, end int, ok bool) {
	for {
		low, high, kinds := z.piece()
		if low == high {
			return nil, 0, 0, false
		}
		if low, high = withoutRuns(z.text, low, high); low < high {
			z.kinds = kinds
			return z.spell(z.text[low:high], kinds), low, high, true
		}
	}
}

// kindsOf gives the kinds of the bytes of the last token, maybe more, of which so many bytes were read. A number may be
// spelt with other bytes than it was written with: 0.0000001 is 1e-7.
func (z *Tokenizer) kindsOf(token []byte, read int) (kinds byteKind) {
	if len(token) == read {
		return z.kinds
	}
	for _, c := range token {
		kinds |= byteKinds[c]
	}
	return kinds
}

// piece gives the next run of token bytes, split at a comma that lacks a digit on at least one side, and the kinds of
// bytes in it; an empty one at the end.
func (z *Tokenizer) piece() (low, high int, kinds byteKind) {
	rest, i := z.text[z.next:], 0
	for i < len(rest) && byteKinds[rest[i]]&kindToken == 0 {
		i++
	}
	first := i
	for ; i < len(rest); i++ {
		kind := byteKinds[rest[i]]
		if kind&kindToken == 0 && (kind&kindComma == 0 || !betweenDigits(rest, i)) {
			break
		}
		kinds |= kind
	}
	low, high = z.next+first, z.next+i
	z.next = high
	return low, high, kinds
}

// betweenDigits tells whether both neighbours of text[i] are digits.
func betweenDigits(text []byte, i int) bool {
	return i > 0 && i+1 < len(text) && isDigit(text[i-1]) && isDigit(text[i+1])
}

// Tokenize gives the tokens of a text (literal-1, "normalize").
func Tokenize(text string) []string {
	tokens := []string{}
	z := NewTokenizer([]byte(text))
	for {
		token, _, _, ok := z.Next()
		if !ok {
			return tokens
		}
		tokens = append(tokens, string(token))
	}
}
