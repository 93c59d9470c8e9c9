// Package policy turns a policy file into the rules of each conversation. It answers "which rules does this conversation
// have, and what is wrong with this file?".
//
// A file is one YAML document, checked against schemas/policy.v1.json; each fault names the line and the field. It holds
// settings for every conversation, and settings of single tenants and agents that replace them. Nothing is read here but
// the bytes that are handed in. It counts in lines, from 1.
package policy

import (
	"maps"

	"github.com/plumbline-dev/plumbline/core/evidence"
	"github.com/plumbline-dev/plumbline/core/turn"
)

// settings are what a file may say, for every conversation or for some. What is not said is nil.
type settings struct {
	Ruleset        *string           `yaml:"ruleset"`
	MinDigits      *int              `yaml:"minDigits"`
	Figures        *bool             `yaml:"figures"`
	Scope          *string           `yaml:"scope"`
	Scripts        *string           `yaml:"scripts"`
	Shapes         *[]evidence.Shape `yaml:"shapes"`
	Exempt         *[]string         `yaml:"exempt"`
	ExemptPatterns *[]string         `yaml:"exemptPatterns"`
	Placeholders   *[]string         `yaml:"placeholders"`
	Off            *[]string         `yaml:"off"`
	// ConversationBytes is turn.Policy's.
	ConversationBytes *int            `yaml:"conversationBytes"`
	Values            *string         `yaml:"values"`
	Tools             map[string]tool `yaml:"tools"`
}

// tool are the settings of one tool.
type tool struct {
	RowsAt *string `yaml:"rowsAt"`
}

// tenant are the settings of one tenant: for all its agents, and for single ones.
type tenant struct {
	settings `yaml:",inline"`
	Agents   map[string]settings `yaml:"agents"`
}

// file is a whole policy file.
type file struct {
	settings `yaml:",inline"`
	Agents   map[string]settings `yaml:"agents"`
	Tenants  map[string]tenant   `yaml:"tenants"`
}

// over gives the policy with what the settings say in place of what it said. Lists are replaced as a whole, tools one by
// one. It shares no map with the policy.
func (s settings) over(p turn.Policy) turn.Policy {
	replace(&p.Ruleset, s.Ruleset)
	if s.MinDigits != nil {
		p.Evidence.MinDigits = s.MinDigits
	}
	replace(&p.Evidence.Figures, s.Figures)
	replace(&p.Scope, s.Scope)
	replace(&p.Scripts, s.Scripts)
	replace(&p.Evidence.Shapes, s.Shapes)
	replace(&p.Evidence.Exempt, s.Exempt)
	replace(&p.Evidence.ExemptPatterns, s.ExemptPatterns)
	replace(&p.Placeholders, s.Placeholders)
	replace(&p.Evidence.Off, s.Off)
	replace(&p.ConversationBytes, s.ConversationBytes)
	replace(&p.Values, s.Values)
	p.RowsAt = maps.Clone(p.RowsAt)
	for name, t := range s.Tools {
		if p.RowsAt == nil {
			p.RowsAt = map[string]string{}
		}
		if t.RowsAt != nil {
			p.RowsAt[name] = *t.RowsAt
		}
	}
	return p
}

// replace puts what was said in the place of a value.
func replace[T any](into *T, said *T) {
	if said != nil {
		*into = *said
	}
}
