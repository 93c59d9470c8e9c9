package script

// maxContainers is how many quotes and list items may stand in each other; deeper markers are text. It keeps the scan
// linear for any input.
const maxContainers = 64

// container is an open block quote or list item.
type container struct {
	item    bool
	columns int  // of a list item: how far its content is indented
	empty   bool // a list item whose first line held nothing yet
}

// leaf is the open block that text goes into, other than a fence.
type leaf int

const (
	leafNone leaf = iota
	leafParagraph
	leafHTML
)

// scanner reads an answer line by line and keeps what is open (CommonMark 0.31, appendix "Phase 1: block structure").
type scanner struct {
	answer     string
	next       int // where the next line begins
	cursor     cursor
	containers []container
	leaf       leaf
	htmlEnd    string // of an HTML block: what ends it, empty: a blank line
	fence      *fence
	blocks     []Block
}

// line reads one line.
func (s *scanner) line() {
	start := s.next
	end := start
	for end < len(s.answer) && s.answer[end] != '\n' && s.answer[end] != '\r' {
		end++
	}
	s.next = lineEnd(s.answer, end)
	s.cursor = cursor{answer: s.answer, end: end, offset: start}
	s.cursor.look()

	matched := s.matchContainers()
	if s.fence != nil && matched >= s.fence.depth {
		s.fenceLine()
		return
	}
	if s.fence != nil {
		s.endFence(start)
	}
	s.blockLine(matched)
}

// lineEnd gives where the line ending at i ends: LF, CR, or both.
func lineEnd(answer string, i int) int {
	if i < len(answer) && answer[i] == '\r' {
		i++
		if i < len(answer) && answer[i] == '\n' {
			i++
		}
		return i
	}
	return min(i+1, len(answer))
}

func (s *scanner) fenceLine() {
	if !s.closesFence() {
		s.addContent()
		return
	}
	s.fence.block.Closed = true
	s.endFence(s.next)
}

// matchContainers moves the cursor behind the markers of the open containers that the line continues, and gives how many
// those are.
func (s *scanner) matchContainers() int {
	for i := range s.containers {
		k := &s.containers[i]
		c := &s.cursor
		switch {
		case !k.item:
			if c.indent > 3 || c.at(c.text) != '>' {
				return i
			}
			s.skipQuoteMarker()
		case c.blank():
			if k.empty {
				return i
			}
			c.skipTo(0)
		case c.indent >= k.columns:
			c.skipColumns(k.columns)
		default:
			return i
		}
	}
	return len(s.containers)
}

func (s *scanner) skipQuoteMarker() {
	s.cursor.skipTo(1)
	if s.cursor.indent > 0 {
		s.cursor.skipColumns(1)
	}
}

// blockLine reads a line outside a fence: the containers it opens, then what it begins or goes on with.
func (s *scanner) blockLine(matched int) {
	all := len(s.containers)
	paragraph := s.leaf == leafParagraph
	if s.leaf == leafHTML && matched == all {
		s.htmlLine()
		return
	}
	opened := s.openContainers(matched, paragraph)
	if s.fence != nil {
		return
	}
	c := &s.cursor
	if paragraph && !opened && matched < all && !c.blank() && !s.beginsLeaf(true) {
		return // the paragraph goes on without its containers' markers
	}
	if !opened && matched < all {
		s.containers = s.containers[:matched]
	}
	s.textLine(paragraph && !opened && matched == all)
}

// textLine takes what is left of the line after its containers.
func (s *scanner) textLine(inParagraph bool) {
	c := &s.cursor
	if c.blank() {
		s.leaf = leafNone
		return
	}
	for i := range s.containers {
		s.containers[i].empty = false
	}
	switch {
	case c.indent > 3:
		if !inParagraph {
			s.leaf = leafNone // indented code
		}
	case s.beginHTML(inParagraph):
		s.leaf = leafHTML
		s.endHTMLAtOnce()
	case s.isHeading() || s.isThematicBreak() || inParagraph && s.isUnderline():
		s.leaf = leafNone
	default:
		s.leaf = leafParagraph
	}
}

// beginsLeaf tells whether the line begins a block that ends a paragraph.
func (s *scanner) beginsLeaf(inParagraph bool) bool {
	return s.cursor.indent <= 3 && (s.isHeading() || s.isThematicBreak() || s.htmlStart(inParagraph) >= 0)
}

// openContainers opens the quotes and list items that the line begins, and a fence behind them; opened tells whether
// it opened any. Containers that the line does not continue are closed first.
func (s *scanner) openContainers(matched int, paragraph bool) (opened bool) {
	for {
		interrupts := paragraph && !opened && matched == len(s.containers)
		c := &s.cursor
		if c.indent > 3 || c.blank() {
			return opened
		}
		if c.at(c.text) == '`' || c.at(c.text) == '~' {
			before := s.containers
			if !opened {
				s.containers = s.containers[:matched]
			}
			if s.openFence() {
				s.leaf = leafNone
				s.filled()
				return true
			}
			s.containers = before
			return opened
		}
		k, ok := s.readMarker(interrupts)
		if !ok {
			return opened
		}
		if !opened {
			s.containers = s.containers[:matched]
			s.leaf = leafNone
		}
		if len(s.containers) >= maxContainers {
			return opened
		}
		s.filled()
		s.containers = append(s.containers, k)
		opened = true
	}
}

// filled says that every open list item holds something.
func (s *scanner) filled() {
	for i := range s.containers {
		s.containers[i].empty = false
	}
}

// readMarker reads the marker of a quote or of a list item and moves the cursor behind it.
func (s *scanner) readMarker(inParagraph bool) (container, bool) {
	c := &s.cursor
	if c.at(c.text) == '>' {
		s.skipQuoteMarker()
		return container{}, true
	}
	if s.isThematicBreak() {
		return container{}, false
	}
	width := s.listMarker(inParagraph)
	if width == 0 {
		return container{}, false
	}
	marker := c.indent + width
	c.skipTo(width)
	switch {
	case c.blank():
		return container{item: true, columns: marker + 1, empty: true}, true
	case c.indent > 4:
		c.skipColumns(1)
		return container{item: true, columns: marker + 1}, true
	}
	k := container{item: true, columns: marker + c.indent}
	c.skipColumns(c.indent)
	return k, true
}

// listMarker gives the width of the list marker at the cursor: - + or *, or up to nine digits with . or ), and a space,
// a tab or the end of the line behind it. In a paragraph it must have text behind it, and a number must be 1.
func (s *scanner) listMarker(inParagraph bool) int {
	c := &s.cursor
	i := c.text
	switch c.at(i) {
	case '-', '+', '*':
		i++
	default:
		for i < c.end && i-c.text < 9 && c.at(i) >= '0' && c.at(i) <= '9' {
			i++
		}
		if i == c.text || c.at(i) != '.' && c.at(i) != ')' || inParagraph && s.answer[c.text:i] != "1" {
			return 0
		}
		i++
	}
	if i < c.end && c.at(i) != ' ' && c.at(i) != '\t' || inParagraph && trimSpaces(s.answer[min(i, c.end):c.end]) == "" {
		return 0
	}
	return i - c.text
}

// isThematicBreak tells whether the line is three or more of * - or _ with nothing but spaces between.
func (s *scanner) isThematicBreak() bool {
	c := &s.cursor
	char := c.at(c.text)
	if c.indent > 3 || char != '*' && char != '-' && char != '_' {
		return false
	}
	n := 0
	for i := c.text; i < c.end; i++ {
		switch c.at(i) {
		case char:
			n++
		case ' ', '\t':
		default:
			return false
		}
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
	return after-c.text <= 6 && (after == c.end || c.at(after) == ' ' || c.at(after) == '\t')
}

// isUnderline tells whether the line makes the paragraph above it a heading.
func (s *scanner) isUnderline() bool {
	c := &s.cursor
	char := c.at(c.text)
	return c.indent <= 3 && (char == '=' || char == '-') && trimSpaces(s.answer[c.text+c.run(c.text):c.end]) == ""
}
