package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/plumbline-dev/plumbline/core/turn"
)

// Values are the flags of both programs that say what verdicts carry of values: it is part of the policy, so the same
// flags give the same bytes.
type Values struct {
	Values    string `values:"full,hashed,none" placeholder:"HOW" help:"What verdicts carry of values: full, hashed or none (full)."`
	ValuesKey string `rare:"" placeholder:"FILE" help:"Key of hashed values."`
}

// base is the policy that counts where a policy file says nothing.
func (v Values) base(ruleset string) (turn.Policy, error) {
	p := turn.Policy{Ruleset: ruleset, Values: v.Values}
	hows := []string{turn.ValuesFull, turn.ValuesHashed, turn.ValuesNone}
	if v.Values != "" && !slices.Contains(hows, v.Values) {
		return p, fmt.Errorf("--values %s: want full, hashed or none", v.Values)
	}
	if v.ValuesKey == "" {
		if v.Values == turn.ValuesHashed {
			return p, errors.New("--values hashed needs a key: name its file with --values-key; openssl rand -hex 32 makes one")
		}
		return p, nil
	}
	key, err := os.ReadFile(v.ValuesKey)
	if err != nil {
		return p, fmt.Errorf("--values-key: %w", err)
	}
	if p.ValuesKey = bytes.TrimSpace(key); len(p.ValuesKey) < turn.MinValuesKey {
		return p, fmt.Errorf("--values-key %s: it has %d bytes, and a key needs %d: openssl rand -hex 32 makes one",
			v.ValuesKey, len(p.ValuesKey), turn.MinValuesKey)
	}
	return p, nil
}
