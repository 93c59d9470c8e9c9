package coverage

import (
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// shown says in brackets what stands where something else should, so that the author finds it.
func shown(v servedjson.Value) string {
	if v.IsZero() {
		return " (it is missing)"
	}
	return " (it is " + clip(string(compact(v))) + ")"
}

// shownLength is how much of a value a sentence shows, in UTF-16 units.
const shownLength = 57

// clip cuts a long text and marks the cut.
func clip(s string) string {
	n := 0
	for i, r := range s {
		if n += unitsOf(r); n > shownLength {
			return s[:i] + "…"
		}
	}
	return s
}

// units is the length of a text in UTF-16 units.
func units(s string) (n int) {
	for _, r := range s {
		n += unitsOf(r)
	}
	return n
}

func unitsOf(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

// trimmed is the text of a string without the white space around it, "" for anything else.
func trimmed(v servedjson.Value) string {
	return string(servedjson.TrimJS(v.TextBytes(nil)))
}

// blank tells whether the value is no string, or one of white space only.
func blank(v servedjson.Value) bool { return trimmed(v) == "" }

// missing tells whether the value is missing or null.
func missing(v servedjson.Value) bool { return v.IsZero() || v.Kind() == servedjson.Null }

// compact copies a value without the white space between its tokens.
func compact(v servedjson.Value) event.JSON {
	raw := v.Raw()
	out := make(event.JSON, 0, len(raw))
	inString := false
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if !inString && servedjson.IsSpace(c) {
			continue
		}
		out = append(out, c)
		switch {
		case c == '"':
			inString = !inString
		case c == '\\':
			i++
			out = append(out, raw[i])
		}
	}
	return out
}

// appendMember adds a key and its value to an object that is being written. The key needs no escape.
func appendMember(dst []byte, key string, value []byte) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	dst = append(append(append(dst, '"'), key...), `":`...)
	return append(dst, value...)
}

func quoted(s string) []byte { return servedjson.AppendQuoted(nil, []byte(s)) }
