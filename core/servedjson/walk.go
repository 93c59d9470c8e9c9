package servedjson

// Walk visits the keys and the leaves of a value in the order of the text, in one pass, repeated keys included. A key is
// a String; a leaf is a String, Number, True, False or Null. It keeps nothing and makes no room.
func Walk(v Value, visit func(leaf Value, isKey bool)) {
	b := v.raw
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == '"':
			end := stringEnd(b, i)
			visit(Value{b[i:end]}, isColon(b, end))
			i = end
		case classes[c]&classStop != 0:
			i++
		default:
			end := literalEnd(b, i)
			visit(Value{b[i:end]}, false)
			i = end
		}
	}
}

// isColon tells whether a colon is the next byte at or after i that is not JSON space.
func isColon(b []byte, i int) bool {
	i = skipSpace(b, i)
	return i < len(b) && b[i] == ':'
}
