package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/plumbline-dev/plumbline/pipeline/policy"
)

// Rules gives the rules that the flags --rules, --policy and --values ask for. file is empty when there is no policy file,
// ruleset when none was named: then the file's counts, or the default. What a flag says and the file does not, for every
// conversation, is an error.
func Rules(ruleset, file string, values Values) (*policy.Set, error) {
	if file == "" {
		return Ruleset("--rules", ruleset, values)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--policy: %w", err)
	}
	return RulesOf(ruleset, file, content, values)
}

// RulesOf gives the rules that the content of the file of --policy asks for, with the flags.
func RulesOf(ruleset, file string, content []byte, values Values) (*policy.Set, error) {
	base, err := values.base(ruleset)
	if err != nil {
		return nil, err
	}
	set, err := policy.LoadOver(file, content, base)
	if err != nil {
		return nil, err
	}
	for _, f := range []struct {
		flag, given string
		said        []string
	}{{"--rules", ruleset, set.Rulesets()}, {"--values", values.Values, set.Values()}} {
		if f.given != "" && !slices.Equal(f.said, []string{f.given}) {
			return nil, fmt.Errorf("%s %s: %s says %s; leave one of them out", f.flag, f.given, file, strings.Join(f.said, " and "))
		}
	}
	return set, nil
}

// Policy reads the policy file that a flag names. ruleset counts where the file names none, empty is the default; likewise
// values.
func Policy(flag, file, ruleset string, values Values) (*policy.Set, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	base, err := values.base(ruleset)
	if err != nil {
		return nil, err
	}
	return policy.LoadOver(file, content, base)
}

// Ruleset gives the rules of a ruleset that a flag names, under no policy file.
func Ruleset(flag, ruleset string, values Values) (*policy.Set, error) {
	base, err := values.base(ruleset)
	if err != nil {
		return nil, err
	}
	return policy.LoadOver(flag, nil, base)
}
