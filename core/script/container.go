package script

// maxContainers is how many quotes and list items may stand in each other; deeper markers are text. It keeps the scan
// linear for any input: a blank line is asked of every open list item.
const maxContainers = 64

// container is an open block quote or list item.
type container struct {
	item    bool
	columns int  // of a list item: how far its content is indented
	empty   bool // a list item whose first line held nothing yet
}

// matchContainers moves the cursor behind the markers of the open containers that the line continues, and gives how many
// those are. A blank line continues a list item whatever its indentation; what it has beyond the item's own belongs to
// the content.
func (s *scanner) matchContainers() int {
	c := &s.cursor
	for i, k := range s.containers {
		c.looked++
		switch {
		case !k.item:
			if c.indent > 3 || c.at(c.text) != '>' {
				return i
			}
			s.skipQuoteMarker()
		case c.blank() && k.empty:
			return i
		case c.indent >= k.columns:
			c.skipColumns(k.columns)
		case c.blank():
			c.skipColumns(c.indent)
		default:
			return i
		}
	}
	return len(s.containers)
}

func (s *scanner) skipQuoteMarker() {
	s.cursor.skipTo(1)
	s.cursor.skipColumns(1)
}

// openContainers opens the quotes and list items that the line begins, and a fence behind them; opened tells whether
// it opened any. Containers that the line does not continue are closed first.
func (s *scanner) openContainers(matched int, paragraph bool) (opened bool) {
	c := &s.cursor
	depth := matched
	interrupts := paragraph && matched == len(s.containers)
	for c.indent <= 3 && !c.blank() {
		if s.fence = s.readFence(depth); s.fence != nil {
			s.closeTo(depth)
			s.fill()
			return true
		}
		if depth == maxContainers {
			return opened
		}
		k, ok := s.readMarker(interrupts)
		if !ok {
			return opened
		}
		s.closeTo(depth)
		s.fill()
		s.containers = append(s.containers, k)
		opened, interrupts = true, false
		depth++
	}
	return opened
}

// closeTo closes all containers but the first, and what is open in them.
func (s *scanner) closeTo(depth int) {
	s.containers = s.containers[:depth]
	s.leaf = leafNone
}

// fill says that every open list item holds something. Only the last can have held nothing.
func (s *scanner) fill() {
	if n := len(s.containers); n > 0 {
		s.containers[n-1].empty = false
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
	k := container{item: true, columns: marker + c.indent, empty: c.blank()}
	if k.empty || c.indent > 4 {
		k.columns = marker + 1
	}
	c.skipColumns(k.columns - marker)
	return k, true
}

// listMarker gives the width of the list marker at the cursor: - + or *, or up to nine digits with . or ), and a space,
// a tab or the end of the line behind it. In a paragraph it must have text behind it, and a number must be 1.
func (s *scanner) listMarker(inParagraph bool) int {
	c := &s.cursor
	i := c.text
	switch c.at(i) {
	case '-', '+', '*':
	default:
		for i-c.text < 9 && isDigit(c.at(i)) {
			i++
		}
		if i == c.text || c.at(i) != '.' && c.at(i) != ')' || inParagraph && s.answer[c.text:i] != "1" {
			return 0
		}
	}
	i++
	if i < c.end && !isSpace(c.at(i)) || inParagraph && trimSpaces(c.rest(i)) == "" {
		return 0
	}
	return i - c.text
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isSpace(c byte) bool { return c == ' ' || c == '\t' }
