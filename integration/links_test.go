package integration_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	linked  = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	fenced  = regexp.MustCompile("(?ms)^ *```.*?^ *```")
)

// TestLinks: a link of a page to a file or a section of this repository leads there.
func TestLinks(t *testing.T) {
	pages := map[string]string{}
	walk(t, func(name string) {
		if !strings.HasSuffix(name, ".md") {
			return
		}
		content, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		pages[name] = fenced.ReplaceAllString(string(content), "")
	})
	held := 0
	for name, text := range pages {
		for _, found := range linked.FindAllStringSubmatch(text, -1) {
			if strings.Contains(found[1], "://") {
				continue
			}
			held++
			if broken := brokenLink(pages, name, found[1]); broken != "" {
				t.Errorf("%s links to %s: %s", name, found[1], broken)
			}
		}
	}
	if held < 50 {
		t.Errorf("only %d links were held", held)
	}
}

func TestBrokenLinksAreFound(t *testing.T) {
	pages := map[string]string{"docs/a.md": "# A, `b`: c-d\n", "README.md": ""}
	for target, want := range map[string]bool{
		"docs/a.md": false, "docs/a.md#a-b-c-d": false, "docs/a.md#b": true, "docs/b.md": true, "go.mod": false, "docs": false, "#a": true,
	} {
		if broken := brokenLink(pages, "README.md", target); (broken != "") != want {
			t.Errorf("%s: %q", target, broken)
		}
	}
}

// brokenLink says what is wrong with a link of a page, empty when it leads somewhere.
func brokenLink(pages map[string]string, from, to string) string {
	file, section, _ := strings.Cut(to, "#")
	target := from
	if file != "" {
		target = path.Join(path.Dir(from), file)
	}
	if _, known := pages[target]; !known {
		if _, err := os.Stat(filepath.Join(root, target)); err != nil {
			return "there is no such file"
		}
	}
	if section == "" {
		return ""
	}
	for _, found := range heading.FindAllStringSubmatch(pages[target], -1) {
		if anchor(found[1]) == section {
			return ""
		}
	}
	return "there is no such section"
}

// anchor is what a heading is linked by: in lower case, with - for a space, and without what is neither a letter nor a
// digit nor - nor _.
func anchor(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == ' ':
			return '-'
		case c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c > 0x7f:
			return c
		}
		return -1
	}, strings.ToLower(strings.TrimSpace(text)))
}
