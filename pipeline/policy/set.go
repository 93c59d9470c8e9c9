package policy

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
)

// Set holds the rules of every conversation under one policy file. It is never changed and may be shared.
type Set struct {
	common   rules            // of tenants without settings of their own
	tenants  map[string]rules // of the others
	rulesets []string
	values   []string
}

// rules are those of one tenant's conversations.
type rules struct {
	common *turn.Rules            // of agents without settings of their own
	agents map[string]*turn.Rules // of the others
}

// maxPlaces is how many pairs of a tenant and an agent with settings of their own a file may make. Pairs that come to
// the same policy share its rules.
const maxPlaces = 100_000

// Load reads a policy file. ruleset is the one to use where the file names none, empty for the default. The error is a
// *Error, or joins several: each names the file, the line and the field.
func Load(name string, content []byte, ruleset string) (*Set, error) {
	return LoadOver(name, content, turn.Policy{Ruleset: ruleset})
}

// LoadOver is Load with the policy that counts where the file says nothing; no ruleset is the default one.
func LoadOver(name string, content []byte, base turn.Policy) (*Set, error) {
	f, doc, err := parse(name, content)
	if err != nil {
		return nil, err
	}
	if places := f.places(); places > maxPlaces {
		return nil, doc.errorAt(1, nil, fmt.Sprintf("its tenants and agents make %d pairs, and %d is the most: give fewer of them settings of their own", places, maxPlaces))
	}
	base.Ruleset = cmp.Or(base.Ruleset, turn.Rulesets[0])
	c := compiler{file: f, doc: doc, done: map[string]*turn.Rules{}}
	return c.set(f.over(base))
}

// places counts the pairs of a tenant and an agent that may have rules of their own.
func (f file) places() int {
	count := len(f.Agents) + 1
	for _, t := range f.Tenants {
		count += len(f.Agents) + len(t.Agents) + 1
	}
	return count
}

// compiler makes the rules of a file, once for each policy that comes to be effective.
type compiler struct {
	file file
	doc  *document
	done map[string]*turn.Rules // by the JSON of the policy
}

func (c *compiler) set(base turn.Policy) (*Set, error) {
	s := &Set{tenants: map[string]rules{}}
	var err error
	if s.common, err = c.rules("", base, nil); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(c.file.Tenants)) {
		t := c.file.Tenants[name]
		if s.tenants[name], err = c.rules(name, t.over(base), t.Agents); err != nil {
			return nil, err
		}
	}
	for _, r := range c.done {
		s.rulesets = append(s.rulesets, r.Ruleset())
		s.values = append(s.values, r.Policy().Values)
	}
	slices.Sort(s.rulesets)
	slices.Sort(s.values)
	s.rulesets, s.values = slices.Compact(s.rulesets), slices.Compact(s.values)
	return s, nil
}

// rules makes those of one tenant. own are the settings of agents that hold for this tenant only.
func (c *compiler) rules(tenant string, base turn.Policy, own map[string]settings) (rules, error) {
	common, err := c.compile(tenant, "", base)
	if err != nil {
		return rules{}, err
	}
	r := rules{common: common, agents: map[string]*turn.Rules{}}
	everywhere := c.file.Agents
	for _, agent := range slices.Sorted(maps.Keys(everywhere)) {
		if r.agents[agent], err = c.compile(tenant, agent, own[agent].over(everywhere[agent].over(base))); err != nil {
			return rules{}, err
		}
	}
	for _, agent := range slices.Sorted(maps.Keys(own)) {
		if r.agents[agent] != nil {
			continue
		}
		if r.agents[agent], err = c.compile(tenant, agent, own[agent].over(base)); err != nil {
			return rules{}, err
		}
	}
	return r, nil
}

func (c *compiler) compile(tenant, agent string, p turn.Policy) (*turn.Rules, error) {
	key, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("policy of tenant %q, agent %q: %w", tenant, agent, err)
	}
	if done := c.done[string(key)]; done != nil {
		return done, nil
	}
	made, err := p.Compile()
	if err != nil {
		return nil, c.doc.blame(tenant, agent, err)
	}
	c.done[string(key)] = made
	return made, nil
}

// RulesFor gives the rules of a conversation: the file's settings, over them those of its tenant, over them those of its
// agent, over them those of its agent within its tenant.
func (s *Set) RulesFor(c event.Conversation) *turn.Rules {
	r, ok := s.tenants[c.Tenant]
	if !ok {
		r = s.common
	}
	if own, ok := r.agents[c.Agent]; ok {
		return own
	}
	return r.common
}

// Base is the rules of a conversation whose tenant and agent have no settings of their own.
func (s *Set) Base() *turn.Rules { return s.common.common }

// Rulesets are the ids of the rulesets that some conversation is judged by, sorted.
func (s *Set) Rulesets() []string { return slices.Clone(s.rulesets) }

// Values are what verdicts carry of values, for some conversation, sorted.
func (s *Set) Values() []string { return slices.Clone(s.values) }

// Digest is the hex SHA-256 of every rule of the set and of whom it is for: sets that choose the same for everybody, by
// the same names, have the same digest.
func (s *Set) Digest() string {
	h := sha256.New()
	s.common.hash(h, "")
	for _, tenant := range slices.Sorted(maps.Keys(s.tenants)) {
		s.tenants[tenant].hash(h, tenant)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (r rules) hash(h io.Writer, tenant string) {
	fmt.Fprintf(h, "%q %s\n", tenant, r.common.Digest())
	for _, agent := range slices.Sorted(maps.Keys(r.agents)) {
		fmt.Fprintf(h, "%q %q %s\n", tenant, agent, r.agents[agent].Digest())
	}
}
