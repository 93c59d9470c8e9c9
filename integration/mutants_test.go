package integration_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMutantsStillApply holds that what each mutant changes (make mutants) still stands in its file, once.
func TestMutantsStillApply(t *testing.T) {
	patches, err := filepath.Glob("mutants/*.patch")
	if err != nil || len(patches) == 0 {
		t.Fatal("no mutants", err)
	}
	for _, name := range patches {
		patch, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, diff, _ := strings.Cut(string(patch), "--- a/")
		file, hunks, _ := strings.Cut(diff, "\n")
		content, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(strings.TrimSpace(file))))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, hunk := range strings.Split(hunks, "\n@@ ")[1:] {
			if before := beforeOf(hunk); strings.Count(string(content), before) != 1 {
				t.Errorf("%s: what hunk %d changes stands %d times in %s: make the patch anew", name, i+1, strings.Count(string(content), before), file)
			}
		}
	}
}

// beforeOf gives the lines that a hunk expects.
func beforeOf(hunk string) string {
	var before strings.Builder
	_, lines, _ := strings.Cut(hunk, "\n")
	for line := range strings.Lines(lines) {
		if line[0] == ' ' || line[0] == '-' {
			before.WriteString(line[1:])
		}
	}
	return before.String()
}
