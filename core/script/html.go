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

// htmlStart tells which kind of HTML block begins at the cursor, -1 for none; the seventh cannot end a paragraph.
func (s *scanner) htmlStart(inParagraph bool) int {
	c := &s.cursor
	if c.indent > 3 || c.at(c.text) != '<' {
		return -1
	}
	line := s.answer[c.text:c.end]
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
	case blockTags[strings.ToLower(tagName(strings.TrimPrefix(line[1:], "/")))] && endsTagName(line):
		return 6
	case !inParagraph && isWholeTag(line):
		return 7
	}
	return -1
}

// rawTags hold text that is not Markdown until they are closed.
var rawTags = [...]string{"script", "pre", "style", "textarea"}

func opensRaw(line string) bool {
	name := strings.ToLower(tagName(line[1:]))
	for _, tag := range rawTags {
		if after := 1 + len(tag); name == tag && (after == len(line) || strings.IndexByte(" \t>", line[after]) >= 0) {
			return true
		}
	}
	return false
}

func tagName(s string) string {
	i := 0
	for i < len(s) && (isLetter(s[i]) || i > 0 && (s[i] >= '0' && s[i] <= '9' || s[i] == '-')) {
		i++
	}
	return s[:i]
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// endsTagName tells whether the tag's name is followed by a space, the end of the line, > or />.
func endsTagName(line string) bool {
	rest := strings.TrimPrefix(line[1:], "/")
	rest = rest[len(tagName(rest)):]
	return rest == "" || rest[0] == ' ' || rest[0] == '\t' || rest[0] == '>' || strings.HasPrefix(rest, "/>")
}

// isWholeTag tells whether a line is one complete opening or closing tag and nothing else.
func isWholeTag(line string) bool {
	if rest, ok := strings.CutPrefix(line, "</"); ok {
		name := tagName(rest)
		rest, closed := strings.CutPrefix(strings.TrimLeft(rest[len(name):], " \t"), ">")
		return name != "" && closed && trimSpaces(rest) == ""
	}
	name := tagName(line[1:])
	rest := line[1+len(name):]
	for name != "" {
		trimmed := strings.TrimLeft(rest, " \t")
		if after, ok := strings.CutPrefix(strings.TrimPrefix(trimmed, "/"), ">"); ok {
			return trimSpaces(after) == ""
		}
		if len(trimmed) == len(rest) {
			return false
		}
		n := attribute(trimmed)
		if n == 0 {
			return false
		}
		rest = trimmed[n:]
	}
	return false
}

// attribute gives the width of the attribute that s begins with, 0 for none.
func attribute(s string) int {
	i := 0
	for i < len(s) && (isLetter(s[i]) || s[i] == '_' || s[i] == ':' || i > 0 && (s[i] >= '0' && s[i] <= '9' || s[i] == '.' || s[i] == '-')) {
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

// htmlEnds are what ends a block of each kind; of the sixth and seventh it is a blank line.
var htmlEnds = [...]string{2: "-->", 3: "?>", 4: ">", 5: "]]>", 7: ""}

// beginHTML opens an HTML block when one begins at the cursor.
func (s *scanner) beginHTML(inParagraph bool) bool {
	kind := s.htmlStart(inParagraph)
	if kind < 0 {
		return false
	}
	s.htmlEnd = htmlEnds[kind]
	if kind == 1 {
		s.htmlEnd = "</"
	}
	return true
}

// endHTMLAtOnce ends an HTML block whose end stands on its first line.
func (s *scanner) endHTMLAtOnce() {
	if s.htmlEnd != "" && s.endsHTML() {
		s.leaf = leafNone
	}
}

// htmlLine takes a line of an open HTML block.
func (s *scanner) htmlLine() {
	if s.htmlEnd == "" && s.cursor.blank() || s.htmlEnd != "" && s.endsHTML() {
		s.leaf = leafNone
	}
}

func (s *scanner) endsHTML() bool {
	line := s.answer[s.cursor.offset:s.cursor.end]
	if s.htmlEnd != "</" {
		return strings.Contains(line, s.htmlEnd)
	}
	low := strings.ToLower(line)
	for _, tag := range rawTags {
		if strings.Contains(low, "</"+tag+">") {
			return true
		}
	}
	return false
}
