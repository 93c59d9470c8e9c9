package servedjson_test

import (
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// FuzzPrefix: ReadPrefix gives what its plain twin gives; a longer text only adds leaves, and does not become JSON cut
// short when it was none; bytes that are no UTF-8 read as U+FFFD.
func FuzzPrefix(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		text = bounded(text)
		whole, ok := servedjson.ReadPrefix(text)
		if want, wantOK := plainPrefix(string(text)); ok != wantOK || !samePrefix(whole, want) {
			t.Fatalf("%q: got %+v %t, its twin %+v %t", text, whole, ok, want, wantOK)
		}
		if repaired, repairedOK := servedjson.ReadPrefix([]byte(string([]rune(string(text))))); repairedOK != ok || !samePrefix(repaired, whole) {
			t.Fatalf("%q: got %+v %t, repaired %+v %t", text, whole, ok, repaired, repairedOK)
		}
		for at := range text {
			holdLonger(t, text, at, whole, ok)
		}
	})
}

// holdLonger holds the reading of a text's first bytes to that of the whole text.
func holdLonger(t *testing.T, text []byte, at int, whole servedjson.Prefix, wholeOK bool) {
	t.Helper()
	short, ok := servedjson.ReadPrefix(text[:at])
	switch {
	case ok && wholeOK && (len(short.Leaves) > len(whole.Leaves) || !slices.Equal(short.Leaves, whole.Leaves[:len(short.Leaves)])):
		t.Fatalf("%q gives %q, and its first %d bytes %q", text, whole.Leaves, at, short.Leaves)
	case !ok && wholeOK && strings.Trim(string(text[:at]), " \n\r\t") != "":
		t.Fatalf("%q is JSON cut short, and its first %d bytes are not", text, at)
	}
}

func samePrefix(a, b servedjson.Prefix) bool {
	return slices.Equal(a.Leaves, b.Leaves) && a.Words == b.Words && a.HasWords == b.HasWords
}

var (
	jsonNumber  = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)
	numberStart = regexp.MustCompile(`^-?([0-9]+(\.[0-9]*)?([eE][+-]?[0-9]*)?)?$`)
)

// plainPrefix is the plain twin of ReadPrefix: the rule's words one after the other, over encoding/json and regular
// expressions.
func plainPrefix(text string) (p servedjson.Prefix, ok bool) {
	rest := strings.TrimLeft(text, " \n\r\t")
	if rest == "" || !strings.Contains("{[", rest[:1]) {
		return p, false
	}
	var open []byte
	for rest != "" {
		switch c := rest[0]; c {
		case ' ', '\n', '\r', '\t', ',', ':':
			rest = rest[1:]
		case '{', '[':
			if open = append(open, c); len(open) > servedjson.MaxDepth {
				return servedjson.Prefix{}, false
			}
			rest = rest[1:]
		case '}', ']':
			last := len(open) - 1
			if last < 1 || open[last] != map[byte]byte{'}': '{', ']': '['}[c] {
				return servedjson.Prefix{}, false
			}
			open, rest = open[:last], rest[1:]
		case '"':
			end := plainStringEnd(rest)
			if end < 0 {
				p.Words, p.HasWords = plainWords(rest)
				return p, true
			}
			var leaf string
			if json.Unmarshal([]byte(rest[:end]), &leaf) != nil {
				return servedjson.Prefix{}, false
			}
			p.Leaves, rest = append(p.Leaves, leaf), rest[end:]
		default:
			end := strings.IndexAny(rest, "{}[],:\" \n\r\t")
			if end < 0 {
				if !numberStart.MatchString(rest) && !startsWord(rest) {
					return servedjson.Prefix{}, false
				}
				return p, true
			}
			leaf, isLeaf, ok := plainLiteral(rest[:end])
			if !ok {
				return servedjson.Prefix{}, false
			}
			if isLeaf {
				p.Leaves = append(p.Leaves, leaf)
			}
			rest = rest[end:]
		}
	}
	return p, true
}

func plainStringEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return -1
}

func plainWords(s string) (words string, ok bool) {
	space := strings.LastIndex(s, " ")
	if space < 0 || json.Unmarshal([]byte(s[:space]+`"`), &words) != nil || strings.TrimFunc(words, isSpaceJS) == "" {
		return "", false
	}
	return words, true
}

// isSpaceJS is ECMAScript's white space and line ends, by their list in literal-1.md.
func isSpaceJS(r rune) bool {
	return strings.ContainsRune("\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff", r)
}

func plainLiteral(s string) (leaf string, isLeaf, ok bool) {
	switch {
	case s == "null":
		return "", false, true
	case s == "true", s == "false":
		return s, true, true
	case jsonNumber.MatchString(s):
		v, err := servedjson.Parse([]byte(s))
		return string(servedjson.AppendJSNumber(nil, v.Float())), true, err == nil
	}
	return "", false, false
}

func startsWord(s string) bool {
	return strings.HasPrefix("true", s) || strings.HasPrefix("false", s) || strings.HasPrefix("null", s)
}

// FuzzCut: an array or object that is cut anywhere reads as cut, its leaves are the first of the whole value's, and
// reading it as a value says that it ends too early.
func FuzzCut(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		text = bounded(text)
		values, _ := servedjson.LeadingValues(text)
		if len(values) == 0 {
			return
		}
		v := values[0]
		var leaves []string
		servedjson.Walk(v, func(leaf servedjson.Value, _ bool) {
			if leaf.Kind() != servedjson.Null {
				leaves = append(leaves, leaf.LeafText())
			}
		})
		for at := 1; at < len(v.Raw()); at++ {
			holdCut(t, v.Raw()[:at], leaves)
		}
	})
}

func holdCut(t *testing.T, cut []byte, leaves []string) {
	t.Helper()
	p, ok := servedjson.ReadPrefix(cut)
	if !ok || len(p.Leaves) > len(leaves) || !slices.Equal(p.Leaves, leaves[:len(p.Leaves)]) {
		t.Fatalf("%q gives %q %t, of %q", cut, p.Leaves, ok, leaves)
	}
	if _, err := servedjson.Parse(cut); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatalf("%q: %v", cut, err)
	}
}
