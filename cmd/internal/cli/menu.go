package cli

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/plumbline-dev/plumbline/core/turn"
)

// menu is what may be typed after a program, or after one of its commands: the definitions that the man page and the
// completions are made from.
type menu struct {
	name, help string
	args       []*kong.Positional // what may be said beside flags
	words      []word
}

// word is one flag.
type word struct {
	names  []string // --provision and --no-provision
	help   string
	value  string // what follows it: nothing, takesFile, takesFolder or takesText
	show   string // how the help shows the value
	values []string
	preset string // the default, empty when it has none
	envs   []string
	many   bool // it may be given more than once
}

// What a flag takes.
const (
	takesFile   = "file"
	takesFolder = "folder"
	takesText   = "text"
)

// menus gives what may be typed after the program itself, which is what may be typed after the command that is done when
// none is named, and after each of its commands.
func (p Program) menus(model *kong.Application) (top menu, commands []menu) {
	top = menu{name: p.Name, help: p.Description, words: p.words(model.Flags)}
	for _, child := range model.Children {
		m := menu{name: child.Name, help: child.Help, args: child.Positional, words: p.words(slices.Concat(model.Flags, child.Flags))}
		if child == model.DefaultCmd {
			top.words = m.words
		}
		commands = append(commands, m)
	}
	return top, commands
}

// flagNames are those of all flags.
func (m menu) flagNames() (names []string) {
	for _, w := range m.words {
		names = append(names, w.names...)
	}
	return names
}

func (p Program) words(flags []*kong.Flag) []word {
	all := make([]word, 0, len(flags))
	for _, flag := range flags {
		w := word{
			names: []string{"--" + flag.Name}, help: flag.Help, preset: flag.Default, envs: flag.Envs,
			many: flag.IsCumulative(), values: p.values(flag.Tag.Get("values")),
		}
		switch {
		case flag.Tag.Negatable != "":
			w.names = append(w.names, "--no-"+flag.Name)
		case flag.IsBool():
		case flag.PlaceHolder == "FILE":
			w.value = takesFile
		case flag.PlaceHolder == "DIR":
			w.value = takesFolder
		default:
			w.value = takesText
		}
		if w.value != "" {
			w.show = flag.FormatPlaceHolder()
		}
		all = append(all, w)
	}
	return all
}

// values are those that the tag of a flag lists: the name of rulesets, one of the program's lists, or the values themselves.
func (p Program) values(tag string) []string {
	switch list := p.Lists[tag]; {
	case tag == "":
		return nil
	case tag == "rulesets":
		return turn.Rulesets
	case list != nil:
		return list
	}
	return strings.Split(tag, ",")
}
