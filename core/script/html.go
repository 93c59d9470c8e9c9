package script

import "strings"

// The seven kinds of HTML block of CommonMark 0.31, section 4.6, matter for one reason: a fence inside one is text.

// blockTags are the tags that begin an HTML block of the sixth kind.
var blockTags = func() map[string]bool {
	tags := map[string]bool{}
	for tag := range strings.FieldsSeq(`address article aside base basefont blockquote body caption center col colgroup dd
		details dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr
		html iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section summary table
		tbody td tfoot th thead title tr track ul`) {
		tags[tag] = true
	}
	return tags
}()

// htmlStart tells which kind of HTML block begins at the cursor, from 1, and 0 for none; the seventh cannot end a
// paragraph.
func (s *scanner) htmlStart(inParagraph bool) int {
	c := &s.cursor
	if c.indent > 3 || c.at(c.text) != '<' {
		return 0
	}
	line := c.rest(c.text)
	switch {
	case opensRaw(line):
		return 1
	case strings.HasPrefix(line, "<!--"):
		return 2
	case strings.HasPrefix(line, "<?"):
		return 3
	case strings.HasPrefix(line, "<![CDATA["):
		return 5
	case len(line) > 2 && line[1] == '!' && isLetter(line[2]):
		return 4
	case opensBlock(line):
		return 6
	case !inParagraph && isWholeTag(line):
		return 7
	}
	return 0
}

// rawTags hold text that is not Markdown until they are closed.
var rawTags = [...]string{"script", "pre", "style", "textarea"}

func opensRaw(line string) bool {
	name := tagName(line[1:])
	return isRaw(name) && (1+len(name) == len(line) || strings.IndexByte(" \t>", line[1+len(name)]) >= 0)
}

func isRaw(name string) bool {
	for _, tag := range rawTags {
		if strings.EqualFold(name, tag) {
			return true
		}
	}
	return false
}

// opensBlock tells whether a line begins with one of blockTags, opening or closing, and a space, the end of the line, >
// or /> behind its name.
func opensBlock(line string) bool {
	name := strings.TrimPrefix(line[1:], "/")
	rest := name[len(tagName(name)):]
	name = name[:len(name)-len(rest)]
	ends := rest == "" || isSpace(rest[0]) || rest[0] == '>' || strings.HasPrefix(rest, "/>")
	return ends && len(name) <= len("blockquote") && blockTags[strings.ToLower(name)]
}

func tagName(s string) string {
	i := 0
	for i < len(s) && (isLetter(s[i]) || i > 0 && (isDigit(s[i]) || s[i] == '-')) {
		i++
	}
	return s[:i]
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// isWholeTag tells whether a line is one complete opening or closing tag and nothing else; none of rawTags opens one.
func isWholeTag(line string) bool {
	if rest, ok := strings.CutPrefix(line, "</"); ok {
		name := tagName(rest)
		rest, closed := strings.CutPrefix(strings.TrimLeft(rest[len(name):], " \t"), ">")
		return name != "" && closed && trimSpaces(rest) == ""
	}
	name := tagName(line[1:])
	if name == "" || isRaw(name) {
		return false
	}
	rest := line[1+len(name):]
	for {
		trimmed := strings.TrimLeft(rest, " \t")
		if after, ok := strings.CutPrefix(strings.TrimPrefix(trimmed, "/"), ">"); ok {
			return trimSpaces(after) == ""
		}
		n := attribute(trimmed)
		if n == 0 || len(trimmed) == len(rest) {
			return false
		}
		rest = trimmed[n:]
	}
}

// attribute gives the width of the attribute that s begins with, 0 for none.
func attribute(s string) int {
	i := 0
	for i < len(s) && (isLetter(s[i]) || s[i] == '_' || s[i] == ':' || i > 0 && (isDigit(s[i]) || s[i] == '.' || s[i] == '-')) {
		i++
	}
	if i == 0 {
		return 0
	}
	rest := strings.TrimLeft(s[i:], " \t")
	if !strings.HasPrefix(rest, "=") {
		return i
	}
	rest = strings.TrimLeft(rest[1:], " \t")
	n := attributeValue(rest)
	if n == 0 {
		return 0
	}
	return len(s) - len(rest) + n
}

func attributeValue(s string) int {
	if s == "" {
		return 0
	}
	if s[0] == '"' || s[0] == '\'' {
		if end := strings.IndexByte(s[1:], s[0]); end >= 0 {
			return end + 2
		}
		return 0
	}
	i := 0
	for i < len(s) && strings.IndexByte(" \t\"'=<>`", s[i]) < 0 {
		i++
	}
	return i
}

// htmlEnds are what ends a block of each kind: one of rawTags closed, these bytes, or a blank line where there are none.
var htmlEnds = [...]string{1: "</", 2: "-->", 3: "?>", 4: ">", 5: "]]>", 7: ""}

// beginHTML opens an HTML block when one begins at the cursor, and ends it when its end stands on the same line.
func (s *scanner) beginHTML(inParagraph bool) bool {
	kind := s.htmlStart(inParagraph)
	if kind == 0 {
		return false
	}
	s.leaf = leafHTML
	s.htmlEnd = htmlEnds[kind]
	s.htmlLine()
	return true
}

// htmlLine takes a line of an open HTML block.
func (s *scanner) htmlLine() {
	if s.endsHTML() {
		s.leaf = leafNone
	}
}

func (s *scanner) endsHTML() bool {
	c := &s.cursor
	switch s.htmlEnd {
	case "":
		return c.blank()
	case "</":
		return closesRaw(c.rest(c.offset))
	}
	return strings.Contains(c.rest(c.offset), s.htmlEnd)
}

// closesRaw tells whether one of rawTags is closed anywhere in a line.
func closesRaw(line string) bool {
	for {
		_, after, found := strings.Cut(line, "</")
		if !found {
			return false
		}
		name := tagName(after)
		if isRaw(name) && strings.HasPrefix(after[len(name):], ">") {
			return true
		}
		line = after
	}
}
