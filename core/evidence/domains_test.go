package evidence

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// domainCase is a result, an honest answer that spells its values another way, and the nearest invention.
type domainCase struct {
	Domain, Name string
	Result       json.RawMessage // a text when it is a JSON string
	Said         string          // by the person
	Honest       string
	Flagged      string // what stays flagged of the honest answer; Why says for which reason
	Why          string
	Invented     string
	Unsupported  string // of the invention, joined by " | "
}

func domainCases(t *testing.T) []domainCase {
	t.Helper()
	f, err := os.Open("testdata/domains.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []domainCase
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var c domainCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("line %d: %v", len(cases)+1, err)
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return cases
}

// Values of many trades, each from both directions: the honest spelling passes, the nearest invention still fails.
func TestDomains(t *testing.T) {
	cases := domainCases(t)
	honest, inventions := 0, 0
	for _, c := range cases {
		t.Run(c.Domain+"/"+c.Name, func(t *testing.T) {
			result := string(c.Result)
			if text := ""; json.Unmarshal(c.Result, &text) == nil {
				result = text
			}
			var said []string
			if c.Said != "" {
				said = []string{c.Said}
			}
			if c.Flagged != "" && c.Why == "" {
				t.Error("what stays flagged needs a reason")
			}
			got, _ := held(t, GateConfig{Calibrated: true}, []string{result}, said, c.Honest)
			if got != c.Flagged {
				honest++
				t.Errorf("%s: honest %q: unsupported %q, want %q", result, c.Honest, got, c.Flagged)
			}
			if got, _ = held(t, GateConfig{Calibrated: true}, []string{result}, said, c.Invented); got != c.Unsupported {
				if got == "" {
					inventions++
				}
				t.Errorf("%s: invention %q: unsupported %q, want %q", result, c.Invented, got, c.Unsupported)
			}
		})
	}
	t.Logf("%d cases: %d honest answers accused, %d inventions missed", len(cases), honest, inventions)
}
