package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// shells are those that completions are written for.
var shells = []string{"bash", "zsh", "fish"}

// papers answers man and completion, which every program has beside its own commands; ok is false when args ask for
// neither.
func (p Program) papers(model *kong.Application, args []string, stdout io.Writer) (ok bool, err error) {
	switch {
	case len(args) == 0 || args[0] != "man" && args[0] != "completion":
		return false, nil
	case args[0] == "man" && len(args) == 1:
		return true, p.writeMan(stdout, model)
	case args[0] == "man":
		return true, &usage{"man: leave out what follows it"}
	case len(args) == 2:
		if write := p.completions()[args[1]]; write != nil {
			return true, write(stdout, model)
		}
	}
	return true, &usage{"completion: name one shell: " + strings.Join(shells, ", ")}
}

// usage is a fault of what was asked for.
type usage struct{ said string }

func (u *usage) Error() string { return u.said }

func (p Program) completions() map[string]func(io.Writer, *kong.Application) error {
	return map[string]func(io.Writer, *kong.Application) error{"bash": p.writeBash, "zsh": p.writeZsh, "fish": p.writeFish}
}

// papersMenus are man and completion as commands of their own.
func papersMenus() []menu {
	return []menu{
		{name: "man", help: "Print the page of the manual."},
		{name: "completion", help: "Print the completion of a shell."},
	}
}

func namesOf(menus []menu) []string {
	names := make([]string, len(menus))
	for i, m := range menus {
		names[i] = m.name
	}
	return names
}

// writeBash writes a function for bash, also for the old one of macOS.
func (p Program) writeBash(w io.Writer, model *kong.Application) error {
	top, commands := p.menus(model)
	named := namesOf(append(commands, papersMenus()...))
	var values, words strings.Builder
	for _, m := range commands {
		fmt.Fprintf(&words, "  %s) words=%q ;;\n", m.name, strings.Join(m.flagNames(), " "))
	}
	fmt.Fprintf(&words, "  completion) words=%q ;;\n  man) ;;\n", strings.Join(shells, " "))
	fmt.Fprintf(&words, "  *) words=%q ;;\n", strings.Join(append(named, top.flagNames()...), " "))
	for _, flag := range distinct(top, commands) {
		fmt.Fprintf(&values, "  %s) %s; return ;;\n", strings.Join(flag.names, "|"), bashValue(flag))
	}
	_, err := fmt.Fprintf(w, bashFrame, p.Name, function(p.Name), strings.Join(named, "|"), values.String(), words.String())
	return err
}

// bashFrame takes the program, the function, the commands, the cases of values and the cases of words.
const bashFrame = `# Completion of %[1]s for bash: source <(%[1]s completion bash)
%[2]s() {
  local IFS=$'\n' cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= words=
  # bash takes --flag=value for three words.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD-2]}
  fi
  if (( COMP_CWORD > 1 )); then
    case ${COMP_WORDS[1]} in
    %[3]s) command=${COMP_WORDS[1]} ;;
    esac
  fi
  COMPREPLY=()
  case $prev in
%[4]s  esac
  case $command in
%[5]s  esac
  COMPREPLY=($(compgen -W "${words// /$IFS}" -- "$cur"))
}
complete -F %[2]s %[1]s
`

// bashValue completes what follows a flag.
func bashValue(flag word) string {
	switch {
	case len(flag.values) > 0:
		return fmt.Sprintf(`COMPREPLY=($(compgen -W $'%s' -- "$cur"))`, strings.Join(flag.values, `\n`))
	case flag.value == takesFile:
		return `compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur"))`
	case flag.value == takesFolder:
		return `compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur"))`
	}
	return ":"
}

// distinct gives each flag that takes a value once.
func distinct(top menu, commands []menu) (all []word) {
	seen := map[string]bool{}
	for _, m := range append([]menu{top}, commands...) {
		for _, flag := range m.words {
			if flag.value != "" && !seen[flag.names[0]] {
				seen[flag.names[0]] = true
				all = append(all, flag)
			}
		}
	}
	return all
}

// function is the name of the shell function that completes a program.
func function(program string) string { return "_plumbline_" + program }
