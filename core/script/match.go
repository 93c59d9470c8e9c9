package script

import (
	"slices"
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
	PastTheLimit = "past-the-limit"             // it is none of the programs that were kept, but others were dropped
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
// nothing else is ever changed. Of several that match the latest is named, and the others with its very bytes are
// counted. It keeps the texts of the call and the label, nothing else of its input.
func Match(answer string, turn Turn) Shown {
	over := max(0, len(turn.Programs)-MaxPrograms)
	m := matcher{programs: turn.Programs[over:], dropped: turn.Dropped + over}
	shown := Shown{Verdict: event.Scripts{
		Blocks: []event.ScriptBlock{}, EarlierTurnRows: turn.EarlierTurnRows, Dropped: m.dropped,
	}}
	blocks := Blocks(answer)
	for i := range blocks {
		span := blocks[i].Span()
		shown.Code = append(shown.Code, span)
		if i >= MaxBlocks {
			continue
		}
		verdict := m.judge(&blocks[i])
		verdict.Index = i + 1
		shown.Verdict.Blocks = append(shown.Verdict.Blocks, verdict)
		if verdict.Status == Matched {
			shown.Cuts = append(shown.Cuts, span)
		}
	}
	return shown
}

// matcher holds the programs that are compared.
type matcher struct {
	programs []Submission
	dropped  int
	loose    []string // the programs as differsInEndings compares them, nil until it does
}

func (m *matcher) judge(b *Block) event.ScriptBlock {
	switch {
	case !b.Closed:
		return event.ScriptBlock{Status: Unmatched, Reason: Unclosed}
	case b.Size() > MaxProgramBytes+len("\r\n"):
		return event.ScriptBlock{Status: Unmatched, Reason: OverSize}
	}
	content := b.Content()
	bare := withoutLastEnding(content)
	if len(bare) > MaxProgramBytes {
		return event.ScriptBlock{Status: Unmatched, Reason: OverSize}
	}
	for place, p := range slices.Backward(m.programs) {
		if p.kept() && (p.Program == content || p.Program == bare) {
			return m.matched(place)
		}
	}
	miss := event.ScriptBlock{Status: Unmatched, Reason: NoSubmission}
	if m.dropped > 0 {
		miss.Reason = PastTheLimit
	}
	if m.differsInEndings(bare) {
		miss.Hint = HintLineEndings
	}
	return miss
}

func (m *matcher) matched(place int) event.ScriptBlock {
	p := &m.programs[place]
	label, exitCode := LabelOf(p.Label, p.ExitCode)
	verdict := event.ScriptBlock{
		Status: Matched, Call: p.Call, Dispatch: m.dropped + place + 1, Label: label, ExitCode: exitCode,
	}
	for i := range m.programs {
		if i != place && m.programs[i].Program == p.Program {
			verdict.AlsoMatches++
		}
	}
	return verdict
}

// differsInEndings tells whether a program differs from a block's content in nothing but line endings.
func (m *matcher) differsInEndings(bare string) bool {
	if m.loose == nil {
		m.loose = make([]string, len(m.programs))
		for i, p := range m.programs {
			if p.kept() {
				m.loose[i] = lineFeeds.Replace(withoutLastEnding(p.Program))
			}
		}
	}
	loose := lineFeeds.Replace(bare)
	for i, p := range m.programs {
		if p.kept() && m.loose[i] == loose {
			return true
		}
	}
	return false
}

// kept tells whether the program is short enough to be compared.
func (s *Submission) kept() bool { return len(s.Program) <= MaxProgramBytes }

// lineFeeds writes every line ending as LF. It copies nothing when they are.
var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

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
