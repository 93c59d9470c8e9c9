package integration_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	madeup "github.com/plumbline-dev/plumbline/pipeline/fleet"
	"github.com/plumbline-dev/plumbline/schemas"
)

// TestFleetHasTheSizesOfTheDialogues holds that the sizes of the made-up fleet are those of the bundled dialogues.
func TestFleetHasTheSizesOfTheDialogues(t *testing.T) {
	content, err := os.ReadFile(bundle)
	if err != nil {
		t.Fatal(err)
	}
	var results, answers, users []int
	for _, line := range lines(content) {
		e, err := schemas.Decode(schemas.JSON, line)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case e.ToolEnd != nil:
			results = append(results, textLength(t, e.ToolEnd.Result))
		case e.Answer != nil:
			answers = append(answers, len(e.Answer.Text))
			users = append(users, len(*e.Answer.User))
		}
	}
	for _, tt := range []struct {
		name       string
		have, want []int
	}{
		{"results", madeup.ResultBytes, results}, {"answers", madeup.AnswerBytes, answers}, {"persons", madeup.UserBytes, users},
	} {
		if want := quantiles(tt.want, len(tt.have)-1); !slices.Equal(tt.have, want) {
			t.Errorf("%s: the fleet has %v, the dialogues have %v", tt.name, tt.have, want)
		}
	}
}

// textLength is how long a result is: the dialogues hold their results as JSON in a string.
func textLength(t *testing.T, result []byte) int {
	t.Helper()
	var text string
	if err := json.Unmarshal(result, &text); err != nil {
		t.Fatal(err)
	}
	return len(text)
}

// quantiles are the sizes at even steps from the smallest to the largest.
func quantiles(sizes []int, steps int) []int {
	slices.Sort(sizes)
	var at []int
	for i := range steps + 1 {
		at = append(at, sizes[(i*(len(sizes)-1)+steps/2)/steps])
	}
	return at
}
