package script

// scanner reads an answer line by line and keeps what is open (CommonMark 0.31, appendix, "Phase 1: block structure").
// What it keeps of the answer are offsets and strings that are part of it.
type scanner struct {
	answer string
	start  int // of the line
	next   int // where the next line begins
	cursor cursor

	containers []container
	leaf       leaf
	paragraph  []byte // the lines of an open paragraph that begins with a bracket, each ended by LF
	htmlEnd    string // of an HTML block: what ends it, empty: a blank line
	fence      *fence
	blocks     []Block
}

// line reads one line.
func (s *scanner) line() {
	s.start = s.next
	end := s.start
	for end < len(s.answer) && s.answer[end] != '\n' && s.answer[end] != '\r' {
		end++
	}
	s.next = lineEnd(s.answer, end)
	s.cursor.begin(s.start, end)

	matched := s.matchContainers()
	switch {
	case s.fence == nil:
		s.blockLine(matched)
	case matched >= s.fence.depth:
		s.fenceLine()
	default:
		s.endFence(s.start)
		s.blockLine(matched)
	}
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

// blockLine reads a line outside a fence: the containers it opens, then what it begins or goes on with. The first
// containers, as many as matched, were found to go on.
func (s *scanner) blockLine(matched int) {
	goesOn := matched == len(s.containers)
	if s.leaf == leafHTML && goesOn {
		s.htmlLine()
		return
	}
	paragraph := s.leaf == leafParagraph
	opened := s.openContainers(matched, paragraph)
	if s.fence != nil {
		return
	}
	if !opened && !goesOn {
		if paragraph && !s.cursor.blank() && !s.beginsLeaf() {
			s.paragraphLine() // it goes on without the markers of its containers
			return
		}
		s.closeTo(matched)
	}
	s.textLine()
}
