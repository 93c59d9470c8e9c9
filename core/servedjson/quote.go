package servedjson

// AppendQuoted appends text as a JSON string with no escape that is not needed. What is not valid UTF-8 becomes U+FFFD.
func AppendQuoted(dst, text []byte) []byte {
	dst = append(dst, '"')
	for start := 0; ; {
		i := skipPlain(text, start)
		dst = appendValid(dst, text[start:i])
		if i == len(text) {
			return append(dst, '"')
		}
		dst = appendEscaped(dst, text[i])
		start = i + 1
	}
}

// appendEscaped appends the shortest escape of a quote, a backslash or a control character.
func appendEscaped(dst []byte, c byte) []byte {
	const digits = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
}
