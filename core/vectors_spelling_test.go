package core_test

import (
	"encoding/json"
	"errors"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/evidence"
)

func init() {
	register("normalizeToken", func(t *testing.T, a Args) any { return evidence.NormalizeToken(a.String(t, 0)) })
	register("tokenize", func(t *testing.T, a Args) any { return evidence.Tokenize(a.String(t, 0)) })
	register("lookupForms", func(t *testing.T, a Args) any { return evidence.LookupForms(a.String(t, 0)) })
	register("countDigits", func(t *testing.T, a Args) any { return evidence.CountDigits(a.String(t, 0)) })
	register("dateAndClockForms", func(t *testing.T, a Args) any { return evidence.DateAndClockForms(a.String(t, 0)) })
	register("figureNumbersOf", func(t *testing.T, a Args) any { return evidence.FigureNumbers(a.String(t, 0)) })
	register("classifyToken", func(t *testing.T, a Args) any {
		gate, err := gateOf(t, a.JSON(1))
		if err != nil {
			return notRE2(t, err)
		}
		c, ok := gate.Classify(a.String(t, 0), figuresOf(t, a))
		if !ok {
			return undefined{}
		}
		return candidate(c)
	})
	register("extractCandidates", func(t *testing.T, a Args) any {
		gate, err := gateOf(t, a.JSON(1))
		if err != nil {
			return notRE2(t, err)
		}
		text, figures := a.String(t, 0), figuresOf(t, a)
		if string(a.JSON(2)) == "true" {
			figures = setOf(evidence.FigureNumbers(text))
		}
		list := []any{}
		for _, c := range gate.ExtractWith(text, figures) {
			list = append(list, candidate(c))
		}
		return list
	})
	register("candidateForms", func(t *testing.T, a Args) any {
		var c evidence.Candidate
		a.Into(t, 0, &c)
		return c.Forms()
	})
}

func candidate(c evidence.Candidate) map[string]any {
	out := map[string]any{"value": c.Value, "shape": c.Shape}
	if c.Token != "" {
		out["token"] = c.Token
	}
	return out
}

// pattern is a pattern of the vectors.
type pattern struct {
	Source string `json:"$re"`
	Flags  string `json:"$flags"`
}

// re2 writes a pattern of the vectors as this project's rules have it: RE2.
func (p pattern) re2() string {
	source := p.Source
	for _, flag := range "ims" {
		if strings.ContainsRune(p.Flags, flag) {
			source = "(?" + string(flag) + ")" + source
		}
	}
	return source
}

// gateOf builds the gate of a vector. The patterns of the first library are RegExps, ours are RE2.
func gateOf(t *testing.T, raw json.RawMessage) (*evidence.Gate, error) {
	t.Helper()
	var g struct {
		Posture   string            `json:"posture"`
		MinDigits *int              `json:"minDigits"`
		Figures   any               `json:"figures"`
		Exempt    []json.RawMessage `json:"exempt"`
		Shapes    []struct {
			Name  string  `json:"name"`
			Match pattern `json:"match"`
		} `json:"shapes"`
	}
	must(t, json.Unmarshal(raw, &g))
	c := evidence.GateConfig{Posture: g.Posture, MinDigits: g.MinDigits, Figures: g.Figures != nil && g.Figures != false}
	for _, e := range g.Exempt {
		var value string
		if json.Unmarshal(e, &value) == nil {
			c.Exempt = append(c.Exempt, value)
			continue
		}
		var p pattern
		must(t, json.Unmarshal(e, &p))
		c.ExemptPatterns = append(c.ExemptPatterns, p.re2())
	}
	for _, s := range g.Shapes {
		c.Shapes = append(c.Shapes, evidence.Shape{Name: s.Name, Pattern: s.Match.re2()})
	}
	return evidence.NewGate(c)
}

// notRE2 answers for a pattern that the first library takes and RE2 does not know: the rule is that it is refused, so
// the pair's own outcome cannot be held.
func notRE2(t *testing.T, err error) any {
	t.Helper()
	if _, ok := errors.AsType[*syntax.Error](err); !ok {
		return refused{err}
	}
	return unheld{err}
}

// figuresOf is the third argument when it lists the numbers that count as figures.
func figuresOf(t *testing.T, a Args) map[string]bool {
	t.Helper()
	if !a.Has(2) || string(a.JSON(2)) == "true" || string(a.JSON(2)) == "false" {
		return nil
	}
	var list []string
	a.Into(t, 2, &list)
	return setOf(list)
}

func setOf(list []string) map[string]bool {
	set := map[string]bool{}
	for _, s := range list {
		set[s] = true
	}
	return set
}
