package servedjson

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
