package script

import (
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
)

// Block is a fenced code block of an answer. It keeps the answer.
type Block struct {
	// Start is where the line of the opening fence begins, End where the block's last line ends, its line ending
	// included: a block is whole lines, with the markers of the quotes and lists that it stands in.
	Start, End int
	// Info is the opening fence's info string as it is written, without the spaces around it.
	Info string
	// Closed tells whether a closing fence ends the block; without one it ends with its container or with the text.
	Closed bool
	// pieces are the content, without what the containers and the fence's own indentation put in front of its lines.
	// Lines with nothing in front are one piece.
	pieces []piece
	answer string
}

// piece is a stretch of a block's content: spaces that stand for part of a tab, then bytes of the answer.
type piece struct {
	pad        int
	start, end int
}

// Blocks lists the fenced code blocks of an answer, in order, in one scan: in quotes and list items too, also those that
// nothing closes (CommonMark 0.31, section 4.5). Inline code, indented code and what stands in an HTML block is none. Lines
// added to an answer that ends with a line ending can close or lengthen its last block and add others; they change no
// closed one.
func Blocks(answer string) []Block {
	s := scan(answer)
	return s.blocks
}

func scan(answer string) *scanner {
	s := &scanner{answer: answer, cursor: cursor{answer: answer}}
	for s.next < len(answer) {
		s.line()
	}
	s.endFence(len(answer))
	return s
}

// Content is what stands between the fences, with the line ending of each line. It is part of the answer, not a copy,
// when nothing stands in front of its lines.
func (b *Block) Content() string {
	switch {
	case len(b.pieces) == 0:
		return ""
	case len(b.pieces) == 1 && b.pieces[0].pad == 0:
		return b.answer[b.pieces[0].start:b.pieces[0].end]
	}
	var content strings.Builder
	content.Grow(b.Size())
	for _, p := range b.pieces {
		for range p.pad {
			content.WriteByte(' ')
		}
		content.WriteString(b.answer[p.start:p.end])
	}
	return content.String()
}

// Size is the number of bytes of the content.
func (b *Block) Size() int {
	n := 0
	for _, p := range b.pieces {
		n += p.pad + p.end - p.start
	}
	return n
}

// Span is the whole block, fences included.
func (b *Block) Span() event.Span { return event.Span{b.Start, b.End} }

// fence is an open fenced code block.
type fence struct {
	char   byte
	length int
	indent int // columns in front of the opening fence, in its container
	depth  int // how many containers it stands in
	block  Block
}

// readFence reads an opening fence at the cursor, inside so many containers; nil for none. It is three or more backticks
// or tildes behind at most three columns; an info string behind backticks holds none.
func (s *scanner) readFence(depth int) *fence {
	c := &s.cursor
	char := c.at(c.text)
	if c.indent > 3 || char != '`' && char != '~' {
		return nil
	}
	run := c.run(c.text)
	if run < 3 {
		return nil
	}
	info := c.rest(c.text + run)
	if char == '`' && strings.IndexByte(info, '`') >= 0 {
		return nil
	}
	return &fence{
		char: char, length: run, indent: c.indent, depth: depth,
		block: Block{Start: s.start, Info: trimSpaces(info), answer: s.answer},
	}
}

// fenceLine takes a line of the open fence.
func (s *scanner) fenceLine() {
	if !s.closesFence() {
		s.addContent()
		return
	}
	s.fence.block.Closed = true
	s.endFence(s.next)
}

// closesFence tells whether the line closes the open fence: the same character at least as often, and nothing behind.
func (s *scanner) closesFence() bool {
	c := &s.cursor
	if c.indent > 3 || c.blank() || c.at(c.text) != s.fence.char {
		return false
	}
	run := c.run(c.text)
	return run >= s.fence.length && trimSpaces(c.rest(c.text+run)) == ""
}

// addContent takes the line as content of the open fence.
func (s *scanner) addContent() {
	c := &s.cursor
	b := &s.fence.block
	c.skipColumns(s.fence.indent)
	if n := len(b.pieces); n > 0 && b.pieces[n-1].end == c.offset {
		b.pieces[n-1].end = s.next
		return
	}
	b.pieces = append(b.pieces, piece{c.pad, c.offset, s.next})
}

// endFence ends the open fence at an offset.
func (s *scanner) endFence(at int) {
	if s.fence == nil {
		return
	}
	s.fence.block.End = at
	s.blocks = append(s.blocks, s.fence.block)
	s.fence = nil
}

// trimSpaces leaves out the spaces and tabs around a text.
func trimSpaces(s string) string { return strings.Trim(s, " \t") }
