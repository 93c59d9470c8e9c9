package servedjson

// AppendCompact appends a value without space around its tokens, and with every string in its one spelling: escapes only
// where they are needed, U+FFFD for what is no text. Numbers, the order of keys and repeated keys stay.
func AppendCompact(dst []byte, v Value) []byte {
	b := v.raw
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case classes[c]&classSpace != 0:
			i++
		case c == '"':
			end := stringEnd(b, i)
			dst = appendRespelled(dst, Value{b[i:end]})
			i = end
		default:
			dst = append(dst, c)
			i++
		}
	}
	return dst
}

func appendRespelled(dst []byte, s Value) []byte {
	if !s.Escaped() {
		return append(dst, s.raw...)
	}
	return AppendQuoted(dst, s.TextBytes(nil))
}
