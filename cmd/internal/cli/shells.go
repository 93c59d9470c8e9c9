package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// writeZsh writes a function for zsh, which works sourced and from a folder of $fpath.
func (p Program) writeZsh(w io.Writer, model *kong.Application) error {
	top, commands := p.menus(model)
	var cases, list strings.Builder
	for _, command := range commands {
		fmt.Fprintf(&cases, "    %s) shift words; (( CURRENT-- )); _arguments -S%s ;;\n", command.name, zshFlags(command.words))
	}
	for _, command := range append(commands, papersMenus()...) {
		fmt.Fprintf(&list, " %s\\:%s", command.name, quote(zshText(command.help)))
	}
	_, err := fmt.Fprintf(w, zshFrame, p.Name, function(p.Name), cases.String(), strings.Join(shells, " "), list.String(), zshFlags(top.words))
	return err
}

// zshFrame takes the program, the function, the cases of commands, the shells, the commands and the flags without one.
const zshFrame = `#compdef %[1]s
# Completion of %[1]s for zsh: source <(%[1]s completion zsh)
%[2]s() {
  local command=
  (( CURRENT > 2 )) && command=${words[2]}
  case $command in
%[3]s    completion) shift words; (( CURRENT-- )); _arguments "1:shell:(%[4]s)" ;;
    man) ;;
    *) _arguments -S "1:command:((%[5]s))"%[6]s ;;
  esac
}
if [[ ${funcstack[1]} == %[2]s ]]; then
  %[2]s "$@"
else
  compdef %[2]s %[1]s
fi
`

// zshFlags writes the specification of each flag for _arguments.
func zshFlags(words []word) string {
	var out strings.Builder
	for _, w := range words {
		for _, name := range w.names {
			spec := name
			if w.value != "" {
				spec += "="
			}
			if w.many {
				spec = "*" + spec
			}
			spec += "[" + zshText(w.help) + "]" + zshValue(w)
			fmt.Fprintf(&out, " \\\n      %s", single(spec))
		}
	}
	return out.String()
}

func zshValue(w word) string {
	switch {
	case len(w.values) > 0:
		return ":value:(" + strings.Join(w.values, " ") + ")"
	case w.value == takesFile:
		return ":file:_files"
	case w.value == takesFolder:
		return ":folder:_files -/"
	case w.value == takesText:
		return ":value: "
	}
	return ""
}

// zshText writes text that stands in a specification.
func zshText(text string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, ":", `\:`).Replace(text)
}

// quote writes text that stands within double quotes, as one word with spaces in it.
func quote(text string) string {
	return strings.NewReplacer(" ", `\ `, `"`, `\"`, "$", `\$`, "`", "\\`", "(", `\(`, ")", `\)`, ";", `\;`, "'", `\'`).Replace(text)
}

// single writes text in single quotes, as bash, zsh and fish read it.
func single(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// writeFish writes a line for each flag and each command.
func (p Program) writeFish(w io.Writer, model *kong.Application) error {
	top, commands := p.menus(model)
	var out strings.Builder
	fmt.Fprintf(&out, "# Completion of %[1]s for fish: %[1]s completion fish | source\ncomplete -c %[1]s -f\n", p.Name)
	papers := papersMenus()
	named := append(append([]menu{}, commands...), papers...)
	var others []string // the commands whose flags are not those of the program alone
	for _, command := range named {
		fmt.Fprintf(&out, "complete -c %s -n __fish_use_subcommand -a %s -d %s\n", p.Name, command.name, single(command.help))
		others = append(others, command.name)
	}
	fmt.Fprintf(&out, "complete -c %s -n '__fish_seen_subcommand_from completion' -a %s\n", p.Name, single(strings.Join(shells, " ")))
	fishFlags(&out, p.Name, "not __fish_seen_subcommand_from "+strings.Join(others, " "), top.words)
	for _, command := range commands {
		fishFlags(&out, p.Name, "__fish_seen_subcommand_from "+command.name, command.words)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func fishFlags(out *strings.Builder, program, when string, words []word) {
	for _, w := range words {
		for _, name := range w.names {
			fmt.Fprintf(out, "complete -c %s -n %s -l %s%s -d %s\n",
				program, single(when), strings.TrimPrefix(name, "--"), fishValue(w), single(w.help))
		}
	}
}

func fishValue(w word) string {
	switch {
	case len(w.values) > 0:
		return " -x -a " + single(strings.Join(w.values, " "))
	case w.value == takesFile:
		return " -r -F"
	case w.value == takesFolder:
		return " -x -a '(__fish_complete_directories)'"
	case w.value == takesText:
		return " -x"
	}
	return ""
}
