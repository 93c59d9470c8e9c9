package servedjson

// LeadingValue gives the array or object that the text opens with, after JSON space, and what follows it (JSON space
// left out). The error is a *SyntaxError: it wraps io.ErrUnexpectedEOF when the text ends before the value does, and
// ErrTooDeep when it nests too deep; then rest is the text, JSON space in front left out. The value keeps the text's
// bytes. A longer text can turn only an io.ErrUnexpectedEOF into a value.
func LeadingValue(text []byte) (v Value, rest []byte, err error) {
	start := skipSpace(text, 0)
	if !opens(text, start) {
		return Value{}, text[start:], syntaxError(start, errBracket)
	}
	end, err := consumeValue(text, start)
	if err != nil {
		return Value{}, text[start:], syntaxError(end, err)
	}
	return Value{text[start:end]}, text[skipSpace(text, end):], nil
}

// LeadingValues gives the complete arrays and objects that the text opens with, with JSON space between them, and what
// follows the last (JSON space in front left out, also when there is no value). A value that is not complete, or that is
// no JSON, ends the reading (seed 000; literal-1.md, "served_json"). A longer text can only add values, never change
// one. The values keep the text's bytes.
//
// The first library finds the end of a value by counting brackets of either kind, then parses the span. Reading by the
// grammar finds the same end in one pass: JSON's brackets match, so the count is down to nothing just where the value
// ends, and a span that is no JSON ends the reading either way.
func LeadingValues(text []byte) (values []Value, rest []byte) {
	i := skipSpace(text, 0)
	for opens(text, i) {
		end, err := consumeValue(text, i)
		if err != nil {
			break
		}
		values = append(values, Value{text[i:end]})
		i = skipSpace(text, end)
	}
	return values, text[i:]
}

// opens tells whether an array or object opens at b[i].
func opens(b []byte, i int) bool { return i < len(b) && (b[i] == '{' || b[i] == '[') }
