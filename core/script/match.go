package script

import (
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
)

// The bounds of one judgement (readers.md, "Script match").
const (
	MaxBlocks       = 16     // of an answer; further ones are read as prose
	MaxPrograms     = 32     // of a turn; the earliest are dropped and counted
	MaxProgramBytes = 65_536 // of a block or a program that is compared
)

// The statuses of a block, the reasons of a miss, and its one hint.
const (
	Matched   = "matched"
	Unmatched = "unmatched"

	NoSubmission = "no-submission-of-this-turn" // no call of this turn submitted it
	OverSize     = "over-size"                  // longer than any program that is kept
	PastTheLimit = "past-the-limit"             // earlier programs of this turn were dropped, so it cannot be told
	Unclosed     = "unclosed"                   // no closing fence: where the program ends cannot be told

	HintLineEndings = "line-endings" // a submission differs in CR and LF alone
)

// Submission is a program that a call of the turn submitted: the last that the call reported.
type Submission struct {
	Call     string
	Program  string
	Label    string // as the runtime said, empty when it said none; see LabelOf
	ExitCode *int
}

// Turn is what an answer's blocks are compared with.
type Turn struct {
	Programs        []Submission // of this turn, in the order they were submitted
	EarlierTurnRows int          // submissions of earlier turns: counted, never compared
	Dropped         int          // submissions of this turn that were dropped before these
}

// Shown is what an answer shows of its turn's programs.
type Shown struct {
	Verdict event.Scripts
	Cuts    []event.Span // the matched blocks: they assert nothing
	Code    []event.Span // every fenced block
}

// Match compares each of the answer's first MaxBlocks blocks with the last MaxPrograms programs of its turn. A block
// matches when its content is the program, byte for byte, with or without the line ending in front of the closing fence;
// nothing else is ever changed. Of the same program submitted twice the latest is named.
func Match(answer string, turn Turn) Shown {
	m := newMatcher(turn)
	shown := Shown{Verdict: event.Scripts{
		Blocks: []event.ScriptBlock{}, EarlierTurnRows: turn.EarlierTurnRows, Dropped: m.dropped,
	}}
	for _, block := range Blocks(answer) {
		shown.Code = append(shown.Code, block.Span())
		if len(shown.Verdict.Blocks) == MaxBlocks {
			continue
		}
		verdict := m.judge(&block)
		verdict.Index = len(shown.Verdict.Blocks) + 1
		shown.Verdict.Blocks = append(shown.Verdict.Blocks, verdict)
		if verdict.Status == Matched {
			shown.Cuts = append(shown.Cuts, block.Span())
		}
	}
	return shown
}

// matcher holds the programs that are compared.
type matcher struct {
	programs []Submission
	dropped  int
	latest   map[string]int // of a program, its last place among the programs
	count    map[string]int
	loose    map[string]bool // the programs with every line ending as LF, and without a last one
}

func newMatcher(turn Turn) *matcher {
	over := max(0, len(turn.Programs)-MaxPrograms)
	m := &matcher{
		programs: turn.Programs[over:], dropped: turn.Dropped + over,
		latest: map[string]int{}, count: map[string]int{}, loose: map[string]bool{},
	}
	for i, p := range m.programs {
		if len(p.Program) <= MaxProgramBytes {
			m.latest[p.Program] = i
			m.count[p.Program]++
			m.loose[loosely(p.Program)] = true
		}
	}
	return m
}

func (m *matcher) judge(b *Block) event.ScriptBlock {
	switch {
	case !b.Closed:
		return event.ScriptBlock{Status: Unmatched, Reason: Unclosed}
	case b.size() > MaxProgramBytes+len("\r\n"):
		return event.ScriptBlock{Status: Unmatched, Reason: OverSize}
	}
	content := b.Content()
	bare := withoutLastEnding(content)
	if len(bare) > MaxProgramBytes {
		return event.ScriptBlock{Status: Unmatched, Reason: OverSize}
	}
	for _, program := range [...]string{content, bare} {
		if place, ok := m.latest[program]; ok {
			return m.matched(place)
		}
	}
	miss := event.ScriptBlock{Status: Unmatched, Reason: NoSubmission}
	if m.dropped > 0 {
		miss.Reason = PastTheLimit
	}
	if m.loose[loosely(content)] {
		miss.Hint = HintLineEndings
	}
	return miss
}

func (m *matcher) matched(place int) event.ScriptBlock {
	p := &m.programs[place]
	label, exitCode := LabelOf(p.Label, p.ExitCode)
	return event.ScriptBlock{
		Status: Matched, Call: p.Call, Dispatch: m.dropped + place + 1, Label: label, ExitCode: exitCode,
		AlsoMatches: m.count[p.Program] - 1,
	}
}

// size is the number of bytes of the block's content.
func (b *Block) size() int {
	n := 0
	for _, p := range b.pieces {
		n += p.pad + p.end - p.start
	}
	return n
}

// withoutLastEnding cuts off one line ending.
func withoutLastEnding(s string) string {
	if strings.HasSuffix(s, "\r\n") {
		return s[:len(s)-2]
	}
	if strings.HasSuffix(s, "\n") || strings.HasSuffix(s, "\r") {
		return s[:len(s)-1]
	}
	return s
}

var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func loosely(s string) string { return strings.TrimSuffix(lineFeeds.Replace(s), "\n") }
