package servedjson

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// MaxDepth is how many arrays and objects may be open at once; deeper text is not read as JSON (readers.md, last
// section). No input can use up the stack.
const MaxDepth = 1000

// ErrTooDeep is wrapped by the error of a text that nests deeper than MaxDepth.
var ErrTooDeep = errors.New("nested deeper than 1000 levels")

// SyntaxError says where a text stops being JSON, and why. It wraps io.ErrUnexpectedEOF when the text ends before the
// value does, so that a longer text may be JSON, and ErrTooDeep when the value nests too deep.
type SyntaxError struct {
	Offset int // in bytes
	Reason string
	cause  error
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Reason) }

// Unwrap gives the cause, which says what kind of error it is.
func (e *SyntaxError) Unwrap() error { return e.cause }

// syntaxError says where and why a consumer stopped.
func syntaxError(offset int, cause error) *SyntaxError {
	reason := cause.Error()
	if errors.Is(cause, io.ErrUnexpectedEOF) {
		reason = "the text ends before the value does"
	}
	return &SyntaxError{Offset: offset, Reason: reason, cause: cause}
}

// Why a consumer stops. Each gives the place where it stopped with one of these, ErrTooDeep or io.ErrUnexpectedEOF.
var (
	errValue   = errors.New("not the beginning of a JSON value")
	errControl = errors.New("a control character in a string")
	errEscape  = errors.New("an unknown escape in a string")
	errDigit   = errors.New("a number lacks a digit")
	errZero    = errors.New("a number begins with a zero too many")
	errKey     = errors.New("want a key")
	errColon   = errors.New("want a colon after the key")
	errArray   = errors.New("want a comma or ]")
	errObject  = errors.New("want a comma or }")
	errMore    = errors.New("more text after the value")
)

// consumeString gives the end of the string that opens at b[i].
func consumeString(b []byte, i int) (end int, err error) {
	for i++; i+wordSize <= len(b); {
		marks := markStringEnd(load(b, i))
		if marks == 0 {
			i += wordSize
			continue
		}
		i += lowest(marks)
		if b[i] == '"' {
			return i + 1, nil
		}
		if i, err = consumeEscape(b, i); err != nil {
			return i, err
		}
	}
	return consumeStringRest(b, i)
}

// consumeStringRest gives the end of the string that is open at b[i]. It is the plain twin of consumeString's loop.
func consumeStringRest(b []byte, i int) (end int, err error) {
	for {
		i = skip(b, i, classString)
		if i == len(b) {
			return i, io.ErrUnexpectedEOF
		}
		if b[i] == '"' {
			return i + 1, nil
		}
		if i, err = consumeEscape(b, i); err != nil {
			return i, err
		}
	}
}

// consumeEscape gives the end of the escape at b[i], where a string cannot go on as it is.
func consumeEscape(b []byte, i int) (end int, err error) {
	if b[i] != '\\' {
		return i, errControl
	}
	if i+1 == len(b) {
		return len(b), io.ErrUnexpectedEOF
	}
	if b[i+1] != 'u' {
		if escaped[b[i+1]] == 0 {
			return i, errEscape
		}
		return i + 2, nil
	}
	for at := i + 2; at < i+6; at++ {
		if at == len(b) {
			return len(b), io.ErrUnexpectedEOF
		}
		if classes[b[at]]&classHex == 0 {
			return i, errEscape
		}
	}
	return i + 6, nil
}

// consumeNumber gives the end of the number that begins at b[i].
func consumeNumber(b []byte, i int) (end int, err error) {
	if i < len(b) && b[i] == '-' {
		i++
	}
	whole := i
	if i = skipDigits(b, i); i == whole {
		return i, noDigit(b, i)
	}
	if b[whole] == '0' && i > whole+1 {
		return whole + 1, errZero
	}
	if i < len(b) && b[i] == '.' {
		fraction := i + 1
		if i = skipDigits(b, fraction); i == fraction {
			return i, noDigit(b, i)
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		return consumeExponent(b, i)
	}
	return i, nil
}

// consumeExponent gives the end of the exponent whose e is at b[i].
func consumeExponent(b []byte, i int) (end int, err error) {
	i++
	if i < len(b) && (b[i] == '+' || b[i] == '-') {
		i++
	}
	if end = skipDigits(b, i); end == i {
		return i, noDigit(b, i)
	}
	return end, nil
}

// noDigit says why there is no digit at b[i].
func noDigit(b []byte, i int) error {
	if i == len(b) {
		return io.ErrUnexpectedEOF
	}
	return errDigit
}

// consumeWord gives the end of the true, false or null at b[i].
func consumeWord(b []byte, i int) (end int, err error) {
	switch {
	case stands(b, i, "true"), stands(b, i, "null"):
		return i + 4, nil
	case stands(b, i, "false"):
		return i + 5, nil
	}
	rest := string(b[i:min(i+len("false"), len(b))])
	for _, word := range [...]string{"true", "false", "null"} {
		if strings.HasPrefix(word, rest) {
			return len(b), io.ErrUnexpectedEOF
		}
	}
	return i, errValue
}

// stands tells whether the word stands at b[i].
func stands(b []byte, i int, word string) bool {
	return len(b)-i >= len(word) && string(b[i:i+len(word)]) == word
}

// consumeLiteral gives the end of the number, true, false or null at b[i].
func consumeLiteral(b []byte, i int) (end int, err error) {
	if c := b[i]; c == '-' || classes[c]&classDigit != 0 {
		return consumeNumber(b, i)
	}
	return consumeWord(b, i)
}
