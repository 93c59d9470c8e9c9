package script

import (
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
)

// Block is a fenced code block of an answer.
type Block struct {
	// Start is where the opening fence stands, End where the block's last line ends.
	Start, End int
	// Info is the opening fence's info string, without the spaces around it.
	Info string
	// Closed tells whether a closing fence ends the block; without one it ends with its container or with the text.
	Closed bool
	// pieces are the content, line by line, without what the containers and the fence's own indentation put in front.
	pieces []piece
	answer string
}

// piece is a stretch of a block's content: spaces that stand for part of a tab, then bytes of the answer.
type piece struct {
	pad        int
	start, end int
}

// Content is what stands between the fences, with the line ending of each line. It is part of the answer when nothing
// stands in front of its lines.
func (b *Block) Content() string {
	if len(b.pieces) == 0 {
		return ""
	}
	if b.contiguous() {
		return b.answer[b.pieces[0].start:b.pieces[len(b.pieces)-1].end]
	}
	var content []byte
	for _, p := range b.pieces {
		for range p.pad {
			content = append(content, ' ')
		}
		content = append(content, b.answer[p.start:p.end]...)
	}
	return string(content)
}

func (b *Block) contiguous() bool {
	for i, p := range b.pieces {
		if p.pad > 0 || i > 0 && p.start != b.pieces[i-1].end {
			return false
		}
	}
	return true
}

// Span is the whole block, fences included.
func (b *Block) Span() event.Span { return event.Span{b.Start, b.End} }

// Blocks lists the fenced code blocks of an answer, in order, in one scan: in quotes and list items too, also those that
// nothing closes. Inline code, indented code and what stands in an HTML block is none. A longer answer can close or
// lengthen the last block and add others; it changes no closed one.
func Blocks(answer string) []Block {
	s := scanner{answer: answer}
	for s.next < len(answer) {
		s.line()
	}
	s.endFence(len(answer))
	return s.blocks
}

// fence is an open fenced code block.
type fence struct {
	char   byte
	length int
	indent int // columns in front of the opening fence, in its container
	depth  int // how many containers it stands in
	block  Block
}

// openFence reads an opening fence at the cursor: three or more backticks or tildes, behind at most three columns; an
// info string behind backticks holds none.
func (s *scanner) openFence() bool {
	c := &s.cursor
	run := c.run(c.text)
	if c.indent > 3 || run < 3 || c.text >= c.end || c.at(c.text) != '`' && c.at(c.text) != '~' {
		return false
	}
	info := s.answer[c.text+run : c.end]
	char := c.at(c.text)
	if char == '`' && strings.IndexByte(info, '`') >= 0 {
		return false
	}
	s.fence = &fence{char: char, length: run, indent: c.indent, depth: len(s.containers)}
	s.fence.block = Block{Start: c.text, Info: trimSpaces(info), answer: s.answer}
	return true
}

// closesFence tells whether the line closes the open fence: the same character at least as often, and nothing behind.
func (s *scanner) closesFence() bool {
	c := &s.cursor
	if c.indent > 3 || c.text >= c.end || c.at(c.text) != s.fence.char {
		return false
	}
	run := c.run(c.text)
	return run >= s.fence.length && trimSpaces(s.answer[c.text+run:c.end]) == ""
}

// addContent takes the line as content of the open fence.
func (s *scanner) addContent() {
	c := &s.cursor
	c.skipColumns(min(s.fence.indent, c.indent))
	s.fence.block.pieces = append(s.fence.block.pieces, piece{c.pad, c.offset, s.next})
}

// endFence ends the open fence at an offset, without a closing fence.
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
