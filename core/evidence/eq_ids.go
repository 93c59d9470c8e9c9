package evidence

import "bytes"

// The id-part rule: 7504069 is held by certificate_7504069. A whole component of an id that was read, of 4 characters or
// more with a digit, is held when all that stands before it is words. What stands inside a component never is.
//
// The hex rule: a UUID or a hex id is one value in any case, with or without braces, urn:uuid: and hyphens. The first 7
// or more digits of a full hash that was read are held; a longer hash is never held by its abbreviation.

// The kinds of keys of ids.
const (
	idPartKind = 'p'
	hexKind    = 'h'
)

// minHexPrefix is how many digits of a hash name it.
const minHexPrefix = 7

// maxIDRuns is how many runs of components to the end of an id stand for it. Each takes up to the id's length, so
// their number is what keeps an id of 100,000 words linear.
const maxIDRuns = 16

// visitIDParts visits what of an id may stand for it: each component, and each run of components to the end, behind
// words only.
func visitIDParts(token []byte, visit func(part []byte)) {
	runs := 0
	for i := 0; i < len(token); {
		end := componentEnd(token, i)
		if i > 0 {
			visitPart(token[i:end], visit)
			if end < len(token) && runs < maxIDRuns {
				runs++
				visitPart(token[i:], visit)
			}
		}
		if end == len(token) || lettersEnd(token, i) != end || end == i {
			return // what follows would drop more than words
		}
		i = end + 1
	}
}

func visitPart(part []byte, visit func([]byte)) {
	if len(part) >= minIdentifier && countDigits(part) > 0 {
		visit(part)
	}
}

func componentEnd(b []byte, i int) int {
	for i < len(b) && bytes.IndexByte([]byte("_-/#:"), b[i]) < 0 {
		i++
	}
	return i
}

// hexOf gives the digits of a token, in lower case, that is a UUID or a hex id of 7 digits or more. A number is one too:
// a hash may open with no letter.
func hexOf(token []byte) (digits []byte, ok bool) {
	token = bytes.TrimPrefix(token, []byte("urn:uuid:"))
	if algorithm := bytes.LastIndexByte(token, ':'); algorithm > 0 && isFullHash(len(token)-algorithm-1) {
		token = token[algorithm+1:] // sha256: and its like
	}
	token = bytes.TrimPrefix(token, []byte("0x"))
	uuid := isUUID(token)
	for _, c := range token {
		switch {
		case isDigit(c) || c >= 'a' && c <= 'f':
			digits = append(digits, c)
		case c == '-' && uuid:
		default:
			return nil, false
		}
	}
	return digits, len(digits) >= minHexPrefix
}

func isUUID(b []byte) bool {
	if len(b) != 36 {
		return false
	}
	for _, i := range [...]int{8, 13, 18, 23} {
		if b[i] != '-' {
			return false
		}
	}
	return true
}

// isFullHash tells whether so many hex digits are a whole hash: of MD5 or a UUID, SHA-1, SHA-256, SHA-384, SHA-512.
func isFullHash(digits int) bool {
	switch digits {
	case 32, 40, 64, 96, 128:
		return true
	}
	return false
}
