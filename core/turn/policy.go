package turn

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/plumbline-dev/plumbline/core/emptiness"
	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/evidence"
)

// Engine is the version of the build that made a verdict. The same engine, ruleset, policy and events give the same
// bytes; anything that changes a byte of a verdict changes it.
const Engine = "plumbline/0.1.0"

// The ids of the rulesets. A ruleset is frozen: a change of what it gives is a new id.
const (
	// Calibrated1 makes the spellings of one value equal. It is the default.
	Calibrated1 = "calibrated-1"
	// Literal1 behaves like the first library, value for value.
	Literal1 = "literal-1"
)

// Rulesets lists the ids of the rulesets that this build knows, the default first.
var Rulesets = []string{Calibrated1, Literal1}

// The scopes: how far back a result may lie to ground a value.
const (
	ScopeConversation = "conversation" // every turn so far
	ScopeTurn         = "turn"         // the answer's own turn
)

// The settings of the script reader.
const (
	ScriptsOff   = "off"
	ScriptsMatch = "match"
)

// Policy is what a deployment may choose about the readers. Its zero value, with a Ruleset, is that ruleset's default.
type Policy struct {
	Ruleset string `json:"ruleset"`
	// Evidence holds the posture, minDigits, figures, shapes and exempt values of the evidence reader.
	Evidence evidence.GateConfig `json:"evidence"`
	// Scope is ScopeConversation or ScopeTurn; empty is ScopeConversation.
	Scope string `json:"scope"`
	// Scripts is ScriptsOff or ScriptsMatch; empty is the ruleset's own.
	Scripts string `json:"scripts"`
	// RowsAt names, per tool, the top-level key of its result that holds the rows.
	RowsAt map[string]string `json:"rowsAt"`
	// Placeholders are the strings a redactor leaves where a value was; nil is DefaultPlaceholders.
	Placeholders []string `json:"placeholders"`
	// ConversationBytes is how much of a conversation is taken in, see limit.go; 0 is DefaultConversationBytes.
	ConversationBytes int `json:"conversationBytes,omitempty"`
	// Values is ValuesFull, ValuesHashed or ValuesNone; empty is ValuesFull.
	Values string `json:"values,omitempty"`
	// ValuesKey is the key of ValuesHashed, at least MinValuesKey bytes. It is no part of the digest.
	ValuesKey []byte `json:"-"`
	// ValuesKeyID stands for the key in the digest. Compile sets it.
	ValuesKeyID string `json:"valuesKey,omitempty"`
}

// DefaultPlaceholders are the placeholders looked for when a policy names none.
var DefaultPlaceholders = []string{"[REDACTED]", "REDACTED"}

// Rules is a policy that was checked and made ready. It is never changed and may be shared.
type Rules struct {
	policy  Policy
	gate    *evidence.Gate
	digest  string
	scripts bool
}

// Compile checks the policy and makes it ready. The error names the field that is wrong.
func (p Policy) Compile() (*Rules, error) {
	p = p.effective()
	if err := p.validate(); err != nil {
		return nil, err
	}
	gate, err := evidence.NewGate(p.Evidence)
	if err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	digest, err := p.digest()
	if err != nil {
		return nil, err
	}
	return &Rules{policy: p, gate: gate, digest: digest, scripts: p.Scripts == ScriptsMatch}, nil
}

// Ruleset is the id of the rules, as verdict subjects name it.
func (r *Rules) Ruleset() string { return r.policy.Ruleset }

// RulesFor gives the rules themselves: they are the same for every conversation.
func (r *Rules) RulesFor(event.Conversation) *Rules { return r }

// Digest is the hex SHA-256 of the effective policy: policies that choose the same have the same digest.
func (r *Rules) Digest() string { return r.digest }

// Policy is the effective policy: what the ruleset chooses is filled in. Its lists and maps are not to be changed.
func (r *Rules) Policy() Policy { return r.policy }

// effective fills in what the policy leaves to its ruleset. It shares no map or list with the policy.
func (p Policy) effective() Policy {
	if p.Scope == "" {
		p.Scope = ScopeConversation
	}
	p.Evidence.Calibrated = p.Ruleset == Calibrated1
	if p.Scripts == "" {
		p.Scripts = ScriptsOff
		if p.Ruleset == Calibrated1 {
			p.Scripts = ScriptsMatch
		}
	}
	if p.Placeholders == nil {
		p.Placeholders = DefaultPlaceholders
	}
	p.ConversationBytes = cmp.Or(p.ConversationBytes, DefaultConversationBytes)
	p.Values, p.ValuesKeyID = cmp.Or(p.Values, ValuesFull), ""
	if p.Values == ValuesHashed {
		p.ValuesKeyID = keyID(p.ValuesKey)
	}
	e := &p.Evidence
	for _, list := range []*[]string{&e.Exempt, &e.ExemptPatterns, &e.Off, &p.Placeholders} {
		*list = slices.Clone(*list)
	}
	e.Shapes = slices.Clone(e.Shapes)
	p.RowsAt = maps.Clone(p.RowsAt)
	return p
}

func (p Policy) validate() error {
	if !slices.Contains(Rulesets, p.Ruleset) {
		return fmt.Errorf("policy: ruleset %q is not one of %s", p.Ruleset, strings.Join(Rulesets, ", "))
	}
	if p.Scope != ScopeConversation && p.Scope != ScopeTurn {
		return fmt.Errorf("policy: scope %q is neither %s nor %s", p.Scope, ScopeConversation, ScopeTurn)
	}
	if p.Scripts != ScriptsOff && p.Scripts != ScriptsMatch {
		return fmt.Errorf("policy: scripts %q is neither %s nor %s", p.Scripts, ScriptsOff, ScriptsMatch)
	}
	if p.ConversationBytes < 0 || p.ConversationBytes > MaxConversationBytes {
		return fmt.Errorf("policy: conversationBytes %d is not between 1 and %d", p.ConversationBytes, MaxConversationBytes)
	}
	if err := p.validateValues(); err != nil {
		return err
	}
	if slices.Contains(p.Placeholders, "") {
		return errors.New("policy: placeholders: a placeholder may not be empty")
	}
	for _, tool := range slices.Sorted(maps.Keys(p.RowsAt)) {
		if problem := emptiness.RowsAtProblem(p.RowsAt[tool]); problem != "" {
			return fmt.Errorf("policy: rowsAt of tool %q is %s: want one top-level key of the result", tool, problem)
		}
	}
	return nil
}

// digest is over the JSON of the canonical policy: fields in the order of the struct, map keys sorted.
func (p Policy) digest() (string, error) {
	b, err := json.Marshal(p.canonical())
	if err != nil {
		return "", fmt.Errorf("policy: %w", err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

// canonical is the one form of all effective policies that choose the same: defaults are said, lists whose order means
// nothing are sorted, and what has no effect is left out.
func (p Policy) canonical() Policy {
	e := &p.Evidence
	if e.Posture == "" {
		e.Posture = evidence.DefaultPosture
	}
	if e.MinDigits == nil {
		e.MinDigits = new(evidence.DefaultMinDigits)
	}
	if !e.Calibrated {
		e.Off = nil
	}
	for _, list := range []*[]string{&e.Exempt, &e.ExemptPatterns, &e.Off, &p.Placeholders} {
		*list = slices.Compact(slices.Sorted(slices.Values(*list)))
	}
	if len(p.RowsAt) == 0 {
		p.RowsAt = nil
	}
	if p.ConversationBytes == DefaultConversationBytes {
		p.ConversationBytes = 0
	}
	if p.Values == ValuesFull {
		p.Values = ""
	}
	return p
}
