package policy

import (
	"fmt"
	"maps"
	"slices"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
)

// Set holds the rules of every conversation under one policy file. It is never changed and may be shared.
type Set struct {
	tenants, agents map[string]bool // that have settings of their own
	rules           map[place]*turn.Rules
}

// place is what tells conversations apart: a tenant and an agent that have settings of their own, else empty.
type place struct {
	tenant, agent string
}

// maxPlaces is how many pairs of a tenant and an agent with settings of their own a file may make.
const maxPlaces = 100_000

// Load reads a policy file. ruleset is the one to use where the file names none, empty for the default. The error is a
// *Error, or joins several: each names the file, the line and the field.
func Load(name string, content []byte, ruleset string) (*Set, error) {
	f, doc, err := parse(name, content)
	if err != nil {
		return nil, err
	}
	if places := (len(f.Tenants) + 1) * (len(f.Agents) + 1); places > maxPlaces {
		return nil, &Error{File: name, Line: 1, Reason: fmt.Sprintf("%d tenants and %d agents make more than %d pairs", len(f.Tenants), len(f.Agents), maxPlaces)}
	}
	s := &Set{tenants: names(f.Tenants), agents: names(f.Agents), rules: map[place]*turn.Rules{}}
	base := turn.Policy{Ruleset: ruleset}
	if ruleset == "" {
		base.Ruleset = turn.Rulesets[0]
	}
	base = f.settings.over(base)
	for _, tenant := range append([]string{""}, slices.Sorted(maps.Keys(f.Tenants))...) {
		for _, agent := range append([]string{""}, slices.Sorted(maps.Keys(f.Agents))...) {
			p := f.Agents[agent].over(f.Tenants[tenant].over(base))
			rules, err := p.Compile()
			if err != nil {
				return nil, doc.blame(tenant, agent, err)
			}
			s.rules[place{tenant, agent}] = rules
		}
	}
	return s, nil
}

func names(of map[string]settings) map[string]bool {
	set := map[string]bool{}
	for name := range of {
		set[name] = true
	}
	return set
}

// RulesFor gives the rules of a conversation: the file's settings, over them those of its tenant, over them those of its
// agent.
func (s *Set) RulesFor(c event.Conversation) *turn.Rules {
	var at place
	if s.tenants[c.Tenant] {
		at.tenant = c.Tenant
	}
	if s.agents[c.Agent] {
		at.agent = c.Agent
	}
	return s.rules[at]
}

// Base is the rules of a conversation whose tenant and agent have no settings of their own.
func (s *Set) Base() *turn.Rules { return s.rules[place{}] }
