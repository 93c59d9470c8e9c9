package evidence

import (
	"errors"
	"fmt"
	"regexp"
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
}

type shape struct {
	name    string
	pattern *regexp.Regexp
}

// NewGate checks a configuration. The error names the field.
func NewGate(c GateConfig) (*Gate, error) {
	g := &Gate{posture: c.Posture, minDigits: DefaultMinDigits, figures: c.Figures, exempt: map[string]bool{}}
	if g.posture == "" {
		g.posture = DefaultPosture
	}
	if c.MinDigits != nil {
		g.minDigits = *c.MinDigits
	}
	if g.minDigits < 1 {
		return nil, fmt.Errorf("minDigits: %d is less than 1", g.minDigits)
	}
	return g, errors.Join(g.addShapes(c.Shapes), g.addExempt(c))
}

func (g *Gate) addShapes(shapes []Shape) error {
	seen := map[string]bool{}
	for i, s := range shapes {
		name := strings.TrimSpace(s.Name)
		switch {
		case name == "":
			return fmt.Errorf("shapes[%d].name: a shape needs a name", i)
		case seen[name]:
			return fmt.Errorf("shapes[%d].name: %q names two shapes", i, name)
		}
		seen[name] = true
		pattern, err := whole(s.Pattern)
		if err != nil {
			return fmt.Errorf("shapes[%d].pattern: %w", i, err)
		}
		g.shapes = append(g.shapes, shape{name, pattern})
	}
	return nil
}

func (g *Gate) addExempt(c GateConfig) error {
	for _, value := range c.Exempt {
		for _, form := range LookupForms(NormalizeToken(value)) {
			g.exempt[form] = true
		}
	}
	for i, source := range c.ExemptPatterns {
		pattern, err := whole(source)
		if err != nil {
			return fmt.Errorf("exemptPatterns[%d]: %w", i, err)
		}
		g.exemptPatterns = append(g.exemptPatterns, pattern)
	}
	return nil
}

func whole(source string) (*regexp.Regexp, error) { return regexp.Compile("^(?:" + source + ")$") }

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
