package evidence

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// GateConfig is what a policy may choose about which tokens are data. The zero value is the default.
type GateConfig struct {
	// Posture is a label that verdicts carry; empty is DefaultPosture.
	Posture string `json:"posture,omitempty"`
	// MinDigits is how many digits a bare number needs to be data; nil is DefaultMinDigits.
	MinDigits *int `json:"minDigits,omitempty"`
	// Figures makes a number that wears a unit data at any length, and asks an unfound number whether it derives from
	// what results carry.
	Figures bool `json:"figures,omitempty"`
	// Shapes are further kinds of data, the first that matches wins.
	Shapes []Shape `json:"shapes,omitempty"`
	// Exempt are values that are never data, in any spelling.
	Exempt []string `json:"exempt,omitempty"`
	// ExemptPatterns are RE2 patterns of tokens that are never data, matched whole against the lower-cased token.
	ExemptPatterns []string `json:"exemptPatterns,omitempty"`
	// Calibrated makes the spellings of one value equal (readers.md, "calibrated-1"). Off names the equivalences that do
	// not hold.
	Calibrated bool     `json:"calibrated,omitempty"`
	Off        []string `json:"off,omitempty"`
}

// Shape is a kind of data that a policy declares: an RE2 pattern, matched whole against the lower-cased token.
type Shape struct {
	Name    string `json:"name"`
	Pattern string `json:"pattern"`
}

// The defaults of GateConfig.
const (
	DefaultPosture   = "flag"
	DefaultMinDigits = 4
)

// Gate decides which tokens are data. It is never changed and may be shared.
type Gate struct {
	posture        string
	minDigits      int
	figures        bool
	shapes         []shape
	exempt         map[string]bool // every lookup form of every exempt value
	exemptPatterns []*regexp.Regexp
	calibrated     bool // calibrated-1: its reading rules hold whatever equivalences are off
	rules          RuleSet
}

type shape struct {
	name    string
	pattern *regexp.Regexp
}

// NewGate checks a configuration: posture, minDigits, shapes, exempt, exemptPatterns, in this order. The error names the
// first field that is wrong. Nothing of the configuration is kept.
func NewGate(c GateConfig) (*Gate, error) {
	g := &Gate{posture: c.Posture, minDigits: DefaultMinDigits, figures: c.Figures, exempt: exemptForms(c.Exempt)}
	switch {
	case c.Posture == "":
		g.posture = DefaultPosture
	case strings.TrimSpace(c.Posture) == "":
		return nil, fmt.Errorf("posture: %q is blank; leave it out for %q", c.Posture, DefaultPosture)
	}
	if c.MinDigits != nil {
		g.minDigits = *c.MinDigits
	}
	if g.minDigits < 1 {
		return nil, fmt.Errorf("minDigits: %d is less than 1", g.minDigits)
	}
	var err error
	if g.shapes, err = newShapes(c.Shapes); err != nil {
		return nil, err
	}
	if g.exemptPatterns, err = newPatterns(c.ExemptPatterns); err != nil {
		return nil, err
	}
	if g.calibrated = c.Calibrated; g.calibrated {
		if g.rules, err = AllRules(c.Off...); err != nil {
			return nil, fmt.Errorf("off: %w", err)
		}
	}
	return g, nil
}

func newShapes(declared []Shape) ([]shape, error) {
	var shapes []shape
	first := map[string]int{}
	for i, s := range declared {
		name := strings.TrimSpace(s.Name)
		if name == "" {
			return nil, fmt.Errorf("shapes[%d].name: a shape needs a name", i)
		}
		if at, ok := first[name]; ok {
			return nil, fmt.Errorf("shapes[%d].name: %q is the name of shapes[%d]", i, name, at)
		}
		first[name] = i
		pattern, err := whole(s.Pattern)
		if err != nil {
			return nil, fmt.Errorf("shapes[%d].pattern: %w", i, err)
		}
		shapes = append(shapes, shape{name, pattern})
	}
	return shapes, nil
}

// exemptForms are the forms of the values that a policy exempts: of 0xef0101 also ef0101, but not the reverse.
func exemptForms(values []string) map[string]bool {
	forms := map[string]bool{}
	for _, value := range values {
		for _, form := range LookupForms(NormalizeToken(value)) {
			forms[form] = true
		}
	}
	return forms
}

func newPatterns(sources []string) ([]*regexp.Regexp, error) {
	var patterns []*regexp.Regexp
	for i, source := range sources {
		pattern, err := whole(source)
		if err != nil {
			return nil, fmt.Errorf("exemptPatterns[%d]: %w", i, err)
		}
		patterns = append(patterns, pattern)
	}
	return patterns, nil
}

// whole compiles a pattern so that it matches whole tokens only. The pattern must be one by itself: "a)(b" is none.
func whole(source string) (*regexp.Regexp, error) {
	if _, err := syntax.Parse(source, syntax.Perl); err != nil {
		return nil, err
	}
	return regexp.Compile("^(?:" + source + ")$")
}

// Posture is the label that verdicts carry.
func (g *Gate) Posture() string { return g.posture }

// Figures tells whether numbers that wear a unit are judged as figures.
func (g *Gate) Figures() bool { return g.figures }

// declaredExempt tells whether the policy says that a token is not data.
func (g *Gate) declaredExempt(token []byte) bool {
	if g.exempt[string(token)] {
		return true
	}
	for _, pattern := range g.exemptPatterns {
		if pattern.Match(token) {
			return true
		}
	}
	return false
}
