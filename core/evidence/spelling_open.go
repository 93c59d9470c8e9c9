package evidence

// Most numbers and words of a text open no spelling, and what follows them tells. The questions of this file are asked
// first. They only spare work: what they refuse, every rule that reads text would refuse (TestOpensIsNoRule).

// mayOpen tells whether a spelling may begin at text[i], where a run of digits or of letters begins that ends at end, or
// another character stands.
func mayOpen(text []byte, i, end int) bool {
	switch kind := byteKinds[text[i]]; {
	case kind&kindDigit != 0:
		return mayOpenNumber(text, i, end)
	case kind&kindLetter != 0:
		return mayOpenWord(text, i, end)
	}
	return text[i] == '+' || text[i] == '('
}

// mayOpenWord tells whether letters may be a month, or the country of an IBAN.
func mayOpenWord(text []byte, i, end int) bool {
	switch {
	case end-i == 2:
		return isUpper(text[i]) && isUpper(text[i+1]) && isDigitAt(text, end)
	case end-i < 3 || end-i > len("september"):
		return false
	}
	switch [3]byte{text[i] | 0x20, text[i+1] | 0x20, text[i+2] | 0x20} {
	case [3]byte{'j', 'a', 'n'}, [3]byte{'f', 'e', 'b'}, [3]byte{'m', 'a', 'r'}, [3]byte{'a', 'p', 'r'}, [3]byte{'m', 'a', 'y'},
		[3]byte{'j', 'u', 'n'}, [3]byte{'j', 'u', 'l'}, [3]byte{'a', 'u', 'g'}, [3]byte{'s', 'e', 'p'}, [3]byte{'o', 'c', 't'},
		[3]byte{'n', 'o', 'v'}, [3]byte{'d', 'e', 'c'}:
		return true
	}
	return false
}

// mayOpenNumber tells whether digits may begin a date, a time, a code in groups, or a number in another dress.
func mayOpenNumber(text []byte, i, end int) bool {
	width := end - i
	switch {
	case width > 2 && text[i] == '0' && text[i+1] == '0':
		return true // the way out of a country
	case end == len(text):
		return false
	case width <= 2:
		return openers[text[end]]&endsShort == 0
	case width <= 5 && openers[text[end]]&groups != 0 && digitFollows(text, end):
		return true
	case width == 3 && (text[end] == '\'' || text[end] == 0xE2):
		return true
	}
	return mayMultiply(text, end)
}

// digitFollows tells whether a digit stands behind one or two of the signs between groups.
func digitFollows(text []byte, i int) bool {
	return isDigitAt(text, i+1) || i+1 < len(text) && openers[text[i+1]]&groups != 0 && isDigitAt(text, i+2)
}

// mayMultiply tells whether a sign of multiplication, or what may be the first byte of one, follows digits that end at
// text[end], and their fraction.
func mayMultiply(text []byte, end int) bool {
	if text[end] == '.' && isDigitAt(text, end+1) {
		end = digitsEnd(text, end+1)
	}
	end = skipSpaces(text, end)
	return end < len(text) && openers[text[end]]&multiplies != 0
}

// What a byte behind digits may mean.
const (
	groups     byte = 1 << iota // stands between groups of digits
	multiplies                  // may begin a sign of multiplication
	endsShort                   // nothing that one or two digits open goes on behind it
)

var openers = func() (t [256]byte) {
	for _, c := range []byte(" -./()\x01") {
		t[c] |= groups
	}
	for _, c := range []byte("xX*\\\xC2\xC3\xE2") {
		t[c] |= multiplies
	}
	for _, c := range []byte(",;!?%&=_#@$\"[]{}<>|~^\n\t") {
		t[c] |= endsShort
	}
	return t
}()

// wordEnd gives the end of the letters, in any case, from b[i] on.
func wordEnd(b []byte, i int) int {
	for i < len(b) && byteKinds[b[i]]&kindLetter != 0 {
		i++
	}
	return i
}
