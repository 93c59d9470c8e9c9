package quality

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/schemas"
)

const (
	bundled = "../../cmd/internal/demo/airline/events.jsonl"
	written = "../../docs/quality.md"
	seed    = 1
)

func bundledCorpus(t *testing.T) Corpus {
	t.Helper()
	content, err := os.ReadFile(bundled)
	if err != nil {
		t.Fatal(err)
	}
	c := Corpus{Name: "airline, bundled"}
	for line := range bytes.Lines(content) {
		e, err := schemas.Decode(schemas.JSON, line)
		if err != nil {
			t.Fatal(err)
		}
		c.Events = append(c.Events, e)
	}
	return c
}

// TestQuality fails when a ruleset does worse on the bundled dialogues than docs/quality.md says.
func TestQuality(t *testing.T) {
	text, err := os.ReadFile(written)
	if err != nil {
		t.Fatal(err)
	}
	known, err := ReadRows(string(text))
	if err != nil {
		t.Fatalf("%s: %v", written, err)
	}
	rows, marginals, err := Measure(bundledCorpus(t), seed)
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	if err := WriteTables(&table, rows, marginals); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + table.String())
	for _, row := range rows {
		found := false
		for _, k := range known {
			if k.Corpus == row.Corpus && k.Ruleset == row.Ruleset {
				found = true
				if worse := row.Worse(k); worse != "" {
					t.Errorf("%s under %s: %s", row.Corpus, row.Ruleset, worse)
				}
			}
		}
		if !found {
			t.Errorf("%s has no row for %s under %s", written, row.Corpus, row.Ruleset)
		}
	}
}

func TestPlantIsAnInvention(t *testing.T) {
	c := bundledCorpus(t)
	planted, plants, err := Plant(c, seed)
	if err != nil {
		t.Fatal(err)
	}
	if len(plants) < 20 {
		t.Fatalf("%d plants", len(plants))
	}
	said := conversationTexts(c)
	for i, e := range planted.Events {
		if e.Answer == nil || e.Answer.Text == c.Events[i].Answer.Text {
			continue
		}
		changed := 0
		for at := range len(e.Answer.Text) {
			if e.Answer.Text[at] != c.Events[i].Answer.Text[at] {
				changed++
			}
		}
		if changed != 1 {
			t.Errorf("event %d: %d bytes changed, want one digit", i+1, changed)
		}
	}
	for name, p := range plants {
		if strings.Contains(said[name.Conversation], strings.ToLower(p.Now)) {
			t.Errorf("%v: the planted %q was said", name, p.Now)
		}
	}
	_, again, err := Plant(c, seed)
	if err != nil || len(again) != len(plants) {
		t.Errorf("planting again gives %d plants, %v", len(again), err)
	}
	for name, p := range again {
		if plants[name] != p {
			t.Errorf("%v: planting again gives %v, want %v", name, p, plants[name])
		}
	}
}

func TestWorse(t *testing.T) {
	known := Row{Asserting: 100, Flagged: 4, Planted: 50, Caught: 49}
	for _, tt := range []struct {
		row   Row
		worse bool
	}{
		{known, false},
		{Row{Asserting: 100, Flagged: 3, Planted: 50, Caught: 50}, false},
		{Row{Asserting: 100, Flagged: 5, Planted: 50, Caught: 49}, true},
		{Row{Asserting: 50, Flagged: 3, Planted: 50, Caught: 49}, true},
		{Row{Asserting: 100, Flagged: 4, Planted: 50, Caught: 48}, true},
		{Row{Asserting: 100, Flagged: 4, Planted: 50, Caught: 49, CannotTell: 1}, true},
	} {
		if got := tt.row.Worse(known); (got != "") != tt.worse {
			t.Errorf("%+v: worse in %q, want %v", tt.row, got, tt.worse)
		}
	}
}

// The tables are read back as they were written.
func TestTablesReadBack(t *testing.T) {
	rows := []Row{{Corpus: "a b", Ruleset: "literal-1", Answers: 7, Asserting: 5, Flagged: 1, CannotTell: 2, Planted: 3, Caught: 3}, {Corpus: "c", Ruleset: "x"}}
	var out bytes.Buffer
	if err := WriteTables(&out, rows, []Marginal{{"a b", "clock", 1, 0}}); err != nil {
		t.Fatal(err)
	}
	back, err := ReadRows("# Quality\n\n" + out.String())
	if err != nil || len(back) != 2 || back[0] != rows[0] || back[1] != rows[1] {
		t.Errorf("read back %+v, %v", back, err)
	}
}
