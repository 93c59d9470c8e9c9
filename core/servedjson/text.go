package servedjson

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Text is the text of a String, unescaped; of any other kind it is empty.
func (v Value) Text() string { return string(v.AppendText(nil)) }

// TextIs tells whether this is a String with the text.
func (v Value) TextIs(s string) bool {
	if v.Kind() != String {
		return false
	}
	body := v.body()
	if len(body) == len(s) {
		return string(body) == s && bytes.IndexByte(body, '\\') < 0
	}
	return bytes.IndexByte(body, '\\') >= 0 && v.Text() == s
}

// TextBytes is the text of a String. It is part of Raw when the string holds no escape and no invalid UTF-8, else it is
// built in buf's room, or in a new one.
func (v Value) TextBytes(buf []byte) []byte {
	if v.Kind() != String {
		return nil
	}
	body := v.body()
	if bytes.IndexByte(body, '\\') < 0 && utf8.Valid(body) {
		return body
	}
	return appendUnescaped(buf[:0], body)
}

// Escaped tells whether TextBytes builds the text: the String holds an escape or invalid UTF-8.
func (v Value) Escaped() bool {
	return v.Kind() == String && (bytes.IndexByte(v.raw, '\\') >= 0 || !utf8.Valid(v.raw))
}

// AppendText appends the text of a String.
func (v Value) AppendText(dst []byte) []byte {
	if v.Kind() != String {
		return dst
	}
	return appendUnescaped(dst, v.body())
}

func (v Value) body() []byte { return v.raw[1 : len(v.raw)-1] }

// appendUnescaped appends the text of a string's body, which was checked: escapes are resolved, what is not valid UTF-8
// and lone surrogates become U+FFFD.
func appendUnescaped(dst, body []byte) []byte {
	for len(body) > 0 {
		slash := bytes.IndexByte(body, '\\')
		if slash < 0 {
			return appendValid(dst, body)
		}
		dst = appendValid(dst, body[:slash])
		var n int
		dst, n = appendEscape(dst, body[slash:])
		body = body[slash+n:]
	}
	return dst
}

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

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// appendEscape resolves the escape that b opens with and gives its width.
func appendEscape(dst, b []byte) ([]byte, int) {
	if b[1] != 'u' {
		return append(dst, escapes[b[1]]), 2
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

// Float is a Number as a double: what is too large is infinite.
func (v Value) Float() float64 {
	if v.Kind() != Number {
		return 0
	}
	f, _ := strconv.ParseFloat(string(v.raw), 64) // the only error is a range error, and then f is infinite
	return f
}

// NumberText is a Number as ECMAScript prints it after parsing; see AppendJSNumber.
func (v Value) NumberText() string { return string(v.AppendNumber(nil)) }

// AppendNumber appends a Number as ECMAScript prints it after parsing.
func (v Value) AppendNumber(dst []byte) []byte {
	if plainInteger(v.raw) {
		return append(dst, v.raw...)
	}
	return AppendJSNumber(dst, v.Float())
}

// plainInteger tells whether a number prints as it is written: a whole number of at most 15 digits.
func plainInteger(raw []byte) bool {
	digits := raw
	if len(raw) > 0 && raw[0] == '-' {
		digits = raw[1:]
	}
	if len(digits) == 0 || len(digits) > 15 || digits[0] == '0' && len(raw) > 1 {
		return false
	}
	return skipDigits(digits, 0) == len(digits)
}

// AppendJSNumber appends a double the way ECMAScript's String(Number) does: the shortest digits that read back, an
// exponent only below 1e-6 or from 1e21, without zero padding (1e-7, 1e+21); negative zero is 0.
func AppendJSNumber(dst []byte, f float64) []byte {
	switch abs := math.Abs(f); {
	case f == 0:
		return append(dst, '0')
	case math.IsNaN(f):
		return append(dst, "NaN"...)
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	case abs >= 1e-6 && abs < 1e21:
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	if mark := bytes.LastIndexByte(dst[start:], 'e') + start; len(dst) == mark+4 && dst[mark+2] == '0' {
		dst = append(dst[:mark+2], dst[mark+3])
	}
	return dst
}

// AppendQuoted appends text as a JSON string with no escape that is not needed. What is not valid UTF-8 becomes U+FFFD.
func AppendQuoted(dst, text []byte) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	for start := 0; ; {
		i := plainRun(text, start)
		dst = appendValid(dst, text[start:i])
		if i >= len(text) {
			return append(dst, '"')
		}
		switch c := text[i]; c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, `\b`...)
		case '\f':
			dst = append(dst, `\f`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, `\u00`...)
			dst = append(dst, digits[c>>4], digits[c&15])
		}
		start = i + 1
	}
}

// ParseNumber reads a plain decimal number, which may have a plus sign or zeros in front, as a double.
func ParseNumber(b []byte) (float64, error) {
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, err
	}
	return f, nil
}
