package cli

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// helpWidth is how many columns the help takes at most.
const helpWidth = 100

// shown is how much the help shows.
type shown struct {
	all bool // every flag, with its environment variable
}

// shared are the flags of every program.
type shared struct {
	HelpAll helpAll `env:"-" help:"Show every flag, with its environment variable."`
}

// helpAll is the flag --help-all: --help leaves the flags out whose tag says rare.
type helpAll bool

// BeforeReset shows the help and ends the program.
func (helpAll) BeforeReset(ctx *kong.Context, s *shown) error {
	s.all = true
	eachFlag(ctx.Model.Node, func(flag *kong.Flag) { flag.Hidden = false })
	if err := ctx.PrintUsage(false); err != nil {
		return err
	}
	ctx.Exit(0)
	return nil
}

// help are the options of a parser that make its help: what it shows, and how.
func (p Program) help() []kong.Option {
	s := &shown{}
	return []kong.Option{
		kong.Embed(&shared{}), kong.Bind(s),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: helpWidth}),
		kong.ValueFormatter(func(v *kong.Value) string {
			if s.all {
				return kong.DefaultHelpValueFormatter(v)
			}
			return v.Help
		}),
		kong.Help(func(options kong.HelpOptions, ctx *kong.Context) error {
			if err := kong.DefaultHelpPrinter(options, ctx); err != nil {
				return err
			}
			if said := p.footer(ctx, s); said != "" {
				_, err := fmt.Fprintln(ctx.Stdout, said)
				return err
			}
			return nil
		}),
	}
}

// footer says where there is more.
func (p Program) footer(ctx *kong.Context, s *shown) string {
	called := p.Name
	if ctx.Selected() != nil {
		called += " " + ctx.Selected().Name
	}
	var more []string
	if n := hidden(ctx); n > 0 && !s.all {
		more = append(more, fmt.Sprintf("%d more: %s --help-all.", n, called))
	}
	if ctx.Selected() == nil {
		more = append(more, fmt.Sprintf("Also: %s man, %s completion %s.", p.Name, p.Name, strings.Join(shells, "|")))
	}
	return strings.Join(more, " ")
}

// hidden is how many flags the help leaves out.
func hidden(ctx *kong.Context) (n int) {
	for _, flag := range ctx.Flags() {
		if flag.Hidden {
			n++
		}
	}
	return n
}

// hideRare keeps the flags whose tag says rare out of the help.
func hideRare(model *kong.Application) {
	eachFlag(model.Node, func(flag *kong.Flag) { flag.Hidden = flag.Hidden || flag.Tag.Has("rare") })
}

// eachFlag visits the flags of a program, those of its commands too.
func eachFlag(node *kong.Node, visit func(*kong.Flag)) {
	for _, flag := range node.Flags {
		visit(flag)
	}
	for _, child := range node.Children {
		eachFlag(child, visit)
	}
}
