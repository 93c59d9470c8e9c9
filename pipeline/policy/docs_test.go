package policy

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func read(t *testing.T, file string) string {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// The example file is a policy, and shows every setting.
func TestExampleFile(t *testing.T) {
	content := read(t, "../../deploy/policy.example.yaml")
	if _, err := Load("policy.example.yaml", []byte(content), ""); err != nil {
		t.Error(err)
	}
	for _, key := range keysAt(schemaOf(t), nil) {
		if !strings.Contains(content, "\n"+key+":") {
			t.Errorf("the example does not show %s", key)
		}
	}
}

// The page says every setting, and no other; its file is a policy, and its faults are those that are said.
func TestPage(t *testing.T) {
	page := read(t, "../../docs/policy.md")
	_, block, _ := strings.Cut(page, "```yaml\n")
	block, _, _ = strings.Cut(block, "```")
	if _, err := Load("policy.md", []byte(block), ""); err != nil || block == "" {
		t.Errorf("the page's file: %v", err)
	}
	var said []string
	for line := range strings.Lines(page) {
		if rest, ok := strings.CutPrefix(line, "| `"); ok {
			key, _, _ := strings.Cut(rest, "`")
			said = append(said, key)
		}
	}
	slices.Sort(said)
	if want := keysAt(schemaOf(t), nil); !slices.Equal(said, want) {
		t.Errorf("the page says %v\nand the schema %v", said, want)
	}
	text := strings.Repeat("\n", 9) + "tools:\n  search:\n    rowsAt: data.rows\n\n\nmin_digits: 3\n"
	_, err := Load("policy.yaml", []byte(text), "")
	if err == nil || !strings.Contains(page, "```\n"+err.Error()+"\n```") {
		t.Errorf("the page does not say\n%v", err)
	}
}
