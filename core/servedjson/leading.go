package servedjson

// LeadingValues gives the complete arrays and objects that the text opens with, with JSON space between them, and what
// follows the last (leading JSON space left out, also when there is no value). The end of a value is found by counting
// brackets of either kind outside strings; a span that is no JSON ends the reading (seed 000, literal-1 "served_json").
// A longer text can only add values, never change one. The values keep the text's bytes.
func LeadingValues(text []byte) (values []Value, rest []byte) {
	i := skipSpace(text, 0)
	for i < len(text) && (text[i] == '{' || text[i] == '[') {
		end := bracketEnd(text, i)
		if end < 0 {
			break
		}
		v, err := Parse(text[i:end])
		if err != nil {
			break
		}
		values = append(values, v)
		i = skipSpace(text, end)
	}
	return values, text[i:]
}
