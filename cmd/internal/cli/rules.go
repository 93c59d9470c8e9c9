package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/plumbline-dev/plumbline/pipeline/policy"
)

// Rules gives the rules that the flags --rules and --policy ask for. file is empty when there is no policy file, ruleset
// when none was named: then the file's counts, or the default. A ruleset that is not the file's, for every conversation,
// is an error.
func Rules(ruleset, file string) (*policy.Set, error) {
	if file == "" {
		return policy.Load("--rules", nil, ruleset)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--policy: %w", err)
	}
	return RulesOf(ruleset, file, content)
}

// RulesOf gives the rules that the content of the file of --policy asks for, with --rules.
func RulesOf(ruleset, file string, content []byte) (*policy.Set, error) {
	set, err := policy.Load(file, content, ruleset)
	if err != nil {
		return nil, err
	}
	said := set.Rulesets()
	if ruleset != "" && !slices.Equal(said, []string{ruleset}) {
		return nil, fmt.Errorf("--rules %s: %s says %s; leave one of them out", ruleset, file, strings.Join(said, " and "))
	}
	return set, nil
}

// Policy reads the policy file that a flag names. ruleset counts where the file names none, empty is the default.
func Policy(flag, file, ruleset string) (*policy.Set, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	return policy.Load(file, content, ruleset)
}
