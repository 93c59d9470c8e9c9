package script

// leaf is the open block that text goes into, other than a fence.
type leaf int

const (
	leafNone leaf = iota
	leafParagraph
	leafHTML
)

// textLine takes what is left of the line after its containers.
func (s *scanner) textLine() {
	c := &s.cursor
	inParagraph := s.leaf == leafParagraph
	if c.blank() {
		s.leaf = leafNone
		return
	}
	s.fill()
	switch {
	case c.indent > 3 && !inParagraph: // indented code
		s.leaf = leafNone
	case s.beginHTML(inParagraph):
	case s.isHeading() || s.isThematicBreak() || inParagraph && s.isUnderline():
		s.leaf = leafNone
	default:
		s.paragraphLine()
	}
}

// beginsLeaf tells whether the line begins a block that ends a paragraph, other than a fence and a container.
func (s *scanner) beginsLeaf() bool {
	return s.isHeading() || s.isThematicBreak() || s.htmlStart(true) > 0
}

// paragraphLine takes the line as text of the open paragraph, or of a new one.
func (s *scanner) paragraphLine() {
	c := &s.cursor
	begins := s.leaf != leafParagraph
	if begins {
		s.leaf = leafParagraph
		s.paragraph = s.paragraph[:0]
	}
	if len(s.paragraph) > 0 || begins && c.at(c.text) == '[' {
		s.paragraph = append(append(s.paragraph, s.answer[c.text:c.end]...), '\n')
	}
}

// isThematicBreak tells whether the line is three or more of * - or _ with nothing but spaces between.
func (s *scanner) isThematicBreak() bool {
	c := &s.cursor
	char := c.at(c.text)
	if c.indent > 3 || char != '*' && char != '-' && char != '_' || c.text < c.noBreak {
		return false
	}
	n := 0
	for i, b := range []byte(c.rest(c.text)) {
		switch {
		case b == char:
			n++
		case !isSpace(b):
			c.noBreak = c.text + i
			return false
		}
	}
	if n < 3 {
		c.noBreak = c.end
	}
	return n >= 3
}

// isHeading tells whether the line is a heading: one to six # and a space or the end of the line.
func (s *scanner) isHeading() bool {
	c := &s.cursor
	if c.indent > 3 || c.at(c.text) != '#' {
		return false
	}
	after := c.text + c.run(c.text)
	return after-c.text <= 6 && (after == c.end || isSpace(c.at(after)))
}

// isUnderline tells whether the line makes the paragraph above it a heading. A paragraph of nothing but link reference
// definitions has no text to make one of: the line is text then, and the next such line is an underline.
func (s *scanner) isUnderline() bool {
	c := &s.cursor
	char := c.at(c.text)
	if c.indent > 3 || char != '=' && char != '-' || trimSpaces(c.rest(c.text+c.run(c.text))) != "" {
		return false
	}
	return len(s.paragraph) == 0 || !onlyDefinitions(string(s.paragraph))
}
