package check

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func newLines(b []byte) *bufio.Reader { return bufio.NewReader(bytes.NewReader(b)) }

var (
	heading     = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *$`)
	anchorDrops = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors are the sections of a page, by the names under which links lead to them.
func anchors(t *testing.T, page string) map[string]bool {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, match := range heading.FindAllStringSubmatch(string(b), -1) {
		name := anchorDrops.ReplaceAllString(strings.ToLower(match[1]), "")
		found[strings.ReplaceAll(name, " ", "-")] = true
	}
	return found
}
