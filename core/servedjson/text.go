package servedjson

import (
	"bytes"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// Text is the text of a String, unescaped; of any other kind it is empty.
func (v Value) Text() string {
	if v.Kind() != String {
		return ""
	}
	body := v.body()
	if readsAsWritten(body) {
		return string(body)
	}
	return string(appendUnescaped(make([]byte, 0, len(body)), body))
}

// TextIs tells whether this is a String with the text.
func (v Value) TextIs(s string) bool {
	if v.Kind() != String {
		return false
	}
	if body := v.body(); readsAsWritten(body) {
		return string(body) == s
	}
	var room [64]byte
	return string(v.AppendText(room[:0])) == s
}

// TextBytes is the text of a String. It is part of Raw when the string is written as it reads (see Escaped), else it is
// built in buf's room, or in a new one.
func (v Value) TextBytes(buf []byte) []byte {
	if v.Kind() != String {
		return nil
	}
	body := v.body()
	if readsAsWritten(body) {
		return body
	}
	return appendUnescaped(buf[:0], body)
}

// Escaped tells whether a String's text differs from what is written: it holds an escape or invalid UTF-8.
func (v Value) Escaped() bool { return v.Kind() == String && !readsAsWritten(v.body()) }

// AppendText appends the text of a String.
func (v Value) AppendText(dst []byte) []byte {
	if v.Kind() != String {
		return dst
	}
	if body := v.body(); readsAsWritten(body) {
		return append(dst, body...)
	}
	return appendUnescaped(dst, v.body())
}

func (v Value) body() []byte { return v.raw[1 : len(v.raw)-1] }

// readsAsWritten tells whether a string's body is its text: it holds no backslash and is valid UTF-8.
func readsAsWritten(body []byte) bool {
	i, marks := 0, uint64(0)
	for ; i+wordSize <= len(body); i += wordSize {
		w := load(body, i)
		marks |= markSlash(w) | w&highs
	}
	for ; i < len(body); i++ {
		if c := body[i]; c == '\\' || c >= utf8.RuneSelf {
			marks |= 1
		}
	}
	return marks == 0 || bytes.IndexByte(body, '\\') < 0 && utf8.Valid(body)
}

// appendUnescaped appends the text of a string's body, which was checked: escapes are resolved, what is not valid UTF-8
// and lone surrogates become U+FFFD.
func appendUnescaped(dst, body []byte) []byte {
	dst = slices.Grow(dst, len(body))
	valid := utf8.Valid(body)
	for len(body) > 0 {
		slash := bytes.IndexByte(body, '\\')
		if slash < 0 {
			slash = len(body)
		}
		if valid {
			dst = append(dst, body[:slash]...)
		} else {
			dst = appendValid(dst, body[:slash])
		}
		if slash == len(body) {
			return dst
		}
		var n int
		dst, n = appendEscape(dst, body[slash:])
		body = body[slash+n:]
	}
	return dst
}

// appendValid appends text with each byte that is not valid UTF-8 as U+FFFD.
func appendValid(dst, b []byte) []byte {
	if utf8.Valid(b) {
		return append(dst, b...)
	}
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		dst = utf8.AppendRune(dst, r)
		b = b[n:]
	}
	return dst
}

// escaped is what a backslash and a character stand for, 0 for what is no such escape.
var escaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// appendEscape resolves the escape that b opens with and gives its width.
func appendEscape(dst, b []byte) (text []byte, width int) {
	if b[1] != 'u' {
		return append(dst, escaped[b[1]]), 2
	}
	first := rune(hex4(b[2:]))
	if !utf16.IsSurrogate(first) {
		return utf8.AppendRune(dst, first), 6
	}
	if len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
		if both := utf16.DecodeRune(first, rune(hex4(b[8:]))); both != utf8.RuneError {
			return utf8.AppendRune(dst, both), 12
		}
	}
	return utf8.AppendRune(dst, utf8.RuneError), 6
}

// hex4 is the number that four hexadecimal digits write.
func hex4(b []byte) (n uint16) {
	for _, c := range b[:4] {
		switch {
		case c <= '9':
			c -= '0'
		case c <= 'F':
			c -= 'A' - 10
		default:
			c -= 'a' - 10
		}
		n = n<<4 | uint16(c)
	}
	return n
}
