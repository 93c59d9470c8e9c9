package report

import (
	"io"
	"os"

	"github.com/fatih/color"
	"github.com/mattn/go-isatty"
)

// Colours tells whether a writer should get colours: it is a terminal, the terminal is not a dumb one, and NO_COLOR
// (no-color.org) is not set.
func Colours(w io.Writer) bool {
	return Terminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// Terminal tells whether a writer is a terminal, where a person reads.
func Terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}

// tone is what colour says about a line.
type tone int

const (
	toneQuiet tone = iota // nothing to look at
	toneBad               // a value that stands nowhere
	toneNote              // something to know
)

// paint colours texts, or leaves them as they are.
type paint struct {
	quiet, bad, note, mark, good func(string) string
}

func newPaint(colour bool) paint {
	return paint{
		quiet: brush(colour, color.Faint),
		bad:   brush(colour, color.FgRed),
		note:  brush(colour, color.FgYellow),
		mark:  brush(colour, color.FgRed, color.Bold),
		good:  brush(colour, color.FgGreen),
	}
}

func (p paint) by(t tone) func(string) string {
	return map[tone]func(string) string{toneQuiet: p.quiet, toneBad: p.bad, toneNote: p.note}[t]
}

func brush(colour bool, attributes ...color.Attribute) func(string) string {
	if !colour {
		return func(s string) string { return s }
	}
	c := color.New(attributes...)
	c.EnableColor()
	return func(s string) string {
		if s == "" {
			return ""
		}
		return c.Sprint(s)
	}
}
