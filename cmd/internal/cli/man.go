package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/plumbline-dev/plumbline/core/turn"
)

// writeMan writes the program's page of the manual, section 1, for man: consumer man | man -l -
func (p Program) writeMan(w io.Writer, model *kong.Application) error {
	top, commands := p.menus(model)
	m := &manPage{}
	m.line(`.TH %s 1 "" %q "Plumbline"`, strings.ToUpper(p.Name), turn.Engine)
	m.line(".SH NAME")
	first, _, _ := strings.Cut(p.Description, ". ")
	m.line(`%s \- %s`, p.Name, roff(strings.TrimSuffix(first, ".")))
	m.line(".SH SYNOPSIS")
	m.synopsis(p.Name, commands)
	m.line(".SH DESCRIPTION")
	for i, paragraph := range strings.Split(p.Description, "\n\n") {
		if i > 0 {
			m.line(".PP")
		}
		m.line("%s", roff(paragraph))
	}
	if len(commands) == 0 {
		m.line(".SH OPTIONS")
		m.options(top.words)
	}
	for i, command := range commands {
		if i == 0 {
			m.line(".SH COMMANDS")
		}
		m.line(".SS %s", command.name)
		m.line("%s", roff(command.help))
		for _, arg := range command.args {
			m.line(".TP")
			m.line("\\fI%s\\fR", roff(arg.Summary()))
			m.line("%s", roff(arg.Help))
		}
		m.options(command.words)
	}
	_, err := io.WriteString(w, m.out.String())
	return err
}

type manPage struct{ out strings.Builder }

func (m *manPage) line(format string, args ...any) { fmt.Fprintf(&m.out, format+"\n", args...) }

func (m *manPage) synopsis(name string, commands []menu) {
	lines := []string{"[\\fIflags\\fR]"}
	if len(commands) > 0 {
		lines = nil
		for _, command := range commands {
			var line strings.Builder
			line.WriteString("\\fB" + command.name + "\\fR ")
			for _, arg := range command.args {
				line.WriteString(roff(arg.Summary()) + " ")
			}
			lines = append(lines, line.String()+"[\\fIflags\\fR]")
		}
	}
	lines = append(lines, "\\fBman\\fR", "\\fBcompletion\\fR "+strings.Join(shells, " | "))
	for i, line := range lines {
		if i > 0 {
			m.line(".br")
		}
		m.line("\\fB%s\\fR %s", name, line)
	}
}

// options writes a paragraph for each flag: its names, what it does, its default and its environment variables.
func (m *manPage) options(words []word) {
	for _, w := range words {
		names := make([]string, len(w.names))
		for i, name := range w.names {
			names[i] = "\\fB" + roff(name) + "\\fR"
			if w.show != "" {
				names[i] += "=\\fI" + roff(w.show) + "\\fR"
			}
		}
		m.line(".TP")
		m.line("%s", strings.Join(names, ", "))
		m.line("%s", roff(w.help))
		if w.preset != "" {
			m.line("Default: %s.", roff(w.preset))
		}
		if len(w.envs) > 0 {
			m.line("Environment: %s.", roff(strings.Join(w.envs, ", ")))
		}
	}
}

// roff writes text so that it stands in a page as it is.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		return `\&` + text
	}
	return text
}
