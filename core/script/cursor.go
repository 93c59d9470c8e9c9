package script

// cursor stands in one line. Columns count a tab to the next multiple of four, as CommonMark does.
type cursor struct {
	answer string
	end    int // of the line, without its line ending
	offset int
	column int
	pad    int // columns left of a tab that was taken in part, in front of offset

	text   int // the first byte at or after offset that is no space or tab, end when there is none
	indent int // columns from the cursor to text

	noBreak int // no thematic break begins in front of this offset
	looked  int // bytes and containers looked at, over all lines: the tests hold it against the answer's length
}

// begin puts the cursor in front of a line.
func (c *cursor) begin(start, end int) {
	*c = cursor{answer: c.answer, end: end, offset: start, looked: c.looked + end - start}
	c.look()
}

// at is the byte at an offset, 0 past the end of the line.
func (c *cursor) at(i int) byte {
	if i < c.end {
		return c.answer[i]
	}
	return 0
}

// look finds the first byte of text.
func (c *cursor) look() {
	c.text, c.indent = c.offset, c.pad
	for column := c.column + c.pad; c.text < c.end; c.text++ {
		width := 1
		switch c.answer[c.text] {
		case ' ':
		case '\t':
			width = 4 - column%4
		default:
			return
		}
		column += width
		c.indent += width
		c.looked++
	}
}

// blank tells whether nothing but spaces and tabs is left of the line.
func (c *cursor) blank() bool { return c.text >= c.end }

// skipColumns moves the cursor over at most n columns of the space in front of the text.
func (c *cursor) skipColumns(n int) {
	n = min(n, c.indent)
	c.indent -= n
	for n > 0 {
		switch {
		case c.pad > 0:
			taken := min(n, c.pad)
			c.pad -= taken
			c.column += taken
			n -= taken
		case c.answer[c.offset] == '\t':
			c.offset++
			c.pad = 4 - c.column%4
		default:
			c.offset++
			c.column++
			n--
		}
	}
}

// skipTo moves the cursor to the text, then over n bytes of it.
func (c *cursor) skipTo(n int) {
	c.column += c.indent + n
	c.pad = 0
	c.offset = c.text + n
	c.look()
}

// run is how often the byte at i stands there in a row.
func (c *cursor) run(i int) int {
	n := 0
	for i+n < c.end && c.answer[i+n] == c.answer[i] {
		n++
	}
	c.looked += n
	return n
}

// rest is the line from an offset, without its line ending.
func (c *cursor) rest(i int) string {
	c.looked += c.end - i
	return c.answer[i:c.end]
}
