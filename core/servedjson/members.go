package servedjson

import "iter"

// Elements are the elements of an Array, in order; of any other kind there are none. Each is found by one scan of its
// bytes, so that going down through Elements and Members reads a byte once for each level it stands in; Walk reads it
// once.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.Kind() != Array {
			return
		}
		for i := skipSpace(v.raw, 1); v.raw[i] != ']'; {
			end := valueEnd(v.raw, i)
			if !yield(Value{v.raw[i:end]}) {
				return
			}
			i = nextItem(v.raw, end)
		}
	}
}

// Members are the keys and values of an Object, in the order of the text, repeated keys included; a key is a String.
func (v Value) Members() iter.Seq2[Value, Value] {
	return func(yield func(Value, Value) bool) {
		if v.Kind() != Object {
			return
		}
		for i := skipSpace(v.raw, 1); v.raw[i] != '}'; {
			keyEnd := stringEnd(v.raw, i)
			colon := skipSpace(v.raw, keyEnd)
			start := skipSpace(v.raw, colon+1)
			end := valueEnd(v.raw, start)
			if !yield(Value{v.raw[i:keyEnd]}, Value{v.raw[start:end]}) {
				return
			}
			i = nextItem(v.raw, end)
		}
	}
}

// Offset is where a value that was reached through Members or Elements begins in this one, in bytes.
func (v Value) Offset(inner Value) int { return cap(v.raw) - cap(inner.raw) }

// nextItem gives the place of the next element or key after the value that ends at i, or of the closing bracket.
func nextItem(b []byte, i int) int {
	i = skipSpace(b, i)
	if b[i] == ',' {
		i = skipSpace(b, i+1)
	}
	return i
}

// Len is the number of elements of an Array or of members of an Object, else 0.
func (v Value) Len() int {
	n := 0
	switch v.Kind() {
	case Array:
		for range v.Elements() {
			n++
		}
	case Object:
		for range v.Members() {
			n++
		}
	}
	return n
}

// Get is the value of an Object's key: of a repeated key the last one, as JSON.parse keeps it.
func (v Value) Get(name string) (found Value, ok bool) {
	for key, value := range v.Members() {
		if key.TextIs(name) {
			found, ok = value, true
		}
	}
	return found, ok
}

// valueEnd is the end of the value at b[i], which was checked before.
func valueEnd(b []byte, i int) int {
	switch b[i] {
	case '"':
		return stringEnd(b, i)
	case '{', '[':
		return bracketEnd(b, i)
	}
	return literalEnd(b, i)
}

// literalEnd is the end of the literal at b[i]: what ends it is a bracket, a comma, a colon, a quote or JSON space.
func literalEnd(b []byte, i int) int {
	for i < len(b) && classes[b[i]]&classStop == 0 {
		i++
	}
	return i
}

// stringEnd is the end of the string at b[i], or -1 when the text ends first. Escapes are skipped, not checked: a
// backslash takes the next byte with it.
func stringEnd(b []byte, i int) int {
	for i++; i+wordSize <= len(b); {
		marks := markQuoteOrSlash(load(b, i))
		if marks == 0 {
			i += wordSize
			continue
		}
		i += lowest(marks)
		if b[i] == '"' {
			return i + 1
		}
		i += 2
	}
	return stringEndRest(b, i)
}

// stringEndRest is the end of the string that is open at b[i]. It is the plain twin of stringEnd's loop.
func stringEndRest(b []byte, i int) int {
	for i < len(b) {
		switch b[i] {
		case '"':
			return i + 1
		case '\\':
			i += 2
		default:
			i++
		}
	}
	return -1
}

// bracketEnd is the end of the checked array or object at b[i], found by counting brackets outside strings.
func bracketEnd(b []byte, i int) int {
	for depth := 0; ; {
		switch b[i] {
		case '"':
			i = stringEnd(b, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
}
