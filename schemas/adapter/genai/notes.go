package genai

import (
	"fmt"
	"strconv"
)

// note is something of a record that could not be seen, or was read in a way that a person should know.
type note uint8

const (
	noteNoResult note = iota
	noteNoAnswer
	noteNoInput
	noteCutInput
	noteNoText
	noteCutAnswer
	noteHistory
	noteSentAgain
	noteLost
	noteInside
	noteSubAgent
	noteRemote
	noteOtherTraces
	noteCount
)

// sentences say each note, with its count and an example where %s stands.
var sentences = [noteCount]string{
	noteNoResult:    "%s tool results were not recorded (content capture is off by default); answers that rest on them cannot be told",
	noteNoAnswer:    "%s turns have no answer in them: its text was not recorded, or the turn did not end",
	noteNoInput:     "%s answers stand beside no recorded input of the model; they cannot be told",
	noteCutInput:    "the recorded input of %s answers was cut, or attributes of it were dropped; they cannot be told",
	noteNoText:      "%s answers rest on images, files or content that was not recorded; they cannot be told",
	noteCutAnswer:   "%s answers are as long as a limit on attributes, and may be cut; they cannot be told",
	noteHistory:     "%s turns begin with messages of earlier turns that are not in the record; what those show is read",
	noteSentAgain:   "%s turns were sent more than once; the last counts",
	noteLost:        "the parents of %s spans are not in the record; their turns may lack calls",
	noteInside:      "%s spans inside tool calls are not read: the agent read what the tool gave back",
	noteSubAgent:    "%s agents ran inside a tool call; each is a conversation of its own",
	noteRemote:      "%s agents were called that ran elsewhere; what they read is not in the record",
	noteOtherTraces: "%s traces hold no span of an agent",
}

// notes counts what there is to note.
type notes struct {
	counts  [noteCount]int
	example [noteCount]string
}

func (n *notes) add(of note, example string) { n.addMany(of, 1, example) }

func (n *notes) addMany(of note, count int, example string) {
	if count > 0 && n.counts[of] == 0 {
		n.example[of] = example
	}
	n.counts[of] += count
}

// Notes says what of the spans could not be seen: plain sentences for a person, without their full stop.
func (c *Converter) Notes() []string {
	var said []string
	for of, count := range c.notes.counts {
		if count == 0 {
			continue
		}
		sentence := fmt.Sprintf(sentences[of], strconv.Itoa(count))
		if example := c.notes.example[of]; example != "" {
			sentence += ", such as " + strconv.QuoteToASCII(example)
		}
		said = append(said, sentence)
	}
	return said
}

// noteGroup notes what of a group of spans stands apart.
func (c *Converter) noteGroup(g *group) {
	if len(g.lost) > 0 {
		c.notes.addMany(noteLost, len(g.lost), g.lost[0].span.Name)
	}
	c.notes.addMany(noteInside, g.inside, "")
	if g.host != nil {
		c.notes.add(noteSubAgent, g.root.span.Name)
	}
	for _, n := range g.agents {
		if n.role == roleAgent && n.span.Remote && len(n.kids) == 0 {
			c.notes.add(noteRemote, n.span.Name)
		}
	}
}
