package evidence

import (
	"strings"
	"testing"
)

func TestNewGateDefaults(t *testing.T) {
	g := newGate(t, GateConfig{})
	if g.Posture() != DefaultPosture || g.Figures() || g.minDigits != 4 {
		t.Errorf("got posture %q, figures %t, minDigits %d", g.Posture(), g.Figures(), g.minDigits)
	}
	two := 2
	g = newGate(t, GateConfig{Posture: "rails", Figures: true, MinDigits: &two})
	if g.Posture() != "rails" || !g.Figures() || g.minDigits != 2 {
		t.Errorf("got posture %q, figures %t, minDigits %d", g.Posture(), g.Figures(), g.minDigits)
	}
}

// TestNewGateErrors holds that an error names the field, the first that is wrong.
func TestNewGateErrors(t *testing.T) {
	zero := 0
	for _, tt := range []struct {
		name string
		c    GateConfig
		want string // how the error begins
	}{
		{"posture", GateConfig{Posture: " ", MinDigits: &zero}, "posture: "},
		{"minDigits", GateConfig{MinDigits: &zero, Shapes: []Shape{{"", "a"}}}, "minDigits: 0 "},
		{"no name", GateConfig{Shapes: []Shape{{"a", "a"}, {" \t", "b"}}, ExemptPatterns: []string{"("}}, "shapes[1].name: "},
		{"a name twice", GateConfig{Shapes: []Shape{{"a", "a"}, {"b", "b"}, {" a ", "c"}}}, `shapes[2].name: "a" is the name of shapes[0]`},
		{"a pattern", GateConfig{Shapes: []Shape{{"a", "["}}}, "shapes[0].pattern: "},
		{"a pattern of another dialect", GateConfig{Shapes: []Shape{{"a", `(?!a)b`}}}, "shapes[0].pattern: "},
		{"a pattern that is one only when wrapped", GateConfig{Shapes: []Shape{{"a", `a)(b`}}}, "shapes[0].pattern: "},
		{"an exempt pattern", GateConfig{ExemptPatterns: []string{"a", `(a)\1`}}, "exemptPatterns[1]: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g, err := NewGate(tt.c)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %v, want %q…", err, tt.want)
			}
			if g != nil {
				t.Error("a gate beside the error")
			}
		})
	}
}

// TestPatternsAreWhole holds that a pattern's own flags and anchors do not let it match a part.
func TestPatternsAreWhole(t *testing.T) {
	for _, tt := range []struct {
		pattern, token string
		want           bool
	}{
		{`k\d`, "k1", true}, {`k\d`, "k12", false}, {`k\d`, "ak1", false},
		{`k1|k12`, "k12", true}, {`^k\d+$`, "k12", true}, {`(?i)K\d`, "k1", true}, {`K\d`, "k1", false},
		{`(?m)^k1$`, "k1", true}, {`(?m)^k1$`, "k1\nk2", false}, {``, "k1", false}, {`k.*`, "k\n", false}, {`k1`, "k1\n", false},
	} {
		g := newGate(t, GateConfig{Shapes: []Shape{{" named ", tt.pattern}}})
		c, _ := g.Classify(tt.token, nil)
		if got := c.Shape == "named"; got != tt.want {
			t.Errorf("%q on %q: %t, want %t", tt.pattern, tt.token, got, tt.want)
		}
	}
}

func TestGateKeepsNothingOfItsConfig(t *testing.T) {
	digits := 2
	c := GateConfig{MinDigits: &digits, Shapes: []Shape{{"a", "k1"}}, Exempt: []string{"q1234"}}
	g := newGate(t, c)
	digits, c.Shapes[0], c.Exempt[0] = 9, Shape{"b", "x"}, "z9999"
	if cand, _ := g.Classify("k1", nil); cand.Shape != "a" {
		t.Errorf("the shape became %q", cand.Shape)
	}
	if _, ok := g.Classify("q1234", nil); ok {
		t.Error("the exempt value is data")
	}
	if _, ok := g.Classify("42", nil); !ok {
		t.Error("two digits are no data")
	}
}
