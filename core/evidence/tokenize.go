package evidence

// byteKind sorts bytes for the tokenizer. Every byte that is not ASCII separates.
type byteKind uint8

const (
	kindToken    byteKind = 1 << iota // A-Z a-z 0-9 : _ - / . , % + @ # $
	kindLeading                       // of the run stripped in front: $ # @ + ' " ` ( [ { <
	kindTrailing                      // of the run stripped behind: . , ; : ! ? % ' " ` ) ] } >
)

var byteKinds = func() (t [256]byteKind) {
	for c := range 128 {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			t[c] |= kindToken
		}
	}
	for _, c := range []byte(":_-/.,%+@#$") {
		t[c] |= kindToken
	}
	for _, c := range []byte("$#@+'\"`([{<") {
		t[c] |= kindLeading
	}
	for _, c := range []byte(".,;:!?%'\"`)]}>") {
		t[c] |= kindTrailing
	}
	return t
}()

// Tokenizer gives the tokens of a text, each in its one spelling, and where each stands. It reads the text once, keeps
// it, and does not allocate once its buffer has grown to the longest token. Its zero value has no token.
type Tokenizer struct {
	text []byte
	next int // where to look for the next piece
	normalizer
}

// NewTokenizer is a tokenizer over the text.
func NewTokenizer(text []byte) *Tokenizer { return &Tokenizer{text: text} }

// Reset starts over with another text and keeps the buffer.
func (z *Tokenizer) Reset(text []byte) { z.text, z.next = text, 0 }

// Next gives the next token: its spelling, valid until the next call, and the byte offsets in the text of what is left
// of it after stripping. Tokens that strip to nothing are left out. ok is false at the end.
func (z *Tokenizer) Next() (token []byte, start, end int, ok bool) {
	for {
		low, high := z.piece()
		if low == high {
			return nil, 0, 0, false
		}
		value, from, to := z.normalize(z.text[low:high])
		if len(value) > 0 {
			return value, low + from, low + to, true
		}
	}
}

// piece gives the next run of token bytes, split at a comma that lacks a digit on at least one side; an empty one at
// the end.
func (z *Tokenizer) piece() (low, high int) {
	text, i := z.text, z.next
	for i < len(text) && (byteKinds[text[i]]&kindToken == 0 || splits(text, i)) {
		i++
	}
	low = i
	for i < len(text) && byteKinds[text[i]]&kindToken != 0 && !splits(text, i) {
		i++
	}
	z.next = i
	return low, i
}

// splits tells whether text[i] is a comma without a digit on both sides.
func splits(text []byte, i int) bool { return text[i] == ',' && !betweenDigits(text, i) }

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
